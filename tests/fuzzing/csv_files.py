"""Drawing CSV files for the fuzz test, of any separator, decimal sign, encoding and dates."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any

from naive.readers import MISSING, Cell, Reading, RefusedError, read_csv

from fuzzing.cases import EPOCH, Case, Column, cell_text, reading

_SEPARATORS = (",", ",", ",", ";", "\t", "|")
#: Encodings, and what may stand before a text.
_ENCODINGS = (
    *[("utf-8", b"")] * 4, ("utf-8", b"\xef\xbb\xbf"), ("utf-16", b""), ("utf-16-le", b""),
    ("cp1252", b""), ("cp1252", b""), ("latin-1", b""), ("utf-32", b""),
)  # fmt: skip
_DATES = ("%Y-%m-%d", "%Y-%m-%d", "%Y/%m/%d")


@dataclass(frozen=True)
class _Style:
    """How a file is written."""

    separator: str
    decimal: str
    encoding: str
    mark: bytes
    date: str
    end: str
    quoted: float
    padded: float
    blank: float

    @property
    def named(self) -> dict[str, Any]:
        """The options that name it."""
        options: dict[str, Any] = {"separator": self.separator, "decimal": self.decimal}
        options["encoding"] = self.encoding
        return options


def _style(rng: random.Random) -> _Style:
    plain = rng.random() < 0.4
    encoding, mark = _ENCODINGS[0] if plain else rng.choice(_ENCODINGS)
    return _Style(
        "," if plain else rng.choice(_SEPARATORS),
        "." if plain else rng.choice(".,"),
        *(encoding, mark, _DATES[0] if plain else rng.choice(_DATES)),
        rng.choice(("\n", "\n", "\r\n", "\r")),
        *(rng.choice((0.0, 0.0, 0.3)) for _ in range(3)),
    )


#: UTC.
_ZONES = ("Z", "+00:00", "-0000")


def make_csv(rng: random.Random, columns: list[Column], labels: list[str], wrapper: str) -> Case:
    """Draw how a table is written, and write it."""
    style, place = _style(rng), rng.randint(0, len(columns))
    options = _options(rng, [column.name for column in columns], len(labels))
    spelt = partial(_spelt, rng, style, options.get("missing", MISSING))
    texts = [[spelt(column.kind, value) for value in column.cells] for column in columns]
    table = [[column.name, *cells] for column, cells in zip(columns, texts, strict=True)]
    table.insert(place, ["the target", *labels])
    times = _times(rng, len(labels)) if not options and rng.random() < 0.3 else None
    if times is not None:
        kind, sent, known = times
        zones = rng.choice((("",), _ZONES))  # all have one, or none
        for name, cells in (("sent", sent), ("known", known)):
            cells_of_it = [name, *(spelt(kind, value, zones) for value in cells)]
            table.insert(rng.randint(0, len(table)), cells_of_it)
    rows = [*zip(*table, strict=True)][not options.get("header", True) :]
    body, style = _encoded(_lines(rng, style, rows), style)
    ending = rng.choice(("csv", "csv", "data", "txt", "CSV", "tsv"))
    target, first = "the target", options.get("first", len(labels))
    if "header" in options and "names" not in options:
        target = f"x{place + 1}"
        columns = [replace(c, name=f"x{j + 1 + (j >= place)}") for j, c in enumerate(columns)]
    elif "names" in options:
        options["names"].insert(place, target)
    if numeric := [c.name for c in columns if c.kind in ("number", "integer")]:
        options |= rng.choice(({}, {"numeric": numeric[:1]}))
    if rng.random() < 0.2:
        j = rng.randrange(len(columns))
        options["nominal"] = [name := columns[j].name]
        options.pop("numeric", None)
        names = [None if v is None else t for v, t in zip(columns[j].cells, texts[j], strict=True)]
        columns[j] = Column(name, "text", [*names])
    if len(columns) > 1 and rng.random() < 0.2:
        dropped = columns.pop(rng.randrange(len(columns)))
        options["drop"] = [dropped.name]
    columns = [Column(c.name, c.kind, c.cells[:first]) for c in columns]
    expected = reading(columns, labels[:first], None)
    # The literal reader knows no times: to it they are columns to leave out.
    to_it = dict(options)
    if times is not None:
        to_it["drop"] = [*options.get("drop", ()), "sent", "known"]
    if rng.random() < 0.3 or not _says_it_itself(body, target, to_it, expected):
        options |= style.named
    case = Case(ending, wrapper, body, target, False, expected, None, options)
    if times is None:
        return replace(case, oracle=partial(read_csv, target=target, **options))
    options |= {"time": "sent", "label_time": "known"}
    return replace(case, times=times[1:])


def _times(rng: random.Random, n: int) -> tuple[str, list[float], list[float]]:
    """Draw when instances and their labels arrive, in any order.

    Moments are after noon: a clock that goes back at night may have been set back, and is refused.
    """
    kind = rng.choice(("integer", "moment", "date"))
    unit, noon = (86_400.0 if kind == "date" else 1.0), (43_200.0 if kind == "moment" else 0.0)
    sent = [noon + unit * rng.randint(0, 1000) for _ in range(n)]
    return kind, sent, [time + unit * rng.randint(0, 500) for time in sent]


def _says_it_itself(body: bytes, target: str, options: dict[str, Any], expected: Reading) -> bool:
    """Whether the file can be read in one way only, so that no option is needed."""
    try:
        return read_csv(body, target, **options) == expected
    except RefusedError:
        return False


def _spelt(
    rng: random.Random,
    style: _Style,
    missing: tuple[str, ...],
    kind: str,
    value: Cell,
    zones: tuple[str, ...] = ("", *_ZONES),
) -> str:
    if value is None:
        return rng.choice(missing)
    if not isinstance(value, float):
        return value
    if kind == "date":
        return f"{EPOCH + timedelta(seconds=value):{style.date}}"
    text = cell_text(rng, kind, value)
    if kind in ("number", "integer"):
        return text.replace(".", style.decimal)
    return text + (rng.choice(zones) if kind == "moment" else "")


def _lines(rng: random.Random, style: _Style, rows: list[tuple[str, ...]]) -> str:
    special = f'{style.separator}"\n\r'
    paddings = [" ", "\t", "  ", "\xa0", "\u200b", "\ufeff"]
    if style.separator == "\t":
        paddings.remove("\t")

    def cell(text: str) -> str:
        if rng.random() < style.quoted or any(mark in text for mark in special):
            return '"' + text.replace('"', '""') + '"'
        padding = rng.choice(paddings) if rng.random() < style.padded else ""
        return padding + text + rng.choice(("", padding))

    lines = []
    for row in rows:
        # A line of blanks alone would be a row of one column.
        lines.append(style.separator.join(map(cell, row)))
        lines += [""] * (rng.random() < style.blank)
    return style.end.join(lines) + style.end * rng.randint(0, 1)


def _encoded(text: str, style: _Style) -> tuple[bytes, _Style]:
    """A text in its encoding, or in UTF-8 if there are other characters in it."""
    try:
        return style.mark + text.encode(style.encoding), style
    except UnicodeEncodeError:
        return text.encode(), replace(style, encoding="utf-8", mark=b"")


def _options(rng: random.Random, names: list[str], n: int) -> dict[str, Any]:
    """Draw options that say how a file is to be written; half of the files need none."""
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        return options
    if rng.random() < 0.3:
        options["missing"] = ("n/a", "-999999", " - - ")
    if rng.random() < 0.3:
        options["first"] = rng.randint(1, n)
    if rng.random() < 0.3:
        options["header"] = False
    if rng.random() < 0.3:
        options["names"] = [*names]
    return options
