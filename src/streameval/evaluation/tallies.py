"""Counts of predictions, over all of them, over windows, and faded: what measures follow from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.evaluation.prediction_table import PredictionTable
from streameval.evaluation.roles import MAJORITY, NO_CHANGE
from streameval.measures.tally import Tally, tally
from streameval.measures.windows import fading_tallies, window_tallies


def tally_of(table: PredictionTable, learner: str) -> Tally:
    """Count all predictions of a learner, those of all folds together."""
    return tally(table.true, table.predicted[learner], table.n_classes, **_comparators(table))


def windows_of(table: PredictionTable, learner: str, window: int, at: NDArray[np.int64]) -> Tally:
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


def faded_of(
    table: PredictionTable, learner: str, smoothing: float, at: NDArray[np.int64]
) -> Tally:
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
