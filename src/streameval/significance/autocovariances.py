"""Compiled sum of autocovariances by Geyer's initial monotone sequence estimator.

`streameval.significance.series.initial_positive_variance` has the definition and the reference.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import lanes
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.compiled.lanes import WIDTH

#: A sum of more products than this is split into two halves, as in NumPy.
_MAX_UNSPLIT = 128
#: Size of the stack of parts: each level halves the length, so 64 levels are enough for any length.
_DEPTH = 64
#: Mark of a part whose first half is summed; it replaces the size of the part.
_FIRST_HALF_DONE = -1


def initial_positive_sum(deviations: Floats, variance: float) -> tuple[float, int]:
    """Sum γ_0 + 2 Σ γ_j over the lags of the initial positive sequence, and the last of these lags.

    Parameters
    ----------
    deviations : ndarray of float, shape (m,)
        Deviations of a series from its mean.
    variance : float
        Mean of the squared deviations, γ_0.
    """
    buffers = np.empty(WIDTH), np.empty(_DEPTH, np.int64), np.empty(_DEPTH)
    return _add_while_positive(deviations, variance, *buffers)


@kernel
def _add_while_positive(
    deviations: Floats, variance: float, lane_sums: Floats, sizes: Integers, first_sums: Floats
) -> tuple[float, int]:
    """Add pairs of neighbouring autocovariances up to the first pair that is not positive.

    A sum that exceeds the sum of an earlier pair is replaced by the earlier sum, so that the sums
    decrease, as those of a reversible Markov chain do. The last three arguments are buffers.
    """
    m = deviations.size
    # γ_0 is in the first pair, which is doubled like all pairs. So γ_0 is subtracted once.
    total, smallest, last_lag = -variance, np.inf, 0
    for lag in range(0, m - 1, 2):
        even = _sum_of_products(deviations, lag, m - lag, lane_sums, sizes, first_sums)
        odd = _sum_of_products(deviations, lag + 1, m - lag - 1, lane_sums, sizes, first_sums)
        smallest = min(smallest, (even + odd) / m)
        if smallest <= 0.0:
            break
        total += 2.0 * smallest
        last_lag = lag + 1
    return total, last_lag


@subkernel
def _sum_of_products(
    values: Floats, lag: int, n: int, lane_sums: Floats, sizes: Integers, first_sums: Floats
) -> float:
    """Sum of n products of values `lag` apart, added in halves as NumPy's `sum` does.

    Level by level of the recursion, `sizes` has the size of the current part, and `first_sums` the
    sum of its first half. These arrays replace a recursive kernel, which Numba cannot cache: it
    crashes when it is loaded from disk.
    """
    depth, begin = 0, 0
    sizes[0] = n
    while True:
        while sizes[depth] > _MAX_UNSPLIT:
            sizes[depth + 1] = _first_half(sizes[depth])
            depth += 1
        total = _sum_unsplit(values, lag, begin, sizes[depth], lane_sums)
        begin += sizes[depth]
        while depth > 0 and sizes[depth - 1] == _FIRST_HALF_DONE:
            depth -= 1
            total = first_sums[depth] + total
        if depth == 0:
            return total
        first_sums[depth - 1] = total
        sizes[depth] = sizes[depth - 1] - _first_half(sizes[depth - 1])
        sizes[depth - 1] = _FIRST_HALF_DONE


@inlined
def _first_half(n: int) -> int:
    """Size of the first half: a multiple of the number of lanes, as in NumPy."""
    return n // 2 - n // 2 % WIDTH


@subkernel
def _sum_unsplit(values: Floats, lag: int, begin: int, n: int, lane_sums: Floats) -> float:
    """Sum of at most `_MAX_UNSPLIT` products; eight or more are added in eight partial sums."""
    total, rest = 0.0, begin
    if n >= WIDTH:
        rest = begin + n - n % WIDTH
        sums = lanes.load_at(values, begin) * lanes.load_at(values, begin + lag)
        for t in range(begin + WIDTH, rest, WIDTH):
            sums = sums + lanes.load_at(values, t) * lanes.load_at(values, t + lag)
        lanes.store(lane_sums, 0, sums)
        first_four = (lane_sums[0] + lane_sums[1]) + (lane_sums[2] + lane_sums[3])
        total = first_four + ((lane_sums[4] + lane_sums[5]) + (lane_sums[6] + lane_sums[7]))
    for t in range(rest, begin + n):
        total += values[t] * values[t + lag]
    return total
