"""Class scores as probability forecasts, and the loss of each forecast.

Scores become probabilities by dividing each row by its sum. A row of zeros, or a row with a NaN, is
*no forecast*. It counts as the uniform forecast, 1/k for each class. So a learner cannot improve
its mean loss by leaving out difficult rows. Negative and infinite scores are an error.

No measure depends on how classes are coded: tied classes share the places that they are tied for.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Floats
from streameval.base.errors import DataError
from streameval.compiled.kernels import inlined, kernel
from streameval.measures.counting import checked_codes

#: Smaller probabilities are raised to this before the logarithm is taken. Learners give scores as
#: float32. Just below 1, neighbouring float32 numbers differ by half of this. So beside a score
#: of 1, a score of 0 may stand for a probability of this order. scikit-learn's `log_loss` has the
#: same floor for float32.
FLOOR = float(np.finfo(np.float32).eps)
#: The largest log loss, 15.9.
LARGEST_LOG_LOSS = -math.log(FLOOR)


class Forecasts(NamedTuple):
    """True labels and checked class scores, in the order of the predictions."""

    true: Codes  # (n,)
    scores: NDArray[np.floating]  # (n, k), float32 or float64
    total: Floats  # (n,), sum of each row; 0 for no forecast


def checked_forecasts(true: ArrayLike, scores: ArrayLike) -> Forecasts:
    """Check class scores.

    Parameters
    ----------
    true : array-like of int, shape (n,)
        True class codes 0, ..., k - 1.
    scores : array-like of float, shape (n, k)
        Non-negative scores of the classes; a row of zeros, or with a NaN, is no forecast.

    Raises
    ------
    DataError
        If the shapes do not match, a label is out of range, or a score is negative or infinite.
    """
    table = np.asarray(scores)
    if table.ndim != 2 or table.dtype.kind not in "fiub":  # floats, integers, booleans
        raise DataError(
            f"Class scores: expected numbers of shape (n, k), found {table.dtype} of shape "
            f"{table.shape}."
        )
    if table.dtype != np.float32:
        table = table.astype(np.float64, copy=False)
    table = np.ascontiguousarray(table)
    labels = checked_codes(true, "true", table.shape[1], len(table), lowest=0)
    total = np.empty(len(table))
    bad_row = _sum_and_check_rows(table, total)
    if bad_row >= 0:
        raise DataError(
            "Class scores: expected numbers that are not negative, since they are divided by their "
            f"sum, found {table[bad_row].min():g} to {table[bad_row].max():g} in row {bad_row}. "
            "Give votes or probabilities; the exponentials of logarithms or margins."
        )
    return Forecasts(labels, table, total)


@kernel
def _sum_and_check_rows(scores: NDArray[np.floating], total: Floats) -> int:
    """Fill `total`; return the first row with a negative or infinite score, or -1 if none has."""
    for t in range(scores.shape[0]):
        total[t] = 0.0
        for c in range(scores.shape[1]):
            score = scores[t, c]
            if score < 0.0 or score == np.inf:
                return t
            total[t] += score
        if np.isnan(total[t]):  # a row with a NaN is no forecast
            total[t] = 0.0
    return -1


@inlined
def probability(forecasts: Forecasts, t: int, c: int) -> float:
    """Forecast probability of class `c` in row `t`."""
    if forecasts.total[t] > 0.0:
        return forecasts.scores[t, c] / forecasts.total[t]
    return 1.0 / forecasts.scores.shape[1]


def is_missing(forecasts: Forecasts) -> Floats:
    """1 for each row that is no forecast, otherwise 0, shape (n,)."""
    return (forecasts.total == 0).astype(np.float64)


def true_probabilities(forecasts: Forecasts) -> Floats:
    """Forecast probability of the true class, shape (n,)."""
    out = np.empty(len(forecasts.true))
    _fill_true_probabilities(forecasts, out)
    return out


@kernel
def _fill_true_probabilities(forecasts: Forecasts, out: Floats) -> None:
    for t in range(len(out)):
        out[t] = probability(forecasts, t, forecasts.true[t])


def log_losses(forecasts: Forecasts) -> Floats:
    """-ln of the probability of the true class, in nats, shape (n,).

    A probability below `FLOOR` counts as `FLOOR`: see `is_clipped`.
    """
    # Subtracted from 0, as -log(1) would be -0.
    losses: Floats = 0.0 - np.log(np.maximum(true_probabilities(forecasts), FLOOR))
    return losses


def is_clipped(forecasts: Forecasts) -> Floats:
    """1 for each row whose true class has a probability below `FLOOR`, otherwise 0, shape (n,)."""
    return (true_probabilities(forecasts) < FLOOR).astype(np.float64)


def brier_losses(forecasts: Forecasts) -> Floats:
    """Squared error of the probabilities, summed over classes, shape (n,).

    It is between 0 and 2, as in Brier (1950). With two classes it is twice the squared error of the
    probability of either class.
    """
    out = np.empty(len(forecasts.true))
    _fill_brier(forecasts, out)
    return out


@kernel
def _fill_brier(forecasts: Forecasts, out: Floats) -> None:
    for t in range(len(out)):
        out[t] = 0.0
        for c in range(forecasts.scores.shape[1]):
            error = probability(forecasts, t, c)
            if c == forecasts.true[t]:
                error -= 1.0
            out[t] += error * error


def top_accuracies(forecasts: Forecasts, size: int) -> Floats:
    """Top-`size` accuracy of each row, shape (n,): 1 if the true class has a score that high, or 0.

    If the true class is tied with others for the last places, the result is the number of these
    places divided by the number of tied classes.
    """
    out = np.empty(len(forecasts.true))
    _fill_top(forecasts, size, out)
    return out


@kernel
def _fill_top(forecasts: Forecasts, size: int, out: Floats) -> None:
    k = forecasts.scores.shape[1]
    for t in range(len(out)):
        higher, equal = 0, k  # without a forecast, all classes are tied
        if forecasts.total[t] > 0.0:
            score, equal = forecasts.scores[t, forecasts.true[t]], 0
            for c in range(k):
                higher += forecasts.scores[t, c] > score
                equal += forecasts.scores[t, c] == score
        out[t] = min(max((size - higher) / equal, 0.0), 1.0)
