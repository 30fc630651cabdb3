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
from streameval.streams.readers.dialect import SINGLE_BYTE, UTF8, Dialect, single_bytes

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
class Layout:
    """How many records a file has, bytes of the longest, and whether a value has a line break."""

    records: int
    longest: int
    breaks: bool


def strip_mark(path: Path, body: bytes) -> bytes:
    """Content of a file without its byte order mark; an empty one is refused."""
    while body.startswith(codecs.BOM_UTF8):
        body = body.removeprefix(codecs.BOM_UTF8)
    if not re.search(rb"\S", body):
        raise DataError(f"{path}: expected a table, found an empty file.")
    return body


def check_encoding(path: Path, body: bytes, encoding: str | None) -> tuple[bytes, str]:
    """Text in UTF-8, and its encoding: the given one, UTF-8, or one of single bytes."""
    zero = body.find(b"\0")
    if zero >= 0:
        raise DataError(
            f"{path}, line {line_at(body, zero)}: expected text, found a zero byte. Is it a CSV "
            "file? Save it as text in UTF-8, or name its encoding (--encoding)."
        )
    if body.isascii():
        return body, encoding or UTF8
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(body), SEGMENT):
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(body[at : at + SEGMENT], final=at + SEGMENT >= len(body))
        except UnicodeDecodeError as error:
            place = at - held + error.start
            line = line_at(body, place)
            if encoding is None:
                return single_bytes(path, body, line, body[place]), SINGLE_BYTE
            raise DataError(
                f"{path}, line {line}: expected UTF-8 text, found the byte 0x{body[place]:02x}. "
                "Name another encoding (--encoding) or save the file as UTF-8."
            ) from error
    return body, encoding or UTF8


def line_at(body: bytes, place: int) -> int:
    """Number, from 1, of the line that contains a byte."""
    return 1 + sum(1 for end in _LINE_END.finditer(body, 0, place + 1) if end.end() <= place)


def records(path: Path, body: bytes, at: int = 0, how: Dialect = _PLAIN) -> Iterator[CsvRecord]:
    """Yield the records from a byte on, without blank lines; name the lines of an error."""
    line, start = line_at(body, at) if at else 1, at
    ends = [at]

    def lines() -> Iterator[str]:
        source = io.BytesIO(body)
        source.seek(at)
        for block in source:
            for raw in block.splitlines(keepends=True):
                ends[0] += len(raw)
                yield raw.decode("utf-8", "replace")

    reader = csv.reader(lines(), delimiter=how.separator, strict=True)
    limit = csv.field_size_limit()
    while True:
        # The limit is global, so it is restored before any other code reads.
        csv.field_size_limit(_LONGEST_VALUE)
        read = reader.line_num
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _quote_error(path, body, start, line, how) from error
        finally:
            csv.field_size_limit(limit)
        if cells is None:
            return
        height = reader.line_num - read
        if cells:
            yield CsvRecord(cells, line, height, start, ends[0])
        line, start = line + height, ends[0]


def _quote_error(path: Path, body: bytes, start: int, line: int, how: Dialect) -> DataError:
    """Error for a record with an unclosed quote, or with text after a quote."""
    text, at = body[start:].decode("utf-8", "replace"), 0
    delimiter = re.compile(f"[{re.escape(how.separator)}\r\n]")
    while at < len(text):
        if text[at] != '"':
            delimited = delimiter.search(text, at)
            at = delimited.end() if delimited else len(text)
            continue
        opened = line + _breaks(text[:at])
        end = at
        while (end := text.find('"', end + 1)) >= 0 and text[end + 1 : end + 2] == '"':
            end += 1
        if end < 0:
            return DataError(
                f"{path}, line {opened}: expected a closing quote, found none for the quote that "
                f"opens here: {excerpt(text[at : at + 40])!r}. Close it, or double quotes within "
                "text."
            )
        if text[end + 1 : end + 2] not in ("", how.separator, "\r", "\n"):
            return DataError(
                f"{path}, line {line + _breaks(text[:end])}: expected a {how.separated_by} or the "
                "end of the line after a closing quote, found "
                f"{excerpt(text[end + 1 : end + 21])!r}; the quote opened in line {opened}. "
                "Double quotes within text."
            )
        at = end + 2
    return DataError(f"{path}, line {line}: expected a row of a CSV file, found other text.")


