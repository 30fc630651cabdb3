"""Warnings about streams that were probably read wrongly, or whose inputs tell the target."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.errors import DataError, excerpt, plain, some
from streameval.streams.readers.table import IF_NUMBERS, StreamWarning, are_numbers
from streameval.streams.stream import NO_LABEL, Schema, Stream
from streameval.values import NUMBER

#: A target with more distinct numbers with fractions than this is probably not a class.
MANY_FRACTIONS = 20
#: The same for numbers without fractions, dates and times.
MANY_MEASURES = 100
#: Trees store statistics of each value and each class: more values than this are costly.
MANY_VALUES = 1000
#: A target with as many classes as this part of the rows is an identifier.
MOSTLY_DISTINCT = 0.5
#: A target is refused if each of so many rows, or more, has a class of its own.
ALL_DISTINCT = 100
#: Part of the texts of a column that look like numbers or dates, if it looks like them.
NEARLY_ALL = 0.9
_CURRENCY = r"([A-Z]{3}|[$€£¥₹])"
_LIKE_NUMBERS = re.compile(
    rf"{_CURRENCY}?\s?[+-]?[\d.,][\d\s.,'’_]*([eE][+-]?\d+)?\s?({_CURRENCY}|[%‰°kKmM]|\s[^\W\d_]{{1,4}})?"
)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_LIKE_DATES = re.compile(
    rf"\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}\b.*|\d{{1,2}}:\d\d\b.*|(?i:.*\b({_MONTHS})[a-z]*\b.*\d.*)",
)
_MEASURE = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|\d{4}-\d\d-\d\d.*|\d\d:\d\d.*", re.ASCII)


def warn_about(stream: Stream, guessed: Collection[str] = (), header: bool = False) -> None:
    """Warn once of all that makes a user's stream pointless or costly to evaluate.

    Constant columns carry no information. With one class every classifier is perfect; if classes
    are measurements, none is accurate. A nominal column with one value per row is an identifier,
    and thousands of values cost time and memory. A column of numbers with a few texts was probably
    meant to be numeric, and so was one of texts that look like numbers or dates. Names that are
    numbers were probably the first row. Inputs that determine the target are probably not known
    before it. Where each class is one run of rows, the file was probably sorted by it.

    Parameters
    ----------
    stream : Stream
        The stream.
    guessed : collection of str
        Columns whose kind neither the file nor the user has declared.
    header : bool
        The names were read from the first row of a text.

    Raises
    ------
    DataError
        If each row has a class of its own: no label can be predicted.
    """
    # Column by column: one full boolean copy of X would double the memory.
    constant = [
        attribute.name
        for attribute, column in zip(stream.schema.attributes, stream.X.T, strict=True)
        if all(_is_constant(column[part]) for part in (slice(STRETCH), slice(None)))
    ]
    has_one_label = len(stream) - stream.unlabelled > 1 and _has_one_label(stream)
    _check_identifier(stream, _called(stream.schema))
    found = Found(constant, has_one_label, leaking(stream), _runs_by_class(stream))
    text = suspicions(stream.schema, len(stream), stream.name, found, guessed, header)
    if text:
        warnings.warn(text, StreamWarning, stacklevel=3)


class Found(NamedTuple):
    """What the instances of a stream tell besides its schema.

    Parameters
    ----------
    constant : list of str
        Inputs without any change.
    has_one_label : bool
        Whether all labels are equal.
    leaks : list of str
        Inputs that determine the target; see `leaking`.
    runs : int
        In how many runs the labels come if each class is one of them; 0 if not.
    """

    constant: list[str]
    has_one_label: bool
    leaks: list[str]
    runs: int = 0


def _called(schema: Schema) -> str:
    return f"the target {excerpt(schema.target)!r}"


def suspicions(
    schema: Schema,
    rows: int,
    name: str,
    found: Found,
    guessed: Collection[str] = (),
    header: bool = False,
) -> str:
    """Return what `warn_about` says of a stream of so many rows; "" for nothing."""
    values = {a.name: len(a.values) for a in schema.attributes if a.values is not None}
    identifiers = [a for a, k in values.items() if rows > 100 and k > 0.9 * rows]
    costly = [f"{plain(a)} ({k:,})" for a, k in values.items() if k > MANY_VALUES]
    target, remarks = _called(schema), []
    spoilt = [
        f"{plain(a.name)} ({some(texts[:3])}{', ...' * (len(texts) > 3)})"
        for a in schema.attributes
        if a.name in guessed and (texts := _not_numbers(a.values or ()))
    ]
    if found.constant:
        remarks.append(f"constant columns: {some(found.constant)}")
    if found.has_one_label:
        remarks.append(f"{target} has one value only")
    if found.runs:
        remarks.append(f"{target} comes in {found.runs:,} runs: is the file sorted by it?")
    classes = schema.classes or ()
    alike = [
        f"{plain(a.name)} ({plain(looks[0], 30)!r} and {len(looks) - 1:,} others)"
        for a in schema.attributes
        if a.name in guessed
        and _look_like_measures(looks := a.values or ())
        and not _not_numbers(looks)
    ]
    names = [*(a.name for a in schema.attributes), schema.target]
    if header and (numbers := are_numbers(names)):
        remarks.append(
            f"column names that are numbers, as if a header were missing: {some(numbers)}"
        )
    if found.leaks:
        remarks.append(
            f"{target} can be computed from inputs, which may not be known before it: "
            f"{some(found.leaks)}"
        )
    if measures := _measures(classes):
        remarks.append(f"{target} has {measures} as classes, probably a measurement")
    elif rows > ALL_DISTINCT and len(classes) > MOSTLY_DISTINCT * rows:
        remarks.append(
            f"{target} has a class for nearly each row, {len(classes):,} in {rows:,}: "
            "probably an identifier"
        )
    elif len(classes) > MANY_VALUES:
        remarks.append(f"{target} has {len(classes):,} classes, which cost time and memory")
    if identifiers:
        remarks.append(f"columns with a distinct text in nearly each row: {some(identifiers)}")
    if spoilt:
        remarks.append(f"columns that are nominal because of a few texts: {some(spoilt)}")
    if alike:
        remarks.append(
            f"columns of texts that look like numbers or dates: {', '.join(alike[:5])}"
            + f", ... ({len(alike):,} in all)" * (len(alike) > 5)
        )
    if costly:
        remarks.append(
            f"nominal columns with very many values, which cost time and memory: {some(costly)}"
        )
    if not remarks:
        return ""
    advice = "Check the file, or leave columns out (--drop COLUMN)."
    if measures:
        advice += f" {IF_NUMBERS.replace('it is', 'the target is', 1)}"
    if alike:
        advice += " Numbers are digits with one decimal sign (--decimal), dates such as 2020-01-31."
    if identifiers or costly or spoilt:
        advice += (
            " If nearly all texts of a column are numbers, --numeric COLUMN names the first "
            "other text, and --missing TEXT makes it a missing value."
        )
    end = "" if remarks[-1].endswith("?") else "."
    return f"Stream {excerpt(name)!r}: {'; '.join(remarks)}{end} {advice}"


def _is_constant(column: NDArray[np.float64]) -> bool:
    return bool(np.isnan(column).all() or (column == column[0]).all())


def _runs_by_class(stream: Stream) -> int:
    """Return how many runs the labels are, if these are as many as classes; otherwise 0."""
    labels = stream.y if stream.time is None else stream.y[np.argsort(stream.time, kind="stable")]
    if stream.schema.classes is None:
        return 0
    labels = labels[labels != NO_LABEL]
    runs = 1 + int(np.count_nonzero(labels[1:] != labels[:-1]))
    is_sorted = 2 <= runs <= len(labels) / REPEATS and runs == len(np.unique(labels))
    return runs if is_sorted else 0


def _check_identifier(stream: Stream, target: str) -> None:
    n = len(stream)
    if n <= ALL_DISTINCT or stream.n_classes < n:
        return
    if len(np.unique(stream.y[stream.y >= 0])) == n:
        raise DataError(
            f"Stream {excerpt(stream.name)!r}: expected classes that repeat, found another one in "
            f"each of the {n:,} rows: {target} identifies rows. Name another column. {IF_NUMBERS}"
        )


def _look_like_measures(texts: Sequence[str]) -> bool:
    """Return whether a column has many texts, nearly all like numbers or like dates."""
    if len(texts) <= MANY_MEASURES:
        return False
    return any(
        sum(form.fullmatch(text) is not None for text in texts) >= NEARLY_ALL * len(texts)
        for form in (_LIKE_NUMBERS, _LIKE_DATES)
    )


def _not_numbers(values: Sequence[str]) -> list[str]:
    """Return the texts of a column that are not numbers, if nearly all others are."""
    texts = [value for value in values if not NUMBER.fullmatch(value)]
    return texts if 5 * len(texts) <= len(values) - len(texts) else []


def _measures(classes: Sequence[str]) -> str:
    """Return a description of classes that look like measurements, or ""."""
    if len(classes) > MANY_FRACTIONS and any(map(_is_fraction, classes)):
        return f"{len(classes):,} numbers with fractions"
    if len(classes) > MANY_MEASURES and all(map(_MEASURE.fullmatch, classes)):
        return f"{len(classes):,} numbers or dates"
    return ""


def _is_fraction(text: str) -> bool:
    try:
        return not float(text).is_integer()
    except (ValueError, OverflowError):
        return False


#: Rows that are looked at first; only columns that pass are compared as a whole.
STRETCH = 2_000
#: A column determines the target by its values if each of them occurs in so many rows on average,
#: and by its ranges if the second class has so many: fewer rows may be in order by chance.
REPEATS = 20
#: Each input that a sum has needs so many rows, or any target could be fitted.
ROWS_PER_INPUT = 5
#: More inputs than this are not added up: it would take longer than reading them.
MOST_INPUTS = 300
#: Largest difference from the target, in its standard deviations.
EXACT = 1e-6

Floats = NDArray[np.float64]


def leaking(stream: Stream) -> list[str]:
    """Return the inputs that determine the target of a stream, alone or added up.

    An input determines the target alone if each of its values, which occur often enough, comes
    with one value of the target only, if it rises or falls strictly with a numeric target, or if
    each class is a range of its numbers. A sum is any linear function.

    Parameters
    ----------
    stream : Stream
        The stream. Rows without a label or a value are left out.

    Returns
    -------
    list of str
        The names of the inputs, in their order.
    """
    is_class = stream.schema.classes is not None
    known = stream.labelled
    if not known.any() or _has_one_label(stream):
        return []
    numeric = [a.values is None for a in stream.schema.attributes]
    found = []
    for j, column in enumerate(stream.X.T):
        follows = _are_ranges if is_class else _is_monotone
        for part in (slice(STRETCH), slice(None)):
            usable = known[part] & ~np.isnan(column[part])
            x, label = column[part][usable], stream.y[part][usable].astype(np.float64)
            if 2 * len(x) < len(usable) or not (
                _repeats(x, label) or (numeric[j] and follows(x, label))
            ):
                break
        else:
            found.append(j)
    if not found and not is_class:
        found = _summed(stream.X, stream.y, [j for j, is_number in enumerate(numeric) if is_number])
    return [stream.schema.attributes[j].name for j in found]


def _has_one_label(stream: Stream) -> bool:
    """Return whether all labels that are known are equal."""
    is_class = stream.schema.classes is not None

    def alike(y: NDArray[Any]) -> bool:
        known = y != NO_LABEL if is_class else ~np.isnan(y)
        return bool((~known | (y == y[np.argmax(known)])).all())

    # Nearly always the first ones differ.
    return alike(stream.y[:STRETCH]) and alike(stream.y)


def _repeats(x: Floats, y: Floats) -> bool:
    """Return whether each value of x, of which there are few, comes with one y only."""
    values, place = np.unique(x, return_inverse=True)
    if len(values) < 2 or REPEATS * len(values) > len(x):
        return False
    one = np.empty(len(values))
    one[place] = y
    return bool((one[place] == y).all()) and bool((one != one[0]).any())


def _is_monotone(x: Floats, y: Floats) -> bool:
    order = np.argsort(x, kind="stable")
    along, target = np.diff(x[order]), np.diff(y[order])
    if np.count_nonzero(along) < REPEATS or not ((along == 0) == (target == 0)).all():
        return False
    steps = target[along > 0]
    return bool((steps > 0).all() or (steps < 0).all())


def _are_ranges(x: Floats, y: Floats) -> bool:
    """Return whether each class has a range of x for itself, so that thresholds tell them apart."""
    order = np.argsort(x, kind="stable")
    along, label = x[order], y[order]
    changes = np.flatnonzero(np.diff(label))
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) < 2 or np.sort(counts)[-2] < REPEATS or len(changes) != len(counts) - 1:
        return False
    return bool((along[changes] < along[changes + 1]).all())


def _summed(X: Floats, y: Floats, numeric: list[int]) -> list[int]:
    """Return the inputs of a linear function that gives the target exactly."""
    if not numeric or len(numeric) > MOST_INPUTS:
        return []
    usable = ~np.isnan(y)
    for j in numeric:
        usable &= ~np.isnan(X[:, j])
    rows = np.flatnonzero(usable)
    if len(rows) < ROWS_PER_INPUT * (len(numeric) + 1) or 2 * len(rows) < len(y):
        return []
    # Rows from everywhere, as the first ones may be those of one night.
    some = rows[np.linspace(0, len(rows) - 1, min(len(rows), STRETCH)).astype(np.intp)]
    # Powers of 2, which change no digit: squares of values up to 1e308 have bounds then.
    units = [-int(np.frexp(np.abs(X[rows, j]).max())[1]) for j in numeric]
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
    estimate = sum(weights[k] * (np.ldexp(X[rows, numeric[k]], units[k]) - middle[k]) for k in used)
    if np.abs(estimate + target.mean() - y[rows]).max() > 1e3 * EXACT * scale:
        return []
    return [numeric[k] for k in used]
