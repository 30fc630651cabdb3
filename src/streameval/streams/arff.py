"""Reading ARFF, the format of Weka and MOA.

The line-by-line reader below defines what a file means. Where nothing in the data section
calls for it (no quotes, sparse rows or comments), pyarrow reads the same thing some fifty
times faster; whatever pyarrow refuses goes back to the definition, which accepts it or
says what is wrong in which line.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from streameval.errors import DataError
from streameval.streams.arff_header import (
    Declaration,
    parse_date,
    parse_header,
    split_entries,
    split_values,
)
from streameval.streams.content import open_content
from streameval.streams.stream import Attribute, Stream
from streameval.streams.table import Table, build_stream, check_names, kept

#: Bytes in the data section that only the line-by-line reader understands.
_SPECIAL = (b"'", b'"', b"{", b"%")
Encode = Callable[[str], float]


def read_arff(
    path: str | Path,
    target: str | None = None,
    drop: Iterable[str] = (),
    name: str | None = None,
    *,
    keep: Iterable[str] | None = None,
    numeric: Iterable[str] = (),
    member: str | None = None,
) -> Stream:
    """Read an ARFF file, plain or inside gzip, xz or zip.

    Nominal values get their declared order as codes; dates become seconds since 1970;
    a bare ``?`` is missing. Comments, quotes, escapes and sparse rows are understood.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str, optional
        The attribute to predict, by default the last one; a numeric one makes a
        regression stream.
    drop : iterable of str
        Attributes to leave out.
    name : str, optional
        Name of the stream, by default that of the file.
    keep : iterable of str, optional
        The only inputs to keep, in the order of the file.
    numeric : iterable of str
        Attributes declared ``string`` whose texts are numbers.
    member : str, optional
        The member wanted of a zip archive with several.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Raises
    ------
    DataError
        If the file is not what it should be; names the line.
    """
    path = Path(path)
    table = read_arff_table(path, target, drop, keep=keep, numeric=numeric, member=member)
    return build_stream(table, target or _last(table), name)


def _last(table: Table) -> str:
    return table.attributes[-1].name


def read_arff_table(
    path: Path,
    target: str | None = None,
    drop: Iterable[str] = (),
    *,
    keep: Iterable[str] | None = None,
    numeric: Iterable[str] = (),
    member: str | None = None,
) -> Table:
    """Read the columns of an ARFF file; parameters as for `read_arff`."""
    with open_content(path, member) as file:
        declarations, n_lines, encoding = parse_header(file, str(path))
        body = file.read()
    names = [declaration.name for declaration in declarations]
    check_names(path, names)
    # The default target is the last attribute of the file, also where others are dropped.
    wanted = set(kept(path, names, target or names[-1], drop, keep))
    declarations = [_as_numeric(d) if d.name in set(numeric) else d for d in declarations]
    columns = [_Column(d, j, _encoder(d)) for j, d in enumerate(declarations) if d.name in wanted]
    for column in columns:
        if column.encode is None:
            raise DataError(
                f"{path}: attribute {column.name!r} is of type string, which no learner can use. "
                f"Leave it out (drop=[{column.name!r}]), or read its texts as numbers "
                f"(numeric=[{column.name!r}])."
            )
    section = _Section(path, n_lines, encoding, body, tuple(declarations))
    arrays = _read_fast(section, columns) or _read_lines(section, columns)
    attributes = tuple(Attribute(c.name, c.declaration.values) for c in columns)
    return Table(path, attributes, arrays, section.line_of)


@dataclass(frozen=True)
class _Column:
    """A column to read: its declaration, its place in a row, and text -> number."""

    declaration: Declaration
    place: int
    encode: Encode | None

    @property
    def name(self) -> str:
        return self.declaration.name


@dataclass(frozen=True)
class _Section:
    """The data section of a file."""

    path: Path
    header_lines: int
    encoding: str
    body: bytes
    declarations: tuple[Declaration, ...]

    def rows(self) -> Iterator[tuple[int, str]]:
        """Yield line number and text of every row."""
        try:
            text = self.body.decode(self.encoding)
        except UnicodeDecodeError as error:
            broken = self.header_lines + 1 + self.body.count(b"\n", 0, error.start)
            raise DataError(
                f"{self.path}, line {broken}: expected UTF-8 text as in the header, found the "
                f"byte 0x{self.body[error.start]:02x}. Save the file as UTF-8."
            ) from error
        for number, line in enumerate(text.split("\n"), start=self.header_lines + 1):
            row = line.strip()
            if row and not row.startswith("%"):
                yield number, row

    def line_of(self, row: int) -> int:
        """Return the line number of a row."""
        return next(number for i, (number, _) in enumerate(self.rows()) if i == row)


def _as_numeric(declaration: Declaration) -> Declaration:
    return replace(declaration, kind="numeric") if declaration.kind == "string" else declaration


def _encoder(declaration: Declaration) -> Encode | None:
    if declaration.kind == "nominal" and declaration.values is not None:
        codes = {value: float(i) for i, value in enumerate(declaration.values)}
        return codes.__getitem__
    if declaration.kind == "date":
        return lambda text: parse_date(text, declaration.date_format)
    return _number if declaration.kind == "numeric" else None


def _number(text: str) -> float:
    # float() knows more than numbers: nan, inf and 1_000 are none in a data file.
    value = float(text)
    if not math.isfinite(value) or "_" in text:
        raise ValueError(text)
    return value


# --- the definition: line by line -----------------------------------------------------


def _read_lines(section: _Section, columns: Sequence[_Column]) -> list[NDArray[np.float64]]:
    arrays = [array("d") for _ in columns]
    defaults: list[str | None] = [d.values[0] if d.values else "0" for d in section.declarations]
    for number, row in section.rows():
        try:
            values = _split(row, defaults)
        except ValueError as error:
            raise DataError(f"{section.path}, line {number}: {error}.") from error
        for column, values_so_far in zip(columns, arrays, strict=True):
            text = values[column.place]
            values_so_far.append(
                math.nan if text is None else _encode(section.path, number, column, text)
            )
    return [np.frombuffer(values, dtype=np.float64) for values in arrays]


def _split(row: str, defaults: list[str | None]) -> list[str | None]:
    if row.startswith("{"):
        body, brace, after = row[1:].rpartition("}")
        if not brace or after.split("%")[0].strip():
            raise ValueError("expected a sparse row {number value, ...}, found no closing brace")
        values = list(defaults)
        for place, text in split_entries(body):
            if place >= len(values):
                raise ValueError(
                    f"expected column numbers 0 to {len(values) - 1}, found {place}; "
                    "they count from 0"
                )
            values[place] = text
        return values
    values = split_values(row)
    if len(values) != len(defaults):
        raise ValueError(f"expected {len(defaults)} values, one per attribute, found {len(values)}")
    return values


def _encode(path: Path, line: int, column: _Column, text: str) -> float:
    assert column.encode is not None  # noqa: S101  string columns were refused before
    try:
        return column.encode(text)
    except (KeyError, ValueError) as error:
        declared = column.declaration.values
        expected = {
            "nominal": f"one of {', '.join((declared or ())[:10])}"
            + (", ..." if len(declared or ()) > 10 else ""),
            "date": f"a date like {column.declaration.date_format}",
        }.get(column.declaration.kind, "a number")
        raise DataError(
            f"{path}, line {line}: attribute {column.name!r}: expected {expected}, "
            f"found {text!r}. Correct the value, or write ? if it is missing."
        ) from error


# --- the fast way: pyarrow ------------------------------------------------------------


def _read_fast(section: _Section, columns: Sequence[_Column]) -> list[NDArray[np.float64]] | None:
    """Return the columns, or None where only the line-by-line reader can tell."""
    special = any(mark in section.body for mark in _SPECIAL)
    if special or section.encoding != "utf-8" or not section.body.strip():
        return None
    names = [str(j) for j in range(len(section.declarations))]
    wanted = {str(c.place): _arrow_type(c) for c in columns}
    try:
        table = csv.read_csv(
            pa.BufferReader(section.body),
            csv.ReadOptions(column_names=names, block_size=1 << 22),
            csv.ParseOptions(quote_char=False),
            csv.ConvertOptions(
                column_types=wanted,
                include_columns=list(wanted),
                null_values=["?"],
                strings_can_be_null=True,
            ),
        )
        return [_from_arrow(table.column(str(c.place)), c) for c in columns]
    except (pa.ArrowInvalid, KeyError, ValueError):
        return None


def _arrow_type(column: _Column) -> pa.DataType:
    if column.declaration.kind == "numeric":
        return pa.float64()
    return pa.dictionary(pa.int32(), pa.string())


def _from_arrow(chunks: pa.ChunkedArray, column: _Column) -> NDArray[np.float64]:
    out = np.empty(len(chunks))
    at = 0
    for chunk in chunks.chunks:
        part = out[at : at + len(chunk)]
        if pa.types.is_dictionary(chunk.type):
            part[:] = _from_dictionary(chunk, column)
        else:
            part[:] = chunk.to_numpy(zero_copy_only=False)
            if np.count_nonzero(~np.isfinite(part)) != chunk.null_count:
                raise ValueError("not a finite number")
        at += len(chunk)
    return out


def _from_dictionary(chunk: pa.DictionaryArray, column: _Column) -> NDArray[np.float64]:
    assert column.encode is not None  # noqa: S101  string columns were refused before
    texts = [text.strip() for text in chunk.dictionary.to_pylist()]
    codes = [math.nan if text == "?" else column.encode(text) for text in texts]
    # A null index picks the last code: missing.
    lookup = np.array([*codes, math.nan])
    indices = chunk.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
    picked: NDArray[np.float64] = lookup[indices]
    return picked
