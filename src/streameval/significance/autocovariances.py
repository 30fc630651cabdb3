"""Sum of the initial positive sequence of autocovariances, compiled."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import lanes
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.compiled.lanes import WIDTH

#: A sum of more products than this is split into two halves.
_UNSPLIT = 128
#: Size of the stack of halves, enough for any length. In place of its size, a part whose first
#: half is summed has this mark.
_DEPTH, _FIRST_HALF_DONE = 64, -1


def initial_positive_sum(deviations: Floats, variance: float) -> tuple[float, int]:
    """Sum γ_0 + 2 Σ γ_j of the initial positive sequence, and the last lag in it.

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
    deviations: Floats, variance: float, eight: Floats, sizes: Integers, firsts: Floats
) -> tuple[float, int]:
    """Add pairs of autocovariances up to the first that is not positive.

    A pair that is larger than an earlier pair counts as the earlier one.
    """
    m = deviations.size
    total, least, last_lag = -variance, np.inf, 0
    for lag in range(0, m - 1, 2):
        even = _sum_of_products(deviations, lag, m - lag, eight, sizes, firsts)
        odd = _sum_of_products(deviations, lag + 1, m - lag - 1, eight, sizes, firsts)
        least = min(least, (even + odd) / m)
        if least <= 0.0:
            break
        total += 2.0 * least
        last_lag = lag + 1
    return total, last_lag


@subkernel
def _sum_of_products(
    values: Floats, lag: int, n: int, eight: Floats, sizes: Integers, firsts: Floats
) -> float:
    """Sum of n products of values `lag` apart, added in halves as NumPy's `sum` does.

    The recursion is a stack in `sizes` and `firsts`, as Numba cannot cache a recursive kernel: it
    crashes when it is loaded from disk.
    """
    depth, begin = 0, 0
    sizes[0] = n
    while True:
        while sizes[depth] > _UNSPLIT:
            sizes[depth + 1] = _first_half(sizes[depth])
            depth += 1
        total = _sum_of_few(values, lag, begin, sizes[depth], eight)
        begin += sizes[depth]
        while depth > 0 and sizes[depth - 1] == _FIRST_HALF_DONE:
            depth -= 1
            total = firsts[depth] + total
        if depth == 0:
            return total
        firsts[depth - 1] = total
        sizes[depth] = sizes[depth - 1] - _first_half(sizes[depth - 1])
        sizes[depth - 1] = _FIRST_HALF_DONE


@inlined
def _first_half(n: int) -> int:
    return n // 2 - n // 2 % WIDTH


@subkernel
def _sum_of_few(values: Floats, lag: int, begin: int, n: int, eight: Floats) -> float:
    """Sum of at most `_UNSPLIT` products; eight partial sums if there are eight or more."""
    total, rest = 0.0, begin
    if n >= WIDTH:
        rest = begin + n - n % WIDTH
        sums = lanes.load_at(values, begin) * lanes.load_at(values, begin + lag)
        for t in range(begin + WIDTH, rest, WIDTH):
            sums = sums + lanes.load_at(values, t) * lanes.load_at(values, t + lag)
        lanes.store(eight, 0, sums)
        first_four = (eight[0] + eight[1]) + (eight[2] + eight[3])
        total = first_four + ((eight[4] + eight[5]) + (eight[6] + eight[7]))
    for t in range(rest, begin + n):
        total += values[t] * values[t + lag]
    return total
