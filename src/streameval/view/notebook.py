"""HTML for notebooks: tables whose cells have bars, intervals and lines.

Colours stand out on light and dark pages. The numbers are there even where drawings are not shown.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import singledispatch
from typing import Any

from streameval.base.errors import printable
from streameval.view.escape import html_text
from streameval.view.parts import (
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

#: Largest number of rows of a table that are shown.
MOST_ROWS = 20
#: Largest number of characters of a row's name that are shown.
_NAME_LENGTH = 60
#: Colours of results for a learner, against it and undecided. Blue and orange look different to
#: colour-blind readers, too, on light and on dark pages.
_GOOD, _BAD, _OPEN = "#2a8ad4", "#d8692a", "currentColor"
#: Colour of thin lines.
_LINE_COLOR = "rgba(128,128,128,.45)"
#: Width and height of a bar, in pixels.
_BAR_WIDTH, _BAR_HEIGHT = 60, 4
#: Width of intervals and lines, and the height of each, in pixels.
_WIDTH, _INTERVAL_HEIGHT, _LINE_HEIGHT = 90, 9, 16
#: The class is there twice so that these rules override the rules of notebooks for all tables.
_ROOT = ".streameval.streameval"
_CELL = (
    "background:none;border:0;padding:2px 11px 2px 0;text-align:left;vertical-align:top;"
    "white-space:nowrap;font-variant-numeric:tabular-nums"
)
_CSS = {
    "p": "margin:2px 0;max-width:110ch",
    "table": (
        "border-collapse:collapse;border:0;margin:6px 0;font-size:12px;width:auto;"
        "table-layout:auto;color:inherit"
    ),
    "thead,tr,tbody>tr:nth-child(n)": "background:none;border:0",
    "th,td": _CELL,
    "th": "font-weight:600",
    "thead>tr>th": (
        f"font-weight:400;opacity:.75;border-bottom:1px solid {_LINE_COLOR};vertical-align:bottom;"
        "white-space:normal;max-width:14ch"
    ),
    "td.words": "white-space:normal;overflow-wrap:anywhere;max-width:90ch;font-size:13px",
    "svg": "display:block;margin:3px 0;overflow:visible;max-width:none",
    ".wide": "overflow-x:auto",
    ".note": "font-size:11px;opacity:.75",
}
_STYLE = "".join(
    f"{','.join(f'{_ROOT} {selector}' for selector in selectors.split(','))}{{{rules}}}"
    for selectors, rules in _CSS.items()
)


def html(view: View) -> str:
    """HTML of a view, with its drawings."""
    return styled_element(*map(_html, view.parts_for("notebook")))


def styled_element(*parts: str) -> str:
    """HTML element that holds the parts and their style."""
    content = "".join(parts)
    return f'<div class="streameval"><style>{_STYLE}</style>{content}</div>'


def paragraph(text: str, *, note: bool = False) -> str:
    """HTML paragraph of a text; a `note` is in small print."""
    return f'<p class="note">{html_text(text)}</p>' if note else f"<p>{html_text(text)}</p>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left_out: str = "") -> str:
    """HTML table of rows of `name_cell` and `text_cell`; `left_out` counts omitted rows."""
    head = "".join(f"<th>{html_text(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    rest = paragraph(left_out, note=True) if left_out else ""
    header = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f'<div class="wide"><table>{header}<tbody>{body}</tbody></table>{rest}</div>'


def name_cell(text: str) -> str:
    """HTML cell with the name of a row."""
    return f"<th>{html_text(printable(text, _NAME_LENGTH))}</th>"


def text_cell(text: str, drawing: str = "", *, tooltip: str = "", is_sentence: bool = False) -> str:
    """HTML cell with a text and a drawing below; a sentence breaks into lines."""
    title = f' title="{html_text(tooltip)}"' if tooltip else ""
    kind = ' class="words"' if is_sentence else ""
    return f"<td{kind}{title}>{html_text(text)}{drawing}</td>"


def scale(values: Iterable[float]) -> tuple[float, float]:
    """Ends of a scale that includes 0 and all values except NaN."""
    numbers = [0.0, *(value for value in values if not math.isnan(value))]
    return min(numbers), max(numbers)


def left_out_text(n_shown: int, n_all: int, noun: str) -> str:
    """Text with the number of items that are not shown; empty if all are shown."""
    return f"and {n_all - n_shown:,} more {noun}" if n_all > n_shown else ""


@contextmanager
def without_tqdm_advice() -> Iterator[None]:
    """Suppress the advice to install widgets that tqdm gives when it is imported in a notebook."""
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
        (), [[name_cell(label), text_cell(text, is_sentence=True)] for label, text in part.rows]
    )


@_html.register
def _(part: Sentences) -> str:
    notes = "".join(paragraph(note, note=True) for note in part.notes)
    if not any(row.drawings for row in part.rows):
        return "".join(paragraph(row.text) for row in part.rows) + notes
    rows = []
    for text, drawings, _ in part.rows[:MOST_ROWS]:
        # All sentences have the same number of drawings.
        first, *others = (text_cell("", draw_svg(drawing)) for drawing in drawings)
        rows.append([first, text_cell(text, is_sentence=True), *others])
    return table((), rows, left_out_text(len(rows), len(part.rows), part.noun)) + notes


@_html.register
def _(part: Code) -> str:
    return paragraph(part.title, note=True) + f"<pre>{html_text(part.text)}</pre>"


@_html.register
def _(part: Picture) -> str:
    return part.wide + paragraph(part.caption, note=True)


@_html.register
def _(part: Table) -> str:
    rows = _visible_rows(part)
    above = paragraph(part.title) if part.title else ""
    cells = [[_cell(column, row) for column in part.columns] for row in rows]
    left_out = left_out_text(len(rows), len(part.rows), part.noun)
    html_table = table([column.head for column in part.columns], cells, left_out)
    return above + html_table + "".join(paragraph(note, note=True) for note in part.notes)


def _visible_rows(part: Table) -> list[Mapping[str, Any]]:
    """The rows that are always shown, and the first others, at least one, until `MOST_ROWS`."""
    names = [column for column in part.columns if column.kind == "name"]
    always = [any(column.cell(row) in part.always_shown for column in names) for row in part.rows]
    others = [i for i, is_always_shown in enumerate(always) if not is_always_shown]
    left_out = {*others[max(MOST_ROWS - sum(always), 1) :]}
    return [row for i, row in enumerate(part.rows) if i not in left_out]


def _cell(column: Column, row: Mapping[str, Any]) -> str:
    text = column.cell(row)
    if column.kind == "name":
        return name_cell(text)
    drawing = column.row_drawing(row)
    return text_cell(
        text, "" if drawing is None else draw_svg(drawing), tooltip=column.reason_text(row)
    )


@singledispatch
def draw_svg(drawing: Drawing) -> str:
    """SVG element of a drawing; "" if there is nothing to draw."""
    raise NotImplementedError


@draw_svg.register
def _(drawing: Bar) -> str:
    value, low, high = drawing
    if math.isnan(value) or not high > low:
        return ""
    end, zero = (_pixel(x, low, high, _BAR_WIDTH) for x in (value, 0.0))
    background = (
        f'<rect width="{_BAR_WIDTH}" height="{_BAR_HEIGHT}" fill="currentColor" opacity=".12"/>'
    )
    start, length = min(end, zero), abs(end - zero)
    color = _BAD if value < 0.0 else _OPEN  # a negative skill is bad, others are neutral
    bar = (
        f'<rect x="{start:.1f}" width="{length:.1f}" height="{_BAR_HEIGHT}" fill="{color}" '
        'opacity=".6"/>'
    )
    axis = _axis(zero, _BAR_HEIGHT) if low < 0.0 else ""
    return _svg(_BAR_WIDTH, _BAR_HEIGHT, background + bar + axis)


@draw_svg.register
def _(drawing: DotInterval) -> str:
    value, ends, low, high, rope = drawing
    if math.isnan(value) or not high > low:
        return ""
    middle = _INTERVAL_HEIGHT / 2
    first, last = (_pixel(x, low, high, _WIDTH) for x in (-rope, rope))
    elements = (
        f'<rect x="{first:.1f}" width="{last - first:.1f}" height="{_INTERVAL_HEIGHT}" '
        'fill="currentColor" opacity=".15"/>'
        if rope
        else ""
    )
    elements += _axis(_pixel(0.0, low, high, _WIDTH), _INTERVAL_HEIGHT)
    color = _OPEN
    if not math.isnan(ends[0]):
        color = _GOOD if ends[0] > 0.0 else _BAD if ends[1] < 0.0 else _OPEN
        left, right = (_pixel(end, low, high, _WIDTH) for end in ends)
        elements += (
            f'<path d="M{left:.1f} {middle}H{right:.1f}" stroke="{color}" stroke-width="2" '
            'opacity=".7"/>'
        )
    center = _pixel(value, low, high, _WIDTH)
    elements += f'<circle cx="{center:.1f}" cy="{middle}" r="2.8" fill="{color}"/>'
    return _svg(_WIDTH, _INTERVAL_HEIGHT, elements)


@draw_svg.register
def _(drawing: Line) -> str:
    values, low, high = drawing
    if all(map(math.isnan, values)):
        return ""
    scale_length = (high - low) or 1.0  # for a constant line

    def height(value: float) -> float:  # a pixel is left free above and below
        return _LINE_HEIGHT - 1 - (value - low) / scale_length * (_LINE_HEIGHT - 2)

    step = _WIDTH / max(len(values) - 1, 1)
    path, is_line_begun = "", False
    for i, value in enumerate(values):
        if math.isnan(value):
            is_line_begun = False
            continue
        path += f"{'L' if is_line_begun else 'M'}{i * step:.1f} {height(value):.1f}"
        path += "" if is_line_begun else "h.1"  # makes a single point between gaps visible
        is_line_begun = True
    elements = f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.2"/>'
    if low <= 0.0 <= high:
        elements = f'<path d="M0 {height(0.0):.1f}H{_WIDTH}" stroke="{_LINE_COLOR}"/>{elements}'
    return _svg(_WIDTH, _LINE_HEIGHT, elements)


def _pixel(value: float, low: float, high: float, width: int) -> float:
    """Position of a value, limited to the scale, on a drawing of some width."""
    return width * (min(max(value, low), high) - low) / (high - low)


def _axis(x: float, height: int) -> str:
    return f'<path d="M{x:.1f} -1V{height + 1}" stroke="currentColor" opacity=".5"/>'


def _svg(width: int, height: int, elements: str) -> str:
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'aria-hidden="true">{elements}</svg>'
    )
