"""A table as a web page of its own: readable, sortable, filterable, without anything from outside.

The page opens from a disk and inside Snakemake's report. Rows whose verdict is "not run" are
folded away; without JavaScript all rows are shown.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from html import escape

import pandas as pd

from streameval.report.names import symbol_parts

_NOT_RUN = "not run"
#: What a verdict that has such a mark, in brackets, means: nothing.
GIVEN = "by construction"
#: What a verdict means, by the words that it begins with; the first that fits counts.
TONES = {
    _NOT_RUN: "none",
    "reproduced": "good",
    "claim holds in part": "part",
    "claim holds": "good",
    "as stated": "good",
    "within sampling error, at a lower scale": "part",
    "within sampling error": "good",
    "differs, at a lower scale": "open",
    "differs": "bad",
    "claim does not hold": "bad",
    "contradicted": "bad",
}
#: The meaning of any other verdict, such as "claim undecided".
OPEN = "open"
#: Signs beside the words, for those who see no colours.
_SIGNS = {"good": "✓", "part": "◐", "bad": "✗", "none": "–", OPEN: "?"}
_VERDICT = "verdict"
_NUMBER = re.compile(r"[−-]?(\d[\d,]*(\.\d+)?(e[−+-]?\d+)?|∞)")
#: Browsers leave a frame empty whose address is longer than 2 MiB, and Snakemake's report has pages
#: as addresses, in base 64: 4 letters for 3 bytes.
MOST_BYTES = 1_500_000
#: A text column becomes a choice if it has no more values than this, each often enough.
_MOST_CHOICES, _TIMES = 24, 3
#: Letters of a cell that fit into one line; from which on it is broken into lines; and of which
#: no more are seen before a click.
_SHORT, _LONG, _SEEN = 24, 60, 64

_STYLE = """
:root { color-scheme: light; font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; color: #1c2430 }
body { margin: 0; background: #fff }
main { padding: 1.25rem 1.5rem }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .5rem; max-width: 60rem }
.lead { max-width: 60rem; margin: .25rem 0 }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .7rem 0 }
.bar, .notes { font-size: .87rem } label { color: #4a5568 }
input, select, .bar button { font: inherit; color: inherit; background: #fff; padding: .2rem .5rem;
  border: 1px solid #b6bfcc; border-radius: .3rem } .bar button { cursor: pointer }
input { width: 15rem } select { max-width: 11rem } output { color: #4a5568; margin-left: auto }
:focus-visible { outline: 2px solid #0072b2; outline-offset: 1px }
.wide { overflow: auto; max-height: calc(100vh - 6rem); border: solid #1c2430; border-width: 2px 0 }
table { border-collapse: collapse; width: 100%; font-size: .87rem }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
th, td { padding: .32rem .55rem; text-align: left; vertical-align: top; font-weight: normal }
thead th { position: sticky; top: 0; background: #fff; box-shadow: 0 1px #1c2430; padding: 0 }
thead button { font: inherit; font-weight: 600; width: 100%; padding: .45rem .55rem; border: 0;
  background: none; color: inherit; text-align: inherit; cursor: pointer; white-space: nowrap }
thead button { text-decoration: underline dotted #8a94a3; text-underline-offset: .25em }
thead button:hover { background: #eef2f7 }
[aria-sort=ascending] button::after { content: " ↑" }
[aria-sort=descending] button::after { content: " ↓" }
tbody tr + tr > * { border-top: 1px solid #e6eaf0 } tbody tr:hover > * { background: #f5f8fb }
.r { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.short { white-space: nowrap } td.long { min-width: 13.5rem; max-width: 38rem }
.again { color: #8a94a3 } summary { cursor: pointer } details[open] .more { display: none }
small { display: block; color: #5b6675; font-size: .92em }
.badge { display: inline-block; min-width: 8.5rem; max-width: 12.5rem; padding: 0 .5em;
  border: 1px solid; border-radius: .3rem; line-height: 1.35 }
.good { background: #e4eff8; color: #0b4f85 } .bad { background: #fdebdd; color: #8f3d00 }
.part { background: #fbf5d6; color: #6b5500 } .open { background: #f3e8f1; color: #7a2f68 }
.none { background: #f2f3f5; color: #5b6675 }
.folding [data-folded], [hidden] { display: none !important }
.notes { color: #4a5568; max-width: 60rem; margin: .5rem 0 0 }
@media (max-width: 40rem) {
  main { padding: .75rem } h1 { font-size: 1.15rem } .bar { gap: .3rem .6rem; margin: .4rem 0 }
  input { width: 8rem } select { max-width: 8rem }
  table:not(.cards) :is(tbody th, thead th:first-child) { position: sticky; left: 0; z-index: 1;
    background: #fff; max-width: 40vw; white-space: normal }
  .wide:has(.cards) { max-height: none }
  .cards, .cards :is(thead, tbody, tr, td, th) { display: block }
  .cards thead tr { display: flex; overflow-x: auto } .cards tbody tr { padding: .45rem 0 }
  .cards tbody tr > * { border: 0; padding: .08rem 0 }
  .cards tbody tr + tr { border-top: 1px solid #b6bfcc }
  .cards tbody .r { display: inline-block; margin-right: 1rem }
  .cards :is(td, th) { min-width: 0; white-space: normal; overflow-wrap: anywhere }
  .cards tbody tr > *::before { color: #5b6675; margin-right: .45em }
}
@media print { .bar { display: none } .wide { overflow: visible; max-height: none } }
"""
_SCRIPT = """
const one = key => document.querySelector(key), all = key => [...document.querySelectorAll(key)];
const body = one("tbody"), rows = [...body.rows], text = one("#filter"), picks = all("select");
const fold = one("#fold"), count = one("output"), heads = all("thead th");
const plain = words => words.toLowerCase().replaceAll("−", "-").trim();
const content = new Map(rows.map(row =>
  [row, plain([...row.cells].map(cell => cell.textContent).join("\\t"))]));
let open = false;
function show() {
  const words = plain(text.value).split(/\\s+/), asked = picks.filter(pick => pick.value);
  const unfolded = open || asked.some(pick => pick.value.startsWith("not run"));
  let seen = 0, away = 0;
  for (const row of rows) {
    const fits = words.every(word => content.get(row).includes(word))
      && asked.every(pick => row.cells[pick.dataset.column].dataset.pick === pick.value);
    const folded = "folded" in row.dataset;
    row.hidden = !fits;
    if (fits && folded) away += 1;
    if (fits && (unfolded || !folded)) seen += 1;
  }
  one("table").classList.toggle("folding", !unfolded);
  count.value = `${seen} of ${rows.length} rows`;
  fold.hidden = !rows.some(row => "folded" in row.dataset);
  fold.setAttribute("aria-expanded", open);
  fold.textContent = open ? "Fold what was not run" : `Show what was not run (${away})`;
}
function value(row, column, numeric) {
  const cell = row.cells[column];
  return numeric ? parseFloat(cell.dataset.n ?? "NaN") : cell.textContent.trim();
}
function sort(column) {
  const head = heads[column], numeric = head.classList.contains("r");
  const next = { none: "ascending", ascending: "descending", descending: "none" };
  const order = next[head.getAttribute("aria-sort")];
  const missing = key => numeric ? Number.isNaN(key) : key === "";
  for (const other of heads) other.setAttribute("aria-sort", other === head ? order : "none");
  const sign = order === "descending" ? -1 : 1;
  const sorted = order === "none" ? rows : [...rows].sort((one, two) => {
    const [a, b] = [value(one, column, numeric), value(two, column, numeric)];
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    if (numeric) return a === b ? 0 : sign * (a < b ? -1 : 1);
    return sign * a.localeCompare(b, "en", { numeric: true });
  });
  body.append(...sorted);
}
heads.forEach((head, column) => head.firstChild.addEventListener("click", () => sort(column)));
text.addEventListener("input", show);
for (const pick of picks) pick.addEventListener("change", show);
fold.addEventListener("click", () => { open = !open; show(); });
show();
"""


def html_table(
    cells: pd.DataFrame,
    align: str,
    caption: str,
    *,
    lead: str = "",
    notes: Sequence[str] = (),
    csv: str = "",
    name: str = "table",
) -> str:
    """Return a table as a web page; one above `MOST_BYTES` has its first rows only, and says so.

    Parameters
    ----------
    cells : pandas.DataFrame
        Texts only; the column names are the headers. What stands behind a line break is small
        print. An empty cell of the first column is filled with the one above.
    align : str
        ``l`` or ``r`` for each column; those flush right are sorted as numbers.
    caption : str
        The title.
    lead : str
        A sentence above the table.
    notes : sequence of str
        Paragraphs below it.
    csv : str
        The same table for programs, for downloading.
    name : str
        What the downloaded file is called, without ending.
    """
    headers = [str(header) for header in cells.columns]
    verdicts = [header.lower() == _VERDICT for header in headers]
    table = [[str(cell) for cell in row] for row in cells.to_numpy().tolist()]
    columns = [[row[i] for row in table] for i in range(len(headers))]
    choices = [i for i, column in enumerate(columns) if verdicts[i] or _offers(column, align[i])]
    first, body = "", []
    for row in table:
        first = row[0] or first
        shown = [
            _verdict(text, i in choices)
            if verdicts[i]
            else _cell(text, align[i], i in choices, first if i == 0 else "")
            for i, text in enumerate(row)
        ]
        folded = any(verdicts[i] and text.startswith(_NOT_RUN) for i, text in enumerate(row))
        body.append(f"<tr{' data-folded' if folded else ''}>{''.join(shown)}</tr>")
    bar = '<label>Filter <input id="filter" type="search"></label>'
    bar += "".join(_select(headers[i], i, _filled(columns[i])) for i in choices)
    bar += '<button id="fold" type="button" hidden></button><output aria-live="polite"></output>'
    if csv:
        data = base64.b64encode(csv.encode()).decode()
        link = f'href="data:text/csv;charset=utf-8;base64,{data}"'
        bar += f'<a {link} download="{escape(name)}.csv">Download CSV</a>'
    heads = "".join(
        f'<th scope="col" aria-sort="none"{_class(side)}><button type="button">{_symbol(header)}'
        "</button></th>"
        for header, side in zip(headers, align, strict=True)
    )
    title, rows = escape(caption.rstrip(".")), "\n".join(body)
    below = "".join(f'<p class="notes">{escape(note)}</p>' for note in notes)
    above = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    # On a narrow screen a table with long texts is one card below the other, with named cells.
    has_cards = any(len(text) > _LONG for row in table for text in row)
    names = "".join(
        f".cards tbody tr > :nth-child({i}):not(:empty)::before {{ content: {_css_text(header)} }}"
        for i, header in enumerate(headers, 1)
    )
    narrow = f"@media (max-width: 40rem) {{ {names} }}" if has_cards else ""
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}{narrow}</style>"
        "<noscript><style>.bar > :not(a) { display: none }</style></noscript></head>"
        f"\n<body><main><h1>{title}</h1>{above}"
        f'<div class="bar">{bar}</div>\n'
        f'<div class="wide" role="region" aria-label="{title}" tabindex="0">'
        f"<table{_class('cards' if has_cards else 'l')}>"
        f"<caption>{title}</caption><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>"
        f"</table></div>{below}</main>\n<script>{_SCRIPT}</script></body></html>\n"
    )
    size = len(page.encode())
    if size <= MOST_BYTES:
        return page
    most = int(0.9 * len(cells) * MOST_BYTES / size)
    lead += f" These are the first {most:,} of {len(cells):,} rows; {name}.csv has all of them."
    return html_table(cells.head(most), align, caption, lead=lead.strip(), notes=notes, name=name)


def _offers(column: Sequence[str], side: str) -> bool:
    """Return whether a column is one to choose rows by: few texts, each often."""
    texts = _filled(column)
    values = set(texts)
    small = 1 < len(values) <= _MOST_CHOICES and len(values) * _TIMES <= len(texts)
    return side == "l" and small and "" not in values and not any("\n" in one for one in values)


def _filled(column: Sequence[str]) -> list[str]:
    filled: list[str] = []
    for text in column:
        filled.append(text or (filled[-1] if filled else ""))
    return filled


def _tone(verdict: str) -> str:
    if f"({GIVEN})" in verdict:
        return TONES[_NOT_RUN]
    return next((tone for word, tone in TONES.items() if verdict.startswith(word)), OPEN)


def _verdict(text: str, picked: bool) -> str:
    tone = _tone(text)
    badge = f'<span class="badge {tone}"><span aria-hidden="true">{_SIGNS[tone]}</span> '
    return f"<td{_pick(text, picked)}>{badge}{escape(text)}</span></td>"


def _cell(text: str, side: str, picked: bool, above: str) -> str:
    """Return a cell; `above` is the text that stands in a first cell that is empty."""
    shown = text or above
    main, _, detail = shown.partition("\n")
    size = "short" if len(shown) <= _SHORT else "long" if len(shown) > _LONG else "l"
    kinds = [side, size, "again" if shown != text else "l"]
    number = _NUMBER.match(main.lstrip("[≤≥<>=± "))
    data = _pick(shown, picked)
    if side == "r" and number:
        plain = number[0].replace("−", "-").replace(",", "").replace("∞", "Infinity")
        data += f' data-n="{plain}"'
    small = f"<small>{escape(detail)}</small>" if detail else ""
    tag = 'th scope="row"' if above else "td"
    return f"<{tag}{_class(*kinds)}{data}>{_folded(main)}{small}</{tag[:2]}>"


def _folded(text: str) -> str:
    """Return a text of which only the beginning is seen, if it is very long."""
    if len(text) <= _SEEN + _LONG:
        return escape(text)
    start = text[:_SEEN].rpartition(" ")[0]
    more = '<span class="more"> …</span>'
    return (
        f"<details><summary>{escape(start)}{more}</summary>{escape(text[len(start) :])}</details>"
    )


def _pick(text: str, picked: bool) -> str:
    return f' data-pick="{escape(text)}"' if picked else ""


def _class(*kinds: str) -> str:
    named = [kind for kind in kinds if kind != "l"]
    return f' class="{" ".join(named)}"' if named else ""


def _select(header: str, column: int, texts: Sequence[str]) -> str:
    options = "".join(f"<option>{escape(text)}</option>" for text in dict.fromkeys(texts))
    all_of_them = '<option value="">all</option>'
    return (
        f'<label>{escape(header)} <select data-column="{column}">{all_of_them}{options}'
        "</select></label>"
    )


def _css_text(text: str) -> str:
    """Return a text as one of a style sheet; none of its letters ends anything."""
    return '"' + "".join(sign if sign.isalnum() else f"\\{ord(sign):06x}" for sign in text) + '"'


def _symbol(header: str) -> str:
    """Return a header; a symbol like κ_t gets its subscript."""
    parts = symbol_parts(header)
    return "{}<sub>{}</sub>".format(*map(escape, parts)) if parts else escape(header)
