"""Tables: full precision for programs (CSV), rounded for people (HTML, Markdown, LaTeX)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from streameval.files import beside, write_text
from streameval.measures.registry import symbol_parts
from streameval.report.html_table import html_table
from streameval.table_files import write_csv
from streameval.view.escape import LATEX_PREAMBLE, foreign_letters, latex_text, markdown_text

#: Decimals where a caller does not say.
DECIMALS = 4
#: Sign for a number that is undefined or does not apply.
NO_VALUE = "–"

#: Room for the digits of any float.
_EXACT = Context(prec=400)


@dataclass(frozen=True)
class Layout:
    """A table as people read it.

    Parameters
    ----------
    cells : pandas.DataFrame
        Texts only; the column names are the headers.
    align : str
        ``l`` or ``r`` for each column.
    notes : tuple of str
        Sentences below the table.
    groups : tuple of str
        For each column the title that it shares with those beside it, or an empty text; the header
        of a column in a group is its title, a colon, and the column's own.
    """

    cells: pd.DataFrame
    align: str
    notes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


def round_half_up(value: float | Fraction, decimals: int) -> Decimal:
    """Round as by hand: 0.125 gives 0.13; a float stands for its shortest decimal number."""
    return _with_decimals(value, decimals, Fraction(1, 2))


def cut_off(value: float | Fraction, decimals: int) -> Decimal:
    """Truncate after so many decimals; a float stands for its shortest decimal number."""
    return _with_decimals(value, decimals, Fraction(0))


def _with_decimals(value: float | Fraction, decimals: int, more: Fraction) -> Decimal:
    exact = value if isinstance(value, Fraction) else Fraction(repr(float(value)))
    units = math.floor(abs(exact) * 10**decimals + more)
    return Decimal(-units if exact < 0 else units).scaleb(-decimals, _EXACT)


def number_text(value: Any, decimals: int = DECIMALS) -> str:
    """Return a value as a cell for people.

    Integers get thousands separators, floats are rounded half up, NaN and None are
    `NO_VALUE`, a minus sign is a real one, truth is "yes" or "no"; texts stay.
    """
    if isinstance(value, str):
        return value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return NO_VALUE
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}".replace("-", "−")
    text = f"{round_half_up(value, decimals):,}" if math.isfinite(value) else f"{value:g}"
    return text.replace("inf", "∞").replace("-", "−")


def p_text(p_value: float) -> str:
    """Return a p-value for people, as the right side of "p": = 0.0123, or < 0.0001."""
    least = 10.0**-DECIMALS
    return f"< {least:.{DECIMALS}f}" if p_value < least else f"= {number_text(float(p_value))}"


def in_brackets(value: Any, low: Any, high: Any, decimals: int) -> str:
    """Return a number with its interval behind it, if there is one."""
    shown, *ends = (number_text(float(one), decimals) for one in (value, low, high))
    return shown if NO_VALUE in ends else f"{shown} ({' to '.join(ends)})"


def plus_minus(value: float, low: float, high: float) -> str:
    """Return a number with half of its interval, if there is one."""
    half = (high - low) / 2
    return number_text(float(value)) + ("" if np.isnan(half) else f" ± {number_text(float(half))}")


def write_table(
    frame: pd.DataFrame, stem: Path | str, *, caption: str, label: str, layout: Layout
) -> None:
    """Write ``stem.csv``, ``.html``, ``.md`` and ``.tex``, each aside and then renamed.

    The CSV holds floats so that reading gives the same bits; `label` is for LaTeX.
    """
    write_csv(frame, beside(stem, "csv"))
    csv, name = frame.to_csv(index=False, lineterminator="\n"), Path(stem).name
    page = html_table(layout.cells, layout.align, caption, notes=layout.notes, csv=csv, name=name)
    write_text(beside(stem, "html"), page)
    write_text(beside(stem, "md"), markdown(layout, caption))
    write_text(beside(stem, "tex"), latex(layout, caption, label))


def plain_layout(frame: pd.DataFrame, headers: Mapping[str, str]) -> Layout:
    """Return a frame cell by cell as people read it; numbers flush right."""
    cells, align = {}, ""
    for name in frame.columns:
        cells[headers.get(name, str(name))] = [number_text(value) for value in frame[name]]
        is_number = frame[name].dtype.kind in "iuf"
        align += "r" if is_number else "l"
    return Layout(pd.DataFrame(cells, dtype=object), align)


def markdown(layout: Layout, caption: str) -> str:
    """Return a Markdown pipe table with its caption above and its notes below."""
    rule = ["---:" if side == "r" else ":---" for side in layout.align]
    head, *body = (
        [markdown_text(text) for text in row]
        for row in [list(layout.cells.columns), *layout.cells.to_numpy().tolist()]
    )
    table = "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *body])
    notes = "".join(f"\n{markdown_text(note)}\n" for note in layout.notes)
    return f"**{markdown_text(caption.strip())}**\n\n{table}\n{notes}"


def latex(layout: Layout, caption: str, label: str) -> str:
    """Return a table for LaTeX; its first line names the packages that a document needs.

    A wide table is turned, a long one broken over pages, and long texts flush left into lines.
    """
    groups = layout.groups or [""] * len(layout.align)
    columns = [
        _Column(
            str(name).removeprefix(f"{group}: ") if group else str(name),
            [" ".join(str(cell).split()) for cell in cells],
            side,
            group,
        )
        for (name, cells), side, group in zip(
            layout.cells.items(), layout.align, groups, strict=True
        )
    ]
    rows = list(zip(*(one.cells for one in columns), strict=True))
    is_turned = sum(one.least + _GAP for one in columns) > _UPRIGHT.letters
    page = _TURNED if is_turned else _UPRIGHT
    widths = _widths(columns, page.letters - _GAP * len(columns))
    head = [r"\toprule", *_group_heads(columns)]
    head += [_row(map(_head, columns, widths)), r"\midrule"]
    body = [_row(map(latex_text, row)) for row in rows]
    sides = "".join(map(_side, columns, widths))
    title = rf"\caption{{{latex_text(caption)}}}\label{{{label}}}"
    below = [
        r"\par\smallskip\noindent\parbox{\linewidth}"
        rf"{{\footnotesize\raggedright {latex_text(note)}}}"
        for note in layout.notes
    ]
    setting = [r"\footnotesize", rf"\setlength{{\tabcolsep}}{{{_GAP * _EM / 2:g}em}}"]
    make = _long if len(rows) > page.rows else _floating
    table = make(sides, title, setting, head, body, below)
    if is_turned:
        table = [r"\begin{landscape}", *table, r"\end{landscape}"]
    return "\n".join([*_needs(columns, caption, *layout.notes), *table]) + "\n"


_SIMULATED = (
    "Streams marked (simulated) are generated to resemble a real one; they are not the real one."
)


def stream_name(stream: str, simulated: bool, titles: Mapping[str, str] | None) -> str:
    """Return the name of a stream in a table."""
    name = (titles or {}).get(stream, stream)
    return f"{name} (simulated)" if simulated else name


def stream_names(table: pd.DataFrame, titles: Mapping[str, str]) -> list[str]:
    """Return the name of the stream of each row of a table."""
    rows = zip(table["stream"], table["simulated"], strict=True)
    return [stream_name(str(stream), simulated, titles) for stream, simulated in rows]


def stream_notes(table: pd.DataFrame) -> tuple[str, ...]:
    """Return the notes below a table of streams."""
    return (_SIMULATED,) if table["simulated"].any() else ()


#: Letters that one line of a header has room for, however short the cells below are.
_HEAD = 10
#: Lines that a cell may be broken into.
_LINES = 3
#: Gap between two columns, in letters.
_GAP = 2
#: Width of a letter, in em: that of a digit.
_EM = 0.5


class _Page(NamedTuple):
    """The letters of a line, and the rows of a table that does not break over pages."""

    letters: int
    rows: int


#: Counted for LaTeX's class ``article`` with letters of 10 points, whose lines are shorter than
#: those of most journals, and for rows of two lines.
_UPRIGHT, _TURNED = _Page(80, 24), _Page(128, 13)


class _Column(NamedTuple):
    """A column: its header, its cells, its side, and the title of its group."""

    header: str
    cells: list[str]
    side: str
    group: str

    @property
    def natural(self) -> int:
        """Letters of the longest cell, and of the header in lines."""
        cell = max(map(len, self.cells), default=0)
        words = max(map(len, self.header.split()), default=0)
        return max(cell, words, min(len(self.header), _HEAD))

    @property
    def least(self) -> int:
        """Letters that remain if its cells are broken into lines; numbers are not."""
        if self.side != "l":
            return self.natural
        words = (len(word) for cell in (*self.cells, self.header) for word in cell.split())
        return max(ceil(self.natural / _LINES), *words, 1)


def _floating(
    sides: str, title: str, setting: list[str], head: list[str], body: list[str], below: list[str]
) -> list[str]:
    return [
        *(r"\begin{table}", r"\centering", title, *setting),
        *(rf"\begin{{tabular}}{{{sides}}}", *head, *body, r"\bottomrule", r"\end{tabular}"),
        *(*below, r"\end{table}"),
    ]


def _long(
    sides: str, title: str, setting: list[str], head: list[str], body: list[str], below: list[str]
) -> list[str]:
    return [
        *(r"\begingroup", *setting, r"\setlength{\LTcapwidth}{\linewidth}"),
        *(rf"\begin{{longtable}}{{{sides}}}", rf"{title}\\", *head, r"\endfirsthead"),
        *(*head, r"\endhead", r"\bottomrule", r"\endfoot", *body, r"\end{longtable}"),
        *(*below, r"\endgroup"),
    ]


def _widths(columns: Sequence[_Column], room: int) -> list[int]:
    """Return the widths of columns in letters; the widest texts are broken first."""
    widths, least = [one.natural for one in columns], [one.least for one in columns]
    while sum(widths) > room and widths != least:
        widest = max(range(len(widths)), key=lambda i: (widths[i] > least[i], widths[i]))
        widths[widest] -= 1
    return widths


def _side(column: _Column, width: int) -> str:
    if width >= column.natural:
        return column.side
    return rf">{{\raggedright\arraybackslash}}p{{{width * _EM:g}em}}"


def _head(column: _Column, width: int) -> str:
    """Return a header in as many lines as its column is narrow."""
    lines = [_symbol(line) for line in fill(column.header, max(width, 1)).split("\n")]
    stack = r"\\".join(lines)
    return stack if len(lines) == 1 else rf"\shortstack[{column.side}]{{{stack}}}"


def _group_heads(columns: Sequence[_Column]) -> Iterator[str]:
    """Yield the titles of groups of columns, and the rules below them."""
    if not any(one.group for one in columns):
        return
    titles, rules, first = [], "", 1
    for group, members in groupby(columns, key=lambda one: one.group):
        number = len(list(members))
        titles.append(rf"\multicolumn{{{number}}}{{c}}{{{_symbol(group)}}}")
        rules += rf"\cmidrule(lr){{{first}-{first + number - 1}}}" if group else ""
        first += number
    yield " & ".join(titles) + r" \\"
    yield rules


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    # What begins with these would be read as an argument of the line break before.
    return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"


def _symbol(text: str) -> str:
    """Return a header; a symbol like κ_t gets its subscript."""
    parts = symbol_parts(text)
    if parts is None:
        return latex_text(text)
    return r"{}\textsubscript{{{}}}".format(*map(latex_text, parts))


def _needs(columns: Sequence[_Column], *texts: str) -> list[str]:
    all_texts = [*texts, *(text for one in columns for text in (*one.cells, one.header, one.group))]
    foreign = foreign_letters("".join(all_texts))
    more = [f"% These letters need LuaLaTeX and a font that has them: {foreign}"] if foreign else []
    return [f"% {LATEX_PREAMBLE}", *more]
