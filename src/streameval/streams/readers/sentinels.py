"""Numbers such as -999 that stand for missing values in a column of other numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats

_SIZES = (99.0, 999.0, 9999.0, 99999.0)
#: Floats that are often written for missing ones.
_SENTINELS = np.array([*(-size for size in _SIZES), *_SIZES])
#: Fewer rows with such a number may be measurements.
_FEWEST = 3
#: Least distance from the other numbers, in lengths of their range. Prices and counts such as 999
#: are common, negative numbers of this form are not: the only negative one is far at any distance.
_FAR_BELOW, _FAR_ABOVE = 0.5, 5.0


class Sentinel(NamedTuple):
    """A number that probably stands for missing ones, and in how many rows."""

    number: int
    rows: int


def sentinels_of(column: Floats) -> list[Sentinel]:
    """Numbers in several rows of a column, NaN for missing, far outside the range of the others."""
    rows = np.zeros(len(_SENTINELS), np.int64)
    low, high = _ends(column)
    # Elsewhere such numbers lie among others, and are none.
    if low in _SENTINELS or high in _SENTINELS:
        rows = np.array([np.count_nonzero(column == number) for number in _SENTINELS])
        low, high = _ends(column[~np.isin(column, _SENTINELS[rows > 0])])
    width = high - low
    if not 0 < width < np.inf:
        return []
    is_below = low - _SENTINELS > (0.0 if low >= 0 else _FAR_BELOW * width)
    is_far = is_below & (_SENTINELS < 0)
    is_far |= (_SENTINELS - high > _FAR_ABOVE * width) & (_SENTINELS > 0)
    places = np.flatnonzero(is_far & (rows >= _FEWEST))
    return [Sentinel(int(_SENTINELS[place]), int(rows[place])) for place in places]


def _ends(column: Floats) -> tuple[float, float]:
    """Smallest and largest number; infinite without any."""
    low, high = np.fmin.reduce(column, initial=np.inf), np.fmax.reduce(column, initial=-np.inf)
    return float(low), float(high)
