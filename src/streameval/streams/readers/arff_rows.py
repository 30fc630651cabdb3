"""The rows of ARFF: values and their conversion to numbers.

The line-by-line reader defines the meaning of a row. Blocks without quotes, sparse rows or comments
are read by pyarrow, some fifty times faster; a block that pyarrow refuses is read line by line.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

import numpy as np
import pyarrow as pa
from pyarrow import csv

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, excerpt
from streameval.streams.arrow_arrays import floats, integers
from streameval.streams.readers.arff_dates import parse_date
from streameval.streams.readers.arff_header import (
    BLANKS,
    Declaration,
    Header,
    WeightError,
    split_entries,
    split_lines,
    split_values,
    weight_message,
)
from streameval.streams.readers.values import (
    ARFF_MISSING,
    are_finite_or_missing,
    declared_number,
    unquoted_value,
)

#: Bytes in the data section that only the line-by-line reader interprets.
_SPECIAL = (b"'", b'"', b"{", b"%")
#: Bytes that pyarrow parses at a time; the line-by-line reader handles longer rows.
_BLOCK = 1 << 22
_TEXT_TYPE = pa.dictionary(pa.int32(), pa.string())
#: Name of the empty column after a comma at the end of each row.
_TRAILING = "trailing"
#: Conversion of a text to a number; KeyError or ValueError if the text has none.
Encode = Callable[[str], float]


@dataclass(frozen=True)
class ArffColumn:
    """A column to read: its declaration, its index in a row, and its conversion to numbers.

    `texts` maps undeclared texts to numbers in the order of first occurrence.
    """

    declaration: Declaration
    index: int
    encode: Encode | None
    texts: dict[str, float] | None = None

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.declaration.name


@dataclass(frozen=True)
class DataSection:
    """The data section of a file, or a block of its lines."""

    path: Path
    header: Header
    body: bytes

    def rows(self) -> Iterator[tuple[int, str]]:
        """Yield line number and text of every row."""
        body = self.body
        try:
            text = body.decode(self.header.encoding)
        except UnicodeDecodeError as error:
            before = split_lines(body[: error.start].decode("latin-1"))
            raise DataError(
                f"{self.path}, line {self.header.n_lines + len(before)}: expected UTF-8 text as in "
                f"the header, found the byte 0x{body[error.start]:02x}. Save the file as UTF-8."
            ) from error
        for number, line in enumerate(split_lines(text), start=self.header.n_lines + 1):
            row = line.strip(BLANKS)
            if row and not row.startswith("%"):
                yield number, row

    def line_of(self, row: int) -> int:
        """Line number of a row."""
        return next(number for i, (number, _) in enumerate(self.rows()) if i == row)


def as_numeric(declaration: Declaration) -> Declaration:
    """Declaration changed to numeric; dates stay, as they are read as numbers."""
    if declaration.kind == "date":
        return declaration
    return replace(declaration, kind="numeric", values=None)


def as_names(declaration: Declaration) -> Declaration:
    """Declaration changed to ``string`` if it was numeric."""
    return replace(declaration, kind="string") if declaration.kind == "numeric" else declaration


def make_column(declaration: Declaration, index: int, has_names: bool) -> ArffColumn:
    """Column to read; a ``string`` column has an encoding only if its texts are names."""
    if declaration.kind != "string" or not has_names:
        return ArffColumn(declaration, index, _encoder(declaration))
    texts: dict[str, float] = {}
    lock = Lock()  # blocks are read in parallel

    def text_number(text: str) -> float:
        if not text:
            raise ValueError(text)
        with lock:
            return texts.setdefault(text, float(len(texts)))

    return ArffColumn(declaration, index, text_number, texts)


def _encoder(declaration: Declaration) -> Encode | None:
    """Conversion of texts to numbers; None for texts that have no numbers."""
    if declaration.kind == "nominal" and declaration.values is not None:
        codes = {value: float(i) for i, value in enumerate(declaration.values)}
        return codes.__getitem__
    if declaration.kind == "date":
        return lambda text: parse_date(text, declaration.date_format)
    return declared_number if declaration.kind == "numeric" else None


# --- line by line: defines the meaning of a row ---------------------------------------


def read_lines(section: DataSection, columns: Sequence[ArffColumn]) -> list[Floats]:
    """Columns, read line by line; errors name the line if the section is whole."""
    arrays = [array("d") for _ in columns]
    defaults = [_omitted_value(declaration) for declaration in section.header.declarations]
    has_texts = any(column.texts is not None for column in columns)
    for number, row in section.rows():
        try:
            values = _split(row, defaults)
        except ValueError as error:
            advice = (
                "Remove the weights." if isinstance(error, WeightError) else "Correct the line."
            )
            raise DataError(f"{section.path}, line {number}: {error}. {advice}") from error
        if has_texts and row.startswith("{"):
            raise DataError(
                f"{section.path}, line {number}: expected all values, since texts have no default "
                f"for values that a sparse row omits, found {excerpt(row)!r}. Write all values."
            )
        for column, column_values in zip(columns, arrays, strict=True):
            text = values[column.index]
            column_values.append(
                math.nan if text is None else _encode(section.path, number, column, text)
            )
    return [np.frombuffer(values, dtype=np.float64) for values in arrays]


def _omitted_value(declaration: Declaration) -> str | None:
    """Text of a value that a sparse row omits."""
    if declaration.kind == "date":
        return datetime.fromtimestamp(0, UTC).strftime(declaration.date_format)
    return declaration.values[0] if declaration.values else "0"


def _split(row: str, defaults: list[str | None]) -> list[str | None]:
    """Texts of a row, one per attribute; a sparse row omits values that equal `defaults`."""
    if row.startswith("{"):
        values = list(defaults)
        for index, text in split_entries(row):
            if index >= len(values):
                raise ValueError(
                    f"expected column numbers 0 to {len(values) - 1}, found {index}; "
                    "they count from 0"
                )
            values[index] = text
        return values
    values = split_values(row)
    # A row of several attributes without any comma.
    if len(values) == 1 < len(defaults) and not re.search("['\"]", row):
        # For Weka and MOA, tabs and blanks are separators, too.
        values = [unquoted_value(text) for text in row.partition("%")[0].split()]
    if len(values) == len(defaults) + 1 and values[-1] == "":
        values.pop()
    if len(values) != len(defaults):
        expected, weight = (
            f"expected {len(defaults)} values, one per attribute",
            weight_message(row),
        )
        if weight:
            raise WeightError(f"{expected}, found {weight}")
        raise ValueError(f"{expected}, found {len(values)}")
    return values


def _encode(path: Path, line: int, column: ArffColumn, text: str) -> float:
    assert column.encode is not None  # noqa: S101  string columns were refused before
    try:
        return column.encode(text)
    except (KeyError, ValueError) as error:
        raise DataError(
            f"{path}, line {line}: attribute {excerpt(column.name)!r}: expected "
            f"{_expected(column.declaration)}, found {excerpt(text)!r}. "
            "Correct the value, or write ? if it is missing."
        ) from error


def _expected(declaration: Declaration) -> str:
    if declaration.kind == "date":
        moment = datetime(2001, 12, 31, 23, 59, 58, tzinfo=UTC)
        return f"a date like {moment.strftime(declaration.date_format)}"
    if declaration.kind == "string":
        return "a text"
    if declaration.kind == "numeric" or declaration.values is None:
        return "a number"
    ellipsis = ", ..." if len(declaration.values) > 10 else ""
    values = ", ".join(repr(excerpt(value))[1:-1] for value in declaration.values[:10])
    return f"one of {excerpt(values)}{ellipsis}"


# --- by pyarrow, which is faster ------------------------------------------------------


def read_fast(section: DataSection, columns: Sequence[ArffColumn]) -> list[Floats] | None:
    """Columns, read by pyarrow; None if the line-by-line reader must decide."""
    body = section.body
    first_line = re.search(rb"[^\r\n]+", body)
    if (
        first_line is None
        or section.header.encoding != "utf-8"
        or any(mark in body for mark in _SPECIAL)
        or not (body.isascii() or _is_plain_utf8(body))
    ):
        return None
    names = [str(j) for j in range(len(section.header.declarations))]
    types = {
        str(column.index): pa.float64() if column.declaration.kind == "numeric" else _TEXT_TYPE
        for column in columns
    }
    # MOA writes a comma after the last value.
    if first_line[0].count(b",") == len(names):
        names.append(_TRAILING)
        types[_TRAILING] = _TEXT_TYPE
    try:
        table = csv.read_csv(
            pa.BufferReader(body),
            csv.ReadOptions(  # threads: see `csv_columns.parse_columns`
                use_threads=len(body) > _BLOCK, block_size=_BLOCK, column_names=names
            ),
            csv.ParseOptions(quote_char=False),
            csv.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                # pyarrow does not strip blanks, so a missing value may have one on either side.
                null_values=[a + ARFF_MISSING + b for a in ("", " ") for b in ("", " ")],
                strings_can_be_null=True,
            ),
        )
        if _TRAILING in types and not all(map(_is_blank, table.column(_TRAILING).chunks)):
            return None
        return [_from_arrow(table.column(str(column.index)), column) for column in columns]
    except (pa.ArrowException, KeyError, ValueError):
        return None


def _is_plain_utf8(body: bytes) -> bool:
    """Whether a text is UTF-8 without a byte order mark, which pyarrow may skip."""
    try:
        return "\ufeff" not in body.decode()
    except UnicodeDecodeError:
        return False


def _is_blank(chunk: pa.DictionaryArray) -> bool:
    return not chunk.null_count and not any(t.strip(BLANKS) for t in chunk.dictionary.to_pylist())


def _from_arrow(chunks: pa.ChunkedArray, column: ArffColumn) -> Floats:
    out = np.empty(len(chunks))
    begin = 0
    for chunk in chunks.chunks:
        part = out[begin : begin + len(chunk)]
        if pa.types.is_dictionary(chunk.type):
            part[:] = _from_dictionary(chunk, column)
        else:
            part[:] = floats(chunk)
            if not are_finite_or_missing(part, chunk.null_count):
                raise ValueError("not a finite number")
        begin += len(chunk)
    return out


def _from_dictionary(chunk: pa.DictionaryArray, column: ArffColumn) -> Floats:
    assert column.encode is not None  # noqa: S101  string columns were refused before
    texts = [text.strip(BLANKS) for text in chunk.dictionary.to_pylist()]
    codes = [math.nan if unquoted_value(text) is None else column.encode(text) for text in texts]
    # The index of null is the last one, whose code is NaN.
    lookup = np.array([*codes, math.nan])
    values: Floats = lookup[integers(chunk.indices, missing=len(texts))]
    return values
