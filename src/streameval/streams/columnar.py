"""Streams as Parquet files, with typed columns and a checked content digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import DamageError, DataError, excerpt
from streameval.base.files import replacing_file
from streameval.base.matrices import empty_matrix
from streameval.streams.arrow_arrays import floats
from streameval.streams.source_rows import SourceRows
from streameval.streams.stream import NO_LABEL, Schema, Stream

T = TypeVar("T")
#: Rows that are decoded at a time.
BATCH = 1 << 16
#: Key of the header in the metadata of the Parquet file.
_KEY = b"streameval"
#: Version of the format of the files.
_FORMAT = 3
#: Errors that a damaged file raises: in pyarrow, in the conversion to arrays, or in the header.
DAMAGE = (
    pa.ArrowException,
    OSError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    MemoryError,
    RuntimeError,
)


def write_stream(stream: Stream, path: str | Path) -> None:
    """Write a stream to a Parquet file: to a temporary file first, which is then renamed.

    Nominal columns are small integers, null for missing. The target, ``time`` and ``label_time``
    follow, and the ``row`` in the source file if the stream is in another order.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = [_encode(stream.X[:, j], count) for j, count in enumerate(stream.schema.n_values)]
    names = [attribute.name for attribute in stream.schema.attributes]
    for name, values in _columns_after_inputs(stream):
        names.append(name)
        is_class_codes = values is stream.y and stream.schema.classes is not None
        # Missing class labels are null in the file. In other columns, `NO_LABEL` is a plain number.
        arrays.append(pa.array(values, mask=values == NO_LABEL if is_class_codes else None))
    header = {
        "format": _FORMAT,
        "name": stream.name,
        "source": stream.source,
        "digest": stream.digest,
        "time": stream.time is not None,
        "label_time": stream.label_time is not None,
        "unlabelled": stream.n_unlabelled,
        "schema": stream.schema.to_json(),
        **({"ticks": stream.ticks} if stream.ticks else {}),
        **({"zone": stream.zone} if stream.zone else {}),
        **({"group": stream.groups.column} if stream.groups is not None else {}),
    }
    if stream.source_rows is not None:
        header["rows"] = [stream.source_rows.n_rows, _digest_of(stream.source_rows.row_number)]
    header["check"] = _header_digest(header)
    fields = [pa.field(name, array.type) for name, array in zip(names, arrays, strict=True)]
    table = pa.Table.from_arrays(
        arrays, schema=pa.schema(fields, {_KEY: json.dumps(header).encode()})
    )
    with replacing_file(path) as part:
        pq.write_table(table, part, compression="zstd", row_group_size=BATCH)


