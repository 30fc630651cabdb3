"""The layout of a CSV file: its dialect, the names of its columns, and where its data start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from streameval.base.errors import DataError, excerpt
from streameval.base.values import names_of
from streameval.streams.readers import csv_text
from streameval.streams.readers.dialect import (
    Dialect,
    DialectOptions,
    decimal_of,
    separator_of,
    strip_separator_line,
    unpack_encoding,
    without_comments,
)
from streameval.streams.readers.table import check_column_names
from streameval.streams.readers.values import BLANKS


@dataclass(frozen=True)
class CsvText:
    """A CSV text, its column names, its dialect, and the position of its first byte of data."""

    path: Path
    body: bytes
    names: list[str]
    data_start: int
    dialect: Dialect

    @property
    def parser_start(self) -> int:
        """The position where pyarrow starts: the line end before the data.

        pyarrow skips a byte order mark at the start of its input. A mark at the start of the data
        is part of a value, so pyarrow must not start there. It ignores the blank line.
        """
        return max(self.data_start - 1, 0)

    def contains(self, mark: bytes) -> bool:
        """Whether the data contain the bytes `mark`."""
        return self.body.find(mark, self.data_start) >= 0

    @cached_property
    def is_quoted(self) -> bool:
        """True if the data contain a quote."""
        return self.contains(b'"')

    @cached_property
    def record_summary(self) -> csv_text.RecordSummary:
        """Number, size and line breaks of the records."""
        return csv_text.summarise_records(self.path, self.body, self.data_start, self.dialect)

    def line_of(self, row: int) -> int:
        """Line in which a row of data starts."""
        return csv_text.line_of_row(self.path, self.body, self.data_start, row, self.dialect)


def inspect_text(
    path: Path,
    body: bytes,
    names: Sequence[str] | None,
    header: bool,
    first: int | None,
    options: DialectOptions,
    skip_rows: int = 0,
) -> CsvText:
    """A text, or its beginning, with the layout that follows from its first records.

    `options` has the parts of the dialect that the user names. `first` limits the number of rows.
    `skip_rows` is the number of rows to leave out at the top, below the header if there is one.
    """
    n_above = skip_rows + (1 if header else 0)
    body, encoding = unpack_encoding(path, body, options)
    body = without_comments(csv_text.strip_byte_order_mark(path, body), header)
    body, declared_separator = strip_separator_line(body)
    separator = options.separator or declared_separator or separator_of(path, body)
    dialect = Dialect(separator)
    if first is not None:
        body = csv_text.head(path, body, first, n_above, dialect)
    body, encoding = csv_text.ensure_utf8(path, body, encoding)
    decimal = options.decimal or decimal_of(body, separator, options.thousands)
    dialect = Dialect(separator, decimal, encoding)
    rows = csv_text.read_records(path, body, 0, dialect)
    top = next(rows, None)
    if top is None:
        content = f"one line only: sep={separator}" if declared_separator else "comments only."
        raise DataError(f"{path}: expected a table, found {content}")
    width = len(top.cells)
    above_data = [top, *islice(rows, max(n_above - 1, 0))][:n_above]
    if header and width > 1 and not top.cells[-1].strip(BLANKS):
        # If the first row of data has one value less, only the header ends with a separator.
        row = next(rows, None)
        if row is not None and len(row.cells) == width - 1:
            width -= 1
    if names is not None and len(names := names_of(names, "names")) != width:
        raise DataError(
            f"{path}: expected {len(names)} columns, one per given name, found {width}."
        )
    if width == 1 and options.separator is None and " " in top.cells[0].strip():
        raise DataError(
            f"{path}, line {top.line}: expected values separated by commas, semicolons, tabs or "
            f"bars, found blanks: {excerpt(top.cells[0])!r}. Name another separator (--separator)."
        )
    # A column without a name, such as the index that pandas writes, is named by its position.
    column_names = [f"x{j + 1}" for j in range(width)]
    if names is not None:
        column_names = list(names)
    elif header:
        pairs = zip(top.cells, column_names, strict=False)
        column_names = [cell.strip(BLANKS) or default for cell, default in pairs]
    check_column_names(path, column_names)
    return CsvText(path, body, column_names, above_data[-1].end if above_data else 0, dialect)
