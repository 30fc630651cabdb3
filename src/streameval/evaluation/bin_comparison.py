"""Comparison of two learners in each bin of the time to the label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from streameval.base.arrays import Flags, Integers
from streameval.base.errors import DataError
from streameval.evaluation.runs import Runs, Seeded
from streameval.evaluation.task import Gains, task_of
from streameval.evaluation.verdicts import ComparisonPlan, Verdict, judge_pair, uncovered_seeds
from streameval.protocols.bins import PAPER, bin_predictions
from streameval.protocols.reevaluation import PredictionEvents
from streameval.significance.stream_mean import Sample
from streameval.streams.stream import Stream


def bin_verdicts(
    stream: Stream,
    prediction_events: PredictionEvents,
    done: Seeded[Any],
    known: Runs,
    learners: Sequence[str],
    plan: ComparisonPlan,
    bins: int,
    kept: Flags,
) -> dict[tuple[str, str], list[Verdict]]:
    """Verdicts of each pair of learners in each bin; their intervals hold simultaneously.

    Instances are in the order of arrival. An instance counts in all bins or in none. In regression
    it counts only if all learners predict it in all bins.
    """
    pairs = list(combinations(learners, 2))
    gains = {name: _gains(stream, prediction_events, done, name, bins) for name in learners}
    predicted = [~np.isnan(gain).any(axis=(0, 2)) for gain in gains.values()]
    counted = np.logical_and.reduce(
        [*predicted, np.isin(prediction_events.scored, prediction_events.row[kept])]
    )
    if not counted.any():
        raise DataError(
            f"Stream {stream.name!r}: expected instances that all learners predict in all bins, "
            "found none. Leave the bins out, or compare fewer learners."
        )
    at = np.argsort(prediction_events.scored[counted], kind="stable")
    gains = {name: gain[:, counted][:, at] for name, gain in gains.items()}
    rows, simultaneous = prediction_events.scored[counted][at], len(pairs) * (bins + 2)
    order = None if stream.groups is None else stream.groups.part(rows).order
    return {pair: _of_pair(pair, gains, known, plan, simultaneous, order) for pair in pairs}


def _gains(
    stream: Stream, prediction_events: PredictionEvents, done: Seeded[Any], name: str, bins: int
) -> Gains:
    """Gains of the predictions of a learner that count in bins, shape (runs, s, B + 2)."""
    runs = done.by_learner[name] if name in done.draws else done.by_learner[name][:1]
    ways, true = [(bins, PAPER)], stream.y[prediction_events.scored][:, None]
    task, counted = task_of(stream), []
    for run in runs:
        (binned,) = bin_predictions(prediction_events, run.predicted, ways, stream.n_classes)
        counted.append(binned.values)
    return task.gain(true, np.stack(counted))


def _of_pair(
    pair: tuple[str, str],
    gains: Mapping[str, Gains],
    known: Runs,
    plan: ComparisonPlan,
    simultaneous: int,
    order: Integers | None = None,
) -> list[Verdict]:
    first, second = (gains[name] for name in pair)
    why = uncovered_seeds(known, pair, plan)
    verdicts, before = list[Verdict](), None
    for b in range(first.shape[2]):
        gaps = np.subtract(first[:, :, b], second[:, :, b], dtype=np.float64)
        # The same predictions often count in consecutive bins.
        if before is not None and np.array_equal(gaps, before):
            verdicts.append(verdicts[-1])
            continue
        before = gaps
        spread = gaps.mean(axis=1) if len(gaps) > 1 else ()
        apart = Sample(gaps.mean(axis=0), spread, order=order)
        verdicts.append(
            judge_pair(pair, apart, plan.rope, pairs=simultaneous, lacking=why, task=plan.task)
        )
    return verdicts