def _header_digest(header: dict[str, Any]) -> str:
    """Digest of a header without its key ``check``, which holds the digest."""
    content = {key: value for key, value in header.items() if key != "check"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _columns_after_inputs(stream: Stream) -> list[tuple[str, NDArray[Any]]]:
    columns = [(stream.schema.target, stream.y)]
    if stream.time is not None:
        columns.append(("time", stream.time))
    if stream.label_time is not None:
        columns.append(("label_time", stream.label_time))
    if stream.source_rows is not None:
        columns.append(("row", stream.source_rows.row_number))
    return columns


def _digest_of(rows: Integers) -> str:
    return hashlib.sha256(np.ascontiguousarray(rows).data).hexdigest()


def _encode(column: Floats, n_values: int) -> pa.Array:
    missing = np.isnan(column)
    if n_values:
        dtype = np.min_scalar_type(-n_values)  # the smallest signed type
        is_code = ~missing & (np.abs(column) < n_values)
        codes = np.where(is_code, column, 0).astype(dtype)
        # Columns with other values (another NaN, -0.0) are stored bit for bit.
        if np.where(missing, np.nan, codes.astype(np.float64)).tobytes() == column.tobytes():
            return pa.array(codes, mask=missing)
    return pa.array(np.ascontiguousarray(column))


def has_stream(path: str | Path) -> bool:
    """Whether a Parquet file was written by `write_stream`."""
    try:
        return _KEY in (pq.read_schema(path).metadata or {})
    except DAMAGE:
        return False


def read_stream(path: str | Path) -> Stream:
    """Read a file of `write_stream`, and check the digest of its content.

    Columns are decoded batch by batch, so memory holds at most one copy of ``X`` and one batch.
    """
    return _read_file(Path(path), _read)


def read_arrivals(path: str | Path) -> Stream:
    """Read the labels and times of a file of `write_stream`, without inputs.

    The digest of the content is not checked, as it covers the inputs.
    """
    return _read_file(Path(path), _read_arrivals)


def stream_size(path: str | Path) -> dict[str, int]:
    """Counts: ``rows``, ``columns`` (inputs), ``classes`` (0: numeric target), ``unlabelled``.

    Only the header of a file of `write_stream` is read.
    """
    return _read_file(Path(path), _size)


def stream_digest(path: str | Path) -> str:
    """SHA-256 of the content of a stream, read from the header of its file."""
    return str(_read_file(Path(path), _header)["digest"])


def _read_file(path: Path, read: Callable[[pq.ParquetFile, Path], T]) -> T:
    """Result of `read` for an open file; DamageError if the file cannot be read."""
    if not path.is_file():
        raise DataError(f"{path}: expected a converted stream, found no file. Convert it first.")
    try:
        with pq.ParquetFile(path) as file:
            return read(file, path)
    except DAMAGE as error:
        raise DamageError(
            f"{path}: expected a stream in Parquet format, found a damaged file or another format "
            f"({excerpt(error)}). Delete it and convert the stream again.",
            path,
        ) from error


def _header(file: pq.ParquetFile, path: Path) -> dict[str, Any]:
    metadata = file.schema_arrow.metadata or {}
    if _KEY not in metadata:
        raise DataError(
            f"{path}: expected a converted stream, found another Parquet file. Read it as a table "
            "and name its target column."
        )
    header: dict[str, Any] = json.loads(metadata[_KEY])
    if header["check"] != _header_digest(header):
        raise ValueError("its header was changed")
    if header["format"] != _FORMAT:
        raise ValueError(f"expected version {_FORMAT} of the format, found {header['format']}")
    return header


def _size(file: pq.ParquetFile, path: Path) -> dict[str, int]:
    header = _header(file, path)
    schema = Schema.from_json(header["schema"])
    return {
        "rows": file.metadata.num_rows,
        "columns": schema.n_attributes,
        "classes": len(schema.classes or ()),
        "unlabelled": header["unlabelled"],
    }


def _read(file: pq.ParquetFile, path: Path) -> Stream:
    header = _header(file, path)
    schema = Schema.from_json(header["schema"])
    m = schema.n_attributes
    X = empty_matrix(file.metadata.num_rows, m)
    trailing = _empty_trailing_columns(header, schema, len(X))
    begin = 0
    for batch in file.iter_batches(BATCH):
        rows = slice(begin, begin + batch.num_rows)
        for j in range(m):
            X[rows, j] = floats(batch.column(j))
        for column, values in zip(trailing, batch.columns[m:], strict=True):
            _copy_column(values, column, rows)
        begin += batch.num_rows
    stream = _stream_of(header, schema, X, trailing)
    if "group" in header:
        stream = stream.grouped(header["group"])
    _check_digest(path, header["digest"], stream.digest)
    if "rows" in header:
        _check_digest(path, header["rows"][1], _digest_of(trailing[-1]))
    return stream


def _read_arrivals(file: pq.ParquetFile, path: Path) -> Stream:
    header = _header(file, path)
    schema = replace(Schema.from_json(header["schema"]), attributes=())
    n = file.metadata.num_rows
    trailing = _empty_trailing_columns(header, schema, n)
    names = file.schema_arrow.names[-len(trailing) :]
    begin = 0
    for batch in file.iter_batches(BATCH, columns=[*dict.fromkeys(names)]):
        rows = slice(begin, begin + batch.num_rows)
        # Inputs may have the same names. They come first in the file, so of several columns of one
        # name, the last is read.
        remaining = list(zip(batch.schema.names, batch.columns, strict=True))
        for column, name in zip(trailing[::-1], names[::-1], strict=True):
            last = max(i for i, (other, _) in enumerate(remaining) if other == name)
            _copy_column(remaining.pop(last)[1], column, rows)
        begin += batch.num_rows
    return _stream_of(header, schema, np.empty((n, 0)), trailing)


def _empty_trailing_columns(header: dict[str, Any], schema: Schema, n: int) -> list[NDArray[Any]]:
    """Empty arrays for the columns after the inputs: the target, times and rows."""
    n_integers = header["time"] + header["label_time"] + ("rows" in header)
    label_type = np.dtype(np.int32 if schema.classes is not None else np.float64)
    return [np.empty(n, dtype) for dtype in (label_type, *[np.dtype(np.int64)] * n_integers)]


def _copy_column(values: pa.Array, column: NDArray[Any], rows: slice) -> None:
    """Copy values of a batch, null for a missing label, into rows of an array."""
    column[rows] = (values.fill_null(NO_LABEL) if values.null_count else values).to_numpy()


def _stream_of(
    header: dict[str, Any], schema: Schema, X: Floats, trailing: list[NDArray[Any]]
) -> Stream:
    times = iter(trailing[1:])
    return Stream(
        X,
        trailing[0],
        schema,
        header["name"],
        header["source"],
        time=next(times) if header["time"] else None,
        label_time=next(times) if header["label_time"] else None,
        ticks=header.get("ticks", 0),
        zone=header.get("zone", ""),
        source_rows=SourceRows(trailing[-1], header["rows"][0]) if "rows" in header else None,
    )


def _check_digest(path: Path, expected: str, digest: str) -> None:
    if digest != expected:
        raise DamageError(
            f"{path}: expected content with digest {expected}, found {digest}. The file is "
            "damaged: delete it and convert the stream again.",
            path,
        )
