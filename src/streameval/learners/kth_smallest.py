"""The k-th smallest of many distances, exact or rounded to float32."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.instructions import count_ones
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import WIDTH

#: More values than this are sorted; among fewer, counting the smaller ones for each is faster.
MANY = 64
#: Largest difference between a number from 0 to 1 and its nearest float32.
ROUNDING = 2.0**-25


@inlined
def kth_smallest(values: Floats, n: int, k: int, room: Floats) -> float:
    """k-th smallest of `n` values; infinite values fill the block of lanes after them.

    `room` (k,) is scratch.
    """
    if n > MANY:
        return _kth_of_many(values[:n], room[:k])
    smallest = np.inf
    for number in range(np.uint64(n)):
        value, less, as_much = values[number], 0, 0
        for start in range(np.uint64(0), np.uint64(n), np.uint64(WIDTH)):
            others = lanes.load_at(values, start)
            less += count_ones(lanes.bits(others < value))
            as_much += count_ones(lanes.bits(others <= value))
        smallest = value if less < k <= as_much else smallest  # a branch would be mispredicted
    return smallest


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
    """Insert a value into ordered values and drop the last one."""
    at = ordered.shape[0] - 1
    while at > 0 and ordered[at - 1] > value:
        ordered[at] = ordered[at - 1]
        at -= 1
    ordered[at] = value


@inlined
def count_within(values: Floats, n: int, limit: float) -> int:
    """Number of the `n` values that are at most `limit`; see `kth_smallest`."""
    within = 0
    for start in range(np.uint64(0), np.uint64(n), np.uint64(WIDTH)):
        within += count_ones(lanes.bits(lanes.load_at(values, start) <= limit))
    return within


# --- Distances of rounded points --------------------------------------------------------
#
# Points of m numbers from 0 to 1 are rounded to float32, which moves each by at most `ROUNDING`
# times the root of m. `limit` is a k-th smallest squared distance after rounding: without, the
# k-th smallest distance is at most one such move from its root, and another distance at most one
# move from what it is after rounding. The bounds allow for twice both, and for the arithmetic,
# whose relative error grows with m.


@inlined
def beyond_rounding(limit: float, m: int) -> float:
    """Bound above which a rounded squared distance is not among the k smallest exact ones.

    `limit` may be larger than the k-th smallest.
    """
    root = np.sqrt(limit) + 4.0 * ROUNDING * np.sqrt(m)
    return root * root * (1.0 + (m + 3) * 2.0**-50)


@inlined
def before_rounding(limit: float, m: int) -> float:
    """Bound below which a rounded squared distance is among the k smallest exact ones."""
    root = max(np.sqrt(limit) - 4.0 * ROUNDING * np.sqrt(m), 0.0)
    return root * root * (1.0 - (m + 3) * 2.0**-50) if limit < np.inf else 0.0
