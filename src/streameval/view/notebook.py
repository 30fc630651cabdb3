"""Pieces of HTML that notebooks show: tables whose cells have bars, intervals and lines.

Colours are those of the page around them, translucent, and two that stand out on light and on dark
pages. Numbers are texts, which remain where a page leaves out drawings and styles.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape

from streameval.errors import plain
from streameval.view.blocks import Table, View

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
    f"{','.join(f'{_ROOT} {name}' for name in names.split(','))}{{{rules}}}"
    for names, rules in _RULES.items()
)


def html(view: View) -> str:
    """Return the sentences and the tables of a view."""
    limits = [paragraph(view.limits, note=True)] if view.limits else []
    return fragment(*map(paragraph, view.sentences), *map(_table, view.tables), *limits)


def fragment(*parts: str) -> str:
    """Return parts as one element that brings its style along."""
    inside = "".join(parts)
    return f'<div class="streameval"><style>{_STYLE}</style>{inside}</div>'


def paragraph(text: str, *, note: bool = False) -> str:
    """Return a text as a paragraph; a note is small."""
    return f'<p class="note">{escape(text)}</p>' if note else f"<p>{escape(text)}</p>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], more: str = "") -> str:
    """Return a table.

    Parameters
    ----------
    heads : sequence of str
        Texts above the columns; nothing without any.
    rows : iterable of sequence of str
        Cells, as functions of this module return them.
    more : str
        Rows that are left out, in words.
    """
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    rest = paragraph(more, note=True) if more else ""
    shown = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f'<div class="wide"><table>{shown}<tbody>{body}</tbody></table>{rest}</div>'


def name(text: str) -> str:
    """Return the cell with the name of a row."""
    return f"<th>{escape(plain(text, _LETTERS))}</th>"


def cell(text: str, drawing: str = "", *, why: str = "", words: bool = False) -> str:
    """Return a cell with a text, its drawing below, and the reason for the text as a tip."""
    tip = f' title="{escape(why)}"' if why else ""
    kind = ' class="words"' if words else ""
    return f"<td{kind}{tip}>{escape(text)}{drawing}</td>"


def chosen(names: Sequence[str], kept: Sequence[str]) -> list[str]:
    """Return the first names, at most `MOST`, and all of those that are kept."""
    others = [one for one in names if one not in kept]
    left_out = {*others[max(MOST - len(kept), 1) :]}
    return [one for one in names if one not in left_out]


def rest(shown: int, whole: int, what: str) -> str:
    """Return how many of all are not shown, in words; nothing if all are."""
    return f"and {whole - shown:,} more {what}" if whole > shown else ""


def bar(value: float, low: float, high: float) -> str:
    """Return a bar from 0 to a value, on a scale from `low`, at most 0, to `high`."""
    if math.isnan(value) or not high > low:
        return ""
    at, zero = (_place(one, low, high, _WIDTH) for one in (value, 0.0))
    ground = f'<rect width="{_WIDTH}" height="{_BAR}" fill="currentColor" opacity=".12"/>'
    start, length = min(at, zero), abs(at - zero)
    color = _BAD if value < 0.0 else _OPEN
    filled = (
        f'<rect x="{start:.1f}" width="{length:.1f}" height="{_BAR}" fill="{color}" opacity=".6"/>'
    )
    axis = _axis(zero, _BAR) if low < 0.0 else ""
    return _svg(_WIDTH, _BAR, ground + filled + axis)


def interval(
    value: float, ends: tuple[float, float], low: float, high: float, no: float = 0.0
) -> str:
    """Return a dot and its interval, on a scale that holds 0.

    Parameters
    ----------
    value : float
        The dot.
    ends : tuple of float
        Those of the interval, NaN where there is none.
    low, high : float
        Ends of the scale.
    no : float
        Differences up to this are practically none: a grey region.
    """
    if math.isnan(value) or not high > low:
        return ""
    middle = _INTERVAL / 2
    first, last = (_place(one, low, high, _WIDE) for one in (-no, no))
    drawn = (
        f'<rect x="{first:.1f}" width="{last - first:.1f}" height="{_INTERVAL}" '
        'fill="currentColor" opacity=".15"/>'
        if no
        else ""
    )
    drawn += _axis(_place(0.0, low, high, _WIDE), _INTERVAL)
    color = _OPEN
    if not math.isnan(ends[0]):
        color = _GOOD if ends[0] > 0.0 else _BAD if ends[1] < 0.0 else _OPEN
        left, right = (_place(end, low, high, _WIDE) for end in ends)
        drawn += (
            f'<path d="M{left:.1f} {middle}H{right:.1f}" stroke="{color}" stroke-width="2" '
            'opacity=".7"/>'
        )
    at = _place(value, low, high, _WIDE)
    drawn += f'<circle cx="{at:.1f}" cy="{middle}" r="2.8" fill="{color}"/>'
    return _svg(_WIDE, _INTERVAL, drawn)


def line(values: Sequence[float], low: float, high: float) -> str:
    """Return a line through values on a scale; NaN is a gap, and 0 has an axis if within."""
    known = [value for value in values if not math.isnan(value)]
    if not known:
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
    drawn = f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.2"/>'
    if low <= 0.0 <= high:
        y = _LINE - 1 - (0.0 - low) / room * (_LINE - 2)
        drawn = f'<path d="M0 {y:.1f}H{_WIDE}" stroke="{_RULE}"/>{drawn}'
    return _svg(_WIDE, _LINE, drawn)


@contextmanager
def without_advice() -> Iterator[None]:
    """Let modules import tqdm, which in a notebook advises to install widgets and does without."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "IProgress not found")
        yield


def scale(values: Iterable[float]) -> tuple[float, float]:
    """Return the ends of a scale that holds 0 and all values that are known."""
    known = [0.0, *(value for value in values if not math.isnan(value))]
    return min(known), max(known)


def _table(told: Table) -> str:
    heads, *rows = told.cells
    kinds = [name if one.kind == "name" else cell for one in told.columns]
    return table(heads, [[as_(text) for as_, text in zip(kinds, row, strict=True)] for row in rows])


def _place(value: float, low: float, high: float, width: int) -> float:
    return width * (min(max(value, low), high) - low) / (high - low)


def _axis(x: float, height: int) -> str:
    return f'<path d="M{x:.1f} -1V{height + 1}" stroke="currentColor" opacity=".5"/>'


def _svg(width: int, height: int, inside: str) -> str:
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'aria-hidden="true">{inside}</svg>'
    )
