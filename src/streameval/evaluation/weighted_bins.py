"""Weighted binned performance, with intervals (Grzenda, Gomes, Bifet 2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.significance.stream_mean import stream_mean


def bin_weights(given: float | Sequence[float], bins: int) -> list[float]:
    """Return the weights of the bins 0, ..., B + 1.

    Parameters
    ----------
    given : float or sequence of float
        The weights; or a number λ for λ^(b/B) in the bins b = 0, ..., B and 0 in the last one, by
        which the prediction just before the label does not count.
    bins : int
        B; without bins (0) λ leaves only the first prediction.

    References
    ----------
    Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams, on weighted binned
    performance; their program of 2020, IntermediateMeasures, on λ.
    """
    if isinstance(given, int | float):
        return [float(given) ** (b / max(bins, 1)) for b in range(bins + 1)] + [0.0]
    return [float(weight) for weight in given]


def fault(given: float | Sequence[float], bins: int) -> str:
    """Return the fault of weights in words; an empty text if there is none."""
    if isinstance(given, int | float):
        return "" if 0 < given < float("inf") else f"expected a number above 0, found {given}"
    if len(given) != bins + 2:
        return f"expected {bins + 2} weights, for the bins from 0 to {bins + 1}, found {len(given)}"
    wrong = [weight for weight in given if not 0 <= weight < float("inf")]
    if wrong:
        return f"expected weights of at least 0, found {wrong[0]}"
    return "" if sum(given) > 0 else "expected a weight above 0, found none"


WEIGHTED = ("weights", "measure", "learner", "value", "low", "high")
WEIGHTED_MEASURES = (
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
        Columns learner, bin, and `WEIGHTED_MEASURES`, a row for each of the bins 0, ..., B + 1.
    correct : mapping of str to ndarray of bool, shape (s, B + 2)
        By learner, whether what counts is correct, in the order of the labels.
    weights : mapping of str to float or sequence of float
        By name; see `bin_weights`.

    Returns
    -------
    DataFrame
        `WEIGHTED`: value, NaN if the measure is undefined in a bin of positive weight, and for
        accuracy the ends of the 95 % interval, NaN for too few effective labels (`stream_mean`).
    """
    rows = []
    for name, given in weights.items():
        for learner, right in correct.items():
            by = np.array(bin_weights(given, right.shape[1] - 2))
            by /= by.sum()
            own = bins[bins["learner"] == learner].sort_values("bin")
            for measure in WEIGHTED_MEASURES:
                counted = own.loc[by > 0, measure].to_numpy(dtype=float)
                low, high = np.nan, np.nan
                if measure == "accuracy" and len(right):
                    found = stream_mean(right @ by)
                    low, high = np.clip((found.low, found.high), 0.0, 1.0)
                rows.append((name, measure, learner, float(counted @ by[by > 0]), low, high))
    return pd.DataFrame(rows, columns=[*WEIGHTED])
