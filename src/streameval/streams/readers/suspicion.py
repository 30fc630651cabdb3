"""Warnings about streams that were probably not read as intended."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Sequence

import numpy as np

from streameval.coercion import NUMBER
from streameval.errors import excerpt, plain, some
from streameval.streams.readers.table import IF_NUMBERS, StreamWarning
from streameval.streams.stream import Stream

#: A target with more distinct numbers with fractions than this is probably not a class.
MANY_FRACTIONS = 20
#: The same for numbers without fractions, dates and times.
MANY_MEASURES = 100
#: Trees store statistics of each value and each class: more values than this are costly.
MANY_VALUES = 1000
_MEASURE = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|\d{4}-\d\d-\d\d.*|\d\d:\d\d.*", re.ASCII)


def warn_about(stream: Stream, guessed: Collection[str] = ()) -> None:
    """Warn once of all that makes a user's stream pointless or costly to evaluate.

    Constant columns carry no information. With one class every classifier is perfect; if classes
    are measurements, none is accurate. A nominal column with one value per row is an identifier,
    and thousands of values cost time and memory. A column of numbers with a few texts was probably
    meant to be numeric.

    Parameters
    ----------
    stream : Stream
        The stream.
    guessed : collection of str
        Columns whose kind neither the file nor the user has declared.
    """
    # Column by column: one full boolean copy of X would double the memory.
    constant = [
        attribute.name
        for attribute, column in zip(stream.schema.attributes, stream.X.T, strict=True)
        if np.isnan(column).all() or (column == column[0]).all()
    ]
    values = {a.name: len(a.values) for a in stream.schema.attributes if a.values is not None}
    identifiers = [a for a, k in values.items() if len(stream) > 100 and k > 0.9 * len(stream)]
    costly = [f"{plain(a)} ({k:,})" for a, k in values.items() if k > MANY_VALUES]
    target = f"the target {excerpt(stream.schema.target)!r}"
    remarks = []
    spoilt = [
        f"{plain(a.name)} ({some(texts[:3])}{', ...' * (len(texts) > 3)})"
        for a in stream.schema.attributes
        if a.name in guessed and (texts := _not_numbers(a.values or ()))
    ]
    if constant:
        remarks.append(f"constant columns: {some(constant)}")
    labels = stream.y[stream.labelled]
    if len(labels) > 1 and (labels == labels[0]).all():
        remarks.append(f"{target} has one value only")
    classes = stream.schema.classes or ()
    if measures := _measures(classes):
        remarks.append(f"{target} has {measures} as classes, probably a measurement")
    elif len(classes) > MANY_VALUES:
        remarks.append(f"{target} has {len(classes):,} classes, which cost time and memory")
    if identifiers:
        remarks.append(f"columns with a distinct text in nearly each row: {some(identifiers)}")
    if spoilt:
        remarks.append(f"columns that are nominal because of a few texts: {some(spoilt)}")
    if costly:
        remarks.append(
            f"nominal columns with very many values, which cost time and memory: {some(costly)}"
        )
    if not remarks:
        return
    advice = "Check the file, or leave columns out (--drop COLUMN)."
    if measures:
        advice += f" {IF_NUMBERS.replace('it is', 'the target is', 1)}"
    if identifiers or costly or spoilt:
        advice += (
            " If nearly all texts of a column are numbers, --numeric COLUMN names the first "
            "other text, and --missing TEXT makes it a missing value."
        )
    warnings.warn(
        f"Stream {excerpt(stream.name)!r}: {'; '.join(remarks)}. {advice}",
        StreamWarning,
        stacklevel=3,
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
