"""Inputs that reveal the target of a stream, in all or in nearly all rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.matrices import each_column
from streameval.streams.stream import NO_LABEL, Stream

#: Number of rows that are examined first; only columns that pass are examined as a whole.
FIRST_ROWS = 2_000
#: Minimum number of observations that support a relation of an input and the target: fewer may
#: agree by chance. They are rows per value or range of the input (on average), rows of the second
#: most frequent class, differences between sorted inputs, or errors that the input avoids.
MIN_SUPPORT = 20
#: Minimum number of rows per input of a linear function: fewer rows could fit any target.
ROWS_PER_INPUT = 5
#: Maximum number of inputs of a linear function: a fit of more takes longer than reading them.
MAX_INPUTS = 300
#: An input nearly determines the class if it predicts at least this proportion of the labels.
NEARLY = 0.98
#: The same among the first rows, which are few.
_NEARLY_IN_FIRST_ROWS = 0.95
#: Always predicting the most frequent class makes some errors. An input must avoid at least this
#: proportion of them.
_MIN_GAIN = 0.8
#: Number of ranges into which the numbers of an input are divided.
_RANGES = 100
#: Maximum error of a linear function on a sample, in standard deviations of the target.
LINEAR_TOLERANCE = 1e-6
#: Effect of an input, in standard deviations of the target, that a linear function may leave out.
_NEGLIGIBLE_EFFECT = 1e-3


def leaking_inputs(stream: Stream) -> list[str]:
    """Inputs that determine the target, alone or in a linear function, in the stream's order.

    A single input determines the target if each of its values has only one target, and values have
    at least `MIN_SUPPORT` rows on average. A numeric input also determines a numeric target that
    strictly rises or falls with it, and classes that are ranges of its numbers. Rows without a
    label or a value are left out.
    """
    has_classes = stream.schema.classes is not None
    labelled = stream.labelled
    if not labelled.any() or has_one_label(stream):
        return []
    numeric = [attribute.values is None for attribute in stream.schema.attributes]
    orders_target = _are_ranges if has_classes else _is_monotone

    def determines(j: int, column: Floats) -> bool:
        rows = slice(len(column))  # the first rows, or all rows
        usable = labelled[rows] & ~np.isnan(column)
        x, label = column[usable], stream.y[rows][usable].astype(np.float64)
        if 2 * len(x) < len(usable):  # the other rows may disagree
            return False
        return _has_one_target_per_value(x, label) or (numeric[j] and orders_target(x, label))

    candidates = [j for j, column in enumerate(stream.X[:FIRST_ROWS].T) if determines(j, column)]
    columns = zip(candidates, each_column(stream.X, candidates), strict=True)
    leaks = [j for j, column in columns if determines(j, column)]
    if not leaks and not has_classes:
        leaks = _inputs_of_linear_function(
            stream.X, stream.y, [j for j, is_number in enumerate(numeric) if is_number]
        )
    return [stream.schema.attributes[j].name for j in leaks]


def nearly_leaking_inputs(stream: Stream, exact: Collection[str] = ()) -> list[str]:
    """Inputs that determine the class of nearly all rows, except the inputs in `exact`.

    Each value, or each of 100 ranges, predicts its most frequent class. At least `NEARLY` of these
    predictions must be right. They must also avoid at least four fifths of the errors of always
    predicting the most frequent class.
    """
    labelled, attributes = stream.labelled, stream.schema.attributes
    if stream.schema.classes is None:
        return []

    def determines(j: int, column: Floats, min_accuracy: float) -> bool:
        rows = slice(len(column))  # the first rows, or all rows
        usable = labelled[rows] & ~np.isnan(column)
        if 2 * np.count_nonzero(usable) < len(usable):
            return False
        x, y, is_number = column[usable], stream.y[rows][usable], attributes[j].values is None
        return _predicts(x, y, min_accuracy, is_number)

    others = (j for j, attribute in enumerate(attributes) if attribute.name not in exact)
    candidates = [
        j for j in others if determines(j, stream.X[:FIRST_ROWS, j], _NEARLY_IN_FIRST_ROWS)
    ]
    columns = zip(candidates, each_column(stream.X, candidates), strict=True)
    return [attributes[j].name for j, column in columns if determines(j, column, NEARLY)]


def _predicts(x: Floats, y: NDArray[Any], min_accuracy: float, is_number: bool) -> bool:
    """Whether the values of x, or their ranges, predict the classes with this accuracy."""
    values, group = np.unique(x, return_inverse=True)
    if MIN_SUPPORT * len(values) > len(x):  # too many values: numbers are grouped by ranges
        if not is_number or len(x) < 2 * MIN_SUPPORT:
            return False
        ranges = min(_RANGES, len(x) // MIN_SUPPORT)
        bounds = np.sort(x)[np.arange(1, ranges) * len(x) // ranges]
        group = np.searchsorted(bounds, x, side="right")
    n_classes = int(y.max()) + 1
    pairs, counts = np.unique(group * n_classes + y, return_counts=True)
    largest_counts = np.zeros(int(group.max()) + 1, np.int64)
    np.maximum.at(largest_counts, pairs // n_classes, counts)
    n_right = int(largest_counts.sum())
    n_most_frequent = int(np.bincount(y).max())
    # Fewer than `MIN_SUPPORT` avoided errors may be chance.
    min_gain = max(MIN_SUPPORT, _MIN_GAIN * (len(y) - n_most_frequent))
    return n_right >= min_accuracy * len(y) and n_right - n_most_frequent >= min_gain


def has_one_label(stream: Stream) -> bool:
    """Whether all known labels are equal."""
    has_classes = stream.schema.classes is not None

    def are_equal(y: NDArray[Any]) -> bool:
        labelled = y != NO_LABEL if has_classes else ~np.isnan(y)
        return bool((~labelled | (y == y[np.argmax(labelled)])).all())

    # Nearly always the first labels differ, and the others need not be compared.
    return are_equal(stream.y[:FIRST_ROWS]) and are_equal(stream.y)


def _has_one_target_per_value(x: Floats, y: Floats) -> bool:
    """Whether x has few values, each of which comes with a single y."""
    values, value_index = np.unique(x, return_inverse=True)
    if len(values) < 2 or MIN_SUPPORT * len(values) > len(x):
        return False
    y_of_value = np.empty(len(values))
    y_of_value[value_index] = y
    return bool((y_of_value[value_index] == y).all()) and bool((y_of_value != y_of_value[0]).any())


def _is_monotone(x: Floats, y: Floats) -> bool:
    order = np.argsort(x, kind="stable")
    x_steps, y_steps = np.diff(x[order]), np.diff(y[order])
    if np.count_nonzero(x_steps) < MIN_SUPPORT or not ((x_steps == 0) == (y_steps == 0)).all():
        return False
    steps = y_steps[x_steps > 0]
    return bool((steps > 0).all() or (steps < 0).all())


def _are_ranges(x: Floats, y: Floats) -> bool:
    """Whether each class has a range of x of its own, so that thresholds separate the classes."""
    order = np.argsort(x, kind="stable")
    x, label = x[order], y[order]
    changes = np.flatnonzero(np.diff(label))
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) < 2 or np.sort(counts)[-2] < MIN_SUPPORT or len(changes) != len(counts) - 1:
        return False
    return bool((x[changes] < x[changes + 1]).all())


def _inputs_of_linear_function(X: Floats, y: Floats, numeric: list[int]) -> list[int]:
    """Inputs of a linear function that equals the target; [] if there is no such function."""
    if not numeric or len(numeric) > MAX_INPUTS:
        return []
    usable = ~np.isnan(y)
    for column in each_column(X, numeric):
        usable &= ~np.isnan(column)
    rows = np.flatnonzero(usable)
    if len(rows) < ROWS_PER_INPUT * (len(numeric) + 1) or 2 * len(rows) < len(y):
        return []
    # Rows from the whole stream, since the first rows may be alike, such as the rows of one night.
    sample = rows[np.linspace(0, len(rows) - 1, min(len(rows), FIRST_ROWS)).astype(np.intp)]
    # Scaled by powers of 2, which changes no digit: squares of values up to 1e308 must be finite.
    exponents = [-int(np.frexp(np.abs(x[rows]).max())[1]) for x in each_column(X, numeric)]
    y = np.ldexp(y, -np.frexp(np.abs(y[rows]).max())[1])
    inputs, target = np.ldexp(X[sample][:, numeric], exponents), y[sample]
    mean, deviation = inputs.mean(axis=0), inputs.std(axis=0)
    scale = target.std()
    varies = deviation > 0
    if not scale or not varies.any():
        return []
    weights = np.zeros(len(numeric))
    scaled = (inputs[:, varies] - mean[varies]) / deviation[varies]
    solution = np.linalg.lstsq(scaled, (target - target.mean()) / scale, rcond=None)[0]
    if np.abs(scaled @ solution - (target - target.mean()) / scale).max() > LINEAR_TOLERANCE:
        return []
    weights[varies] = solution * scale / deviation[varies]
    # Inputs with a negligible effect are left out, so the check of all rows allows this effect.
    used = np.flatnonzero(np.abs(weights) * deviation > _NEGLIGIBLE_EFFECT * scale)
    columns = zip(used, each_column(X, [numeric[k] for k in used]), strict=True)
    estimate = sum(weights[k] * (np.ldexp(x[rows], exponents[k]) - mean[k]) for k, x in columns)
    if np.abs(estimate + target.mean() - y[rows]).max() > _NEGLIGIBLE_EFFECT * scale:
        return []
    return [numeric[k] for k in used]
