"""Reading CSV: numbers where a column has nothing else, nominal values in sorted order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from streameval.errors import DataError
from streameval.streams.content import open_content
from streameval.streams.stream import Attribute, Stream
from streameval.streams.table import (
    Table,
    build_stream,
    check_class_texts,
    check_names,
    kept,
    nominal_codes,
)

_TEXT = pa.dictionary(pa.int32(), pa.string())


def read_csv(
    path: str | Path,
    target: str,
    *,
    names: Sequence[str] | None = None,
    header: bool = True,
    nominal: Iterable[str] = (),
    drop: Iterable[str] = (),
    keep: Iterable[str] | None = None,
    missing: Sequence[str] = ("?", "", "NA", "NaN"),
    strip_label_suffix: str = "",
    classes: Sequence[str] | None = None,
    numeric_target: bool = False,
    name: str | None = None,
    member: str | None = None,
) -> Stream:
    """Read a CSV file, plain or inside gzip, xz or zip.

    A column in which something is not a number becomes nominal, with its distinct texts in
    sorted order as values.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str
        Name of the column to predict.
    names : sequence of str, optional
        Names of all columns; a header, if there is one, is then passed over. Without names
        and header the columns are ``x1``, ``x2``, ...
    header : bool
        Whether the first line holds the column names.
    nominal : iterable of str
        Columns whose numbers are only names: they become nominal.
    drop : iterable of str
        Columns to leave out.
    keep : iterable of str, optional
        The only inputs to keep, in the order of the file.
    missing : sequence of str
        Texts that stand for a missing value.
    strip_label_suffix : str
        Taken off the end of every label (KDD Cup 1999 ends them with a full stop).
    classes : sequence of str, optional
        Class names in the order of their codes, by default the labels in sorted order.
    numeric_target : bool
        The target is a number to predict, not a class.
    name : str, optional
        Name of the stream, by default that of the file.
    member : str, optional
        The member wanted of a zip archive with several.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Raises
    ------
    DataError
        If the file is not what it should be.
    """
    path = Path(path)
    with open_content(path, member) as file:
        body = file.read()
    names, skip = _names(path, body, names, header)
    wanted = kept(path, names, target, drop, keep)
    forced = {*nominal, *(() if numeric_target else (target,))}
    kept(path, names, target, drop=forced - {target})
    columns = _read(path, body, names, skip, wanted, forced, missing)
    attributes, arrays = [], []
    for column, chunks in columns.items():
        is_target = column == target
        if is_target and numeric_target and pa.types.is_dictionary(chunks.type):
            raise DataError(_not_numeric(path, column, chunks))
        attribute, values = encode_column(
            column,
            chunks,
            suffix=strip_label_suffix if is_target else "",
            values=classes if is_target else None,
            missing=missing,
        )
        if is_target:
            _check_labels(path, attribute, values, skip)
        attributes.append(attribute)
        arrays.append(values)
    table = Table(path, tuple(attributes), arrays, lambda row: row + skip + 1)
    return build_stream(table, target, name)


def _names(
    path: Path, body: bytes, names: Sequence[str] | None, header: bool
) -> tuple[list[str], int]:
    """Return the column names and how many lines precede the data."""
    if not body.strip():
        raise DataError(f"{path}: expected a table, found an empty file.")
    first = body.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    try:
        cells = csv.read_csv(
            pa.BufferReader(first + b"\n"),
            csv.ReadOptions(autogenerate_column_names=True),
            convert_options=csv.ConvertOptions(
                column_types={f"f{j}": pa.string() for j in range(first.count(b",") + 1)}
            ),
        )
    except pa.ArrowInvalid as error:
        raise DataError(f"{path}, line 1: expected a row of a CSV file, found {error}.") from error
    if names is not None and len(names) != cells.num_columns:
        raise DataError(
            f"{path}: expected {len(names)} columns, as many as names were given, "
            f"found {cells.num_columns}."
        )
    if names is None and header:
        names = [str(column[0].as_py()).strip() for column in cells.columns]
    result = list(names or (f"x{j + 1}" for j in range(cells.num_columns)))
    check_names(path, result)
    return result, int(header)


def _read(
    path: Path,
    body: bytes,
    names: list[str],
    skip: int,
    wanted: list[str],
    forced: set[str],
    missing: Sequence[str],
) -> dict[str, pa.ChunkedArray]:
    """Return the wanted columns: float64, or dictionaries of texts."""

    def read(types: dict[str, pa.DataType], columns: list[str]) -> pa.Table:
        return csv.read_csv(
            pa.BufferReader(body),
            csv.ReadOptions(column_names=names, skip_rows=skip, block_size=1 << 22),
            convert_options=csv.ConvertOptions(
                column_types=types,
                include_columns=columns,
                null_values=list(missing),
                strings_can_be_null=True,
            ),
        )

    try:
        table = read({name: _TEXT for name in wanted if name in forced}, wanted)
        columns = {name: table.column(name) for name in wanted}
        # What pyarrow took for a date, a truth value or free text is read again as text.
        texts = [name for name in wanted if not _is_number(columns[name].type)]
        again = [name for name in texts if not pa.types.is_dictionary(columns[name].type)]
        if again:
            table = read(dict.fromkeys(again, _TEXT), again)
            columns |= {name: table.column(name) for name in again}
    except pa.ArrowInvalid as error:
        raise DataError(f"{path}: {_explain(body, names, skip, error)}") from error
    return {
        name: chunks if name in texts else chunks.cast(pa.float64())
        for name, chunks in columns.items()
    }


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind))


def _explain(body: bytes, names: list[str], skip: int, error: pa.ArrowInvalid) -> str:
    """Say in which line a row has too few or too many values."""
    bad: list[csv.InvalidRow] = []

    def note(row: csv.InvalidRow) -> str:
        bad.append(row)
        return "skip"

    # Only a reader without threads counts the rows.
    csv.read_csv(
        pa.BufferReader(body),
        csv.ReadOptions(column_names=names, skip_rows=skip, use_threads=False),
        csv.ParseOptions(invalid_row_handler=note),
        csv.ConvertOptions(column_types=dict.fromkeys(names, pa.binary())),
    )
    if not bad:
        return f"expected a CSV file in UTF-8, found: {error}."
    row = bad[0]
    return (
        f"line {row.number}: expected {row.expected_columns} values, one per column, found "
        f"{row.actual_columns}: {row.text[:60]!r}. Correct the line."
    )


def encode_column(
    name: str,
    chunks: pa.ChunkedArray,
    *,
    suffix: str = "",
    values: Sequence[str] | None = None,
    missing: Sequence[str] = (),
) -> tuple[Attribute, NDArray[np.float64]]:
    """Encode a column: numbers as they are, texts as codes.

    Parameters
    ----------
    name : str
        Its name.
    chunks : ChunkedArray
        float64 numbers or a dictionary of texts.
    suffix : str
        Taken off the end of every text.
    values : sequence of str, optional
        The texts in the order of their codes, by default sorted. A text that is none of
        them gets the code -1.
    missing : sequence of str
        Texts that stand for a missing value.

    Returns
    -------
    attribute : Attribute
        Name and, for texts, values.
    column : ndarray of float64, shape (n,)
        Numbers or codes, NaN = missing.
    """
    if not pa.types.is_dictionary(chunks.type):
        numbers = np.array(chunks.to_numpy(), dtype=np.float64)
        return Attribute(name), numbers
    chunks = chunks.unify_dictionaries()
    raw: list[str] = chunks.chunk(0).dictionary.to_pylist() if chunks.num_chunks else []
    texts = [_clean(text, suffix, missing) for text in raw]
    codes, order = nominal_codes(texts, values)
    lookup = np.append(codes, np.nan)
    indices = [chunk.indices.fill_null(len(texts)).to_numpy() for chunk in chunks.chunks]
    return Attribute(name, order), lookup[np.concatenate(indices)] if indices else np.empty(0)


def _clean(text: str, suffix: str, missing: Sequence[str]) -> str | None:
    text = text.strip()
    return None if text in missing else text.removesuffix(suffix)


def _check_labels(path: Path, attribute: Attribute, codes: NDArray[np.float64], skip: int) -> None:
    if attribute.values is None:
        return
    unknown = np.flatnonzero(codes < 0)
    if unknown.size:
        raise DataError(
            f"{path}, line {int(unknown[0]) + skip + 1}: a label of {attribute.name!r} is none of "
            f"the classes {', '.join(attribute.values[:20])}. Correct the line or the classes."
        )
    check_class_texts(path, attribute.name, attribute.values)


def _not_numeric(path: Path, column: str, chunks: pa.ChunkedArray) -> str:
    texts = chunks.unify_dictionaries().chunk(0).dictionary.to_pylist()[:3]
    return f"{path}: expected numbers in the target {column!r}, found texts like {texts}."
