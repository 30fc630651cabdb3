"""Conversion of Arrow columns to attributes for CSV and Parquet; see `readers.table`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from streameval.errors import DataError, excerpt, some
from streameval.streams.arrow_arrays import floats, integers, is_one_of, truths
from streameval.streams.readers.dates import (
    TwoReadingsError,
    all_match,
    are_like_dates,
    existing,
    in_seconds,
    measured,
)
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import (
    BLANKS,
    Origin,
    Table,
    check_class_texts,
    nominal_codes,
)
from streameval.streams.readers.times import timed_stream
from streameval.streams.stream import Attribute, Stream

_NUMBER = {
    sign: rf"^[+-]?(\d+[{sign}]?\d*|[{sign}]\d+)([eE][+-]?\d+)?$|^(?i:[+-]?(inf|infinity|nan))$"
    for sign in ".,"
}
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}

Numbers = NDArray[np.float64]


def to_stream(
    origin: Origin, columns: dict[str, pa.ChunkedArray], roles: Roles, name: str | None
) -> Stream:
    """Return the stream of the columns of a file.

    Parameters
    ----------
    origin : Origin
        Where they were read.
    columns : dict of str to ChunkedArray
        The columns to keep, in their order, target included. They are removed one by one, to save
        memory.
    roles : Roles
        Their requested kinds.
    name : str or None
        Name of the stream, by default that of the file.

    Raises
    ------
    DataError
        If a column does not have its requested kind, or a label is missing.
    """
    attributes, arrays = [], []
    is_dated = {
        name: _is_dated(columns[name])
        for name in roles.times
        if name in columns and columns[name].null_count < len(columns[name])
    }
    if roles.label_time in columns:
        _, due = encode(origin, roles.label_time, columns[roles.label_time], roles)
        columns[roles.target] = _arrived(columns[roles.target], ~np.isnan(due))
    for column in list(columns):
        chunks = columns.pop(column)
        try:
            attribute, values = encode(origin, column, chunks, roles)
        except (pa.ArrowException, UnicodeDecodeError) as error:
            kind = excerpt(chunks.type)
            raise DataError(
                f"{origin.path}: column {excerpt(column)!r} of type {kind} cannot be read: "
                f"{excerpt(error)}. Convert or drop it."
            ) from error
        if column == roles.target:
            _check_labels(origin, attribute, values)
        attributes.append(attribute)
        arrays.append(values)
    _refuse_both_kinds(origin, is_dated)
    table = Table(origin, tuple(attributes), arrays)
    are_dates = is_dated.get(roles.time or "", False)
    return timed_stream(
        table, roles.target, name, roles.time, roles.label_time, are_dates=are_dates
    )


def _arrived(labels: pa.ChunkedArray, arrives: NDArray[np.bool_]) -> pa.ChunkedArray:
    """Return labels, null where they do not arrive: whatever stands there is no class."""
    if arrives.all() or not arrives.any():  # the latter is refused with the times
        return labels
    if pa.types.is_dictionary(labels.type):
        labels = labels.cast(labels.type.value_type)
    return labels.take(pa.array(np.arange(len(arrives)), mask=~arrives))


def encode(
    origin: Origin, name: str, chunks: pa.ChunkedArray, roles: Roles
) -> tuple[Attribute, Numbers]:
    """Return the attribute of a column, and its numbers or codes with NaN for missing."""
    chunks = _plain(chunks)
    kind = chunks.type
    if not _is_text(kind) and kind != pa.null() and not _measure_of(kind):
        raise DataError(
            f"{origin.path}: column {excerpt(name)!r} is of type {excerpt(kind)}, "
            "expected numbers, texts, truth values, dates or times. Convert "
            + ("it." if name == roles.target else "or drop it.")
        )
    if name == roles.target and roles.numeric_target and not (_is_text(kind) or _is_number(kind)):
        raise DataError(
            f"{origin.path}: expected numbers in the target {excerpt(name)!r}, found the type "
            f"{excerpt(kind)}. Convert it."
        )
    if roles.is_nominal(name) and not _is_text(kind):
        chunks = _as_texts(origin, name, chunks)
    if _is_text(chunks.type):
        values, column = _from_texts(origin, name, chunks, roles)
    else:
        measure = _measure_of(kind)
        values, column = None, measure(chunks) if measure else np.full(len(chunks), np.nan)
    if values is None:
        _refuse_infinite(origin, name, column)
    return Attribute(name, values), column


def is_plain_number(chunks: pa.ChunkedArray) -> bool:
    """Return whether a column contains only finite numbers and nulls."""
    kind = chunks.type
    if pa.types.is_floating(kind):
        return bool(pc.all(pc.is_finite(chunks), min_count=0).as_py())
    return bool(pa.types.is_integer(kind) or pa.types.is_null(kind))


# --- columns with a type --------------------------------------------------------------


def _plain(chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column without the encodings that only save memory."""
    if pa.types.is_dictionary(chunks.type) and not _is_text(chunks.type):
        chunks = chunks.cast(chunks.type.value_type)
    return chunks.cast(pa.large_string()) if chunks.type == pa.string_view() else chunks


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: pa.DataType) -> bool:
    t = pa.types
    return bool(t.is_integer(kind) or t.is_floating(kind) or t.is_decimal(kind) or t.is_null(kind))


