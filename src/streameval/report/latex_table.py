"""A table for LaTeX: not wider than a page, and broken over pages where it is long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from textwrap import fill, wrap
from typing import NamedTuple

import pandas as pd

from streameval.report.markup import LATEX_PREAMBLE, foreign_letters, latex_text
from streameval.report.names import symbol_parts

#: Letters that one line of a header has room for, however short the cells below are.
_HEAD = 10
#: Lines that a cell may be broken into.
_LINES = 3
#: What the gap between two columns takes, in letters.
_GAP = 2
#: Width of a letter, in em: that of a digit.
_EM = 0.5


class _Page(NamedTuple):
    """A way to set a table: its size, the letters of a line, the lines of a page, its turn."""

    size: str
    letters: int
    lines: int
    is_turned: bool = False


#: The first that has room is taken. Counted for LaTeX's class ``article`` with letters of 10
#: points, whose lines are shorter than those of most journals.
_PAGES = (
    _Page(r"\normalsize", 68, 38),
    _Page(r"\footnotesize", 80, 48),
    _Page(r"\footnotesize", 128, 26, is_turned=True),
    _Page(r"\scriptsize", 140, 30, is_turned=True),
)


class _Column(NamedTuple):
    """A column: its header, its cells, its side, and the title that it shares with others."""

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


def latex_table(
    cells: pd.DataFrame,
    align: str,
    caption: str,
    label: str,
    *,
    notes: Sequence[str] = (),
    groups: Sequence[str] = (),
) -> str:
    """Return a table for LaTeX; its first line says what the head of a document needs.

    Parameters
    ----------
    cells : pandas.DataFrame
        Texts only; the column names are the headers.
    align : str
        ``l`` or ``r`` for each column; long texts flush left are broken into lines.
    caption, label : str
        Its title, and what a document refers to it by.
    notes : sequence of str
        Sentences below the table.
    groups : sequence of str
        For each column the title that it shares with those beside it, or an empty text. Headers in
        a group begin with its title and a colon, which are left out.
    """
    columns = [
        _Column(
            str(name).removeprefix(f"{group}: ") if group else str(name),
            [" ".join(str(cell).split()) for cell in cells.iloc[:, i]],
            side,
            group,
        )
        for i, (name, side, group) in enumerate(
            zip(cells.columns, align, groups or [""] * len(align), strict=True)
        )
    ]
    rows = list(zip(*(one.cells for one in columns), strict=True))
    page, widths = _fitting(columns)
    head = [r"\toprule", *_group_heads(columns)]
    head += [_row(map(_head, columns, widths)), r"\midrule"]
    body = [_row(map(latex_text, row)) for row in rows]
    lines = sum(max(map(_lines, row, widths)) for row in rows)
    lines += sum(_lines(note, page.letters) for note in notes)
    sides = "".join(map(_side, columns, widths))
    title = rf"\caption{{{latex_text(caption)}}}\label{{{label}}}"
    below = [
        r"\par\smallskip\noindent\parbox{\linewidth}"
        rf"{{\footnotesize\raggedright {latex_text(note)}}}"
        for note in notes
    ]
    setting = [page.size, rf"\setlength{{\tabcolsep}}{{{_GAP * _EM / 2:g}em}}"]
    make = _long if lines > page.lines else _floating
    table = make(sides, title, setting, head, body, below)
    if page.is_turned:
        table = [r"\begin{landscape}", *table, r"\end{landscape}"]
    return "\n".join([*_needs(columns, caption, *notes), *table]) + "\n"


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


def _fitting(columns: Sequence[_Column]) -> tuple[_Page, list[int]]:
    """Return the first page that the columns fit on, and their widths there in letters."""
    for page in _PAGES:
        room = page.letters - _GAP * len(columns)
        widths = [one.natural for one in columns]
        least = [one.least for one in columns]
        while sum(widths) > room and widths != least:
            widest = max(range(len(widths)), key=lambda i: (widths[i] > least[i], widths[i]))
            widths[widest] -= 1
        if sum(widths) <= room:
            break
    return page, widths


def _lines(cell: str, width: int) -> int:
    return max(len(wrap(cell, width)), 1)


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
