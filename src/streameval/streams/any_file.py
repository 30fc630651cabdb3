"""Reading a user's own file, whatever its format."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.streams.arff import read_arff
from streameval.streams.columnar import has_stream, read_stream
from streameval.streams.content import plain_name
from streameval.streams.csv_file import encode_column, read_csv
from streameval.streams.stream import Attribute, Stream
from streameval.streams.table import (
    Table,
    build_stream,
    check_class_texts,
    check_names,
    kept,
    warn_about,
)


def read_parquet(
    path: str | Path,
    target: str,
    *,
    drop: tuple[str, ...] = (),
    numeric_target: bool = False,
    name: str | None = None,
) -> Stream:
    """Read a table in Parquet format.

    Numbers and truth values are numeric columns, times are seconds since 1970, texts are
    nominal with their values in sorted order; null is missing.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str
        Name of the column to predict.
    drop : tuple of str
        Columns to leave out.
    numeric_target : bool
        The target is a number to predict, not a class.
    name : str, optional
        Name of the stream, by default that of the file.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Raises
    ------
    DataError
        If the file is no table with such a target, or a column can be no attribute.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: expected a file, found none. Check the path.")
    try:
        names = pq.read_schema(path).names
        check_names(path, names)
        wanted = kept(path, names, target, drop)
        content = pq.read_table(path, columns=wanted)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path}: expected a Parquet file, found {error}.") from error
    attributes, columns = [], []
    for column in wanted:
        as_class = column == target and not numeric_target
        attribute, values = _column(path, column, content.column(column), as_class)
        attributes.append(attribute)
        columns.append(values)
    label = attributes[wanted.index(target)]
    if numeric_target and label.is_nominal:
        raise DataError(f"{path}: expected numbers in the target {target!r}, found texts.")
    check_class_texts(path, target, label.values or ())
    # A table has no lines: messages count its rows from 1.
    table = Table(path, tuple(attributes), columns, lambda row: row + 1)
    return build_stream(table, target, name)


def _column(
    path: Path, name: str, chunks: pa.ChunkedArray, as_class: bool
) -> tuple[Attribute, NDArray[np.float64]]:
    kind = chunks.type
    if pa.types.is_dictionary(kind):
        chunks = chunks.cast(kind.value_type)
        kind = kind.value_type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if is_text or as_class:
        return encode_column(name, chunks.cast(pa.string()).dictionary_encode())
    if pa.types.is_timestamp(kind):
        nanoseconds = chunks.cast(pa.timestamp("ns", kind.tz)).cast(pa.int64())
        chunks = pa.compute.divide(nanoseconds.cast(pa.float64(), safe=False), 1e9)
    elif pa.types.is_boolean(kind):
        chunks = chunks.cast(pa.int8())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise DataError(
            f"{path}: column {name!r} is of type {kind}, expected numbers, texts, truth values "
            "or times. Convert or drop it."
        )
    return encode_column(name, chunks.cast(pa.float64(), safe=False))


def read_any(
    path: str | Path, target: str | None = None, *, numeric_target: bool = False
) -> Stream:
    """Read a user's file by its ending: ARFF, CSV, Parquet or a converted stream.

    Parameters
    ----------
    path : str or Path
        ``.arff``, ``.csv``, ``.data`` or ``.txt`` (with a header), each also inside
        ``.gz``, ``.xz`` or ``.zip``; ``.parquet``.
    target : str, optional
        The column to predict. Not needed for ARFF, where it is the last attribute, and for
        converted streams, which know it.
    numeric_target : bool
        The target of a CSV or Parquet table is a number to predict, not a class.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Warns
    -----
    StreamWarning
        Once, if a column is constant, there is one class only, or a column looks like an
        identifier.

    Raises
    ------
    DataError
        If the ending is unknown, a target is needed, or the file is not what it should be.
    """
    path = Path(path)
    stream = _read(path, target, numeric_target)
    warn_about(stream)
    return stream


def _read(path: Path, target: str | None, numeric_target: bool) -> Stream:
    ending = _ending(path)
    if ending == ".arff":
        return read_arff(path, target)
    if ending == ".parquet" and target is None and has_stream(path):
        return read_stream(path)
    if ending not in (".csv", ".data", ".txt", ".parquet"):
        raise DataError(
            f"{path}: expected a file ending in .arff, .csv, .data, .txt or .parquet, also with "
            f".gz, .xz or .zip behind, found {ending or 'no ending'}."
        )
    if target is None:
        raise DataError(
            f"{path}: which column is to be predicted? Name the target (--target COLUMN)."
        )
    if ending == ".parquet":
        return read_parquet(path, target, numeric_target=numeric_target)
    return read_csv(path, target, numeric_target=numeric_target)


def _ending(path: Path) -> str:
    inner = Path(plain_name(path.name)).suffix.lower()
    if not inner and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            files = [info.filename for info in archive.infolist() if not info.is_dir()]
        inner = Path(files[0]).suffix.lower() if len(files) == 1 else ""
    return inner
