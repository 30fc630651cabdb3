"""Tables in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from textwrap import fill
from typing import NamedTuple

from streameval.measures.registry import symbol_parts
from streameval.view.blocks import Table
from streameval.view.escape import LATEX_PREAMBLE, foreign_letters, latex_text


def latex(table: Table, caption: str, label: str) -> str:
    """Return a table for LaTeX; its first line names the packages that a document needs.

    A wide table is turned, a long one broken over pages, and long texts flush left into lines.
    """
    cells = table.cells[1:]
    columns = [
        _Column(one.head, [" ".join(row[place].split()) for row in cells], side, one.group)
        for place, (side, one) in enumerate(zip(table.sides, table.columns, strict=True))
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
        for note in table.notes
    ]
    setting = [r"\footnotesize", rf"\setlength{{\tabcolsep}}{{{_GAP * _EM / 2:g}em}}"]
    make = _long if len(rows) > page.rows else _floating
    lines = make(sides, title, setting, head, body, below)
    if is_turned:
        lines = [r"\begin{landscape}", *lines, r"\end{landscape}"]
    return "\n".join([*_needs(columns, caption, *table.notes), *lines]) + "\n"


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
