"""A table as a self-contained web page that can be sorted and filtered.

Rows whose verdict is "not run" are hidden until a click; without JavaScript all rows are shown.
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
from streameval.view.parts import Mark, Table


def _read(name: str) -> str:
    return "\n" + Path(__file__).with_name(name).read_text(encoding="utf-8")


#: The style of each page with a table.
_STYLE = _read("table_page.css")
#: The further style of a page whose rows become cards on a narrow screen.
_CARDS = _read("table_cards.css")
#: The script for sorting, filtering, and hiding rows with the verdict "not run".
_SCRIPT = _read("table_page.js")
_NOT_RUN = "not run"
#: Text in brackets after a verdict that follows from the construction of the comparison.
BY_CONSTRUCTION_TEXT = "by construction"
#: The tone of a verdict, by the longest of these keys with which the verdict begins. The order is
#: that of `rank`: the most important verdict is first.
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
#: The tone of any other verdict.
OPEN = "open"
#: Signs of tones, for readers who do not see the colours.
SIGNS = {"good": "✓", "part": "◐", "bad": "✗", "none": "–", OPEN: "?"}
#: The heading of a column of verdicts, in lower case.
_VERDICT = "verdict"
_DIGITS = re.compile(r"(\d+)")
#: A number at the start of a cell.
_NUMBER = re.compile(r"[−-]?(\d[\d,]*(\.\d+)?(e[−+-]?\d+)?|∞)")
#: Largest size of a page; a longer one has only the first rows and names the file with all.
MOST_BYTES = 1_500_000
#: A text column can be filtered by its values if it has at most `_MOST_CHOICES` distinct values
#: and on average at least `_LEAST_REPEATS` rows for each.
_MOST_CHOICES, _LEAST_REPEATS = 24, 3
#: Up to this number of letters a cell stays on one line.
_SHORT_LENGTH = 24
#: Above this number of letters a cell is broken into lines.
_LONG_LENGTH = 60
#: Above this number of letters only the first lines of a cell are visible before a click, or above
#: `_LONG_LENGTH` in a page of cards, which is for narrow screens.
_MAX_UNFOLDED = 180


def table_page(
    table: Table,
    caption: str,
    *,
    lead: str = "",
    csv: str = "",
    name: str = "table",
    cards: bool = False,
    verdict_groups: Mapping[str, Collection[str]] | None = None,
    anchors: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """Web page of a table; above `MOST_BYTES` it has only the first rows and a note.

    In a cell, text after a line break is small print. An empty first cell, or an empty cell of a
    column with a filter, stands for the cell above.

    Parameters
    ----------
    table : Table
        The table.
    caption : str
        Title of the page.
    lead : str
        A sentence below the title.
    csv : str
        Data for downloading; without it the page has no link.
    name : str
        Name of the downloaded file, without its ending.
    cards : bool
        Whether rows become cards on narrow screens, for tables of sentences.
    verdict_groups : mapping of str to collection of str
        Verdicts by the name of their group. The filter of verdicts also offers these groups.
    anchors : mapping of str to mapping
        For each anchor at the end of the page's address, texts by column heading. The page at this
        address shows only the rows with these texts; without JavaScript it scrolls to the first of
        them. An anchor without such rows is left out.
    """
    headers, *rows = table.cells
    sides, notes = table.alignment, table.notes
    verdict_groups, anchors = verdict_groups or {}, anchors or {}
    is_verdict = [_is_verdict(header) for header in headers]
    columns = [[row[i] for row in rows] for i in range(len(headers))]
    headers_of_anchors = {header for texts in anchors.values() for header in texts}
    filter_columns = [
        i
        for i, column in enumerate(columns)
        if is_verdict[i] or headers[i] in headers_of_anchors or _is_filterable(column, sides[i])
    ]
    controls = _Controls(
        filter_columns, _anchor_elements(headers, columns, verdict_groups, anchors)
    )
    bar = '<label>Filter <input id="filter" type="search"></label>'
    for i in filter_columns:
        options = dict.fromkeys(_filled(columns[i]))
        texts = list(options) if is_verdict[i] else sorted(options, key=_natural_order)
        bar += _select(headers[i], i, texts, verdict_groups if is_verdict[i] else {})
    bar += '<button id="fold" type="button" hidden></button><output aria-live="polite"></output>'
    if csv:
        data = base64.b64encode(csv.encode()).decode()
        link = f'href="data:text/csv;charset=utf-8;base64,{data}"'
        bar += f'<a {link} download="{escape(name)}.csv">Download CSV</a>'
    if notes:
        bar += '<a href="#notes">Notes</a>'
    paragraphs = "".join(f'<p class="notes">{escape(note)}</p>' for note in notes)
    footer = f'<section id="notes"><h2>Notes</h2>{paragraphs}</section>' if notes else ""
    title = escape(caption.rstrip("."))
    lead_paragraph = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    style = _STYLE + _cards_style(headers, sides) * cards
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style><noscript><style>.bar > :not(a) {{ display: none }}</style>"
        f"</noscript></head>\n<body><main><h1>{title}</h1>{lead_paragraph}"
        f'<div class="bar">{bar}</div>\n'
        f'<div class="wide" role="region" aria-label="{title}" tabindex="0">'
        f"{_element(table, caption, controls, cards=cards)}"
        f"</div>{footer}</main>\n<script>{_SCRIPT}</script></body></html>\n"
    )
    size = len(page.encode())
    if size <= MOST_BYTES:
        return page
    n_rows = int(0.9 * len(rows) * MOST_BYTES / size)  # 10 % less, as rows differ in size
    lead += f" These are the first {n_rows:,} of {len(rows):,} rows; {name}.csv has all of them."
    # Without the data for downloading, which alone may be too long.
    return table_page(
        replace(table, rows=table.rows[:n_rows]),
        caption,
        lead=lead.strip(),
        name=name,
        cards=cards,
        verdict_groups=verdict_groups,
        anchors=anchors,
    )


def table_element(table: Table, caption: str) -> str:
    """HTML element of a table, without controls for sorting and filtering."""
    return _element(table, caption)


class _Controls(NamedTuple):
    """Columns of a table with a filter, and elements with anchors by row."""

    filter_columns: Collection[int]
    anchors: Sequence[str]


def _element(
    table: Table, caption: str, controls: _Controls | None = None, *, cards: bool = False
) -> str:
    headers, *rows = table.cells
    sides, unfolded_length = table.alignment, _LONG_LENGTH if cards else _MAX_UNFOLDED
    filter_columns, anchors_by_row = controls or _Controls((), [""] * len(rows))
    name, body = "", []
    for anchors, row, marks in zip(anchors_by_row, rows, table.marks, strict=True):
        name, cells, is_folded = row[0] or name, [], False
        for i, (header, side, text, mark) in enumerate(
            zip(headers, sides, row, marks, strict=True)
        ):
            row_name = name if i == 0 else ""
            attributes = _filter_attribute(text or row_name) if i in filter_columns else ""
            if _is_verdict(header):
                is_folded |= text.startswith(_NOT_RUN)
                cells.append(_verdict(text, attributes))
            else:
                attributes += _number_attribute(text or row_name, side) if controls else ""
                cell_anchors = anchors if i == 0 else ""
                cells.append(
                    _cell(text, side, attributes, row_name, unfolded_length, cell_anchors, mark)
                )
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
        f"<table{_class('cards' if cards else '')}><caption>{escape(caption.rstrip('.'))}</caption>"
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>"
    )


def _is_verdict(header: str) -> bool:
    return header.lower() == _VERDICT


def rank(verdict: str) -> int:
    """Rank of a verdict: disagreement first, *not run* last.

    Agreement by construction is just before *not run*, and an unknown verdict is first.
    """
    key, order = _tone_key(verdict), list(TONES)
    if key == _NOT_RUN:
        return len(order)
    if f"({BY_CONSTRUCTION_TEXT})" in verdict:
        return len(order) - 1
    return order.index(key) if key else -1


def _is_filterable(column: Sequence[str], side: str) -> bool:
    """Whether a column gets a filter: it has texts of one line, few of them distinct."""
    texts = _filled(column)
    values = set(texts)
    is_small = 1 < len(values) <= _MOST_CHOICES and len(values) * _LEAST_REPEATS <= len(texts)
    is_one_line = not any("\n" in value for value in values)
    return side == "l" and is_small and "" not in values and is_one_line


def _natural_order(text: str) -> list[tuple[int, str]]:
    """Sort key that puts Table 2 before Table 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in _DIGITS.split(text)]