def _breaks(text: str) -> int:
    return len(re.findall("\r\n|\r|\n", text))


def line_of(path: Path, body: bytes, at: int, row: int, how: Dialect) -> int:
    """Line of a row; rows count from 0 at the byte `at`."""
    return next(r.line for i, r in enumerate(records(path, body, at, how)) if i == row)


def head(path: Path, body: bytes, first: int, header: int, how: Dialect) -> bytes:
    """First rows of a file, with so many above them: the header, and others."""
    n_records = 0
    for n_records, record in enumerate(records(path, body, 0, how), start=1):
        if n_records == first + header:
            return body[: record.end]
    raise DataError(
        f"{path}: expected the first {first:,} rows, found {max(n_records - header, 0):,} in all. "
        "Set a smaller number."
    )


def ragged_row_error(
    path: Path, body: bytes, at: int, width: int, how: Dialect
) -> DataError | None:
    """Error for the first row with too few or too many values, if there is one."""
    for record in records(path, body, at, how):
        if len(record.cells) != width:
            return DataError(
                f"{path}, line {record.line}: expected {width:,} values, one per column, found "
                f"{len(record.cells):,}: {excerpt(how.separator.join(record.cells[:60]))!r}. "
                "Correct the line."
            )
    return None


def layout(path: Path, body: bytes, at: int, how: Dialect = _PLAIN) -> Layout:
    """Layout of the records from a byte on; refuse errors in quotes."""
    regular = _regular(body, at, how)
    return regular if regular is not None else walk_layout(path, body, at, how)


def walk_layout(path: Path, body: bytes, at: int, how: Dialect = _PLAIN) -> Layout:
    """Layout found by the standard library; slower than `layout`."""
    count = longest = 0
    breaks = False
    # Few files have such blanks; only in those every value is examined.
    blank = "".join({" ", "\t"} - {how.separator})
    padded = re.compile(f'[{blank}]+"')
    before = f'(?:\\A|[{re.escape(how.separator)}\r\n])[{blank}]+"'.encode()
    blanks = re.compile(before).search(body, max(at - 1, 0)) is not None
    for record in records(path, body, at, how):
        count += 1
        longest = max(longest, record.end - record.start)
        breaks = breaks or record.lines > 1
        if blanks and any(map(padded.match, record.cells)):
            raw = body[record.start : record.end].decode("utf-8", "replace")
            raise DataError(
                f"{path}, line {record.line}: expected a quote directly after its "
                f"{how.separated_by}, found a blank between them: {excerpt(raw.strip())!r}. "
                "Remove the blank."
            )
    return Layout(count, longest, breaks)


def _regular(body: bytes, at: int, how: Dialect = _PLAIN) -> Layout | None:
    """Layout, or None unless every quote is doubled or at the start or end of a value.

    A doubled quote closes and opens again, so the text after it is still inside the quotes.
    """
    data = np.frombuffer(body, np.uint8)
    # Which bytes may be next to a quote at the start or end of a value.
    is_edge = np.isin(np.arange(256), list(f'{how.separator}"\n\r'.encode()))
    quotes = count = longest = 0
    last, breaks = at - 1, False
    for begin in range(at, len(body), SEGMENT):
        part = data[begin : begin + SEGMENT]
        marks = np.flatnonzero(part == _QUOTE) + begin
        first = quotes % 2
        opening, closing = marks[first::2], marks[1 - first :: 2]
        if not is_edge[data[opening[opening > at] - 1]].all():
            return None
        if not is_edge[data[closing[closing < len(body) - 1] + 1]].all():
            return None
        ends = np.flatnonzero((part == _NEWLINE) | (part == _RETURN)) + begin
        outside = (quotes + np.searchsorted(marks, ends)) % 2 == 0
        breaks = breaks or not outside.all()
        quotes += len(marks)
        gaps = np.diff(ends[outside], prepend=last)
        if gaps.size:
            count += int((gaps > 1).sum())
            longest, last = max(longest, int(gaps.max())), int(ends[outside][-1])
    if quotes % 2:
        return None
    rest = len(body) - 1 - last
    return Layout(count + (rest > 0), max(longest, rest), breaks)
