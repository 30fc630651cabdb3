"""Arrow columns as numbers or texts, for CSV, Parquet and frames; see `readers.values`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, excerpt, listing
from streameval.streams.arrow_arrays import floats, seconds_of_ticks
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import Origin, check_class_texts
from streameval.streams.readers.texts import Texts, texts_of_column
from streameval.streams.readers.times import LOCAL, NUMBERS, ZONED
from streameval.streams.readers.values import are_finite_or_missing, class_of_number
from streameval.streams.stream import Attribute

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def add_times_to_durations(
    origin: Origin, columns: dict[str, pa.ChunkedArray], roles: Roles
) -> None:
    """Replace label times that are durations by dates: date of the instance plus duration."""
    label_time, time = roles.label_time, columns.get(roles.time or "")
    if label_time not in columns or not pa.types.is_duration(columns[label_time].type):
        return
    if time is None or not (pa.types.is_timestamp(time.type) or pa.types.is_date(time.type)):
        raise DataError(
            f"{origin.path}: expected dates of the instances for the durations in "
            f"{excerpt(label_time)!r}, found {'none' if time is None else excerpt(time.type)}. "
            "Name the column that says when each instance arrives (--time COLUMN; in Python "
            "time=COLUMN), or give dates."
        )
    zone = getattr(time.type, "tz", None)
    # Microseconds, so that dates and durations of different units can be added.
    moments = time.cast(pa.timestamp("us", zone), safe=False)
    import pyarrow.compute as pc  # only for durations, see `arrow_arrays`

    durations = columns[label_time].cast(pa.duration("us"), safe=False)
    columns[label_time] = pc.add(moments, durations)


def numbers_or_texts(
    origin: Origin, name: str, chunks: pa.ChunkedArray, roles: Roles
) -> Floats | Texts:
    """A column, or a block of it, as numbers or texts; texts such as "1.5" are parsed later."""
    chunks = _without_encoding(chunks)
    arrow_type = chunks.type
    convert = _converter_of(arrow_type)
    if convert is None and not _is_text(arrow_type):
        raise DataError(
            f"{origin.path}: column {excerpt(name)!r} is of type {excerpt(arrow_type)}, "
            "expected numbers, texts, truth values, dates or times. Convert "
            + ("it." if name == roles.target else "or drop it.")
        )
    if (
        name == roles.target
        and roles.numeric_target
        and not (_is_text(arrow_type) or _is_number(arrow_type))
    ):
        raise DataError(
            f"{origin.path}: expected numbers in the target {excerpt(name)!r}, found the type "
            f"{excerpt(arrow_type)}. Convert it."
        )
    if roles.is_nominal(name) and not _is_text(arrow_type):
        chunks = _as_texts(origin, name, chunks)
    if convert is None or _is_text(chunks.type):
        texts = texts_of_column(chunks)
        # A dictionary may list texts that occur in no row. They remain values of a nominal column,
        # but in a numeric column they would be refused if they are not numbers.
        must_be_numbers = roles.has_types and (roles.is_numeric(name) or name in roles.times)
        return texts.drop_unused() if must_be_numbers else texts
    numbers = convert(chunks)
    return roles.rules.without_missing(numbers) if _is_number(arrow_type) else numbers


def is_plain_number(chunks: pa.ChunkedArray) -> bool:
    """Whether a column contains only finite numbers and nulls."""
    arrow_type = chunks.type
    if pa.types.is_floating(arrow_type):
        return are_finite_or_missing(floats(chunks), chunks.null_count)
    return bool(pa.types.is_integer(arrow_type) or pa.types.is_null(arrow_type))


# --- columns with a type --------------------------------------------------------------


def _without_encoding(chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Column without the encodings that only save memory."""
    if pa.types.is_dictionary(chunks.type) and not _is_text(chunks.type):
        chunks = chunks.cast(chunks.type.value_type)
    return chunks.cast(pa.large_string()) if chunks.type == pa.string_view() else chunks


def _is_text(arrow_type: pa.DataType) -> bool:
    if pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    return bool(pa.types.is_string(arrow_type) or pa.types.is_large_string(arrow_type))


