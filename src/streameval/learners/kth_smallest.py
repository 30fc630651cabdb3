"""The k-th smallest of many distances, exact or rounded to float32."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.instructions import count_ones
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import WIDTH

#: Up to this number of values, it is faster to count for each value how many are smaller than to
#: keep the k smallest in order.
MAX_VALUES_TO_COUNT = 64
#: Largest difference between a number from 0 to 1 and its nearest float32.
FLOAT32_ROUNDING = 2.0**-25


@inlined
def kth_smallest(values: Floats, n: int, k: int, scratch: Floats) -> float:
    """k-th smallest of `n` values.

    `values` must have eight infinite values after them, as it is read in blocks of eight lanes.
    `scratch` (k,) is overwritten.
    """
    if n > MAX_VALUES_TO_COUNT:
        return _kth_of_many(values[:n], scratch[:k])
    result = np.inf
    for number in range(np.uint64(n)):
        value, n_less, n_at_most = values[number], 0, 0
        for start in range(np.uint64(0), np.uint64(n), np.uint64(WIDTH)):
            others = lanes.load_at(values, start)
            n_less += count_ones(lanes.bit_mask(others < value))
            n_at_most += count_ones(lanes.bit_mask(others <= value))
        result = value if n_less < k <= n_at_most else result  # a branch would be mispredicted
    return result


@subkernel
def _kth_of_many(values: Floats, smallest: Floats) -> float:
    """k-th smallest value; the k smallest are written to `smallest` (k,) in ascending order."""
    smallest[:] = np.inf
    for value in values:
        if value < smallest[-1]:
            _insert(smallest, value)
    return float(smallest[-1])


@inlined
def _insert(ordered: Floats, value: float) -> None:
    """Insert a value into ordered values, and drop the last value."""
    place = ordered.shape[0] - 1
    while place > 0 and ordered[place - 1] > value:
        ordered[place] = ordered[place - 1]
        place -= 1
    ordered[place] = value


@inlined
def count_within(values: Floats, n: int, limit: float) -> int:
    """Number of the `n` values that are at most `limit`; see `kth_smallest`."""
    within = 0
    for start in range(np.uint64(0), np.uint64(n), np.uint64(WIDTH)):
        within += count_ones(lanes.bit_mask(lanes.load_at(values, start) <= limit))
    return within


# --- Distances of rounded points --------------------------------------------------------
#
# The m coordinates of a point are numbers from 0 to 1, or codes of nominal values, which float32
# holds exactly. Rounding them to float32 moves the point by at most `FLOAT32_ROUNDING` times the
# root of m, and so changes each distance by at most that much. This holds for the k-th smallest
# distance, whose square after rounding is `limit`, and for the distance that is compared with it.
# The bounds allow for twice the sum of both changes, and for the error of the arithmetic, which
# grows with m.


@inlined
def rounding_upper_bound(limit: float, m: int) -> float:
    """Bound on a rounded squared distance; above it, the distance is not among the k smallest.

    `limit` may also be larger than the k-th smallest rounded squared distance.
    """
    root = np.sqrt(limit) + 4.0 * FLOAT32_ROUNDING * np.sqrt(m)
    return root * root * (1.0 + (m + 3) * 2.0**-50)


@inlined
def rounding_lower_bound(limit: float, m: int) -> float:
    """Bound on a rounded squared distance; below it, the distance is among the k smallest."""
    root = max(np.sqrt(limit) - 4.0 * FLOAT32_ROUNDING * np.sqrt(m), 0.0)
    return root * root * (1.0 - (m + 3) * 2.0**-50) if limit < np.inf else 0.0
