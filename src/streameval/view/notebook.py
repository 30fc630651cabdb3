"""HTML for notebooks: tables whose cells have bars, intervals and lines.

Colours stand out on light and dark pages; numbers remain where drawings are left out.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import singledispatch
from typing import Any

from streameval.base.errors import printable
from streameval.view.blocks import (
    Bar,
    Code,
    Column,
    DotInterval,
    Drawing,
    Facts,
    Line,
    Part,
    Picture,
    Sentences,
    Table,
    View,
    Words,
)
from streameval.view.escape import html_text

#: Rows of a table, and characters of a name, that are shown.
MOST, _LETTERS = 20, 60
#: In favour of a learner, and against it: apart for colour-blind readers, on any page.
_GOOD, _BAD, _OPEN = "#2a8ad4", "#d8692a", "currentColor"
_RULE = "rgba(128,128,128,.45)"
#: Width and heights of drawings, in pixels.
_WIDTH, _BAR, _INTERVAL, _LINE = 60, 4, 9, 16
_WIDE = 90
#: Twice the class: stronger than the rules of notebooks for all tables.
_ROOT = ".streameval.streameval"
_CELL = (
    "background:none;border:0;padding:2px 11px 2px 0;text-align:left;vertical-align:top;"
    "white-space:nowrap;font-variant-numeric:tabular-nums"
)
_RULES = {
    "p": "margin:2px 0;max-width:110ch",
    "table": (
        "border-collapse:collapse;border:0;margin:6px 0;font-size:12px;width:auto;"
        "table-layout:auto;color:inherit"
    ),
    "thead,tr,tbody>tr:nth-child(n)": "background:none;border:0",
    "th,td": _CELL,
    "th": "font-weight:600",
    "thead>tr>th": (
        f"font-weight:400;opacity:.75;border-bottom:1px solid {_RULE};vertical-align:bottom;"
        "white-space:normal;max-width:14ch"
    ),
    "td.words": "white-space:normal;overflow-wrap:anywhere;max-width:90ch;font-size:13px",
    "svg": "display:block;margin:3px 0;overflow:visible;max-width:none",
    ".wide": "overflow-x:auto",
    ".note": "font-size:11px;opacity:.75",
}
_STYLE = "".join(
    f"{','.join(f'{_ROOT} {name_cell}' for name_cell in names.split(','))}{{{rules}}}"
    for names, rules in _RULES.items()
)


def html(view: View) -> str:
    """HTML of a view, with its drawings."""
    return fragment(*map(_html, view.parts_for("drawn")))


def fragment(*parts: str) -> str:
    """HTML element with its own style, from parts."""
    inside = "".join(parts)
    return f'<div class="streameval"><style>{_STYLE}</style>{inside}</div>'


def paragraph(text: str, *, note: bool = False) -> str:
    """HTML paragraph of a text; a note is small."""
    return f'<p class="note">{html_text(text)}</p>' if note else f"<p>{html_text(text)}</p>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], more: str = "") -> str:
    """HTML table of cells made here; `more` is a sentence on the rows left out."""
    head = "".join(f"<th>{html_text(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    rest = paragraph(more, note=True) if more else ""
    header = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f'<div class="wide"><table>{header}<tbody>{body}</tbody></table>{rest}</div>'


def name_cell(text: str) -> str:
    """HTML cell with the name of a row."""
    return f"<th>{html_text(printable(text, _LETTERS))}</th>"


def text_cell(text: str, drawing: str = "", *, why: str = "", words: bool = False) -> str:
    """HTML cell with a text, a drawing below, and the reason as a tooltip."""
    tip = f' title="{html_text(why)}"' if why else ""
    kind = ' class="words"' if words else ""
    return f"<td{kind}{tip}>{html_text(text)}{drawing}</td>"


def scale(values: Iterable[float]) -> tuple[float, float]:
    """Ends of a scale that holds 0 and all values except NaN."""
    known = [0.0, *(value for value in values if not math.isnan(value))]
    return min(known), max(known)


def rest(n_shown: int, whole: int, what: str) -> str:
    """Text with the number of items that are not shown; empty if all are."""
    return f"and {whole - n_shown:,} more {what}" if whole > n_shown else ""


@contextmanager
def without_advice() -> Iterator[None]:
    """Let modules import tqdm, which in a notebook advises to install widgets and does without."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "IProgress not found")
        yield


@singledispatch
def _html(part: Part) -> str:
    raise NotImplementedError


@_html.register
def _(part: Words) -> str:
    return "".join(paragraph(text, note=part.note) for text in part.texts)


@_html.register
def _(part: Facts) -> str:
    above = paragraph(part.title) if part.title else ""
    return above + table(
        (), [[name_cell(label), text_cell(text, words=True)] for label, text in part.rows]
    )


@_html.register
def _(part: Sentences) -> str:
    notes = "".join(paragraph(note, note=True) for note in part.notes)
    if not any(row.drawings for row in part.rows):
        return "".join(paragraph(row.text) for row in part.rows) + notes
    rows = []
    for text, drawings, _ in part.rows[:MOST]:
        first, *more = (text_cell("", draw_svg(drawing)) for drawing in drawings)
        rows.append([first, text_cell(text, words=True), *more])
    return table((), rows, rest(len(rows), len(part.rows), part.what)) + notes