def _is_number(arrow_type: pa.DataType) -> bool:
    t = pa.types
    return bool(
        t.is_integer(arrow_type)
        or t.is_floating(arrow_type)
        or t.is_decimal(arrow_type)
        or t.is_null(arrow_type)
    )


def _converter_of(arrow_type: pa.DataType) -> Callable[[pa.ChunkedArray], Floats] | None:
    """Function that converts columns of a type to numbers; None for other types."""
    t = pa.types
    if _is_number(arrow_type):
        return floats
    if t.is_boolean(arrow_type):
        return lambda chunks: floats(chunks.cast(pa.int8()))
    if t.is_date32(arrow_type):
        return lambda chunks: 86400 * floats(chunks.cast(pa.int32()))
    if t.is_date64(arrow_type):
        return partial(seconds_of_ticks, per_second=1000)
    if t.is_timestamp(arrow_type) or t.is_time(arrow_type) or t.is_duration(arrow_type):
        return partial(seconds_of_ticks, per_second=_PER_SECOND[arrow_type.unit])
    return None


def _as_texts(origin: Origin, name: str, chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Values as the texts that a CSV file would have: 1 for 1.0, true for a truth value."""
    import pyarrow.compute as pc

    if pa.types.is_floating(chunks.type):
        if pa.types.is_float16(chunks.type):
            chunks = chunks.cast(pa.float32())
        # The shortest text that reads back as the same number.
        distinct = pc.unique(chunks.drop_null())
        numbers = distinct.to_numpy(zero_copy_only=False)
        numbers = numbers + numbers.dtype.type()  # 0 for -0
        texts = [None if np.isnan(number) else class_of_number(number) for number in numbers]
        index = pc.index_in(chunks, distinct)
        return pc.take(pa.array(texts, pa.string()), index)
    texts = chunks.cast(pa.string())
    out_of_range = pc.starts_with(texts, "<value out of range")  # pyarrow's text for such a date
    if pc.any(out_of_range).as_py():
        row = pc.index(out_of_range, True).as_py()
        raise DataError(
            f"{origin.place_of(row)}: {excerpt(name)!r}: expected dates of the years 0 to 9999 as "
            "names, found another year. Correct the value, or make the column numeric."
        )
    return texts


# --- checks ---------------------------------------------------------------------------


def zone_of_texts(distinct: pa.Array) -> str:
    """Time zone of times that are texts."""
    from streameval.streams.readers.dates import zone_of  # loads Arrow's computations

    return zone_of(distinct)


def form_of_texts(distinct: pa.Array) -> str:
    """Form in which times are written as texts."""
    from streameval.streams.readers.dates import form_of_times  # loads Arrow's computations

    return form_of_times(distinct)


def form_of_type(arrow_type: pa.DataType) -> str:
    """Form in which times of an Arrow type are written."""
    arrow_type = arrow_type.value_type if pa.types.is_dictionary(arrow_type) else arrow_type
    if pa.types.is_timestamp(arrow_type):
        return ZONED if arrow_type.tz else LOCAL
    return LOCAL if pa.types.is_date(arrow_type) else NUMBERS


def refuse_infinite(origin: Origin, name: str, column: Floats) -> None:
    """Refuse infinite numbers."""
    infinite = np.flatnonzero(np.isinf(column))
    if infinite.size:
        raise DataError(
            f"{origin.place_of(int(infinite[0]))}: column {excerpt(name)!r}: expected a finite "
            "number of double precision, found an infinite number. Correct it, write ? if it is "
            "missing, or drop the column."
        )


def check_labels(origin: Origin, attribute: Attribute, codes: Floats) -> None:
    """Refuse labels of unknown classes, and too many classes."""
    if attribute.values is None:
        return
    unknown = np.flatnonzero(codes < 0)
    if unknown.size:
        raise DataError(
            f"{origin.place_of(int(unknown[0]))}: expected a label of "
            f"{excerpt(attribute.name)!r} among the classes {listing(attribute.values)}, found "
            "another text. Correct the label or the classes."
        )
    check_class_texts(origin.path, attribute.name, attribute.values)