def _filled(column: Sequence[str]) -> list[str]:
    """A column whose empty cells have the text above."""
    filled: list[str] = []
    for text in column:
        filled.append(text or (filled[-1] if filled else ""))
    return filled


def tone(verdict: str) -> str:
    """Tone of a verdict; agreement by construction says nothing, as if the item was not run."""
    if f"({BY_CONSTRUCTION_TEXT})" in verdict:
        return TONES[_NOT_RUN]
    return TONES.get(_tone_key(verdict), OPEN)


def _tone_key(verdict: str) -> str:
    """The longest key of `TONES` that a verdict begins with."""
    return max((key for key in TONES if verdict.startswith(key)), key=len, default="")


def _verdict(text: str, attributes: str) -> str:
    tone_name = tone(text)
    badge = f'<span class="badge {tone_name}"><span aria-hidden="true">{SIGNS[tone_name]}</span> '
    return f"<td{attributes}>{badge}{escape(text)}</span></td>"


def _anchor_elements(
    headers: Sequence[str],
    columns: Sequence[Sequence[str]],
    verdict_groups: Mapping[str, Collection[str]],
    anchors: Mapping[str, Mapping[str, str]],
) -> list[str]:
    """HTML elements with the anchors of each row; an anchor is in the first row with its texts."""
    elements = [""] * len(columns[0] if columns else ())
    filled = [_filled(column) for column in columns]
    for anchor, texts in anchors.items():
        by_column = {headers.index(header): text for header, text in texts.items()}
        rows = [
            row
            for row in range(len(elements))
            if all(
                filled[i][row] in verdict_groups.get(text, [text]) for i, text in by_column.items()
            )
        ]
        if rows:
            choices = escape(json.dumps(by_column, ensure_ascii=False))
            elements[rows[0]] += f'<span id="{escape(anchor)}" data-picks="{choices}"></span>'
    return elements


