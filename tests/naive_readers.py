"""Literal readers of CSV and ARFF: one character or one cell at a time, no code of the package.

They are the oracle of the fuzz test: what a file means, as `config/README.md` states it.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

#: What a cell holds: a number, a text, or nothing.
Cell = float | str | None

MISSING = ("?", "", "NA", "NaN")
_BLANKS = " \t"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)([ T]\d\d:\d\d(:\d\d(\.\d{1,9})?)?)?(Z)?", re.ASCII)
_TIME = re.compile(r"(\d\d):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?", re.ASCII)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class RefusedError(Exception):
    """The file means nothing that can be evaluated."""


@dataclass(frozen=True)
class Reading:
    """What a file says: names and cells of the inputs, column by column, and the labels."""

    names: list[str]
    columns: list[list[Cell]]
    labels: list[str]
    classes: list[str]


def read_csv(body: bytes, target: str) -> Reading:
    """Read a CSV file with a header."""
    rows = [row for row in _csv_rows(_decoded(body)) if row]
    if len(rows) < 2:
        raise RefusedError("no rows")
    # A column without a name is called after its place.
    names = [name.strip() or f"x{j + 1}" for j, name in enumerate(rows[0])]
    if len({*names}) < len(names) or target not in names:
        raise RefusedError("names")
    if any(len(row) != len(names) for row in rows):
        raise RefusedError("ragged rows")
    columns = dict(zip(names, zip(*rows[1:], strict=True), strict=True))
    labels = [_stripped(text) for text in columns.pop(target)]
    if not columns:
        raise RefusedError("no inputs")
    return _reading(
        [*columns], [column_of_texts(texts) for texts in columns.values()], labels, None
    )


def _decoded(body: bytes) -> str:
    try:
        return body.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError("no UTF-8") from error


def _csv_rows(text: str) -> list[list[str]]:
    csv.field_size_limit(1 << 30)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise RefusedError(str(error)) from error


def _stripped(text: str) -> str | None:
    text = text.strip(_BLANKS)
    return None if text in MISSING else text


def _reading(
    names: list[str],
    columns: list[list[Cell]],
    labels: Sequence[str | None],
    classes: list[str] | None,
) -> Reading:
    known = [label for label in labels if label is not None]
    if len(known) < len(labels):
        raise RefusedError("a missing label")
    return Reading(names, columns, known, classes or sorted({*known}))


def column_of_texts(texts: Sequence[str]) -> list[Cell]:
    """Decide what a column without a declared type holds, and return its cells."""
    cells = [_stripped(text) for text in texts]
    present = [cell for cell in cells if cell is not None]
    kinds: list[Callable[[str], float]] = [_number, _truth, _moment, _time_of_day]
    for kind in kinds:
        try:
            values = {cell: kind(cell) for cell in present}
        except ValueError:
            continue
        if any(map(math.isinf, values.values())):
            raise RefusedError("an infinite number")
        return [None if cell is None else values[cell] for cell in cells]
    return list(cells)


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _truth(text: str) -> float:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return float(text.lower() == "true")


def _moment(text: str) -> float:
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    day = date.fromisoformat(match[1]).toordinal() - date(1970, 1, 1).toordinal()
    return day * 86_400.0 + (_time_of_day(match[2][1:]) if match[2] else 0.0)


def _time_of_day(text: str) -> float:
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(text)
    hours, minutes, seconds = int(match[1]), int(match[2]), float(match[3] or 0)
    if hours > 23 or minutes > 59 or seconds >= 60:
        raise ValueError(text)
    return hours * 3600.0 + minutes * 60.0 + seconds


# --- ARFF ---------------------------------------------------------------------------------

#: The attributes of a header: name, and "numeric", a strptime pattern or the declared values.
Declared = Sequence[tuple[str, str | Sequence[str]]]


def read_arff_body(body: bytes, declared: Declared) -> Reading:
    """Read the data section of an ARFF file; its last attribute is the target."""
    text = _decoded(body)
    lines = re.split(r"\r\n|\r|\n", text)
    rows = []
    for line in lines:
        row = line.strip(_BLANKS)
        if row and not row.startswith("%"):
            rows.append(_arff_row(row, declared))
    if not rows:
        raise RefusedError("no rows")
    columns = [
        [_encoded(cell, kind) for cell in column]
        for (_, kind), column in zip(declared, zip(*rows, strict=True), strict=True)
    ]
    names = [name for name, _ in declared[:-1]]
    classes = [*declared[-1][1]]
    return _reading(names, columns[:-1], [*map(_as_text, columns[-1])], classes)


def _as_text(cell: Cell) -> str | None:
    assert not isinstance(cell, float)
    return cell


def _arff_row(row: str, declared: Declared) -> list[str | None]:
    if row.startswith("{"):
        return _sparse_row(row, declared)
    cells, at = [], 0
    while True:
        cell, at = _arff_cell(row, at, ",%")
        cells.append(cell)
        if at == len(row) or row[at] == "%":
            break
        at += 1
    if len(cells) == len(declared) + 1 and cells[-1] == "":
        cells.pop()
    if len(cells) != len(declared):
        raise RefusedError("ragged rows")
    return cells


def _sparse_row(row: str, declared: Declared) -> list[str | None]:
    cells: list[str | None] = ["0" if isinstance(kind, str) else kind[0] for _, kind in declared]
    at = 1
    while True:
        while at < len(row) and row[at] in _BLANKS:
            at += 1
        if row[at : at + 1] == "}":
            break
        start = at
        while at < len(row) and row[at] in "0123456789":
            at += 1
        if at == start or row[at : at + 1] not in tuple(_BLANKS):
            raise RefusedError("no entry")
        place = int(row[start:at])
        cell, at = _arff_cell(row, at, ",%}" + _BLANKS)
        if place >= len(cells) or cell == "":
            raise RefusedError("no entry")
        cells[place] = cell
        while at < len(row) and row[at] in _BLANKS:
            at += 1
        if row[at : at + 1] == ",":
            at += 1
        elif row[at : at + 1] != "}":
            raise RefusedError("no entry")
    if row[at + 1 :].strip(_BLANKS) not in ("", ","):
        raise RefusedError("text after a sparse row")
    return cells


def _arff_cell(row: str, at: int, ends: str) -> tuple[str | None, int]:
    """Return a cell's text, None for a bare question mark, and where its end mark stands."""
    while at < len(row) and row[at] in _BLANKS:
        at += 1
    if at < len(row) and row[at] in "'\"":
        quote, text = row[at], ""
        at += 1
        while True:
            if at >= len(row):
                raise RefusedError("an open quote")
            if row[at] == quote:
                break
            if row[at] == "\\":
                at += 1
                if at >= len(row):
                    raise RefusedError("an open quote")
                text += _ESCAPES.get(row[at], row[at])
            else:
                text += row[at]
            at += 1
        at += 1
        while at < len(row) and row[at] in _BLANKS:
            at += 1
        if at < len(row) and row[at] not in ends:
            raise RefusedError("text after a quote")
        return text, at
    start = at
    while at < len(row) and row[at] not in ends:
        at += 1
    bare = row[start:at].rstrip(_BLANKS)
    return (None if bare == "?" else bare), at


def _encoded(cell: str | None, kind: str | Sequence[str]) -> Cell:
    if cell is None:
        return None
    if not isinstance(kind, str):
        if cell not in kind:
            raise RefusedError("an undeclared value")
        return cell
    try:
        if kind != "numeric":
            return datetime.strptime(cell, kind).replace(tzinfo=UTC).timestamp()
        value = _number(cell)
    except ValueError as error:
        raise RefusedError("no number") from error
    if math.isinf(value):
        raise RefusedError("an infinite number")
    return value
