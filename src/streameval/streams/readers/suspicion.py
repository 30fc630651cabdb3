"""Warnings about streams that were probably misread, or whose inputs reveal the target."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, excerpt, listing, printable, warn_caller
from streameval.base.matrices import each_column
from streameval.base.values import NUMBER
from streameval.streams.readers.leaks import (
    FIRST_ROWS,
    MIN_SUPPORT,
    NEARLY,
    has_one_label,
    leaking_inputs,
    nearly_leaking_inputs,
)
from streameval.streams.readers.sentinels import Sentinel, sentinels_of
from streameval.streams.readers.table import IF_NUMBERS, StreamWarning, numeric_names
from streameval.streams.readers.values import SIGN
from streameval.streams.stream import NO_LABEL, Attribute, Schema, Stream

#: Maximum number of classes if some are numbers with fractions. A target with more is probably
#: numeric.
MAX_FRACTION_CLASSES = 20
#: Maximum number of classes that are whole numbers, dates or times. A target with more is probably
#: numeric.
MAX_NUMBER_CLASSES = 100
#: A nominal input or target with more values is costly, since trees store statistics of each value.
MAX_CHEAP_VALUES = 1000
#: A target with more classes than this proportion of the rows is probably an identifier.
MAX_CLASSES_PER_ROW = 0.5
#: Streams must have more rows than this to call a column or a target an identifier.
MIN_ROWS_OF_IDENTIFIER = 100
#: Minimum number of rows for a remark about a column of row numbers.
MIN_ROWS_OF_ROW_NUMBERS = 20
#: Names that pandas gives to an index in a file.
_INDEX_NAMES = r"index|level_[0-9]+|unnamed: ?[0-9]+"
#: Larger whole numbers are not exact as doubles.
_EXACT = 2.0**53
#: Minimum proportion of texts or rows that counts as nearly all.
NEARLY_ALL = 0.9
_CURRENCY = r"([A-Z]{3}|[$€£¥₹])"
#: Texts like numbers, with a currency, a unit, or any grouping.
_LIKE_NUMBERS = re.compile(
    rf"{_CURRENCY}?\s?{SIGN}?[\d.,][\d\s.,'’_]*([eE]{SIGN}?\d+)?\s?({_CURRENCY}|[%‰°kKmM]|\s[^\W\d_]{{1,4}})?"
)
#: Numbers with grouped digits.
_GROUPED = rf"{SIGN}?[1-9]\d{{0,2}}(?P<mark>[.,'’\s])\d{{3}}((?P=mark)\d{{3}})*([.,]\d*)?"
#: Numbers that readers do not accept: grouped digits, parentheses or a minus after the digits for a
#: negative number, or the exponent of Fortran.
_UNSUPPORTED_NUMBER = re.compile(
    rf"{_GROUPED}|\([\d.,]+\)|[\d.,]+[−-]|{SIGN}?(\d+[.,]?\d*|[.,]\d+)[dD]{SIGN}?\d+"
)
_FRACTION = re.compile(rf"{SIGN}?\d*(?P<sign>[.,])\d+")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_LIKE_DATES = re.compile(
    rf"\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}\b.*|\d{{1,2}}:\d\d\b.*|(?i:.*\b({_MONTHS})[a-z]*\b.*\d.*)",
)
#: Classes that look like measurements: numbers, dates and times of day.
_MEASURE = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|\d{4}-\d\d-\d\d.*|\d\d:\d\d.*", re.ASCII)


def warn_about(
    stream: Stream,
    inferred: Collection[str] = (),
    has_header: bool = False,
    has_missing_option: bool = True,
) -> None:
    """Give one warning of everything that makes a stream pointless or costly to evaluate.

    `inferred` are columns whose kind was inferred, as neither the file nor the user declares it.
    With `has_header`, column names were read from the first row of a text. With
    `has_missing_option`, the reader has an option for texts of missing values. Raises DataError if
    each row has a class of its own.
    """
    one_label = len(stream) - stream.n_unlabelled > 1 and has_one_label(stream)
    _check_identifier(stream, _target_text(stream.schema))
    leaks = leaking_inputs(stream)
    suspicions = _Suspicions(
        constant=[],
        has_one_label=one_label,
        leaks=leaks,
        runs=_runs_by_class(stream),
        near_leaks=[] if one_label else nearly_leaking_inputs(stream, leaks),
        rounded=[],
        row_numbers=[],
        sentinels={},
        has_missing_option=has_missing_option,
    )
    # Column by column: one full boolean copy of X would double the memory.
    for attribute, column in zip(stream.schema.attributes, each_column(stream.X), strict=True):
        is_nameless = _is_nameless(attribute.name, inferred)
        _add_suspicions(suspicions, column, attribute, is_nameless)
    if stream.schema.classes is None and (sentinels := sentinels_of(stream.y)):
        suspicions.sentinels[stream.schema.target] = sentinels
    text = _warning_text(stream.schema, len(stream), stream.name, suspicions, inferred, has_header)
    if text:
        warn_caller(text, StreamWarning)


class _Suspicions(NamedTuple):
    """Suspicious properties of the instances of a stream.

    `leaks` are inputs that determine the target, `near_leaks` inputs that do so in nearly all rows.
    `runs` is the number of runs of equal labels if each class is one run, else 0. `rounded` are
    inputs of whole numbers too large for a double, such as identifiers. `row_numbers` are inputs
    without a name of their own that number the rows. `sentinels` are numbers by column, target
    included, that probably stand for missing values; if the reader `has_missing_option`, an option
    declares them.
    """

    constant: list[str]
    has_one_label: bool
    leaks: list[str]
    runs: int
    near_leaks: list[str]
    rounded: list[str]
    row_numbers: list[str]
    sentinels: dict[str, list[Sentinel]]
    has_missing_option: bool


def _target_text(schema: Schema) -> str:
    return f"the target {excerpt(schema.target)!r}"


def _warning_text(
    schema: Schema,
    rows: int,
    name: str,
    suspicions: _Suspicions,
    inferred: Collection[str] = (),
    has_header: bool = False,
) -> str:
    """Warning of `warn_about`; "" if nothing is suspicious."""
    n_values = {a.name: len(a.values) for a in schema.attributes if a.values is not None}
    costly = [f"{printable(name)} ({k:,})" for name, k in n_values.items() if k > MAX_CHEAP_VALUES]
    target, remarks = _target_text(schema), []
    nearly_numeric = [
        f"{printable(a.name)} ({listing(texts[:3])}{', ...' * (len(texts) > 3)})"
        for a in schema.attributes
        if a.name in inferred
        and (texts := _not_numbers(a.values or ()))
        and not _are_unsupported_numbers(a.values or ())
    ]
    if suspicions.constant:
        remarks.append(f"constant columns: {listing(suspicions.constant)}")
    if suspicions.row_numbers and rows >= MIN_ROWS_OF_ROW_NUMBERS:
        remarks.append(
            f"columns that only count the rows, as an index: {listing(suspicions.row_numbers)}"
        )
    if suspicions.sentinels:
        parts = []
        for column, sentinels in suspicions.sentinels.items():
            counts = listing(f"{number} in {n:,} rows" for number, n in sentinels)
            parts.append(f"{printable(column)} ({counts})")
        remarks.append(f"numbers that often stand for missing values: {listing(parts)}")
    if suspicions.has_one_label:
        remarks.append(f"{target} has one value only")
    if suspicions.runs:
        remarks.append(f"{target} comes in {suspicions.runs:,} runs: is the file sorted by it?")
    classes = schema.classes or ()
    number_like = {
        a.name: values
        for a in schema.attributes
        if a.name in inferred
        and (
            _are_unsupported_numbers(values := a.values or ())
            or (_look_like_measures(values) and not _not_numbers(values))
        )
    }
    identifiers = [
        name
        for name, k in n_values.items()
        if rows > MIN_ROWS_OF_IDENTIFIER and k > NEARLY_ALL * rows and name not in number_like
    ]
    names = [*(a.name for a in schema.attributes), schema.target]
    if has_header and (numbers := numeric_names(names)):
        remarks.append(
            f"column names that are numbers, as if a header were missing: {listing(numbers)}"
        )
    if suspicions.leaks:
        remarks.append(
            f"{target} can be computed from inputs, which may not be known before it: "
            f"{listing(suspicions.leaks)}"
        )
    if suspicions.near_leaks:
        remarks.append(
            f"{target} follows from one input in at least {NEARLY:.0%} of the rows, which may not "
            f"be known before it: {listing(suspicions.near_leaks)}"
        )
    if suspicions.rounded:
        remarks.append(
            "columns of whole numbers beyond 2^53, which are rounded: "
            f"{listing(suspicions.rounded)}"
        )
    if measures := _measures(classes):
        remarks.append(f"{target} has {measures} as classes, probably a measurement")
    elif rows > MIN_ROWS_OF_IDENTIFIER and len(classes) > MAX_CLASSES_PER_ROW * rows:
        remarks.append(
            f"{target} has a class for nearly each row, {len(classes):,} in {rows:,}: "
            "probably an identifier"
        )
    elif len(classes) > MAX_CHEAP_VALUES:
        remarks.append(f"{target} has {len(classes):,} classes, which cost time and memory")
    if identifiers:
        remarks.append(f"columns with a distinct text in nearly each row: {listing(identifiers)}")
    if nearly_numeric:
        remarks.append(
            f"columns that are nominal because of a few texts: {listing(nearly_numeric)}"
        )
    if number_like:
        remarks.append(
            f"columns of texts that look like numbers or dates: {_examples(number_like)}"
        )
    if costly:
        remarks.append(
            f"nominal columns with very many values, which cost time and memory: {listing(costly)}"
        )
    if not remarks:
        return ""
    advice = "Check the file, or leave columns out (--drop COLUMN)."
    if measures:
        advice += f" {IF_NUMBERS.replace('it is', 'the target is', 1)}"
    if number_like:
        advice += (
            " Numbers are digits with one decimal sign (--decimal), dates such as 2020-01-31, to "
            "which pandas converts others by to_datetime."
        )
        marks = {_grouping(values) for values in number_like.values()} - {""}
        advice += "".join(
            f" If {mark!r} groups digits: --thousands {mark!r}." for mark in sorted(marks)
        )
    if suspicions.sentinels:
        advice += _advice_on_sentinels(suspicions)
    if suspicions.rounded:
        advice += " Identifiers are names (--nominal COLUMN)."
    if identifiers or costly or nearly_numeric:
        advice += (
            " If nearly all texts of a column are numbers, --numeric COLUMN names the first "
            "other text, and --missing TEXT makes it a missing value."
        )
    if has_header and nearly_numeric:
        advice += " Units or types below the header are not data: --skip-rows 1 leaves them out."
    end = "" if remarks[-1].endswith("?") else "."
    return f"Stream {excerpt(name)!r}: {'; '.join(remarks)}{end} {advice}"


def _advice_on_sentinels(suspicions: _Suspicions) -> str:
    """Advice on numbers that probably stand for missing values."""
    numbers = sorted(
        {sentinel.number for column in suspicions.sentinels.values() for sentinel in column}
    )
    texts = [str(number) for number in numbers]
    verb = "stand" if len(texts) > 1 else "stands"
    advice = (
        f"say so, with other such texts: --missing {' '.join(texts)} NA."
        if suspicions.has_missing_option
        else "write them as missing values, ? in ARFF and NaN in arrays."
    )
    return f" If {' and '.join(texts)} {verb} for missing numbers, {advice}"


def _add_suspicions(
    suspicions: _Suspicions, column: Floats, attribute: Attribute, is_nameless: bool
) -> None:
    """Add the suspicious properties of a column."""
    # Most columns fail a test in their first rows, and need not be examined as a whole.
    parts = column[:FIRST_ROWS], column
    if all(map(_is_constant, parts)):
        suspicions.constant.append(attribute.name)
    if is_nameless and all(_counts_rows(part, column[0]) for part in parts):
        suspicions.row_numbers.append(attribute.name)
    if attribute.values is None:
        if _is_rounded(column):
            suspicions.rounded.append(attribute.name)
        if sentinels := sentinels_of(column):
            suspicions.sentinels[attribute.name] = sentinels


def _is_nameless(name: str, inferred: Collection[str]) -> bool:
    """Whether a column has no name of its own, such as the index that pandas writes."""
    form = _INDEX_NAMES if name not in inferred else rf"x[0-9]+|{_INDEX_NAMES}"
    return re.fullmatch(form, name, re.IGNORECASE) is not None


def _counts_rows(column: Floats, first: float) -> bool:
    """Whether the numbers are `first`, `first` + 1, `first` + 2, ..."""
    return bool((column == first + np.arange(len(column))).all())


def _is_constant(column: Floats) -> bool:
    return bool(np.isnan(column).all() or (column == column[0]).all())


def _is_rounded(column: Floats) -> bool:
    """Whether all numbers of a column are whole, and one is beyond 2^53."""
    return _is_beyond(_largest(column)) and not bool((np.floor(column) < column).any())


def _largest(column: Floats) -> float:
    """Largest absolute value of a column; 0 if all are NaN."""
    ends = np.fmax.reduce(column, initial=0.0), np.fmin.reduce(column, initial=0.0)
    return float(max(ends[0], -ends[1]))


def _is_beyond(size: float) -> bool:
    """Whether a number is above 2^53 and below 2^128: identifiers have at most 128 bits."""
    return _EXACT < size < 2.0**128


def _runs_by_class(stream: Stream) -> int:
    """Number of runs of equal labels if it equals the number of classes; otherwise 0."""
    labels = stream.y if stream.time is None else stream.y[np.argsort(stream.time, kind="stable")]
    if stream.schema.classes is None:
        return 0
    labels = labels[labels != NO_LABEL]
    runs = 1 + int(np.count_nonzero(labels[1:] != labels[:-1]))
    is_sorted = runs == len(np.unique(labels)) and 2 <= runs <= len(labels) / MIN_SUPPORT
    return runs if is_sorted else 0


def _check_identifier(stream: Stream, target: str) -> None:
    n = len(stream)
    if n <= MIN_ROWS_OF_IDENTIFIER or stream.n_classes < n:
        return
    if len(np.unique(stream.y[stream.y >= 0])) == n:
        raise DataError(
            f"Stream {excerpt(stream.name)!r}: expected classes that repeat, found a different "
            f"class in each of the {n:,} rows: {target} identifies rows. Name another column. "
            f"{IF_NUMBERS}"
        )


def _look_like_measures(texts: Sequence[str]) -> bool:
    """Whether a column has many texts, nearly all like numbers or like dates."""
    if len(texts) <= MAX_NUMBER_CLASSES:
        return False
    return any(
        sum(form.fullmatch(text) is not None for text in texts) >= NEARLY_ALL * len(texts)
        for form in (_LIKE_NUMBERS, _LIKE_DATES)
    )


def _are_unsupported_numbers(texts: Sequence[str]) -> bool:
    """Whether nearly all texts are numbers, some of them in a form that is not read."""
    n_unread = sum(_UNSUPPORTED_NUMBER.fullmatch(text) is not None for text in texts)
    n_read = sum(NUMBER.fullmatch(text.replace(",", ".")) is not None for text in texts)
    return n_unread > 0 and n_unread + n_read >= NEARLY_ALL * len(texts)


def _grouping(texts: Sequence[str]) -> str:
    """Mark that may group the digits of all numbers that have a mark; "" for none.

    In ``1,234,567`` the comma certainly groups digits, in ``1,234`` it may be a decimal sign, and
    in ``1,5`` it is one.
    """
    certain, possible, decimal_signs = set[str | None](), set[str | None](), set[str | None]()
    for text in (re.sub(r"\s", " ", raw) for raw in texts):
        if text.lstrip("+−-").isdecimal():
            continue
        fraction, grouped = _FRACTION.fullmatch(text), _UNSUPPORTED_NUMBER.fullmatch(text)
        if fraction is None:
            certain.add(None if grouped is None else grouped["mark"])
        elif grouped is None:
            decimal_signs.add(fraction["sign"])
        else:
            possible.add(fraction["sign"])
    marks = certain or possible
    return (marks.pop() or "") if len(marks) == 1 and not marks & decimal_signs else ""


def _examples(columns: Mapping[str, Sequence[str]]) -> str:
    """At most five columns, each with one of its texts."""
    parts = [
        f"{printable(name)} ({printable(texts[0], 30)!r}"
        + f" and {len(texts) - 1:,} other{'s' * (len(texts) > 2)}" * (len(texts) > 1)
        + ")"
        for name, texts in columns.items()
    ]
    rest = f", ... ({len(parts):,} in all)" if len(parts) > 5 else ""
    return ", ".join(parts[:5]) + rest


def _not_numbers(values: Sequence[str]) -> list[str]:
    """Texts of a column that are not numbers, if at least five times as many are; otherwise []."""
    texts = [value for value in values if not NUMBER.fullmatch(value)]
    return texts if 5 * len(texts) <= len(values) - len(texts) else []


def _measures(classes: Sequence[str]) -> str:
    """Description of classes that look like measurements, or ""."""
    if len(classes) > MAX_FRACTION_CLASSES and any(map(_is_fraction, classes)):
        return f"{len(classes):,} numbers with fractions"
    if len(classes) > MAX_NUMBER_CLASSES and all(map(_MEASURE.fullmatch, classes)):
        return f"{len(classes):,} numbers or dates"
    return ""


def _is_fraction(text: str) -> bool:
    try:
        return not float(text).is_integer()
    except (ValueError, OverflowError):
        return False
