"""Verdicts of `compare` from stored predictions, with a table for each seed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.runs import CountedRuns, ErrorRuns
from streameval.evaluation.verdict_words import Region
from streameval.evaluation.verdicts import (
    ComparisonPlan,
    Verdict,
    judge_pair,
    region_among,
    uncovered_seeds,
)
from streameval.protocols.registry import parse


def with_common_instances(
    tables: Mapping[int, PredictionTable], learners: Collection[str], seeds: Mapping[str, int]
) -> dict[int, PredictionTable]:
    """Predictions of all runs for the instances that all learners predict in every run.

    In classification a missing prediction is wrong, so the tables stay as they are. In regression
    a missing prediction has no error: its instance is left out for all learners, as in `evaluate`
    and `compare`. The baselines of the task count as learners, and are added to each run for the
    skills over them. Learners without any prediction are ignored.

    Parameters
    ----------
    tables : mapping of int to PredictionTable
        The predictions of the runs with the seeds 1, 2, ..., of the same instances in the same
        order.
    learners : collection of str
        The learners that are measured or compared.
    seeds : mapping of str to int
        Number of runs of each randomised learner.
    """
    task = tables[1].task
    if task.is_counted:
        return dict(tables)
    named = dict.fromkeys((*learners, *task.baselines))
    common = np.ones(len(tables[1]), np.bool_)
    for seed, table in tables.items():
        for name in table.without_failed(named):
            if seeds.get(name, 1) >= seed and (known := task.known(table.predicted[name])).any():
                common &= known
    baselines = {name: tables[1].predicted[name] for name in task.baselines_of(tables[1].predicted)}
    return {
        seed: replace(table, predicted={**baselines, **table.predicted}).part(common)
        for seed, table in tables.items()
    }


def side_by_side(
    tables: Sequence[PredictionTable], learners: Collection[str], draws: Collection[str]
) -> CountedRuns | ErrorRuns:
    """Runs of learners with several seeds; a deterministic learner repeats its first run.

    Parameters
    ----------
    tables : sequence of PredictionTable
        The predictions of each run, of the same instances in the same order. In regression no
        prediction of the learners is missing; see `with_common_instances`.
    learners : collection of str
        Ids in the first table; randomised learners are in all tables.
    draws : collection of str
        The randomised learners.
    """
    first, names = tables[0], tuple(learners)
    if not first.task.is_counted:
        return _error_runs(tables, names, frozenset(draws))
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


def _error_runs(
    tables: Sequence[PredictionTable], learners: tuple[str, ...], draws: frozenset[str]
) -> ErrorRuns:
    """Runs of regressors; see `side_by_side`."""
    first = tables[0]
    errors = {
        name: np.stack([(table if name in draws else first).losses(name) for table in tables])
        for name in learners
    }
    return ErrorRuns(
        learners=learners,
        tested=np.full((len(tables), 1), len(first)),
        models=np.full(len(first), len(tables), np.int32),
        learnt=np.nan,
        draws=draws,
        seconds={},
        groups=first.groups,
        errors=errors,
        row=first.instances.astype(np.int32),
    )


def verdicts_by_pair(
    tables: Mapping[int, PredictionTable],
    learners: Sequence[str],
    seeds: Mapping[str, int],
    rope: float | None = None,
) -> list[Verdict]:
    """Verdict of `compare` on each pair of learners; they hold for all pairs simultaneously.

    Parameters
    ----------
    tables : mapping of int to PredictionTable
        The predictions of the runs with the seeds 1, 2, ...; the baselines of the task are in the
        first. In regression they are those of `with_common_instances`.
    learners : sequence of str
        Two or more, each with predictions.
    seeds : mapping of str to int
        Number of runs of each randomised learner; two such learners are compared over the smaller
        number.
    rope : float, optional
        Region of practical equivalence; by default 2 % of the error of the better baseline.
    """
    draws, pairs = {*learners} & {*seeds}, list(combinations(learners, 2))
    numbers = {pair: min([seeds[name] for name in pair if name in draws] or [1]) for pair in pairs}
    first = tables[1]
    task = first.task
    levels = side_by_side([first], [*task.baselines], ())
    region = region_among(levels, task) if rope is None else Region(rope)
    plan = ComparisonPlan(parse(first.protocol), region, task=task)
    judgements = {}
    for number in sorted({*numbers.values()}):
        names = [name for name in learners if name not in draws or seeds[name] >= number]
        known = side_by_side([tables[seed] for seed in range(1, number + 1)], names, draws)
        for pair in pairs:
            if numbers[pair] == number:
                judgements[pair] = judge_pair(
                    pair,
                    known.apart(*pair),
                    plan.rope,
                    pairs=len(pairs),
                    lacking=uncovered_seeds(known, pair, plan),
                    task=task,
                )
    return [judgements[pair] for pair in pairs]
