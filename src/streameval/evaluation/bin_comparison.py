"""Comparison of two learners in each bin of the time to the label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from streameval.base.arrays import Flags, Integers
from streameval.base.errors import DataError
from streameval.evaluation.runs import Runs, SeededRuns
from streameval.evaluation.task import Gains, task_of
from streameval.evaluation.verdicts import (
    ComparisonPlan,
    Verdict,
    judge_pair,
    uncovered_seeds_reason,
)
from streameval.protocols.bins import PAPER, bin_predictions
from streameval.protocols.reevaluation import PredictionEvents
from streameval.significance.stream_mean import Sample
from streameval.streams.stream import Stream


def bin_verdicts(
    stream: Stream,
    prediction_events: PredictionEvents,
    seeded: SeededRuns[Any],
    runs: Runs,
    learners: Sequence[str],
    plan: ComparisonPlan,
    bins: int,
    scored: Flags,
) -> dict[tuple[str, str], list[Verdict]]:
    """Verdicts of each pair of learners in each bin; their intervals hold simultaneously.

    Instances are in the order of arrival. `scored` is a mask of the predictions; an instance counts
    in all bins if one of its predictions is scored, otherwise in none. In regression it counts only
    if all learners predict it in all bins.
    """
    pairs = list(combinations(learners, 2))
    gains = {name: _gains(stream, prediction_events, seeded, name, bins) for name in learners}
    predicted = [~np.isnan(gain).any(axis=(0, 2)) for gain in gains.values()]
    counted = np.logical_and.reduce(
        [*predicted, np.isin(prediction_events.labelled_rows, prediction_events.row[scored])]
    )
    if not counted.any():
        raise DataError(
            f"Stream {stream.name!r}: expected instances that all learners predict in all bins, "
            "found none. Leave the bins out, or compare fewer learners."
        )
    by_arrival = np.argsort(prediction_events.labelled_rows[counted], kind="stable")
    gains = {name: gain[:, counted][:, by_arrival] for name, gain in gains.items()}
    rows = prediction_events.labelled_rows[counted][by_arrival]
    # Bins 0 and B + 1 have the first and the last predictions.
    n_intervals = len(pairs) * (bins + 2)
    order = None if stream.groups is None else stream.groups.select(rows).order
    return {pair: _verdicts_of_pair(pair, gains, runs, plan, n_intervals, order) for pair in pairs}


def _gains(
    stream: Stream,
    prediction_events: PredictionEvents,
    seeded: SeededRuns[Any],
    name: str,
    bins: int,
) -> Gains:
    """Gains of the predictions of a learner that count in bins, shape (runs, s, B + 2).

    A deterministic learner has a single run.
    """
    is_random, runs = name in seeded.random_learners, seeded.by_learner[name]
    predictions = []
    for run in runs if is_random else runs[:1]:
        (binned,) = bin_predictions(
            prediction_events, run.predicted, [(bins, PAPER)], stream.n_classes
        )
        predictions.append(binned.values)
    return task_of(stream).gain(
        stream.y[prediction_events.labelled_rows][:, None], np.stack(predictions)
    )


def _verdicts_of_pair(
    pair: tuple[str, str],
    gains: Mapping[str, Gains],
    runs: Runs,
    plan: ComparisonPlan,
    n_intervals: int,
    order: Integers | None = None,
) -> list[Verdict]:
    """Verdict on a pair in each bin, of `n_intervals` verdicts that hold simultaneously."""
    first, second = (gains[name] for name in pair)
    reason = uncovered_seeds_reason(runs, pair, plan)
    verdicts, previous = list[Verdict](), None
    for b in range(first.shape[2]):
        differences = np.subtract(first[:, :, b], second[:, :, b], dtype=np.float64)
        # The same predictions often count in consecutive bins.
        if previous is not None and np.array_equal(differences, previous):
            verdicts.append(verdicts[-1])
            continue
        previous = differences
        run_means = differences.mean(axis=1) if len(differences) > 1 else ()
        verdicts.append(
            judge_pair(
                pair,
                Sample(differences.mean(axis=0), run_means, order=order),
                plan.rope,
                pairs=n_intervals,
                no_interval_reason=reason,
                task=plan.task,
            )
        )
    return verdicts
