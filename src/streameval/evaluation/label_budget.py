"""The accuracy of learners by the number of learnt labels: curves over budgets and strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final, NamedTuple, cast

import numpy as np

from streameval.base.errors import ConfigError, listing
from streameval.base.seeds import generator
from streameval.evaluation.folds import RANDOM_SEED_LIMIT, with_lock
from streameval.evaluation.run import run_with_unscored
from streameval.learners.baselines import NoChange, with_classification_baselines
from streameval.learners.learner import Classifier, Progress
from streameval.protocols.partial import INDEPENDENT, SCORE_BASED, Partial
from streameval.protocols.protocol import nothing_to_score_error
from streameval.protocols.registry import parse
from streameval.streams.stream import Stream

#: Default budgets: fractions of all labels.
BUDGETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
#: Default strategies, by which labels are chosen.
STRATEGIES = ("random", "every", "variable_uncertainty", "randomised_uncertainty")
#: Default number of runs.
RUNS = 5
#: The strategy of a learner that learns all labels.
ALL_LABELS = "all"
#: The strategy of baselines, which cannot query labels.
RANDOM: Final = "random"


class BudgetPoint(NamedTuple):
    """A point of a curve: a learner with a label budget, means over runs with different seeds.

    `proportion` is the fraction of all labels that is learnt, `low` and `high` are the extreme
    accuracies of the runs. `scored` is the number of scored instances, see `Protocol.scored_rows`.
    A run that learns no label before the last instance has no scored instances, and its accuracy is
    NaN. κ_t compares with No-Change at the same budget with random labels, and is NaN if No-Change
    is always correct.
    """

    learner: str
    strategy: str
    budget: float
    labels: float
    proportion: float
    scored: float
    accuracy: float
    low: float
    high: float
    runs: int
    kappa_temporal: float


class _Job(NamedTuple):
    """A point to compute: a learner with a labelling strategy and its protocol."""

    learner: str
    strategy: str
    protocol: Partial


class _Scores(NamedTuple):
    """The numbers of learnt labels and scored instances of a run, and its accuracy."""

    labels: int
    scored: int
    accuracy: float


def check_budgets(budgets: Sequence[float]) -> tuple[float, ...]:
    """Budgets in increasing order, each once.

    Raises ConfigError for a budget outside (0, 1].
    """
    fractions = sorted({Partial(budget).budget for budget in budgets})  # `Partial` checks them
    if not fractions:
        raise ConfigError("budgets: expected one or more, such as 0.01, found none.")
    return tuple(fractions)


def check_strategies(strategies: Sequence[str]) -> tuple[str, ...]:
    """Strategies, each once.

    Raises ConfigError if a strategy is unknown or the list is empty.
    """
    for name in strategies:
        parse({"name": Partial.name, "budget": 1, "strategy": name})
    if not strategies:
        raise ConfigError(
            f"strategies: expected some of {listing([*INDEPENDENT, *SCORE_BASED])}, found none."
        )
    return tuple(dict.fromkeys(strategies))


def label_curves(
    stream: Stream,
    learners: Mapping[str, Classifier],
    budgets: Sequence[float] = BUDGETS,
    strategies: Sequence[str] = STRATEGIES,
    *,
    delay: int = 0,
    runs: int = RUNS,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[BudgetPoint]:
    """Run learners with each budget and strategy, and with all labels.

    Randomised evaluations run several times, with the same seeds for all budgets and strategies.
    No-Change and Majority learn random labels at each budget, and once all labels. `delay` is the
    number of instances that arrive before a label is known. Results are by learner, strategy and
    budget; all labels come last.
    """
    budgets, strategies = check_budgets(budgets), check_strategies(strategies)
    # The label of the first instance is learnt before the instance with index `delay + 1`.
    if delay and len(stream) <= delay + 1:
        raise nothing_to_score_error(stream.name, len(stream))
    learners_and_baselines = with_classification_baselines(learners)
    jobs = [
        _Job(name, strategy, _protocol(budget, strategy, delay))
        for name in learners_and_baselines
        for strategy in (*(strategies if name in learners else (RANDOM,)), ALL_LABELS)
        for budget in (budgets if strategy != ALL_LABELS else (1.0,))
    ]
    report = None if progress is None else with_lock(progress)

    def scores_of(job: _Job) -> list[_Scores]:
        return _scores(stream, learners_and_baselines[job.learner], job, runs, seed, report)

    with ThreadPoolExecutor(workers) as threads:
        scores_by_job = dict(zip(jobs, threads.map(scores_of, jobs), strict=True))
    n_labels = len(stream) - stream.n_unlabelled
    return [_point(job, scores_by_job, n_labels) for job in jobs]


def number_of_runs(n_learners: int, n_budgets: int, n_strategies: int, runs: int) -> int:
    """Largest number of runs over the stream, including the runs of the two baselines."""
    return runs * (n_learners * (n_strategies * n_budgets + 1) + 2 * (n_budgets + 1))


def _protocol(budget: float, strategy: str, delay: int) -> Partial:
    # With a budget of 1 all strategies learn all labels.
    name = RANDOM if strategy == ALL_LABELS else strategy
    return cast(
        Partial,
        parse({"name": Partial.name, "budget": budget, "strategy": name, "delay": delay}),
    )


def _scores(
    stream: Stream,
    learner: Classifier,
    job: _Job,
    runs: int,
    seed: int,
    report: Progress | None,
) -> list[_Scores]:
    """Scores of each run of a point; of a single run if the second run is equal."""
    scores, first = list[_Scores](), np.empty(0)
    for run in range(runs):
        run_seed = (
            seed
            if run == 0
            else int(generator("label budget", seed, run).integers(RANDOM_SEED_LIMIT))
        )
        protocol = replace(job.protocol, seed=run_seed)
        # The costs of the baselines follow.
        table, is_scored, (cost, *_) = run_with_unscored(
            stream, protocol, {job.learner: learner}, run_seed
        )
        predicted = table.predicted[job.learner]
        is_correct = (predicted == table.true)[is_scored & stream.labelled]
        accuracy = float(np.mean(is_correct)) if len(is_correct) else np.nan
        scores.append(_Scores(cost.labels or 0, len(is_correct), accuracy))
        if report is not None:
            report(len(stream))
        if run == 0:
            first = predicted
        elif run == 1 and np.array_equal(predicted, first):  # not random: no further runs
            if report is not None:
                report((runs - 2) * len(stream))
            return scores[:1]
    return scores


def _point(
    job: _Job, scores_by_job: Mapping[_Job, Sequence[_Scores]], n_labels: int
) -> BudgetPoint:
    scores = scores_by_job[job]
    labels = float(np.mean([run.labels for run in scores]))
    values = [run.accuracy for run in scores]
    accuracy = float(np.mean(values))
    strategy = ALL_LABELS if job.strategy == ALL_LABELS else RANDOM
    baseline_job = _Job(NoChange.name, strategy, replace(job.protocol, strategy=RANDOM))
    no_change = float(np.mean([run.accuracy for run in scores_by_job[baseline_job]]))
    return BudgetPoint(
        learner=job.learner,
        strategy=job.strategy,
        budget=job.protocol.budget,
        labels=labels,
        proportion=labels / n_labels,
        scored=float(np.mean([run.scored for run in scores])),
        accuracy=accuracy,
        low=min(values),
        high=max(values),
        runs=len(values),
        kappa_temporal=(accuracy - no_change) / (1.0 - no_change) if no_change < 1.0 else np.nan,
    )


def cheapest_point(
    points: Sequence[BudgetPoint], learner: str, max_loss: float = 0.01
) -> BudgetPoint | None:
    """Point with the fewest labels at which a learner loses at most `max_loss` of accuracy.

    The loss is relative to the same learner with all labels. None if all points lose more.
    """
    curve = [point for point in points if point.learner == learner]
    (with_all,) = (point for point in curve if point.strategy == ALL_LABELS)
    accurate_enough = [
        point
        for point in curve
        if point.strategy != ALL_LABELS and point.accuracy >= with_all.accuracy - max_loss
    ]
    return min(accurate_enough, key=lambda point: point.labels, default=None)
