"""The accuracy of learners by the labels that they learn: curves over budgets and strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from streameval.base.errors import ConfigError, some
from streameval.base.seeds import generator
from streameval.evaluation.folds import SEEDS, one_at_a_time
from streameval.evaluation.runs import differ
from streameval.learners.asking import labels_of, learnt_tape, played
from streameval.learners.baselines import Majority, NoChange, with_comparators
from streameval.learners.learner import Classifier, Progress
from streameval.learners.predictions import Predictions
from streameval.protocols.partial import ASKING, DRAWN, Offered, Partial, at_random
from streameval.protocols.prequential import delayed
from streameval.protocols.protocol import nothing_to_score
from streameval.protocols.registry import parse
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream

#: Budgets, strategies and runs where none are given.
BUDGETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
STRATEGIES = ("random", "every", "variable_uncertainty", "randomised_uncertainty")
RUNS = 5
#: How the labels of a learner that learns all of them are bought.
ALL = "all"
#: The strategy of baselines, which do not ask.
RANDOM = "random"


class Spent(NamedTuple):
    """A learner with a budget: a point of a curve, with means over runs of other seeds.

    `share` is labels by instances, `low` and `high` the accuracies of runs; `scored` is how many
    instances these are over, as `Protocol.scored_rows` has it. In a run that learns no label before
    the last instance nothing is scored, so that accuracies are NaN. κ_t compares with the accuracy
    of No-Change with as large a budget, spent at random, NaN where that is always right.
    """

    learner: str
    strategy: str
    budget: float
    labels: float
    share: float
    scored: float
    accuracy: float
    low: float
    high: float
    runs: int
    kappa_temporal: float


class _Job(NamedTuple):
    """Runs of a learner with a protocol, or with all labels."""

    learner: str
    protocol: Partial | None


class _Run(NamedTuple):
    """A run: how many labels were learnt and instances scored, and the accuracy."""

    labels: int
    scored: int
    accuracy: float


def checked_budgets(budgets: Sequence[float]) -> tuple[float, ...]:
    """Return budgets in increasing order, each once.

    Raises ConfigError if one is not above 0 and at most 1.
    """
    found = sorted({Partial(budget).budget for budget in budgets})
    if not found:
        raise ConfigError("budgets: expected one or more, such as 0.01, found none.")
    return tuple(found)


def checked_strategies(strategies: Sequence[str]) -> tuple[str, ...]:
    """Return strategies, each once.

    Raises ConfigError if there is no such strategy, or none at all.
    """
    for name in strategies:
        parse({"name": Partial.name, "budget": 1, "strategy": name})
    if not strategies:
        raise ConfigError(f"strategies: expected some of {some([*DRAWN, *ASKING])}, found none.")
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
) -> list[Spent]:
    """Run learners with each budget and strategy, and with all labels.

    What draws runs several times, with the same seeds for all budgets and strategies. No-Change and
    Majority get labels at random, and all. `delay` is the number of instances that arrive before a
    label is known; results are by learner, strategy and budget, all labels at last.
    """
    chosen, ways = checked_budgets(budgets), checked_strategies(strategies)
    stream = stream.with_labels()
    if delay and len(stream) <= delay + 1:
        raise nothing_to_score(stream.name, len(stream))
    every = with_comparators(learners)
    jobs = [
        _Job(name, None if way == ALL else _protocol(budget, way, delay))
        for name in every
        for way in (*(ways if name in learners else (RANDOM,)), ALL)
        for budget in (chosen if way != ALL else (1.0,))
    ]
    report = None if progress is None else one_at_a_time(progress)

    def several(job: _Job) -> list[_Run]:
        return _several(stream, every[job.learner], job, delay, runs, seed, report)

    with ThreadPoolExecutor(workers) as threads:
        done = dict(zip(jobs, threads.map(several, jobs), strict=True))
    return [_spent(job, found, done, len(stream)) for job, found in done.items()]


def number_of_runs(learners: int, budgets: int, strategies: int, runs: int) -> int:
    """Return how often a learner runs over the stream, at most."""
    return runs * (learners * (strategies * budgets + 1) + 2 * (budgets + 1))


def _protocol(budget: float, strategy: str, delay: int) -> Partial:
    given = {"budget": budget, "strategy": strategy, "delay": delay}
    found: Any = parse({"name": Partial.name, **given})
    made: Partial = found
    return made


def _several(
    stream: Stream,
    learner: Classifier,
    job: _Job,
    delay: int,
    runs: int,
    seed: int,
    report: Progress | None,
) -> list[_Run]:
    """Return the runs of a job; one, if a second is the same."""
    made: list[Predictions] = []
    found = []
    for run in range(runs):
        own = seed if run == 0 else int(generator("label budget", seed, run).integers(SEEDS))
        protocol = replace(job.protocol or Partial(1.0, delay=delay), seed=own)
        tape = delayed(len(stream), delay)
        if job.protocol is not None:
            (tape,) = protocol.tapes(stream)
        predictions = played(learner, stream, tape, own)
        made.append(predictions)
        found.append(_run(stream, protocol, tape, predictions))
        if report is not None:
            report(len(stream))
        if run == 1 and not differ(*made):
            if report is not None:
                report((runs - 2) * len(stream))
            return found[:1]
    return found


def _run(stream: Stream, protocol: Partial, tape: Tape, found: Predictions) -> _Run:
    """Return the labels and the accuracy of a run, over the instances that `evaluate` scores.

    Beside a learner that asks, the baselines have labels at random.
    """
    scored = protocol.scored_rows(stream, learnt_tape(found, tape))
    if isinstance(tape, Offered):
        scored &= protocol.scored_rows(stream, at_random(stream, tape))
    at = scored[found.row]
    right = (found.label == stream.y[found.row])[at]
    accuracy = float(np.mean(right)) if len(right) else np.nan
    return _Run(labels_of(found, tape), len(right), accuracy)


def _spent(job: _Job, found: Sequence[_Run], done: Mapping[_Job, Sequence[_Run]], n: int) -> Spent:
    labels = float(np.mean([run.labels for run in found]))
    values = [run.accuracy for run in found]
    accuracy = float(np.mean(values))
    protocol = job.protocol
    beside = None if protocol is None else Partial(protocol.budget, "random", protocol.delay)
    unchanged = float(np.mean([run.accuracy for run in done[_Job(NoChange.name, beside)]]))
    return Spent(
        job.learner,
        ALL if protocol is None else protocol.strategy,
        1.0 if protocol is None else protocol.budget,
        labels,
        labels / n,
        float(np.mean([run.scored for run in found])),
        accuracy,
        min(values),
        max(values),
        len(values),
        (accuracy - unchanged) / (1.0 - unchanged) if unchanged < 1.0 else np.nan,
    )


BASELINES = (NoChange.name, Majority.name)


def enough(points: Sequence[Spent], learner: str, points_lost: float = 0.01) -> Spent | None:
    """Return the point with the fewest labels at which a learner loses at most so much accuracy.

    The loss is against the same learner with all labels; None if all lose more.
    """
    own = [one for one in points if one.learner == learner]
    (whole,) = (one for one in own if one.strategy == ALL)
    close = [
        one for one in own if one.strategy != ALL and one.accuracy >= whole.accuracy - points_lost
    ]
    return min(close, key=lambda one: one.labels, default=None)
