"""Warnings about streams that are probably not what their owners think they are."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Sequence

import numpy as np

from streameval.coercion import NUMBER
from streameval.errors import excerpt, plain, some
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Stream

#: A target of more numbers with fractions than this is rather a measurement than a class.
MANY_FRACTIONS = 20
#: The same for numbers without fractions, dates and times.
MANY_MEASURES = 100
#: Trees keep statistics of each value and each class: more values than this cost much.
MANY_VALUES = 1000
_MEASURE = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|\d{4}-\d\d-\d\d.*|\d\d:\d\d.*", re.ASCII)


def warn_about(stream: Stream, guessed: Collection[str] = ()) -> None:
    """Warn, once for all, of what makes a user's stream pointless or costly to evaluate.

    Constant columns carry no information; with one class every classifier is perfect, and with
    measurements for classes none can be right; a nominal column that has a value per row is an
    identifier, and one with thousands of values costs time and memory. A column of numbers with
    a few texts among them was meant to be numeric.

    Parameters
    ----------
    stream : Stream
        The stream.
    guessed : collection of str
        Columns of which neither the file nor the user has said what they are.
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
    if len(stream) > 1 and (stream.y == stream.y[0]).all():
        remarks.append(f"{target} has one value only")
    classes = stream.schema.classes or ()
    if measures := _measures(classes):
        remarks.append(f"{target} has {measures} as classes, a measurement?")
    elif len(classes) > MANY_VALUES:
        remarks.append(f"{target} has {len(classes):,} classes, which cost time and memory")
    if identifiers:
        remarks.append(f"columns with a text per row, numbers misread?: {some(identifiers)}")
    if spoilt:
        remarks.append(f"columns of numbers but for some texts, so nominal: {some(spoilt)}")
    if costly:
        remarks.append(
            f"nominal columns with very many values, which cost time and memory: {some(costly)}"
        )
    if not remarks:
        return
    advice = "Check the file, or leave columns out (--drop COLUMN)."
    if identifiers or costly or spoilt:
        advice += (
            " If the texts of a column are numbers but for some, --numeric COLUMN names the first "
            "that is none, and --missing TEXT makes it a missing value."
        )
    warnings.warn(
        f"Stream {excerpt(stream.name)!r}: {'; '.join(remarks)}. {advice}",
        StreamWarning,
        stacklevel=3,
    )


def _not_numbers(values: Sequence[str]) -> list[str]:
    """Return the texts of a column that are no numbers, if nearly all others are some."""
    texts = [value for value in values if not NUMBER.fullmatch(value)]
    return texts if 5 * len(texts) <= len(values) - len(texts) else []


def _measures(classes: Sequence[str]) -> str:
    """Return what classes are that look like measurements; nothing if they do not."""
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
