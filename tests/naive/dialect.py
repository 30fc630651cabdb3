"""A literal finder of how a CSV file is written, for `naive.readers`."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


class RefusedError(Exception):
    """The file means nothing that can be evaluated."""


def rows(
    body: bytes,
    most: int | None,
    separator: str | None,
    decimal: str | None,
    encoding: str | None,
) -> tuple[list[list[str]], str]:
    """Rows that are not blank, and the decimal sign of their numbers.

    Errors below the last row that is read are not found.
    """
    text = _text(body, encoding)
    if encoding is None and text is None:
        text = body.decode("utf-8", "surrogateescape")
    elif text is None:
        raise RefusedError("another encoding")
    text = text.lstrip("\ufeff")
    if (
        (first := re.match("(?i)sep=([^\r\n])(?=[\r\n])", text))
        and not re.match(r'[\w".+\-\0]', first[1])
        and first[1].isascii()
    ):
        text, separator = text[first.end() :], separator or first[1]
    separator = separator or _separator(text)
    parsed = list(islice(filter(None, _divided(text, separator)), most))
    cells = [cell for row in parsed for cell in row]
    if any("\0" in cell for cell in cells):
        raise RefusedError("a zero byte")
    if any(re.search("[\udc80-\udcff]", cell) for cell in cells):
        if encoding is not None:
            raise RefusedError("another encoding")
        if any(re.search("[\x80-\ud7ff\ue000-\U0010ffff]", cell) for cell in cells):
            raise RefusedError("damaged UTF-8")
        try:
            parsed = [
                [cell.encode("utf-8", "surrogateescape").decode("cp1252") for cell in row]
                for row in parsed
            ]
        except UnicodeDecodeError as error:
            raise RefusedError("no text") from error
    return parsed, decimal or _decimal(parsed, separator)


def _text(body: bytes, encoding: str | None) -> str | None:
    """Text in another encoding; None if it is UTF-8 or has one byte per character."""
    if encoding is None:
        encoding = next((name for mark, name in _MARKS if body.startswith(mark)), None)
    if encoding is None:
        head = [body[i : i + 2] for i in range(0, min(len(body), 64) // 2 * 2, 2)]
        if len(head) > 1 and all(pair[1] == 0 < pair[0] for pair in head):
            encoding = "utf-16-le"
        elif len(head) > 1 and all(pair[0] == 0 < pair[1] for pair in head):
            encoding = "utf-16-be"
    if encoding is None:
        return None
    try:
        # Bytes that are wrong are met in the rows that are read.
        return body.decode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")
    except UnicodeDecodeError as error:
        raise RefusedError("another encoding") from error


def _divided(text: str, separator: str) -> Iterator[list[str]]:
    limit = csv.field_size_limit(1 << 30)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    except csv.Error as error:
        raise RefusedError(str(error)) from error
    finally:
        csv.field_size_limit(limit)


def _before_what_is_wrong(text: str, separator: str) -> list[list[str]]:
    """All rows, or the rows before the first wrong one."""
    good: list[list[str]] = []
    try:
        for row in filter(None, _divided(text, separator)):
            good.append(row)
    except RefusedError:
        return good
    return good


def _separator(text: str) -> str:
    """The only separator by which all rows have as many values as the first row."""
    part = {}
    for mark in ",;\t|":
        widths = [len(row) for row in _before_what_is_wrong(text, mark)]
        if widths and widths[0] > 1:
            part[mark] = sum(width == widths[0] for width in widths) / len(widths)
    first = next((line for line in re.split("\r\n|\r|\n", text) if line.strip()), "")
    if '"' not in first and not set(";\t|") & set(first):
        return ","
    if list(part.values()).count(1.0) > 1:
        raise RefusedError("several separators")
    return next((mark for mark in part if part[mark] == max(part.values())), ",")


def _decimal(rows: list[list[str]], separator: str) -> str:
    number = r"\s*[+-]?[0-9]*{}[0-9]+([eE][+-]?[0-9]+)?\s*"
    cells = [cell for row in rows for cell in row]
    if any(re.fullmatch(number.format(r"\."), cell) for cell in cells):
        return "."
    commas = [cell for cell in cells if re.fullmatch(number.format(","), cell)]
    if separator == ",":
        thousands = r"\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*"
        commas = [cell for cell in commas if not re.fullmatch(thousands, cell)]
    return "," if commas else "."
