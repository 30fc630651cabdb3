"""Tallies, which count the predictions of a classifier: all, over a window, or fading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Integers
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import MAJORITY, NO_CHANGE
from streameval.measures.classification import class_f1, class_precision, class_recall
from streameval.measures.counting import tally
from streameval.measures.tallies_over_time import fading_tallies, window_tallies
from streameval.measures.tally import Tally


def tally_of(table: PredictionTable, learner: str) -> Tally:
    """Count all predictions of a learner; folds are pooled."""
    return tally(
        table.true, table.predicted[learner], table.n_classes, **_baseline_predictions(table)
    )


def class_measures(counts: Tally, classes: Sequence[str]) -> list[dict[str, Any]]:
    """Name, counts, precision, recall and F1 of each class; undefined values are NaN."""
    columns = {
        "class": classes,
        "instances": counts.true_counts.astype(np.int64).tolist(),
        # The last count is that of missing predictions.
        "predicted": counts.predicted_counts[:-1].astype(np.int64).tolist(),
        "correct": counts.class_correct.astype(np.int64).tolist(),
        "precision": class_precision(counts).tolist(),
        "recall": class_recall(counts).tolist(),
        "f1": class_f1(counts).tolist(),
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def confusion_counts(table: PredictionTable, learner: str) -> Integers:
    """Counts by true and predicted class, (k, k + 1); the last column is "no prediction"."""
    k = table.n_classes
    predicted = table.predicted[learner]
    cells = table.true * np.int64(k + 1) + np.where(predicted < 0, k, predicted)
    return np.bincount(cells, minlength=k * (k + 1)).reshape(k, k + 1)


def windows_of(table: PredictionTable, learner: str, window: int, positions: Integers) -> Tally:
    """Count a learner's last `window` predictions at each position."""
    table.require_one_fold("Measures over a sliding window")
    return window_tallies(
        table.true,
        table.predicted[learner],
        table.n_classes,
        window=window,
        positions=positions,
        **_baseline_predictions(table),
    )


def fading_tally_of(
    table: PredictionTable, learner: str, smoothing: float, positions: Integers
) -> Tally:
    """Count a learner's predictions with fading weights at each position.

    The weight of a prediction is (1 - `smoothing`) times the weight of the next prediction.
    """
    table.require_one_fold("Measures with fading weights")
    return fading_tallies(
        table.true,
        table.predicted[learner],
        table.n_classes,
        fading=1.0 - smoothing,
        positions=positions,
        **_baseline_predictions(table),
    )


def _baseline_predictions(table: PredictionTable) -> dict[str, NDArray[np.int16]]:
    return {
        NO_CHANGE: table.predicted[NO_CHANGE],
        MAJORITY: table.predicted[table.majority],
    }
