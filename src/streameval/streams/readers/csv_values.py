"""The values of a CSV text as columns of Arrow; `readers.csv_text` checks its records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from streameval.base.errors import DataError, excerpt
from streameval.base.values import names_of
from streameval.streams.readers import csv_text
from streameval.streams.readers.columns import is_plain_number
from streameval.streams.readers.dialect import (
    Asked,
    Dialect,
    decimal_of,
    named_in_first_line,
    separator_of,
    unpacked,
    without_comments,
)
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import check_names
from streameval.streams.readers.values import BLANKS, ValueRules

#: Smallest number of bytes that pyarrow parses at a time.
BLOCK = 1 << 22
_LONGEST_BLOCK = 2**31 - 1
TEXT = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True)
class Text:
    """The text of a file, its column names, and the position of its first byte of data."""

    path: Path
    body: bytes
    names: list[str]
    at: int
    how: Dialect

    @property
    def begin(self) -> int:
        """The position where pyarrow starts: the end of the header's line.

        At the start of a file, pyarrow would skip a byte order mark, which may be a value here.
        """
        return max(self.at - 1, 0)

    def has(self, mark: bytes) -> bool:
        """Whether the data have some bytes."""
        return self.body.find(mark, self.at) >= 0

    @cached_property
    def quoted(self) -> bool:
        """True if the data have a quote."""
        return self.has(b'"')

    @cached_property
    def layout(self) -> csv_text.Layout:
        """Number, size and line breaks of the records."""
        return csv_text.layout(self.path, self.body, self.at, self.how)

    def line_of(self, row: int) -> int:
        """Return the line in which a row of data starts."""
        return csv_text.line_of(self.path, self.body, self.at, row, self.how)


def opened(
    path: Path,
    body: bytes,
    names: Sequence[str] | None,
    header: bool,
    first: int | None,
    given: Asked,
    skip: int = 0,
) -> Text:
    """Return a text, or the beginning of one, with what its first records say about it.

    `given` is the dialect as far as the user gives it; `skip` rows are left out at the top, below
    the header if there is one.
    """
    body, encoding = unpacked(path, body, given)
    body, mark = named_in_first_line(without_comments(csv_text.unmarked(path, body), header))
    separator = given.separator or mark or separator_of(path, body, header and names is None)
    how = Dialect(separator)
    if first is not None:
        body = csv_text.head(path, body, first, header + skip, how)
    body, encoding = csv_text.checked(path, body, encoding)
    how = Dialect(
        separator, given.decimal or decimal_of(body, separator, given.thousands), encoding
    )
    rows = csv_text.records(path, body, 0, how)
    top = next(rows, None)
    if top is None:
        raise DataError(f"{path}: expected a table, found one line only: sep={separator}")
    width = len(top.cells)
    passed = [top, *islice(rows, max(skip + header - 1, 0))][: skip + header]
    if header and width > 1 and not top.cells[-1].strip(BLANKS):
        # A separator ends the header, but not the rows.
        width -= [len(one.cells) for one in islice(rows, 1)] == [width - 1]
    if names is not None and len(names := names_of(names, "names")) != width:
        raise DataError(
            f"{path}: expected {len(names)} columns, one per given name, found {width}."
        )
    if width == 1 and given.separator is None and " " in top.cells[0].strip():
        raise DataError(
            f"{path}, line {top.line}: expected values separated by commas, semicolons, tabs or "
            f"bars, found blanks: {excerpt(top.cells[0])!r}. Name another separator (--separator)."
        )
    # A column without a name, such as the index that pandas writes, is named by its position.
    result = [f"x{j + 1}" for j in range(width)]
    if names is not None:
        result = list(names)
    elif header:
        result = [cell.strip(BLANKS) or x for cell, x in zip(top.cells, result, strict=False)]
    check_names(path, result)
    return Text(path, body, result, passed[-1].end if passed else 0, how)


def columns_of(text: Text, wanted: list[str], roles: Roles) -> dict[str, pa.ChunkedArray]:
    """Return the wanted columns: finite numbers, or dictionaries of texts."""
    if re.compile(rb"\S").search(text.body, text.at) is None:
        raise DataError(f"{text.path}: expected rows of data, found none. Check the file.")
    texts = {name for name in wanted if roles.is_nominal(name)}
    columns = parsed(text, wanted, texts, roles.rules)
    # Columns that may not be numbers are read again as texts.
    all_doubtful, whole_doubtful = roles.rules.doubtful_types(text.has)

    def are_numbers(chunks: pa.ChunkedArray) -> bool:
        doubtful = all_doubtful or (whole_doubtful and pa.types.is_integer(chunks.type))
        return not doubtful and is_plain_number(chunks)

    again = [name for name in wanted if name not in texts and not are_numbers(columns[name])]
    if again:
        columns |= parsed(text, again, set(again), roles.rules)
    return with_missing_labels(text, columns, roles)


def with_missing_labels(
    text: Text, columns: dict[str, pa.ChunkedArray], roles: Roles
) -> dict[str, pa.ChunkedArray]:
    """Return columns whose missing labels are texts as they are written, to be told."""
    labels = columns.get(roles.target)
    if labels is not None and labels.null_count and roles.is_nominal(roles.target):
        columns |= parsed(text, [roles.target], {roles.target}, None)
    return columns


def _block_size(text: Text) -> int:
    """Return the number of bytes for pyarrow to parse at a time."""
    longest = text.layout.longest
    if longest > _LONGEST_BLOCK // 2:
        raise DataError(
            f"{text.path}: expected rows of at most {_LONGEST_BLOCK // 2:,} bytes, found one of "
            f"{longest:,}. Is a quote missing?"
        )
    # A row may span at most two blocks.
    if not text.layout.breaks:
        return max(BLOCK, 2 * longest)
    # If a quoted \r\n spans two blocks, pyarrow loses the \n: use one block, or blocks that do not
    # end there.
    total = len(text.body) - text.begin
    size = min(total, _LONGEST_BLOCK)
    while any(
        text.body[text.begin + end - 1 : text.begin + end + 1] == b"\r\n"
        for end in range(size, total, size)
    ):
        size -= 1
    return size


def parsed(
    text: Text,
    wanted: list[str],
    texts: set[str],
    rules: ValueRules | None,
    numbers: Iterable[str] = (),
) -> dict[str, pa.ChunkedArray]:
    """Return columns as read by pyarrow, after a check of the number of records.

    The kind of those that are named neither as `texts` nor as `numbers` is found. Without `rules`
    no text is missing.
    """
    # Generated names, since those of the file may be any text.
    own = {name: f"f{j}" for j, name in enumerate(text.names)}

    # Arrow may abort a program that ends just after it has started threads (apache/arrow, issue
    # 34314), as one does that reads a small file.
    threads = len(text.body) > BLOCK

    def parse(block: int) -> pa.Table:
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(text.body).slice(text.begin)),
            csv.ReadOptions(use_threads=threads, block_size=block, column_names=list(own.values())),
            csv.ParseOptions(
                delimiter=text.how.separator,
                quote_char='"' if text.quoted else False,
                newlines_in_values=text.quoted and text.layout.breaks,
            ),
            csv.ConvertOptions(
                column_types={own[name]: TEXT for name in texts}
                | {own[name]: pa.float64() for name in numbers},
                include_columns=[own[name] for name in wanted],
                **({"null_values": []} if rules is None else rules.parsing),
            ),
        )

    try:
        try:
            table = parse(_block_size(text) if text.quoted else BLOCK)
        except pa.ArrowInvalid:
            # Only now the length of rows matters.
            if text.quoted or _block_size(text) == BLOCK:
                raise
            table = parse(_block_size(text))
    except pa.ArrowInvalid as error:
        raise (
            csv_text.ragged(text.path, text.body, text.at, len(own), text.how)
            or DataError(f"{text.path}: expected a CSV file, found: {excerpt(error)!r}.")
        ) from error
    if text.quoted and len(table) != text.layout.records:
        raise DataError(
            f"{text.path}: expected {text.layout.records:,} rows, found {len(table):,} when the "
            "values were read. Remove quotes and line breaks from the values."
        )
    return {name: table.column(own[name]) for name in wanted}
