"""Inputs that tell the target of a stream, exactly or in nearly all rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.matrices import each_column
from streameval.streams.stream import NO_LABEL, Stream

#: Rows that are looked at first; only columns that pass are compared as a whole.
FIRST_ROWS = 2_000
#: Smallest mean number of rows per value for a column to determine the target by its values; and
#: smallest number of rows of the second class to do so by ranges. Fewer may agree by chance.
REPEATS = 20
#: Smallest number of rows per input of a sum: with fewer, any target could be fitted.
ROWS_PER_INPUT = 5
#: More inputs than this are not added up: it would take longer than reading them.
MOST_INPUTS = 300
#: An input nearly determines a class if it gives this part of the labels, and if it leaves out so
#: small a part of those that are not of the most frequent class.
NEARLY, _LEFT = 0.98, 0.2
#: Of the first rows fewer are asked for, as they are few; numbers are looked at in so many ranges.
_AT_FIRST, _RANGES = 0.95, 100
#: Largest difference from the target, in its standard deviations.
EXACT = 1e-6


def leaking(stream: Stream) -> list[str]:
    """Inputs that determine the target of a stream, alone or as a linear function, in order.

    A single input determines the target if each of its frequent values has only one target, if a
    numeric target strictly rises or falls with it, or if each class is a range of its numbers. Rows
    without a label or a value are left out.
    """
    is_class = stream.schema.classes is not None
    known = stream.labelled
    if not known.any() or has_one_label(stream):
        return []
    numeric = [a.values is None for a in stream.schema.attributes]
    follows = _are_ranges if is_class else _is_monotone

    def tells(j: int, column: Floats) -> bool:
        rows = slice(len(column))
        usable = known[rows] & ~np.isnan(column)
        x, label = column[usable], stream.y[rows][usable].astype(np.float64)
        if 2 * len(x) < len(usable):
            return False
        return _repeats(x, label) or (numeric[j] and follows(x, label))

    likely = [j for j, column in enumerate(stream.X[:FIRST_ROWS].T) if tells(j, column)]
    columns = zip(likely, each_column(stream.X, likely), strict=True)
    places = [j for j, column in columns if tells(j, column)]
    if not places and not is_class:
        places = _summed(
            stream.X, stream.y, [j for j, is_number in enumerate(numeric) if is_number]
        )
    return [stream.schema.attributes[j].name for j in places]


def nearly_leaking(stream: Stream, exact: Collection[str] = ()) -> list[str]:
    """Inputs that determine the class of nearly all rows, except the inputs in `exact`.

    A value, or one of 100 ranges, gives its most frequent class. The part of right ones is `NEARLY`
    at least, and four fifths of those that the most frequent class gets wrong.
    """
    known, attributes = stream.labelled, stream.schema.attributes
    if stream.schema.classes is None:
        return []

    def tells(j: int, column: Floats, least: float) -> bool:
        rows = slice(len(column))
        usable = known[rows] & ~np.isnan(column)
        if 2 * np.count_nonzero(usable) < len(usable):
            return False
        return _gives(column[usable], stream.y[rows][usable], least, attributes[j].values is None)

    others = (j for j, attribute in enumerate(attributes) if attribute.name not in exact)
    likely = [j for j in others if tells(j, stream.X[:FIRST_ROWS, j], _AT_FIRST)]
    columns = zip(likely, each_column(stream.X, likely), strict=True)
    return [attributes[j].name for j, column in columns if tells(j, column, NEARLY)]


def _gives(x: Floats, y: NDArray[Any], least: float, is_number: bool) -> bool:
    """Whether the values of x, or their ranges, give so great a part of the classes."""
    values, place = np.unique(x, return_inverse=True)
    if REPEATS * len(values) > len(x):
        if not is_number or len(x) < 2 * REPEATS:
            return False
        ranges = min(_RANGES, len(x) // REPEATS)
        bounds = np.sort(x)[np.arange(1, ranges) * len(x) // ranges]
        place = np.searchsorted(bounds, x, side="right")
    pairs, counts = np.unique(place * (int(y.max()) + 1) + y, return_counts=True)
    most = np.zeros(int(place.max()) + 1, np.int64)
    np.maximum.at(most, pairs // (int(y.max()) + 1), counts)
    right = int(most.sum())
    others = len(y) - int(np.bincount(y).max())
    gained = right - (len(y) - others)
    return right >= least * len(y) and gained >= max(REPEATS, (1 - _LEFT) * others)


def has_one_label(stream: Stream) -> bool:
    """Whether all labels that are known are equal."""
    is_class = stream.schema.classes is not None

    def alike(y: NDArray[Any]) -> bool:
        known = y != NO_LABEL if is_class else ~np.isnan(y)
        return bool((~known | (y == y[np.argmax(known)])).all())

    # Nearly always the first ones differ.
    return alike(stream.y[:FIRST_ROWS]) and alike(stream.y)


def _repeats(x: Floats, y: Floats) -> bool:
    """Whether each value of x, of which there are few, comes with one y only."""
    values, place = np.unique(x, return_inverse=True)
    if len(values) < 2 or REPEATS * len(values) > len(x):
        return False
    y_of_value = np.empty(len(values))
    y_of_value[place] = y
    return bool((y_of_value[place] == y).all()) and bool((y_of_value != y_of_value[0]).any())


def _is_monotone(x: Floats, y: Floats) -> bool:
    order = np.argsort(x, kind="stable")
    along, target = np.diff(x[order]), np.diff(y[order])
    if np.count_nonzero(along) < REPEATS or not ((along == 0) == (target == 0)).all():
        return False
    steps = target[along > 0]
    return bool((steps > 0).all() or (steps < 0).all())


def _are_ranges(x: Floats, y: Floats) -> bool:
    """Whether each class has a range of x for itself, so that thresholds tell them apart."""
    order = np.argsort(x, kind="stable")
    along, label = x[order], y[order]
    changes = np.flatnonzero(np.diff(label))
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) < 2 or np.sort(counts)[-2] < REPEATS or len(changes) != len(counts) - 1:
        return False
    return bool((along[changes] < along[changes + 1]).all())


def _summed(X: Floats, y: Floats, numeric: list[int]) -> list[int]:
    """Inputs of a linear function that gives the target exactly."""
    if not numeric or len(numeric) > MOST_INPUTS:
        return []
    usable = ~np.isnan(y)
    for column in each_column(X, numeric):
        usable &= ~np.isnan(column)
    rows = np.flatnonzero(usable)
    if len(rows) < ROWS_PER_INPUT * (len(numeric) + 1) or 2 * len(rows) < len(y):
        return []
    # Rows from everywhere, as the first ones may be those of one night.
    some = rows[np.linspace(0, len(rows) - 1, min(len(rows), FIRST_ROWS)).astype(np.intp)]
    # Powers of 2, which change no digit: squares of values up to 1e308 have bounds then.
    units = [-int(np.frexp(np.abs(x[rows]).max())[1]) for x in each_column(X, numeric)]
    y = np.ldexp(y, -np.frexp(np.abs(y[rows]).max())[1])
    part, target = np.ldexp(X[some][:, numeric], units), y[some]
    middle, spread = part.mean(axis=0), part.std(axis=0)
    scale = target.std()
    moving = spread > 0
    if not scale or not moving.any():
        return []
    weights = np.zeros(len(numeric))
    scaled = (part[:, moving] - middle[moving]) / spread[moving]
    fitted = np.linalg.lstsq(scaled, (target - target.mean()) / scale, rcond=None)[0]
    if np.abs(scaled @ fitted - (target - target.mean()) / scale).max() > EXACT:
        return []
    weights[moving] = fitted * scale / spread[moving]
    used = np.flatnonzero(np.abs(weights) * spread > 1e3 * EXACT * scale)
    columns = zip(used, each_column(X, [numeric[k] for k in used]), strict=True)
    estimate = sum(weights[k] * (np.ldexp(x[rows], units[k]) - middle[k]) for k, x in columns)
    if np.abs(estimate + target.mean() - y[rows]).max() > 1e3 * EXACT * scale:
        return []
    return [numeric[k] for k in used]
