"""Verdicts of `compare` from predictions that were made before: a table for each seed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

import numpy as np

from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.runs import CountedRuns
from streameval.evaluation.verdict_words import Region
from streameval.evaluation.verdicts import ComparisonPlan, Verdict, judged, lacking, region_among
from streameval.protocols.registry import parse


def side_by_side(
    tables: Sequence[PredictionTable], learners: Collection[str], draws: Collection[str]
) -> CountedRuns:
    """Runs of classifiers with several seeds; a learner that does not draw repeats its first run.

    Parameters
    ----------
    tables : sequence of PredictionTable
        The predictions of each run, of the same instances in the same order.
    learners : collection of str
        Ids in the first table; those that draw are in all tables.
    draws : collection of str
        The learners that draw.
    """
    first, names = tables[0], tuple(learners)
    right = np.zeros((len(names), len(first)), np.int32)
    both = np.empty((len(tables), len(names), len(names), 1), np.int64)
    for run, table in enumerate(tables):
        packed = []
        for place, name in enumerate(names):
            predicted = (table if name in draws else first).predicted[name]
            is_correct = first.task.gain(first.true, predicted)
            right[place] += is_correct
            packed.append(np.packbits(is_correct))
        for a, b in combinations(range(len(names)), 2):
            both[run, [a, b], [b, a], 0] = np.bitwise_count(packed[a] & packed[b]).sum()
        for a, bits in enumerate(packed):
            both[run, a, a, 0] = np.bitwise_count(bits).sum()
    return CountedRuns(
        learners=names,
        tested=np.full((len(tables), 1), len(first)),
        models=np.full(len(first), len(tables), np.int32),
        learnt=np.nan,
        draws=frozenset(draws),
        seconds={},
        groups=first.groups,
        both=both,
        right_models=right,
    )


def verdicts_by_pair(
    tables: Mapping[int, PredictionTable],
    learners: Sequence[str],
    seeds: Mapping[str, int],
    rope: float | None = None,
) -> list[Verdict]:
    """Verdict of `compare` about each pair of classifiers; they hold for all pairs at once.

    Parameters
    ----------
    tables : mapping of int to PredictionTable
        The predictions of the runs with the seeds 1, 2, ...; both comparators are in the first.
    learners : sequence of str
        Two or more.
    seeds : mapping of str to int
        Number of runs of each learner that draws; of two such learners the smaller number counts.
    rope : float, optional
        Region of practical equivalence; by default 2 % of the error of the better baseline.
    """
    draws, pairs = {*learners} & {*seeds}, list(combinations(learners, 2))
    numbers = {pair: min([seeds[name] for name in pair if name in draws] or [1]) for pair in pairs}
    first = tables[1]
    levels = side_by_side([first], COMPARATORS, ())
    task = levels.task
    region = region_among(levels, task) if rope is None else Region(rope)
    plan = ComparisonPlan(parse(first.protocol), region, task=task)
    judgements = {}
    for number in sorted({*numbers.values()}):
        names = [name for name in learners if name not in draws or seeds[name] >= number]
        known = side_by_side([tables[seed] for seed in range(1, number + 1)], names, draws)
        for pair in pairs:
            if numbers[pair] == number:
                judgements[pair] = judged(
                    pair,
                    known.apart(*pair),
                    plan.rope,
                    pairs=len(pairs),
                    lacking=lacking(known, pair, plan),
                    task=task,
                )
    return [judgements[pair] for pair in pairs]
