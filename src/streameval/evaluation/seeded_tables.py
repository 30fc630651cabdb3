"""The verdicts of `compare` from stored predictions, with a table for each seed."""

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
    region_from_baselines,
    uncovered_seeds_reason,
)
from streameval.protocols.registry import parse


def with_common_instances(
    tables: Mapping[int, PredictionTable],
    learners: Collection[str],
    n_runs_by_learner: Mapping[str, int],
) -> dict[int, PredictionTable]:
    """Predictions of all runs for the instances that all learners predict in every run.

    In classification a missing prediction is wrong, so the tables stay as they are. In regression
    a missing prediction has no error: its instance is left out for all learners, as in `evaluate`
    and `compare`. The baselines of the task are treated as learners: an instance that a baseline
    does not predict is left out. They are added to each table, so that skills over them can be
    computed. Learners without any prediction are ignored.

    Parameters
    ----------
    tables : mapping of int to PredictionTable
        The predictions of the runs with the seeds 1, 2, ..., of the same instances in the same
        order.
    learners : collection of str
        The learners that are measured or compared.
    n_runs_by_learner : mapping of str to int
        Number of runs of each randomised learner.
    """
    task = tables[1].task
    if task.is_classification:
        return dict(tables)
    names = dict.fromkeys((*learners, *task.baselines))
    is_common = np.ones(len(tables[1]), np.bool_)
    for seed, table in tables.items():
        for name in table.without_failed(names):
            if n_runs_by_learner.get(name, 1) < seed:  # the table repeats an earlier run
                continue
            is_predicted = task.is_known(table.predicted[name])
            if is_predicted.any():
                is_common &= is_predicted
    # All baselines of the task, with the seasonal baselines of regression.
    baselines = {name: tables[1].predicted[name] for name in task.baselines_of(tables[1].predicted)}
    return {
        seed: replace(table, predicted={**baselines, **table.predicted}).select(is_common)
        for seed, table in tables.items()
    }


def pair_runs(
    tables: Sequence[PredictionTable], learners: Collection[str], random_learners: Collection[str]
) -> CountedRuns | ErrorRuns:
    """Runs of learners with several seeds; a deterministic learner repeats its first run.

    Parameters
    ----------
    tables : sequence of PredictionTable
        The predictions of each run, of the same instances in the same order. In regression no
        prediction of the learners is missing; see `with_common_instances`.
    learners : collection of str
        Ids in the first table; randomised learners are in all tables.
    random_learners : collection of str
        The randomised learners.
    """
    first, names = tables[0], tuple(learners)
    if not first.task.is_classification:
        return _error_runs(tables, names, frozenset(random_learners))
    n_correct_models = np.zeros((len(names), len(first)), np.int32)
    # (runs, learners, learners, folds), with one fold.
    both_correct = np.empty((len(tables), len(names), len(names), 1), np.int64)
    for run, table in enumerate(tables):
        packed = []
        for position, name in enumerate(names):
            predicted = (table if name in random_learners else first).predicted[name]
            is_correct = first.task.gain(first.true, predicted)
            n_correct_models[position] += is_correct
            packed.append(np.packbits(is_correct))
        for a, b in combinations(range(len(names)), 2):
            # The matrix of pairs is symmetric.
            both_correct[run, [a, b], [b, a], 0] = np.bitwise_count(packed[a] & packed[b]).sum()
        for a, bits in enumerate(packed):
            both_correct[run, a, a, 0] = np.bitwise_count(bits).sum()
    return CountedRuns(
        learners=names,
        n_tested=np.full((len(tables), 1), len(first)),
        n_models=np.full(len(first), len(tables), np.int32),
        learnt_proportion=np.nan,  # unknown from stored predictions
        random_learners=frozenset(random_learners),
        seconds={},
        groups=first.groups,
        both_correct=both_correct,
        n_correct_models=n_correct_models,
    )


def _error_runs(
    tables: Sequence[PredictionTable], learners: tuple[str, ...], random_learners: frozenset[str]
) -> ErrorRuns:
    """Runs of regressors; see `pair_runs`."""
    first = tables[0]
    errors = {
        name: np.stack(
            [(table if name in random_learners else first).losses(name) for table in tables]
        )
        for name in learners
    }
    return ErrorRuns(
        learners=learners,
        n_tested=np.full((len(tables), 1), len(first)),
        n_models=np.full(len(first), len(tables), np.int32),
        learnt_proportion=np.nan,  # unknown from stored predictions
        random_learners=random_learners,
        seconds={},
        groups=first.groups,
        errors=errors,
        instance=first.instances.astype(np.int32),
    )


def verdicts_by_pair(
    tables: Mapping[int, PredictionTable],
    learners: Sequence[str],
    n_runs_by_learner: Mapping[str, int],
    rope: float | None = None,
) -> list[Verdict]:
    """Verdict of `compare` on each pair of learners; intervals hold for all pairs simultaneously.

    Parameters
    ----------
    tables : mapping of int to PredictionTable
        The predictions of the runs with the seeds 1, 2, ...; the first table has the baselines of
        the task. In regression the tables come from `with_common_instances`.
    learners : sequence of str
        Two or more learners, each with predictions.
    n_runs_by_learner : mapping of str to int
        Number of runs of each randomised learner; two such learners are compared over the smaller
        number of runs.
    rope : float, optional
        Region of practical equivalence; by default 2 % of the error of the better baseline.
    """
    random_learners, pairs = {*learners} & {*n_runs_by_learner}, list(combinations(learners, 2))
    n_runs_by_pair = {
        pair: min([n_runs_by_learner[name] for name in pair if name in random_learners], default=1)
        for pair in pairs
    }
    first = tables[1]
    task = first.task
    baseline_runs = pair_runs([first], [*task.baselines], random_learners=())
    region = region_from_baselines(baseline_runs, task) if rope is None else Region(rope)
    plan = ComparisonPlan(parse(first.protocol), region, task=task)
    verdicts = {}
    # Pairs with the same number of runs share one `runs`.
    for n_runs in sorted({*n_runs_by_pair.values()}):
        names = [
            name
            for name in learners
            if name not in random_learners or n_runs_by_learner[name] >= n_runs
        ]
        seed_tables = [tables[seed] for seed in range(1, n_runs + 1)]
        runs = pair_runs(seed_tables, names, random_learners)
        for pair in pairs:
            if n_runs_by_pair[pair] == n_runs:
                verdicts[pair] = judge_pair(
                    pair,
                    runs.advantage(*pair),
                    plan.rope,
                    pairs=len(pairs),
                    no_interval_reason=uncovered_seeds_reason(runs, pair, plan),
                    task=task,
                )
    return [verdicts[pair] for pair in pairs]
