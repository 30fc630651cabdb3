"""Class scores as probability forecasts, and the loss of each.

One rule turns scores into probabilities: each row is divided by its sum. A row of zeros, or one
with a NaN, is *no forecast*: it counts as the uniform one, 1/k for each class, so that a learner
gains nothing by leaving a row out. Scores that are negative or infinite are refused, as no rule
makes them probabilities.

No measure depends on how classes are coded. Where scores are equal, the classes share a place: the
true class then counts as if their order had been drawn.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Floats
from streameval.base.errors import DataError
from streameval.compiled.kernels import inlined, kernel
from streameval.measures.counting import checked_labels

#: Smallest probability whose logarithm is taken. Scores are float32, whose step below 1 is half of
#: this: a class that they do not tell from an impossible one may be that probable. scikit-learn's
#: `log_loss` has the same floor for float32.
FLOOR = float(np.finfo(np.float32).eps)
#: The largest log loss, 15.9.
LARGEST_LOG_LOSS = -math.log(FLOOR)


class Forecasts(NamedTuple):
    """Checked class scores beside true labels, in the order of the predictions."""

    true: Codes  # (n,)
    scores: NDArray[np.floating]  # (n, k), float32 or float64
    total: Floats  # (n,) sum of each row, 0 for no forecast


def checked_forecasts(true: ArrayLike, scores: ArrayLike) -> Forecasts:
    """Check class scores.

    Parameters
    ----------
    true : array-like of int, shape (n,)
        True class codes 0, ..., k - 1.
    scores : array-like of float, shape (n, k)
        A score for each class, not negative; a row of zeros, or one with a NaN, is no forecast.

    Raises
    ------
    DataError
        If the shapes contradict each other, a label is out of range, or a score is negative or
        infinite.
    """
    table = np.asarray(scores)
    if table.ndim != 2 or table.dtype.kind not in "fiub":
        raise DataError(
            f"Class scores: expected numbers of shape (n, k), found {table.dtype} of shape "
            f"{table.shape}."
        )
    if table.dtype != np.float32:
        table = table.astype(np.float64, copy=False)
    table = np.ascontiguousarray(table)
    labels = checked_labels(true, "true", table.shape[1], len(table), lowest=0)
    total = np.empty(len(table))
    wrong = _sum_rows(table, total)
    if wrong >= 0:
        raise DataError(
            "Class scores: expected numbers that are not negative, since they are divided by their "
            f"sum, found {table[wrong].min():g} to {table[wrong].max():g} in row {wrong}. Give "
            "votes or probabilities; the exponentials of logarithms or margins."
        )
    return Forecasts(labels, table, total)


@kernel
def _sum_rows(scores: NDArray[np.floating], total: Floats) -> int:
    """Fill `total`; return the first row with a negative or infinite score, or -1."""
    for t in range(scores.shape[0]):
        total[t] = 0.0
        for c in range(scores.shape[1]):
            score = scores[t, c]
            if score < 0.0 or score == np.inf:
                return t
            total[t] += score
        if np.isnan(total[t]):
            total[t] = 0.0
    return -1


@inlined
def probability(forecasts: Forecasts, t: int, c: int) -> float:
    """Return the forecast probability of class `c` in row `t`."""
    if forecasts.total[t] > 0.0:
        return forecasts.scores[t, c] / forecasts.total[t]
    return 1.0 / forecasts.scores.shape[1]


def without_forecast(forecasts: Forecasts) -> Floats:
    """Return 1 for each row that is no forecast, 0 for the others, shape (n,)."""
    return (forecasts.total == 0).astype(np.float64)


def true_probabilities(forecasts: Forecasts) -> Floats:
    """Return the forecast probability of the true class, shape (n,)."""
    out = np.empty(len(forecasts.true))
    _fill_true_probabilities(forecasts, out)
    return out


@kernel
def _fill_true_probabilities(forecasts: Forecasts, out: Floats) -> None:
    for t in range(len(out)):
        out[t] = probability(forecasts, t, forecasts.true[t])


def log_losses(forecasts: Forecasts) -> Floats:
    """Return -ln of the probability of the true class, shape (n,), in nats.

    A probability below `FLOOR` counts as that: see `clipped`.
    """
    losses: Floats = 0.0 - np.log(np.maximum(true_probabilities(forecasts), FLOOR))  # not -0
    return losses


def clipped(forecasts: Forecasts) -> Floats:
    """Return 1 for each row whose log loss has been limited by `FLOOR`, 0 for the others, (n,)."""
    return (true_probabilities(forecasts) < FLOOR).astype(np.float64)


def brier_losses(forecasts: Forecasts) -> Floats:
    """Return the squared error of the probabilities, summed over classes, shape (n,).

    From 0 to 2, as in Brier (1950). With two classes it is twice the square of the error of one.
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


def top_credits(forecasts: Forecasts, size: int) -> Floats:
    """Return how far the true class is among the `size` highest scores, shape (n,).

    1 if it is, 0 if not. Where classes with the score of the true one share the last places, it is
    the chance to have one of these: the places that are left, divided by the classes.
    """
    out = np.empty(len(forecasts.true))
    _fill_top(forecasts, size, out)
    return out


@kernel
def _fill_top(forecasts: Forecasts, size: int, out: Floats) -> None:
    k = forecasts.scores.shape[1]
    for t in range(len(out)):
        higher, equal = 0, k
        if forecasts.total[t] > 0.0:
            score, equal = forecasts.scores[t, forecasts.true[t]], 0
            for c in range(k):
                higher += forecasts.scores[t, c] > score
                equal += forecasts.scores[t, c] == score
        out[t] = min(max((size - higher) / equal, 0.0), 1.0)
