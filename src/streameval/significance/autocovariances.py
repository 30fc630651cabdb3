"""The initial positive sequence of autocovariances, compiled."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.kernels import kernel
from streameval.compiled.lanes import WIDTH

#: More products than this are added in two halves.
_TOGETHER = 128


def initial_positive_sum(deviations: Floats, variance: float) -> tuple[float, int]:
    """Sum γ_0 + 2 Σ γ_j of the initial positive sequence, and the last lag in it.

    Parameters
    ----------
    deviations : ndarray of float, shape (m,)
        From the mean of a series.
    variance : float
        Mean of their squares, γ_0.
    """
    return _add_while_positive(deviations, variance, np.empty(WIDTH))


@kernel
def _add_while_positive(deviations: Floats, variance: float, eight: Floats) -> tuple[float, int]:
    """Add pairs of autocovariances until one is not positive, none larger than the one before."""
    m = deviations.size
    total, least, last_lag = -variance, np.inf, 0
    for lag in range(0, m - 1, 2):
        even = _sum_of_products(deviations, lag, 0, m - lag, eight)
        odd = _sum_of_products(deviations, lag + 1, 0, m - lag - 1, eight)
        least = min(least, (even + odd) / m)
        if least <= 0.0:
            break
        total += 2.0 * least
        last_lag = lag + 1
    return total, last_lag


@kernel  # a part cannot call itself
def _sum_of_products(values: Floats, lag: int, begin: int, n: int, eight: Floats) -> float:
    """Sum of n products of values `lag` apart, added in the order of NumPy's `sum`."""
    if n > _TOGETHER:
        half = n // 2 - n // 2 % WIDTH
        first = _sum_of_products(values, lag, begin, half, eight)
        return first + _sum_of_products(values, lag, begin + half, n - half, eight)
    total, rest = 0.0, begin
    if n >= WIDTH:
        rest = begin + n - n % WIDTH
        sums = lanes.load(values, begin) * lanes.load(values, begin + lag)
        for t in range(begin + WIDTH, rest, WIDTH):
            sums = sums + lanes.load(values, t) * lanes.load(values, t + lag)
        lanes.store(eight, 0, sums)
        first_four = (eight[0] + eight[1]) + (eight[2] + eight[3])
        total = first_four + ((eight[4] + eight[5]) + (eight[6] + eight[7]))
    for t in range(rest, begin + n):
        total += values[t] * values[t + lag]
    return total