def _cell(
    text: str,
    side: str,
    attributes: str,
    row_name: str,
    unfolded_length: int,
    anchors: str,
    mark: Mark = "",
) -> str:
    """HTML cell.

    The first cell of a row has a `row_name`, which is shown if its text is empty; other cells have
    "". `attributes` and `anchors` are HTML.
    """
    content = text or row_name
    main, _, detail = content.partition("\n")
    size = (
        "short" if len(content) <= _SHORT_LENGTH else "long" if len(content) > _LONG_LENGTH else ""
    )
    tag = 'th scope="row"' if row_name else "td"
    inner = _folded(main, detail, unfolded_length)
    if mark:
        inner = f"<b>{inner}</b>" if mark == "best" else f"<u>{inner}</u>"
    classes = _class(side, size, "again" if content != text else "")  # again: repeated name
    return f"<{tag}{classes}{attributes}>{anchors}{inner}</{tag[:2]}>"  # th or td


def _number_attribute(text: str, side: str) -> str:
    """HTML attribute with the number of a cell, by which rows are sorted."""
    # "[0.1 to 0.3]" is sorted by its lower end, "≤ 0.1" and "± 0.1" by their number.
    number = _NUMBER.match(text.partition("\n")[0].lstrip("[≤≥<>=± "))
    if side != "r" or number is None:
        return ""
    javascript_number = number[0].replace("−", "-").replace(",", "").replace("∞", "Infinity")
    return f' data-n="{javascript_number}"'


def _folded(text: str, detail: str, unfolded_length: int) -> str:
    """HTML of a text and its small print; a longer text is folded after its first lines."""
    small = f"<small>{escape(detail)}</small>" if detail else ""
    if len(text) + len(detail) <= unfolded_length:
        return escape(text) + small
    return f"<details><summary>{escape(text)}</summary>{small}</details>"


def _filter_attribute(text: str) -> str:
    """HTML attribute with the text by which rows are filtered."""
    return f' data-pick="{escape(text)}"'


def _class(*names: str) -> str:
    """HTML attribute of classes; texts flush left (``l``) are the default and have no class."""
    classes = [name for name in names if name not in ("", "l")]
    return f' class="{" ".join(classes)}"' if classes else ""


def _select(
    header: str, column: int, texts: Sequence[str], verdict_groups: Mapping[str, Collection[str]]
) -> str:
    options = "".join(
        f'<option data-any="{escape(json.dumps([*members], ensure_ascii=False))}">'
        f"{escape(group)}</option>"
        for group, members in verdict_groups.items()
    )
    options += "".join(f"<option>{escape(text)}</option>" for text in texts)
    all_rows = '<option value="">all</option>'
    return (
        f'<label>{escape(header)} <select data-column="{column}">{all_rows}{options}'
        "</select></label>"
    )


def _symbol(header: str) -> str:
    """HTML header; a symbol like κ_t gets its subscript."""
    parts = symbol_parts(header)
    return "{}<sub>{}</sub>".format(*map(escape, parts)) if parts else escape(header)


def _cards_style(headers: Sequence[str], sides: str) -> str:
    """Style that shows rows as cards on a narrow screen, with headings above the numbers."""
    names = "".join(
        f"  .cards tbody tr > :nth-child({i})::before {{ content: {_css_text(header)} }}\n"
        for i, (header, side) in enumerate(zip(headers, sides, strict=True), start=1)
        if side == "r"
    )
    return _CARDS.replace("/* headers */\n", names)


def _css_text(text: str) -> str:
    """CSS string of a text, in which all characters but letters and digits are escaped."""
    return '"' + "".join(sign if sign.isalnum() else f"\\{ord(sign):06x}" for sign in text) + '"'
