"""A table as a self-contained web page that can be sorted and filtered.

Rows whose verdict is "not run" are folded away; without JavaScript all rows are shown.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import NamedTuple

from streameval.measures.registry import symbol_parts
from streameval.view.blocks import Mark, Table

#: The style of each page with a table, that of one whose rows are cards on a narrow screen, and the
#: script of both: the first window holds the title, a short lead, the controls and as many rows as
#: fit.
_STYLE, _CARDS, _SCRIPT = (
    "\n" + Path(__file__).with_name(name).read_text(encoding="utf-8")
    for name in ("table_page.css", "table_cards.css", "table_page.js")
)
_NOT_RUN = "not run"
#: The mark of a verdict without meaning, in brackets.
GIVEN = "by construction"
#: The tone of a verdict, by the longest words here that it begins with; the most important first.
TONES = {
    "claim does not hold": "bad",
    "contradicted": "bad",
    "differs": "bad",
    "claim holds in part": "part",
    "differs, at a lower scale": "open",
    "claim undecided": "open",
    "within sampling error, at a lower scale": "part",
    "within sampling error": "good",
    "claim holds": "good",
    "as stated": "good",
    "reproduced": "good",
    _NOT_RUN: "none",
}
#: The meaning of any other verdict.
OPEN = "open"
#: Signs beside the words, for those who see no colours.
SIGNS = {"good": "✓", "part": "◐", "bad": "✗", "none": "–", OPEN: "?"}
_VERDICT = "verdict"
_DIGITS = re.compile(r"(\d+)")
_NUMBER = re.compile(r"[−-]?(\d[\d,]*(\.\d+)?(e[−+-]?\d+)?|∞)")
#: A longer page has the first rows only, and names the file with all.
MOST_BYTES = 1_500_000
#: A text column becomes a choice if it has no more values than this, each often enough.
_MOST_CHOICES, _TIMES = 24, 3
#: Letters of a cell that fit into one line; from which on it is broken into lines; and from which
#: on only its first lines are seen before a click.
_SHORT, _LONG, _FOLDED = 24, 60, 180


def table_page(
    content: Table,
    caption: str,
    *,
    lead: str = "",
    csv: str = "",
    name: str = "table",
    cards: bool = False,
    unions: Mapping[str, Collection[str]] | None = None,
    anchors: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """Web page of a table; above `MOST_BYTES` it has the first rows and a note.

    Text after a line break is small print; an empty first cell is filled with the one above.
    `cards` are for tables of sentences on narrow screens; `csv` is for downloading, under `name`.
    `unions` are names for several verdicts, offered beside these. Addresses may end in one of the
    `anchors`: the page then shows only the rows with its texts, by the headers of their columns.
    Without JavaScript it leads to the first of these rows; an anchor without rows is left out.
    """
    headers, *table = content.cells
    align, notes = content.sides, content.notes
    unions, anchors = unions or {}, anchors or {}
    verdicts = [_is_verdict(header) for header in headers]
    columns = [[row[i] for row in table] for i in range(len(headers))]
    anchored = {header for texts in anchors.values() for header in texts}
    choices = [
        i
        for i, column in enumerate(columns)
        if verdicts[i] or headers[i] in anchored or _offers(column, align[i])
    ]
    controls = _Controls(choices, _spots(headers, columns, unions, anchors))
    bar = '<label>Filter <input id="filter" type="search"></label>'
    for i in choices:
        options = dict.fromkeys(_filled(columns[i]))
        texts = list(options) if verdicts[i] else sorted(options, key=_natural)
        bar += _select(headers[i], i, texts, unions if verdicts[i] else {})
    bar += '<button id="fold" type="button" hidden></button><output aria-live="polite"></output>'
    if csv:
        data = base64.b64encode(csv.encode()).decode()
        link = f'href="data:text/csv;charset=utf-8;base64,{data}"'
        bar += f'<a {link} download="{escape(name)}.csv">Download CSV</a>'
    if notes:
        bar += '<a href="#notes">Notes</a>'
    below = "".join(f'<p class="notes">{escape(note)}</p>' for note in notes)
    below = below and f'<section id="notes"><h2>Notes</h2>{below}</section>'
    title = escape(caption.rstrip("."))
    led = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    style = _STYLE + _cards_style(headers, align) * cards
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style><noscript><style>.bar > :not(a) {{ display: none }}</style>"
        f"</noscript></head>\n<body><main><h1>{title}</h1>{led}"
        f'<div class="bar">{bar}</div>\n'
        f'<div class="wide" role="region" aria-label="{title}" tabindex="0">'
        f"{_element(content, caption, controls, cards=cards)}"
        f"</div>{below}</main>\n<script>{_SCRIPT}</script></body></html>\n"
    )
    size = len(page.encode())
    if size <= MOST_BYTES:
        return page
    most = int(0.9 * len(table) * MOST_BYTES / size)
    lead += f" These are the first {most:,} of {len(table):,} rows; {name}.csv has all of them."
    first = replace(content, rows=content.rows[:most])
    return table_page(
        first,
        caption,
        lead=lead.strip(),
        name=name,
        cards=cards,
        unions=unions,
        anchors=anchors,
    )


def table_element(table: Table, caption: str) -> str:
    """HTML element of a table, without controls for sorting and filtering."""
    return _element(table, caption)


class _Controls(NamedTuple):
    """Controls for sorting and filtering: columns that offer choices, and anchors of rows."""

    choices: Collection[int]
    spots: Sequence[str]


def _element(
    table: Table, caption: str, controls: _Controls | None = None, *, cards: bool = False
) -> str:
    headers, *rows = table.cells
    sides, fits = table.sides, _LONG if cards else _FOLDED
    choices, spots = controls or _Controls((), [""] * len(rows))
    above, body = "", []
    for spot, row, marks in zip(spots, rows, table.marks, strict=True):
        above, cells, is_folded = row[0] or above, [], False
        each = zip(headers, sides, row, marks, strict=True)
        for i, (header, side, text, mark) in enumerate(each):
            name, anchors = (above, spot) if i == 0 else ("", "")
            data = _pick(text or name, i in choices)
            if _is_verdict(header):
                is_folded |= text.startswith(_NOT_RUN)
                cells.append(_verdict(text, data))
            else:
                data += _number(text or name, side) if controls else ""
                cells.append(_cell(text, side, data, name, fits, anchors, mark))
        body.append(f"<tr{' data-folded' * is_folded}>{''.join(cells)}</tr>")
    heads = "".join(
        f'<th scope="col"{_class(side)}>{_symbol(header)}</th>'
        if controls is None
        else f'<th scope="col" aria-sort="none"{_class(side)}><button type="button">'
        f"{_symbol(header)}</button></th>"
        for header, side in zip(headers, sides, strict=True)
    )
    lines = "\n".join(body)
    return (
        f"<table{_class('cards' * cards or 'l')}><caption>{escape(caption.rstrip('.'))}</caption>"
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>"
    )


def _is_verdict(header: str) -> bool:
    return header.lower() == _VERDICT


def rank(verdict: str) -> int:
    """Rank of a verdict: disagreement first, *not run* last.

    Agreement by construction is just before *not run*, and an unknown verdict is first.
    """
    word, order = _word(verdict), list(TONES)
    if word == _NOT_RUN:
        return len(order)
    if f"({GIVEN})" in verdict:
        return len(order) - 1
    return order.index(word) if word else -1


def _offers(column: Sequence[str], side: str) -> bool:
    """Whether a column offers choices of rows: few distinct texts, each frequent."""
    texts = _filled(column)
    values = set(texts)
    small = 1 < len(values) <= _MOST_CHOICES and len(values) * _TIMES <= len(texts)
    return side == "l" and small and "" not in values and not any("\n" in value for value in values)


def _natural(text: str) -> list[tuple[int, str]]:
    """Sort key that puts Table 2 before Table 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in _DIGITS.split(text)]