def _measure_of(kind: pa.DataType) -> Callable[[pa.ChunkedArray], Numbers] | None:
    """Return the conversion of a column type to numbers, or None for other types."""
    t = pa.types
    if _is_number(kind):
        return floats
    if t.is_boolean(kind):
        return lambda chunks: floats(chunks.cast(pa.int8()))
    if t.is_date32(kind):
        return lambda chunks: 86400 * floats(chunks.cast(pa.int32()))
    if t.is_date64(kind):
        return partial(in_seconds, per_second=1000)
    if t.is_timestamp(kind) or t.is_time(kind) or t.is_duration(kind):
        return partial(in_seconds, per_second=_PER_SECOND[kind.unit])
    return None


def _as_texts(origin: Origin, name: str, chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return values as texts like those of a CSV file: 1 for 1.0, true for a truth value."""
    if pa.types.is_floating(chunks.type):
        if pa.types.is_float16(chunks.type):
            chunks = chunks.cast(pa.float32())
        # The shortest text that reads back as the same number; NaN is missing, -0 is 0.
        distinct = pc.unique(chunks.drop_null())
        numbers = distinct.to_numpy(zero_copy_only=False)
        texts = [
            None if v != v else str(v).removesuffix(".0") for v in numbers + numbers.dtype.type()
        ]
        index = pc.index_in(chunks, distinct)
        return pc.take(pa.array(texts, pa.string()), index)
    texts = chunks.cast(pa.string())
    strange = pc.starts_with(texts, "<value out of range")
    if pc.any(strange).as_py():
        row = pc.index(strange, True).as_py()
        raise DataError(
            f"{origin.at(row)}: {excerpt(name)!r}: expected dates of the years 0 to 9999 as names, "
            "found another year. Correct the value, or make the column numeric."
        )
    return texts


# --- columns of texts -----------------------------------------------------------------


def _from_texts(
    origin: Origin, name: str, chunks: pa.ChunkedArray, roles: Roles
) -> tuple[tuple[str, ...] | None, Numbers]:
    """Return the values of a nominal column, or None, and its codes or numbers."""
    if not pa.types.is_dictionary(chunks.type):
        chunks = chunks.dictionary_encode()
    chunks = chunks.unify_dictionaries()
    raw = chunks.chunk(0).dictionary if chunks.num_chunks else pa.array([], pa.string())
    rows = [integers(chunk.indices, missing=len(raw)) for chunk in chunks.chunks]
    index = np.concatenate(rows) if rows else np.empty(0, np.intp)
    texts = pc.replace_substring_regex(pc.utf8_trim(raw, BLANKS), f"^[{BLANKS}\r\n]+$", "")
    missing = is_one_of(texts, [text.strip(BLANKS) for text in roles.missing])
    known = pc.invert(pc.or_kleene(missing, texts.is_null()))
    present = texts.filter(known)
    where = np.flatnonzero(truths(known))
    values: tuple[str, ...] | None = None
    if roles.is_numeric(name):
        _check_numbers(origin, name, texts, known, index, roles)
        found: Numbers | None = _numbers(present, roles.decimal)
    else:
        free = not roles.typed and not roles.is_nominal(name)
        is_time = name in roles.times
        try:
            found = _measure(present, roles) if free or is_time or not len(present) else None
        except TwoReadingsError as error:
            row = _first_row(truths(pc.equal(texts, error.text)), index)
            raise _unread(origin, name, row, error) from None
        if found is None and is_time:
            _refuse_times(origin, name, texts, known, index, roles)
    if found is None:
        is_target = name == roles.target
        suffix = roles.strip_label_suffix if is_target else ""
        labels = [text.removesuffix(suffix) for text in present.to_pylist()]
        found, values = nominal_codes(labels, roles.classes if is_target else None)
    # The last place is for null.
    lookup = np.full(len(texts) + 1, np.nan)
    lookup[where] = found
    return values, lookup[index]


def _measure(texts: pa.Array, roles: Roles) -> Numbers | None:
    """Return the numbers, truth values or times of texts, or None if they are names."""
    if not len(texts):
        return np.empty(0)
    if all_match(texts, _NUMBER[roles.decimal]):
        return _numbers(texts, roles.decimal)
    if all_match(texts, "^(?i:true|false)$"):
        return truths(pc.equal(pc.utf8_lower(texts), "true")).astype(np.float64)
    return measured(texts, roles.day_first)


def _numbers(texts: pa.Array, decimal: str) -> Numbers:
    return np.array([float(text.replace(decimal, ".")) for text in texts.to_pylist()], np.float64)


# --- checks ---------------------------------------------------------------------------


def _check_numbers(
    origin: Origin,
    name: str,
    texts: pa.Array,
    known: pa.Array,
    index: NDArray[np.intp],
    roles: Roles,
) -> None:
    is_target = name == roles.target
    wrong = pc.and_not(known, pc.match_substring_regex(texts, _NUMBER[roles.decimal]))
    if not pc.any(wrong).as_py():
        return
    found = ", ".join(repr(excerpt(text, 30)) for text in texts.filter(wrong)[:3].to_pylist())
    row = _first_row(truths(wrong), index)
    raise DataError(
        f"{origin.at(row)}: expected numbers in the {'target' if is_target else 'column'} "
        f"{excerpt(name)!r}, found texts like [{found}]. Correct them, "
        + ("choose classifiers if these are classes, " if is_target else "")
        + "or name the text that means a missing value (`missing`)."
    )


def _first_row(which: NDArray[np.bool_], index: NDArray[np.intp]) -> int:
    """Return the first row that has one of the texts."""
    return int(np.flatnonzero(np.append(which, False)[index])[0])


def _unread(origin: Origin, name: str, row: int, error: TwoReadingsError) -> DataError:
    day, month = error.readings
    return DataError(
        f"{origin.at(row)}: expected dates in the column {excerpt(name)!r} of which some can be "
        f"read in one way only, found {excerpt(error.text, 40)!r} and others like it. Say what "
        f"comes first: --day-first ({day}) or --month-first ({month}); in Python and YAML "
        "day_first is true or false."
    )


def _refuse_times(
    origin: Origin,
    name: str,
    texts: pa.Array,
    known: pa.Array,
    index: NDArray[np.intp],
    roles: Roles,
) -> NoReturn:
    """Name the first text that is no time, or is of another kind than most."""
    numbers = truths(pc.match_substring_regex(texts, _NUMBER[roles.decimal]))
    kinds = [numbers, *existing(texts)]
    right = max(kinds, key=np.count_nonzero)
    row = _first_row(truths(known) & ~right, index)
    found = excerpt(texts[index[row]].as_py(), 40)
    raise DataError(
        f"{origin.at(row)}: expected times in the column {excerpt(name)!r}, all numbers or all "
        f"dates like 2020-01-31 or 2020-01-31 12:30:00, found {found!r}. Correct or convert them."
    )


def _refuse_both_kinds(origin: Origin, is_dated: Mapping[str, bool]) -> None:
    if len({*is_dated.values()}) > 1:
        dated, numbers = sorted(is_dated, key=lambda name: not is_dated[name])
        raise DataError(
            f"{origin.path}: expected the times of instances and labels in one form, found dates "
            f"in {excerpt(dated)!r} and numbers in {excerpt(numbers)!r}. Convert one of them."
        )


def _is_dated(chunks: pa.ChunkedArray) -> bool:
    """Return whether times are dates rather than numbers."""
    chunks = _plain(chunks)
    if not _is_text(chunks.type):
        return bool(pa.types.is_timestamp(chunks.type) or pa.types.is_date(chunks.type))
    texts = pc.unique(chunks.cast(pa.string()) if pa.types.is_dictionary(chunks.type) else chunks)
    return bool(are_like_dates(pc.utf8_trim(texts.drop_null(), BLANKS)).any())


def _refuse_infinite(origin: Origin, name: str, column: Numbers) -> None:
    infinite = np.flatnonzero(np.isinf(column))
    if infinite.size:
        raise DataError(
            f"{origin.at(int(infinite[0]))}: column {excerpt(name)!r}: expected a finite number of "
            "double precision, found an infinite one. Correct it, write ? if it is missing, or "
            "drop the column."
        )


def _check_labels(origin: Origin, attribute: Attribute, codes: Numbers) -> None:
    if attribute.values is None:
        return
    unknown = np.flatnonzero(codes < 0)
    if unknown.size:
        raise DataError(
            f"{origin.at(int(unknown[0]))}: expected a label of {excerpt(attribute.name)!r} among "
            f"the classes {some(attribute.values)}, found another. Correct the label or the "
            "classes."
        )
    check_class_texts(origin.path, attribute.name, attribute.values)
