"""Measures of predictions, over all of them or over a sliding window, and their counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Integers
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import MAJORITY, NO_CHANGE
from streameval.measures.classification import class_f1, class_precision, class_recall
from streameval.measures.counting import tally
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally
from streameval.measures.windows import fading_tallies, window_tallies

if TYPE_CHECKING:
    import pandas as pd

# Positions times classes that are counted at once, to limit memory with many classes.
_MOST_COUNTS = 2**22


def tally_of(table: PredictionTable, learner: str) -> Tally:
    """Count all predictions of a learner, those of all folds together."""
    return tally(table.true, table.predicted[learner], table.n_classes, **_comparators(table))


def class_measures(counts: Tally, classes: Sequence[str]) -> list[dict[str, Any]]:
    """Return of each class its name, counts, precision, recall and F1; undefined is NaN."""
    columns = {
        "class": classes,
        "instances": counts.true_counts.astype(np.int64).tolist(),
        "predicted": counts.predicted_counts[:-1].astype(np.int64).tolist(),
        "correct": counts.class_correct.astype(np.int64).tolist(),
        "precision": class_precision(counts).tolist(),
        "recall": class_recall(counts).tolist(),
        "f1": class_f1(counts).tolist(),
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def confusion_counts(table: PredictionTable, learner: str) -> Integers:
    """Count by true and predicted class, (k, k + 1): the last column is "no prediction"."""
    k = table.n_classes
    predicted = table.predicted[learner]
    cells = table.true * np.int64(k + 1) + np.where(predicted < 0, k, predicted)
    return np.bincount(cells, minlength=k * (k + 1)).reshape(k, k + 1)


def windows_of(table: PredictionTable, learner: str, window: int, at: Integers) -> Tally:
    """Count a learner's last `window` predictions at each of the positions `at`."""
    table.require_one_fold("Measures over a sliding window")
    return window_tallies(
        table.true,
        table.predicted[learner],
        table.n_classes,
        window=window,
        at=at,
        **_comparators(table),
    )


def faded_of(table: PredictionTable, learner: str, smoothing: float, at: Integers) -> Tally:
    """Count a learner's predictions with fading weights at each of the positions `at`.

    A weight is 1 - `smoothing` times that of the next prediction.
    """
    table.require_one_fold("Measures with fading weights")
    return fading_tallies(
        table.true,
        table.predicted[learner],
        table.n_classes,
        fading=1.0 - smoothing,
        at=at,
        **_comparators(table),
    )


def _comparators(table: PredictionTable) -> dict[str, NDArray[np.int16]]:
    return {
        NO_CHANGE: table.predicted[NO_CHANGE],
        MAJORITY: table.predicted[table.majority],
    }


class Measured(NamedTuple):
    """A measure of a learner, a fraction; NaN where it is undefined, and why."""

    learner: str
    measure: str
    value: float
    reason: str


def measured(
    predictions: PredictionTable,
    learners: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
) -> list[Measured]:
    """Return measures over all predictions.

    By default all learners and measures are looked at.

    Results are by learner, then by measure.
    """
    found = []
    for learner in learners or predictions.predicted:
        counts = tally_of(predictions, learner)
        for name in measures or MEASURES:
            value, reason = MEASURES[name].value(counts), MEASURES[name].reason(counts)
            found.append(Measured(learner, name, float(value), reason.item()))
    return found


def overall_measures(
    predictions: PredictionTable,
    learners: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return `measured` as a table: columns learner, measure, value, reason."""
    import pandas as pd  # 0.4 s that a command which prints a few numbers need not wait for

    return pd.DataFrame(measured(predictions, learners, measures), columns=Measured._fields)


def windowed_measures(
    predictions: PredictionTable,
    learners: Sequence[str],
    measures: Sequence[str],
    window: int,
    points: int,
) -> pd.DataFrame:
    """Return measures over a sliding window.

    The window counts predictions; there are at most `points` positions, evenly spaced from the
    first full window to the end.

    Columns instance (number of predictions so far), learner, measure, value, reason.
    """
    import pandas as pd

    at = positions(len(predictions.true), window, points)
    portions = np.array_split(at, math.ceil(len(at) * predictions.n_classes / _MOST_COUNTS) or 1)
    parts = []
    for learner in learners:
        frames: dict[str, list[pd.DataFrame]] = {name: [] for name in measures}
        for portion in portions:
            counts = windows_of(predictions, learner, window, portion)
            for name in measures:
                frames[name].append(windowed_rows(counts, portion, learner, name))
        parts += [frame for name in measures for frame in frames[name]]
    return pd.concat(parts, ignore_index=True)


def windowed_rows(counts: Tally, at: Integers, learner: str, measure: str) -> pd.DataFrame:
    """Return the rows of `windowed_measures` about the windows that end at some positions."""
    import pandas as pd

    found = MEASURES[measure]
    columns = {
        "instance": at,
        "learner": learner,
        "measure": measure,
        "value": found.value(counts),
        "reason": found.reason(counts),
    }
    return pd.DataFrame(columns)


def positions(n: int, window: int, points: int) -> Integers:
    """Return at most `points` positions from the first full window to the last prediction."""
    return np.unique(np.linspace(min(window, n), n, min(points, n)).round().astype(np.int64))