def _filled(column: Sequence[str]) -> list[str]:
    filled: list[str] = []
    for text in column:
        filled.append(text or (filled[-1] if filled else ""))
    return filled


def tone(verdict: str) -> str:
    """Tone of a verdict."""
    if f"({GIVEN})" in verdict:
        return TONES[_NOT_RUN]
    return TONES.get(_word(verdict), OPEN)


def _word(verdict: str) -> str:
    return max((word for word in TONES if verdict.startswith(word)), key=len, default="")


def _verdict(text: str, data: str) -> str:
    of = tone(text)
    badge = f'<span class="badge {of}"><span aria-hidden="true">{SIGNS[of]}</span> '
    return f"<td{data}>{badge}{escape(text)}</span></td>"


def _spots(
    headers: Sequence[str],
    columns: Sequence[Sequence[str]],
    unions: Mapping[str, Collection[str]],
    anchors: Mapping[str, Mapping[str, str]],
) -> list[str]:
    """Anchors of each row; an anchor is in the first row that has its texts."""
    spots = [""] * len(columns[0] if columns else ())
    filled = [_filled(column) for column in columns]
    for anchor, texts in anchors.items():
        by_column = {headers.index(header): text for header, text in texts.items()}
        rows = [
            row
            for row in range(len(spots))
            if all(filled[i][row] in unions.get(text, [text]) for i, text in by_column.items())
        ]
        if rows:
            picks = escape(json.dumps(by_column, ensure_ascii=False))
            spots[rows[0]] += f'<span id="{escape(anchor)}" data-picks="{picks}"></span>'
    return spots


