"""Arrow's arrays as NumPy's.

This module reads Arrow's buffers directly. pyarrow's ``to_numpy``, ``array``, ``scalar`` and all
functions that take a Python value would import pandas: 0.4 s, half the time of a command on a small
file. ``pyarrow.compute`` takes 9 MB of memory, so it is imported only where it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers


def floats(values: pa.Array | pa.ChunkedArray) -> Floats:
    """Numbers as a writable float64 array; NaN in place of nulls."""
    if values.type != pa.float64():
        values = values.cast(pa.float64(), safe=False)
    return _fill_nulls(values, np.nan, np.float64)


def integers(values: pa.Array | pa.ChunkedArray, missing: int = 0) -> Integers:
    """Integers as int64, with `missing` in place of nulls."""
    if values.type != pa.int32():  # the type of dictionary indices, which need no cast
        values = values.cast(pa.int64())
    return _fill_nulls(values, missing, np.int64)


def booleans(values: pa.Array | pa.ChunkedArray) -> Flags:
    """Truth values; False in place of nulls."""
    return _fill_nulls(values.cast(pa.uint8()), 0, np.uint8).view(np.bool_)


def seconds_of_ticks(chunks: pa.ChunkedArray, per_second: int) -> Floats:
    """Ticks as seconds; the double of a moment does not depend on the unit of its ticks."""
    stored = chunks.cast(pa.int32() if pa.types.is_time32(chunks.type) else pa.int64())
    ticks = integers(stored)
    remainder = np.fmod(ticks, per_second)  # has the sign of the ticks
    whole = (ticks - remainder) // per_second
    # 2**23 seconds are almost 2**53 nanoseconds; larger integers are not exact as doubles.
    seconds = np.where(np.abs(whole) < 2**23, ticks / per_second, whole + remainder / per_second)
    return np.where(booleans(stored.is_null()), np.nan, seconds)


def arrow_texts(values: Sequence[str | None]) -> pa.Array:
    """Texts as an Arrow array; None becomes null."""
    encoded = [b"" if value is None else value.encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)])
    is_large = ends[-1] >= 2**31
    arrow_type = pa.large_string() if is_large else pa.string()
    offset_type = np.dtype(np.int64 if is_large else np.int32)
    has_value = np.array([value is not None for value in values], bool)
    buffers = [
        pa.py_buffer(np.packbits(has_value, bitorder="little")),
        pa.py_buffer(ends.astype(offset_type)),
        pa.py_buffer(b"".join(encoded)),
    ]
    return pa.Array.from_buffers(arrow_type, len(encoded), buffers)


def is_one_of(texts: pa.Array, wanted: Collection[str]) -> pa.Array:
    """Mask of the texts that are in `wanted`; null for null."""
    import pyarrow.compute as pc

    any_wanted = "|".join(map(re.escape, wanted))
    matches_nothing = r"[^\s\S]"
    return pc.match_substring_regex(texts, f"^(?:{any_wanted})$" if wanted else matches_nothing)


def _fill_nulls(values: pa.Array | pa.ChunkedArray, missing: float, dtype: Any) -> NDArray[Any]:
    chunks = values.chunks if isinstance(values, pa.ChunkedArray) else [values]
    out = np.empty(len(values), dtype)
    begin = 0
    for chunk in chunks:
        part = out[begin : begin + len(chunk)]
        part[:] = _stored_values(chunk)
        if chunk.null_count:
            part[~_is_valid(chunk)] = missing
        begin += len(chunk)
    return out


def _is_valid(chunk: pa.Array) -> Flags:
    """Mask of the values that are not null, for a chunk with nulls."""
    bits = np.frombuffer(chunk.buffers()[0], np.uint8)  # Arrow's bitmap of valid values
    end = chunk.offset + len(chunk)
    return np.unpackbits(bits, count=end, bitorder="little")[chunk.offset :].view(np.bool_)


def _stored_values(chunk: pa.Array) -> NDArray[Any]:
    """Stored values without a copy; the values at nulls are arbitrary."""
    without_bitmap = [None, chunk.buffers()[1]]
    values: NDArray[Any] = np.from_dlpack(
        pa.Array.from_buffers(chunk.type, len(chunk), without_bitmap, offset=chunk.offset)
    )
    return values