@_html.register
def _(part: Code) -> str:
    return paragraph(part.title, note=True) + f"<pre>{html_text(part.text)}</pre>"


@_html.register
def _(part: Picture) -> str:
    return part.wide + paragraph(part.caption, note=True)


@_html.register
def _(part: Table) -> str:
    rows = _first(part)
    above = paragraph(part.title) if part.title else ""
    cells = [[_cell(column, row) for column in part.columns] for row in rows]
    more = rest(len(rows), len(part.rows), part.what)
    html = table([column.head for column in part.columns], cells, more)
    return above + html + "".join(paragraph(note, note=True) for note in part.notes)


def _first(part: Table) -> list[Mapping[str, Any]]:
    """The first rows, at most `MOST`, and all rows whose names are in `kept`."""
    names = [column for column in part.columns if column.kind == "name"]
    kept = [any(column.cell(row) in part.kept for column in names) for row in part.rows]
    others = [i for i, is_kept in enumerate(kept) if not is_kept]
    left_out = {*others[max(MOST - sum(kept), 1) :]}
    return [row for i, row in enumerate(part.rows) if i not in left_out]


def _cell(column: Column, row: Mapping[str, Any]) -> str:
    text = column.cell(row)
    if column.kind == "name":
        return name_cell(text)
    drawing = column.drawing_of(row)
    return text_cell(text, "" if drawing is None else draw_svg(drawing), why=column.why(row))


@singledispatch
def draw_svg(drawing: Drawing) -> str:
    """SVG element of a drawing; "" if there is nothing to draw."""
    raise NotImplementedError


@draw_svg.register
def _(drawing: Bar) -> str:
    value, low, high = drawing
    if math.isnan(value) or not high > low:
        return ""
    at, zero = (_place(x, low, high, _WIDTH) for x in (value, 0.0))
    ground = f'<rect width="{_WIDTH}" height="{_BAR}" fill="currentColor" opacity=".12"/>'
    start, length = min(at, zero), abs(at - zero)
    color = _BAD if value < 0.0 else _OPEN
    filled = (
        f'<rect x="{start:.1f}" width="{length:.1f}" height="{_BAR}" fill="{color}" opacity=".6"/>'
    )
    axis = _axis(zero, _BAR) if low < 0.0 else ""
    return _svg(_WIDTH, _BAR, ground + filled + axis)


@draw_svg.register
def _(drawing: DotInterval) -> str:
    value, ends, low, high, no = drawing
    if math.isnan(value) or not high > low:
        return ""
    middle = _INTERVAL / 2
    first, last = (_place(x, low, high, _WIDE) for x in (-no, no))
    inside = (
        f'<rect x="{first:.1f}" width="{last - first:.1f}" height="{_INTERVAL}" '
        'fill="currentColor" opacity=".15"/>'
        if no
        else ""
    )
    inside += _axis(_place(0.0, low, high, _WIDE), _INTERVAL)
    color = _OPEN
    if not math.isnan(ends[0]):
        color = _GOOD if ends[0] > 0.0 else _BAD if ends[1] < 0.0 else _OPEN
        left, right = (_place(end, low, high, _WIDE) for end in ends)
        inside += (
            f'<path d="M{left:.1f} {middle}H{right:.1f}" stroke="{color}" stroke-width="2" '
            'opacity=".7"/>'
        )
    at = _place(value, low, high, _WIDE)
    inside += f'<circle cx="{at:.1f}" cy="{middle}" r="2.8" fill="{color}"/>'
    return _svg(_WIDE, _INTERVAL, inside)


@draw_svg.register
def _(drawing: Line) -> str:
    values, low, high = drawing
    if all(map(math.isnan, values)):
        return ""
    room = (high - low) or 1.0
    step = _WIDE / max(len(values) - 1, 1)
    path, is_open = "", False
    for place, value in enumerate(values):
        if math.isnan(value):
            is_open = False
            continue
        x, y = place * step, _LINE - 1 - (value - low) / room * (_LINE - 2)
        path += f"{'L' if is_open else 'M'}{x:.1f} {y:.1f}"
        path += "" if is_open else "h.1"  # a point between gaps is seen, too
        is_open = True
    inside = f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.2"/>'
    if low <= 0.0 <= high:
        y = _LINE - 1 - (0.0 - low) / room * (_LINE - 2)
        inside = f'<path d="M0 {y:.1f}H{_WIDE}" stroke="{_RULE}"/>{inside}'
    return _svg(_WIDE, _LINE, inside)


def _place(value: float, low: float, high: float, width: int) -> float:
    return width * (min(max(value, low), high) - low) / (high - low)


def _axis(x: float, height: int) -> str:
    return f'<path d="M{x:.1f} -1V{height + 1}" stroke="currentColor" opacity=".5"/>'


def _svg(width: int, height: int, inside: str) -> str:
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'aria-hidden="true">{inside}</svg>'
    )
