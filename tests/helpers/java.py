"""What programs in Java print of long results."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def java_hash(values: Iterable[float]) -> int:
    """Fold values as ``h = 31 * h + v`` in Java's signed 64 bits; doubles by their bits."""
    h = 0
    for value in values:
        number = np.float64(value).view(np.int64) if isinstance(value, float) else value
        h = 31 * h + int(number) & 0xFFFFFFFFFFFFFFFF
    return h - (1 << 64) if h >= 1 << 63 else h