def _cell(
    text: str, side: str, data: str, above: str, fits: int, spots: str, mark: Mark = ""
) -> str:
    """HTML cell; `above` is the text for an empty first cell, `spots` are its anchors."""
    content = text or above
    main, _, detail = content.partition("\n")
    size = "short" if len(content) <= _SHORT else "long" if len(content) > _LONG else "l"
    kinds = [side, size, "again" if content != text else "l"]
    tag = 'th scope="row"' if above else "td"
    inner = _folded(main, detail, fits)
    if mark:
        inner = f"<b>{inner}</b>" if mark == "best" else f"<u>{inner}</u>"
    return f"<{tag}{_class(*kinds)}{data}>{spots}{inner}</{tag[:2]}>"


def _number(text: str, side: str) -> str:
    """HTML attribute with the number of a cell, the sort key of its row."""
    number = _NUMBER.match(text.partition("\n")[0].lstrip("[≤≥<>=± "))
    if side != "r" or number is None:
        return ""
    plain = number[0].replace("−", "-").replace(",", "").replace("∞", "Infinity")
    return f' data-n="{plain}"'


def _folded(text: str, detail: str, fits: int) -> str:
    """HTML of a text and its small print; long small print is folded after its first lines."""
    small = f"<small>{escape(detail)}</small>" if detail else ""
    if len(text) + len(detail) <= fits:
        return escape(text) + small
    return f"<details><summary>{escape(text)}</summary>{small}</details>"


def _pick(text: str, picked: bool) -> str:
    return f' data-pick="{escape(text)}"' if picked else ""


def _class(*kinds: str) -> str:
    named = [kind for kind in kinds if kind != "l"]
    return f' class="{" ".join(named)}"' if named else ""


def _select(
    header: str, column: int, texts: Sequence[str], unions: Mapping[str, Collection[str]]
) -> str:
    options = "".join(
        f'<option data-any="{escape(json.dumps([*members], ensure_ascii=False))}">'
        f"{escape(union)}</option>"
        for union, members in unions.items()
    )
    options += "".join(f"<option>{escape(text)}</option>" for text in texts)
    all_of_them = '<option value="">all</option>'
    return (
        f'<label>{escape(header)} <select data-column="{column}">{all_of_them}{options}'
        "</select></label>"
    )


def _symbol(header: str) -> str:
    """HTML header; a symbol like κ_t gets its subscript."""
    parts = symbol_parts(header)
    return "{}<sub>{}</sub>".format(*map(escape, parts)) if parts else escape(header)


def _cards_style(headers: Sequence[str], align: str) -> str:
    """Style that shows rows as cards on a narrow screen, numbers with their headers."""
    names = "".join(
        f"  .cards tbody tr > :nth-child({i})::before {{ content: {_css_text(header)} }}\n"
        for i, (header, side) in enumerate(zip(headers, align, strict=True), start=1)
        if side == "r"
    )
    return _CARDS.replace("/* headers */\n", names)


def _css_text(text: str) -> str:
    """CSS string of a text, with all special characters escaped."""
    return '"' + "".join(sign if sign.isalnum() else f"\\{ord(sign):06x}" for sign in text) + '"'
