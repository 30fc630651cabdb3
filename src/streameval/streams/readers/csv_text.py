"""The text of a CSV file: its records, their lines, and errors in its quotes.

The standard library's reader in strict mode defines a record. If every quote is at the start or end
of a value, arrays of positions give the same result many times faster.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from streameval.base.errors import DataError, excerpt
from streameval.streams.readers.dialect import SINGLE_BYTE, UTF8, Dialect, decode_single_bytes

#: Bytes that are examined together.
SEGMENT = 1 << 24
#: The standard library refuses longer values unless told otherwise.
_LONGEST_VALUE = 2**31 - 1
_LINE_END = re.compile(rb"\r\n|\r|\n")
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'
_PLAIN = Dialect()


class CsvRecord(NamedTuple):
    """A record: its values, first line, number of lines, first byte, and the byte after it."""

    cells: list[str]
    line: int
    lines: int
    start: int
    end: int


@dataclass(frozen=True)
class RecordSummary:
    """Number of records, bytes of the longest record, and whether a value has a line break."""

    count: int
    max_bytes: int
    has_line_breaks: bool


def strip_byte_order_mark(path: Path, body: bytes) -> bytes:
    """Content of a file without its byte order mark; an empty file is refused."""
    # A file may begin with several marks.
    while body.startswith(codecs.BOM_UTF8):
        body = body.removeprefix(codecs.BOM_UTF8)
    if not re.search(rb"\S", body):
        raise DataError(f"{path}: expected a table, found an empty file.")
    return body


def ensure_utf8(path: Path, body: bytes, encoding: str | None) -> tuple[bytes, str]:
    """Text converted to UTF-8, and its original encoding.

    Without the argument `encoding`, a text that is not UTF-8 is read as `SINGLE_BYTE`. With it, the
    caller has converted the text, and other bytes are refused.
    """
    zero = body.find(b"\0")
    if zero >= 0:
        line = line_of_byte(body, zero)
        raise DataError(
            f"{path}, line {line}: expected text, found a zero byte. Is it a CSV "
            "file? Save it as text in UTF-8, or name its encoding (--encoding)."
        )
    if body.isascii():
        return body, encoding or UTF8
    decoder = codecs.getincrementaldecoder("utf-8")()
    for offset in range(0, len(body), SEGMENT):
        # Bytes of a character that the end of the previous segment cuts.
        n_undecoded = len(decoder.getstate()[0])
        try:
            decoder.decode(body[offset : offset + SEGMENT], final=offset + SEGMENT >= len(body))
        except UnicodeDecodeError as error:
            place = offset - n_undecoded + error.start
            line = line_of_byte(body, place)
            if encoding is None:
                return decode_single_bytes(path, body, line, body[place]), SINGLE_BYTE
            raise DataError(
                f"{path}, line {line}: expected UTF-8 text, found the byte 0x{body[place]:02x}. "
                "Name another encoding (--encoding) or save the file as UTF-8."
            ) from error
    return body, encoding or UTF8


def line_of_byte(body: bytes, place: int) -> int:
    """Number, from 1, of the line that contains a byte."""
    return 1 + sum(1 for end in _LINE_END.finditer(body, 0, place + 1) if end.end() <= place)


def read_records(
    path: Path, body: bytes, offset: int = 0, dialect: Dialect = _PLAIN
) -> Iterator[CsvRecord]:
    """Yield the records from a byte on, without blank lines; errors name their lines."""
    line, start = line_of_byte(body, offset) if offset else 1, offset
    end = offset

    def lines() -> Iterator[str]:
        nonlocal end
        source = io.BytesIO(body)
        source.seek(offset)
        for line_feed_ended in source:
            # A carriage return alone also ends a line.
            for raw_line in line_feed_ended.splitlines(keepends=True):
                end += len(raw_line)
                yield raw_line.decode("utf-8", "replace")

    reader = csv.reader(lines(), delimiter=dialect.separator, strict=True)
    limit = csv.field_size_limit()
    while True:
        # The limit is global, so it is restored before any other code reads.
        csv.field_size_limit(_LONGEST_VALUE)
        lines_read = reader.line_num
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _quote_error(path, body, start, line, dialect) from error
        finally:
            csv.field_size_limit(limit)
        if cells is None:
            return
        n_lines = reader.line_num - lines_read
        if cells:
            yield CsvRecord(cells, line, n_lines, start, end)
        line, start = line + n_lines, end


def _quote_error(path: Path, body: bytes, start: int, line: int, dialect: Dialect) -> DataError:
    """Error for a record with an unclosed quote, or with text after a quote."""
    text, offset = body[start:].decode("utf-8", "replace"), 0
    delimiter = re.compile(f"[{re.escape(dialect.separator)}\r\n]")
    while offset < len(text):
        if text[offset] != '"':
            match = delimiter.search(text, offset)
            offset = match.end() if match else len(text)
            continue
        opening_line = line + _count_breaks(text[:offset])
        end = offset
        while (end := text.find('"', end + 1)) >= 0 and text[end + 1 : end + 2] == '"':
            end += 1
        if end < 0:
            return DataError(
                f"{path}, line {opening_line}: expected a closing quote, found none for the quote "
                f"that opens here: {excerpt(text[offset : offset + 40])!r}. Close it, or double "
                "quotes within text."
            )
        if text[end + 1 : end + 2] not in ("", dialect.separator, "\r", "\n"):
            return DataError(
                f"{path}, line {line + _count_breaks(text[:end])}: expected a "
                f"{dialect.separator_name} or the end of the line after a closing quote, found "
                f"{excerpt(text[end + 1 : end + 21])!r}; the quote opened in line {opening_line}. "
                "Double quotes within text."
            )
        offset = end + 2
    return DataError(f"{path}, line {line}: expected a row of a CSV file, found other text.")


def _count_breaks(text: str) -> int:
    return len(re.findall("\r\n|\r|\n", text))


def line_of_row(path: Path, body: bytes, offset: int, row: int, dialect: Dialect) -> int:
    """Line of a row; rows count from 0 at the byte `offset`."""
    return next(r.line for i, r in enumerate(read_records(path, body, offset, dialect)) if i == row)


def head(path: Path, body: bytes, first: int, n_above: int, dialect: Dialect) -> bytes:
    """First `first` rows of a file, and the `n_above` rows above them, such as the header."""
    n_records = 0
    for n_records, record in enumerate(read_records(path, body, 0, dialect), start=1):
        if n_records == first + n_above:
            return body[: record.end]
    raise DataError(
        f"{path}: expected the first {first:,} rows, found {max(n_records - n_above, 0):,} in all. "
        "Set a smaller number."
    )


def ragged_row_error(
    path: Path, body: bytes, offset: int, width: int, dialect: Dialect
) -> DataError | None:
    """Error for the first row with too few or too many values, if there is one."""
    for record in read_records(path, body, offset, dialect):
        if len(record.cells) != width:
            return DataError(
                f"{path}, line {record.line}: expected {width:,} values, one per column, found "
                f"{len(record.cells):,}: {excerpt(dialect.separator.join(record.cells[:60]))!r}. "
                "Correct the line."
            )
    return None


def summarise_records(
    path: Path, body: bytes, offset: int, dialect: Dialect = _PLAIN
) -> RecordSummary:
    """Summary of the records from a byte on; refuse errors in quotes."""
    fast = _summarise_by_quotes(body, offset, dialect)
    return fast if fast is not None else _summarise_with_csv_module(path, body, offset, dialect)


def _summarise_with_csv_module(
    path: Path, body: bytes, offset: int, dialect: Dialect = _PLAIN
) -> RecordSummary:
    """Summary of the records by the standard library; slower than `_summarise_by_quotes`."""
    count = longest = 0
    breaks = False
    blank = "".join({" ", "\t"} - {dialect.separator})
    padded_quote = re.compile(f'[{blank}]+"')
    # Few files have a blank before a quote; values are examined in these files only.
    pattern = f'(?:\\A|[{re.escape(dialect.separator)}\r\n])[{blank}]+"'.encode()
    has_padded_quotes = re.compile(pattern).search(body, max(offset - 1, 0)) is not None
    for record in read_records(path, body, offset, dialect):
        count += 1
        longest = max(longest, record.end - record.start)
        breaks = breaks or record.lines > 1
        if has_padded_quotes and any(map(padded_quote.match, record.cells)):
            raw = body[record.start : record.end].decode("utf-8", "replace")
            raise DataError(
                f"{path}, line {record.line}: expected a quote directly after its "
                f"{dialect.separator_name}, found a blank between them: {excerpt(raw.strip())!r}. "
                "Remove the blank."
            )
    return RecordSummary(count, longest, breaks)


def _summarise_by_quotes(
    body: bytes, offset: int, dialect: Dialect = _PLAIN
) -> RecordSummary | None:
    """Summary of the records; None unless every quote is doubled or at an end of a value.

    A doubled quote closes and opens again, so the text after it is still inside the quotes.
    """
    data = np.frombuffer(body, np.uint8)
    # Bytes that may be next to a quote at the start or end of a value.
    is_edge = np.isin(np.arange(256), list(f'{dialect.separator}"\n\r'.encode()))
    quotes = count = longest = 0
    last, breaks = offset - 1, False  # position of the last line end outside quotes
    for begin in range(offset, len(body), SEGMENT):
        part = data[begin : begin + SEGMENT]
        marks = np.flatnonzero(part == _QUOTE) + begin
        first = quotes % 2  # 1 if the segment begins inside quotes
        opening, closing = marks[first::2], marks[1 - first :: 2]
        if not is_edge[data[opening[opening > offset] - 1]].all():
            return None
        if not is_edge[data[closing[closing < len(body) - 1] + 1]].all():
            return None
        ends = np.flatnonzero((part == _NEWLINE) | (part == _RETURN)) + begin
        outside = (quotes + np.searchsorted(marks, ends)) % 2 == 0
        breaks = breaks or not outside.all()
        quotes += len(marks)
        gaps = np.diff(ends[outside], prepend=last)
        if gaps.size:
            # A gap of one byte is a blank line, or the line feed after a carriage return.
            count += int((gaps > 1).sum())
            longest, last = max(longest, int(gaps.max())), int(ends[outside][-1])
    if quotes % 2:
        return None
    rest = len(body) - 1 - last
    return RecordSummary(count + (rest > 0), max(longest, rest), breaks)
