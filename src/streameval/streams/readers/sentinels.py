"""Numbers such as -999 that stand for missing values in a column of other numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats

_MAGNITUDES = (99.0, 999.0, 9999.0, 99999.0)
#: Numbers that often stand for missing values.
_SENTINELS = np.array([*(-magnitude for magnitude in _MAGNITUDES), *_MAGNITUDES])
#: Minimum number of rows with such a number; fewer may be measurements.
_MIN_ROWS = 3
#: Minimum distance below the other numbers, as a multiple of their range. If no other number is
#: negative, a negative number is a sentinel at any distance.
_FAR_BELOW = 0.5
#: Minimum distance above the other numbers: prices and counts such as 999 are common.
_FAR_ABOVE = 5.0


class Sentinel(NamedTuple):
    """A number that probably stands for missing values, and the number of rows that have it."""

    number: int
    rows: int


def sentinels_of(column: Floats) -> list[Sentinel]:
    """Sentinels in several rows of a column that are far outside the range of other numbers."""
    rows = np.zeros(len(_SENTINELS), np.int64)
    low, high = _range_of(column)
    # A sentinel is an extreme of the column; most columns have none, and need no count.
    if low in _SENTINELS or high in _SENTINELS:
        rows = np.array([np.count_nonzero(column == number) for number in _SENTINELS])
        low, high = _range_of(column[~np.isin(column, _SENTINELS[rows > 0])])
    width = high - low
    if not 0 < width < np.inf:
        return []
    is_below = low - _SENTINELS > (0.0 if low >= 0 else _FAR_BELOW * width)
    is_far = is_below & (_SENTINELS < 0)
    is_far |= (_SENTINELS - high > _FAR_ABOVE * width) & (_SENTINELS > 0)
    places = np.flatnonzero(is_far & (rows >= _MIN_ROWS))
    return [Sentinel(int(_SENTINELS[place]), int(rows[place])) for place in places]


def _range_of(column: Floats) -> tuple[float, float]:
    """Smallest and largest number; inf and -inf if all are NaN."""
    low, high = np.fmin.reduce(column, initial=np.inf), np.fmax.reduce(column, initial=-np.inf)
    return float(low), float(high)
