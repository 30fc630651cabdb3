"""Tables in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import fill
from typing import NamedTuple

from streameval.measures.registry import symbol_parts
from streameval.view.blocks import Mark, Table
from streameval.view.escape import LATEX_PREAMBLE, foreign_letters, latex_text

#: Letters of a line of a header, and of a cell beyond which its text is broken into lines.
_HEAD, _TEXT = 12, 30
#: Rows of a table that does not break over pages.
_ROWS = 40
#: A column of long texts.
_LINES = r">{\raggedright\arraybackslash}p{12em}"
_SETTING = (r"\footnotesize", r"\setlength{\tabcolsep}{0.5em}")


def latex(table: Table, caption: str, label: str) -> str:
    """LaTeX source of a table; its first line names the packages that a document needs.

    A table of many rows breaks over pages; one of few rows that is too wide is set smaller.
    """
    cells = table.cells[1:]
    columns = [
        _Column(column.head, [" ".join(row[place].split()) for row in cells], side, column.group)
        for place, (side, column) in enumerate(zip(table.sides, table.columns, strict=True))
    ]
    rows = list(zip(*(column.cells for column in columns), strict=True))
    head = [r"\toprule", *_group_heads(columns), _row(map(_head, columns)), r"\midrule"]
    body = [_row(map(_cell, row, marks)) for row, marks in zip(rows, table.marks, strict=True)]
    title = rf"\caption{{{latex_text(caption)}}}\label{{{label}}}"
    notes = [
        r"\par\smallskip\noindent\parbox{\linewidth}"
        rf"{{\footnotesize\raggedright {latex_text(note)}}}"
        for note in table.notes
    ]
    make = _long if len(rows) > _ROWS else _floating
    lines = make("".join(map(_side, columns)), title, head, body, notes)
    return "\n".join([*_needs(columns, caption, *table.notes), *lines]) + "\n"


class _Column(NamedTuple):
    """A column: its header, its cells, its side, and the title of its group."""

    header: str
    cells: list[str]
    side: str
    group: str


def _floating(
    sides: str, title: str, head: list[str], body: list[str], notes: list[str]
) -> list[str]:
    return [
        *(r"\begin{table}", r"\centering", title, *_SETTING),
        r"\begin{adjustbox}{max width=\linewidth}",
        *(rf"\begin{{tabular}}{{{sides}}}", *head, *body, r"\bottomrule", r"\end{tabular}"),
        *(r"\end{adjustbox}", *notes, r"\end{table}"),
    ]


def _long(sides: str, title: str, head: list[str], body: list[str], notes: list[str]) -> list[str]:
    return [
        *(r"\begingroup", *_SETTING, r"\setlength{\LTcapwidth}{\linewidth}"),
        *(rf"\begin{{longtable}}{{{sides}}}", rf"{title}\\", *head, r"\endfirsthead"),
        *(*head, r"\endhead", r"\bottomrule", r"\endfoot", *body, r"\end{longtable}"),
        *(*notes, r"\endgroup"),
    ]


def _side(column: _Column) -> str:
    is_long = column.side == "l" and max(map(len, column.cells), default=0) > _TEXT
    return _LINES if is_long else column.side


def _head(column: _Column) -> str:
    lines = [
        _symbol(line) for line in fill(column.header, _HEAD, break_long_words=False).split("\n")
    ]
    stack = r"\\".join(lines)
    return stack if len(lines) == 1 else rf"\shortstack[{column.side}]{{{stack}}}"


def _group_heads(columns: Sequence[_Column]) -> Iterator[str]:
    """Yield the titles of groups of columns, and the rules below them."""
    if not any(column.group for column in columns):
        return
    titles, rules, first = [], "", 1
    for group, members in groupby(columns, key=lambda column: column.group):
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


def _cell(text: str, mark: Mark) -> str:
    command = {"best": r"\textbf", "alike": r"\underline"}.get(mark)
    return rf"{command}{{{latex_text(text)}}}" if command else latex_text(text)


def _symbol(text: str) -> str:
    """LaTeX header; a symbol like κ_t gets its subscript."""
    parts = symbol_parts(text)
    if parts is None:
        return latex_text(text)
    return r"{}\textsubscript{{{}}}".format(*map(latex_text, parts))


def _needs(columns: Sequence[_Column], *texts: str) -> list[str]:
    all_texts = [
        *texts,
        *(text for column in columns for text in (*column.cells, column.header, column.group)),
    ]
    foreign = foreign_letters("".join(all_texts))
    more = [f"% These letters need LuaLaTeX and a font that has them: {foreign}"] if foreign else []
    return [f"% {LATEX_PREAMBLE}", *more]
