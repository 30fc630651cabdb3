"""Weighted binned performance, with intervals (Grzenda, Gomes, Bifet 2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.significance.stream_mean import stream_mean
from streameval.studies.bin_weights import bin_weights

COLUMNS = ("weights", "measure", "learner", "value", "low", "high")
MEASURES = (
    *("accuracy", "kappa", "kappa_temporal", "kappa_m"),
    *("kappa_temporal_delayed", "kappa_m_delayed"),
)


def weighted(
    bins: pd.DataFrame,
    correct: Mapping[str, NDArray[np.bool_]],
    weights: Mapping[str, float | Sequence[float]],
) -> pd.DataFrame:
    """Return Ψ_w, the mean of a measure over bins with weights.

    Parameters
    ----------
    bins : DataFrame
        Columns learner, bin, and `MEASURES`, a row for each of the bins 0, ..., B + 1.
    correct : mapping of str to ndarray of bool, shape (s, B + 2)
        By learner, whether what counts is correct, in the order of the labels.
    weights : mapping of str to float or sequence of float
        By name; see `bin_weights`.

    Returns
    -------
    DataFrame
        `COLUMNS`: value, NaN if the measure is undefined in a bin of positive weight, and for
        accuracy the ends of the 95 % interval, NaN for too few effective labels (`stream_mean`).
    """
    rows = []
    for name, given in weights.items():
        for learner, right in correct.items():
            by = np.array(bin_weights(given, right.shape[1] - 2))
            by /= by.sum()
            own = bins[bins["learner"] == learner].sort_values("bin")
            for measure in MEASURES:
                counted = own.loc[by > 0, measure].to_numpy(dtype=float)
                low, high = np.nan, np.nan
                if measure == "accuracy" and len(right):
                    found = stream_mean(right @ by)
                    low, high = np.clip((found.low, found.high), 0.0, 1.0)
                rows.append((name, measure, learner, float(counted @ by[by > 0]), low, high))
    return pd.DataFrame(rows, columns=[*COLUMNS])
