"""Literal readers of CSV and ARFF: one character or one cell at a time, no code of the package.

They are the oracle of the fuzz test: what a file means, as `config/README.md` states it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import partial

from naive import dialect
from naive.dialect import RefusedError

#: What a cell holds: a number, a text, or nothing.
Cell = float | str | None

MISSING = ("?", "", "NA", "NaN", "nan")
_BLANKS = " \t"
#: White space at the ends of the texts of CSV; a text of it alone, with line ends, is empty.
_WHITE = "\t\x0b\x0c \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
_WHITE += "".join(map(chr, range(0x2000, 0x200B)))
_WHITE += "\x1c\x1d\x1e\x1f\xad\u180e\u2800\u3164\ufeff"  # and what cannot be seen
_WHITE += "".join(
    map(chr, [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065)])
)
_WHITE += "".join(map(chr, range(0x2066, 0x206A)))
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE)
_NO_NUMBER = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
_TIME = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?"
_ZONE = r"(Z|[-+][0-9]{2}(:?[0-9]{2})?)?"
_CLOCK = rf"([ T][0-9]{{1,2}}:[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]+)?)?{_ZONE})?"
_MOMENT = re.compile(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([ T]{_TIME}{_ZONE})?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class Reading:
    """What a file says: names and cells of the inputs, column by column, and the labels.

    Without classes the labels are numbers.
    """

    names: list[str]
    columns: list[list[Cell]]
    labels: Sequence[Cell]
    classes: list[str] | None


def read_csv(
    body: bytes,
    target: str,
    *,
    names: Sequence[str] | None = None,
    header: bool = True,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    drop: Sequence[str] = (),
    missing: Sequence[str] = MISSING,
    numeric_target: bool = False,
    first: int | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Reading:
    """Read a CSV file; the parameters are those of the package's reader."""
    asked = (separator, decimal, encoding)
    rows, decimal = dialect.rows(body, None if first is None else first + header, *asked)
    if len(rows) <= header or (first is not None and len(rows) < first + header):
        raise RefusedError("too few rows")
    top = rows[0] if header else [""] * len(rows[0])
    # A column without a name is called after its place.
    column_names = list(names or (name.strip(_WHITE) or f"x{j + 1}" for j, name in enumerate(top)))
    if len({*column_names}) < len(column_names) or not {target, *nominal, *numeric, *drop} <= {
        *column_names
    }:
        raise RefusedError("names")
    if any(len(row) != len(column_names) for row in rows):
        raise RefusedError("ragged rows")
    cells = {
        name: [_stripped(text, missing) for text in texts]
        for name, texts in zip(column_names, zip(*rows[header:], strict=True), strict=True)
        if name not in drop
    }
    number = partial(_number, decimal=decimal)
    labels: list[Cell] = [*cells.pop(target)]
    labels = _column(labels, [number]) if numeric_target else _column(labels, [], strict=False)
    if {*labels} == {None} or not cells:
        raise RefusedError("no label, or no inputs")
    # The kinds that a column may be of; if it is of none, it is nominal.
    kinds = {
        name: []
        if name in nominal
        else [
            number,
            _truth,
            _moment,
            _time_of_day,
            _year_first,
            _year_last,
        ]
        for name in cells
    }
    for name in {*numeric} & {*cells}:
        _column(cells[name], [number])
    columns = [_column(cells[name], kinds[name], strict=False) for name in cells]
    classes = (
        None if numeric_target else sorted({label for label in labels if isinstance(label, str)})
    )
    return Reading([*cells], columns, labels, classes)


def _decoded(body: bytes) -> str:
    try:
        return body.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError("no UTF-8") from error


def _stripped(text: str, missing: Sequence[str]) -> str | None:
    text = text.strip(_WHITE) if text.strip(_WHITE + "\r\n") else ""
    return None if text in [sign.strip(_WHITE) for sign in missing] else text


def _column(
    cells: Sequence[Cell], kinds: Sequence[Callable[[str], float]], strict: bool = True
) -> list[Cell]:
    """Cells as values of the first type that all texts have."""
    present = {cell for cell in cells if isinstance(cell, str)}
    for kind in kinds:
        try:
            values = {cell: kind(cell) for cell in present}
        except (ValueError, OverflowError):  # no day of the calendar, no time of the day
            continue
        if any(map(math.isinf, values.values())):
            raise RefusedError("an infinite number")
        known = [values[cell] if isinstance(cell, str) else math.nan for cell in cells]
        return [None if math.isnan(value) else value for value in known]
    if strict:
        raise RefusedError("no numbers")
    return [*cells]


def _number(text: str, decimal: str = ".") -> float:
    if decimal == ",":
        text = text.translate({ord("."): "?", ord(","): "."})
    if not _NUMBER.fullmatch(text) and not _NO_NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _truth(text: str) -> float:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return float(text.lower() == "true")


def _moment(text: str) -> float:
    if not _MOMENT.fullmatch(text):
        raise ValueError(text)
    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) / timedelta(seconds=1)


def _year_first(text: str) -> float:
    if not (match := re.fullmatch(rf"([0-9]{{4}})/([0-9]{{1,2}})/([0-9]{{1,2}}){_CLOCK}", text)):
        raise ValueError(text)
    return _day(match[1], match[2], match[3], match[4])


def _year_last(text: str) -> float:
    if not re.fullmatch(rf"[0-9]{{1,2}}[/.-][0-9]{{1,2}}[/.-][0-9]{{4}}{_CLOCK}", text):
        raise ValueError(text)
    return math.inf  # no column of these is read


def _day(year: str, month: str, day: str, rest: str | None) -> float:
    clock = re.sub(r"([ T])([0-9]):", r"\g<1>0\2:", rest or "")
    return _moment(f"{year}-{int(month):02}-{int(day):02}{clock}")


def _time_of_day(text: str) -> float:
    if not re.fullmatch(_TIME, text):
        raise ValueError(text)
    clock = time.fromisoformat(text)
    return 3600 * clock.hour + 60 * clock.minute + clock.second + clock.microsecond / 1e6


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
    if {*columns[-1]} == {None}:
        raise RefusedError("no label")
    kind = declared[-1][1]
    return Reading(names, columns[:-1], columns[-1], None if isinstance(kind, str) else [*kind])


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
    return [*cells]


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
    return [*cells]


def _arff_cell(row: str, at: int, ends: str) -> tuple[str | None, int]:
    """Text of a cell, None for a bare question mark, and the place where the cell ends."""
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
    if not math.isfinite(value):
        raise RefusedError("no finite number")
    return value
