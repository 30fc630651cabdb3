"""The style sheet and the script of every page with a table.

The first window holds the title, a short lead, the controls and as many rows as fit; notes follow
below. On a narrow screen the first column stays while the others scroll sideways, or, in a table of
sentences, every row becomes a card.
"""

from __future__ import annotations

from collections.abc import Sequence

STYLE = """
:root { color-scheme: light; font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; color: #1c2430 }
body { margin: 0; background: #fff; overflow-wrap: anywhere }
main { padding: 1rem 1.5rem }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .3rem; max-width: 60rem }
h2 { font-size: 1rem; margin: 1.2rem 0 0 } #notes { scroll-margin-top: 1rem }
.lead { max-width: 60rem; margin: .25rem 0; padding: 0 }
.bar { display: flex; flex-wrap: wrap; gap: .4rem .9rem; align-items: center; margin: .6rem 0 }
.bar, .notes { font-size: .87rem } label { color: #4a5568 }
input, select, .bar button { font: inherit; color: inherit; background: #fff; padding: .2rem .5rem;
  border: 1px solid #b6bfcc; border-radius: .3rem } .bar button { cursor: pointer }
input { width: 7rem } select { max-width: 9rem } output { color: #4a5568; margin-left: auto }
:focus-visible { outline: 2px solid #0072b2; outline-offset: 1px }
.wide { overflow: auto; border-top: 2px solid #1c2430; border-bottom: 2px solid #1c2430;
  max-height: max(60dvh, calc(100dvh - var(--above, 11rem) - 1rem)) }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: .87rem }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
th, td { padding: .32rem .55rem; text-align: left; vertical-align: top; font-weight: normal;
  overflow-wrap: break-word }
thead th { position: sticky; top: 0; z-index: 1; background: #fff; box-shadow: 0 1px #1c2430;
  padding: 0 }
tr > :first-child { position: sticky; left: 0; background: #fff }
thead tr > :first-child { z-index: 2 }
thead button { font: inherit; font-weight: 600; width: 100%; padding: .45rem .55rem; border: 0;
  background: none; color: inherit; text-align: inherit; cursor: pointer; white-space: nowrap }
thead button { text-decoration: underline dotted #8a94a3; text-underline-offset: .25em }
thead button:hover { background: #eef2f7 }
[aria-sort=ascending] button::after { content: " ↑" }
[aria-sort=descending] button::after { content: " ↓" }
tbody tr + tr > * { border-top: 1px solid #e6eaf0 } tbody tr:hover > * { background: #f5f8fb }
.r { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.short { white-space: nowrap } td.long { min-width: 13.5rem; max-width: 38rem }
.again { color: #8a94a3 } summary { cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
summary:hover { text-decoration: underline dotted }
details:not([open]) > summary { display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: 3; overflow: hidden }
small { display: block; color: #5b6675; font-size: .92em }
.badge { display: inline-block; padding: 0 .5em; border-radius: .3rem; border: 1px solid;
  line-height: 1.35; min-width: max-content }
.good { background: #e4eff8; color: #0b4f85 } .bad { background: #fdebdd; color: #8f3d00 }
.part { background: #fbf5d6; color: #6b5500 } .open { background: #f3e8f1; color: #7a2f68 }
.none { background: #f2f3f5; color: #5b6675 }
.folding [data-folded], [hidden] { display: none }
.notes { color: #4a5568; max-width: 60rem; margin: .5rem 0 0 }
@media (max-height: 32rem) { .wide { max-height: none } }
@media (max-width: 40rem) {
  main { padding: .8rem }
  h1 { font-size: 1.1rem }
  .lead { font-size: .93rem }
  .bar { gap: .4rem .6rem } .bar label { flex: 1 1 6rem; min-width: 0 }
  input, select { box-sizing: border-box; width: 100%; max-width: none }
  tr > :first-child { max-width: 42vw; white-space: normal; border-right: 1px solid #e6eaf0 }
  tbody th:not(.short) { min-width: 36vw }
  thead tr > :first-child button { white-space: normal }
}
@media print { .bar { display: none } .wide { overflow: visible; max-height: none } }
"""

#: In a table of sentences, a card for each row: numbers beside each other, all else one below the
#: other, the first two together in one line.
_CARDS = """
.cards .badge { min-width: 0 }
.cards td.long { min-width: 15rem; overflow-wrap: anywhere }
@media (min-width: 40.01rem) { .cards details:not([open]) > summary { -webkit-line-clamp: 2 } }
@media (max-width: 40rem) {
  .wide { max-height: none; overflow: visible; border-top: 0 }
  .cards, .cards tbody { display: block }
  .cards thead { display: block; position: sticky; top: 0; z-index: 1; background: #fff }
  .cards thead tr { display: flex; overflow-x: auto; scrollbar-width: none }
  .cards thead tr > * { position: static; max-width: none; border: 0 }
  .cards tbody tr { display: grid; grid-template-columns: repeat(6, 1fr); padding: .45rem 0;
    border-top: 1px solid #8a94a3 }
  .cards.folding [data-folded], .cards tbody tr[hidden] { display: none }
  .cards tbody tr > * { grid-column: span 6; padding: .1rem 0; border: 0; position: static;
    max-width: none; min-width: 0; white-space: normal; text-align: left }
  .cards tbody tr > :nth-child(-n + 2) { grid-column: span 3; color: #5b6675 }
  .cards tbody tr > :nth-child(2) { text-align: right }
  .cards tbody tr > :nth-child(3) { font-weight: 600 } .cards small { font-weight: normal }
  .cards tbody tr > .r { grid-column: span 2 }
  .cards .r::before { display: block; color: #5b6675; font-size: .92em }
%s}
"""

SCRIPT = """
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
  fold.textContent = open ? "Fold not run" : `Show not run (${away})`;
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
const box = one(".wide");
const above = () => box.style.setProperty("--above", `${box.offsetTop}px`);
addEventListener("resize", above);
above();
"""


def cards_style(headers: Sequence[str], align: str) -> str:
    """Return the style of a table that is cards on a narrow screen.

    Parameters
    ----------
    headers : sequence of str
        The headers of the columns, which stand above the numbers of a card.
    align : str
        ``l`` or ``r`` for each column; those flush right are numbers.
    """
    names = "".join(
        f"  .cards tbody tr > :nth-child({i})::before {{ content: {_css_text(header)} }}\n"
        for i, (header, side) in enumerate(zip(headers, align, strict=True), start=1)
        if side == "r"
    )
    return _CARDS % names


def _css_text(text: str) -> str:
    """Return a text as one of a style sheet; none of its letters ends anything."""
    return '"' + "".join(sign if sign.isalnum() else f"\\{ord(sign):06x}" for sign in text) + '"'
