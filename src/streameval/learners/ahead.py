"""Instances are asked for before they are needed, as memory is slower than learning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval import lanes
from streameval.kernels import inlined

#: Events between asking for an instance and playing it.
AHEAD = np.uint64(32)


@inlined
def prefetch_instance(
    X: NDArray[np.float64], rows: NDArray[np.int32], event: int, stop: int
) -> None:
    """Ask for the instance that is due `AHEAD` events later, before event `stop`."""
    instance = X[rows[min(event + AHEAD, np.uint64(stop - 1))]]
    for at in range(0, instance.shape[0], lanes.CACHE_LINE // instance.itemsize):
        lanes.prefetch(instance, at)
