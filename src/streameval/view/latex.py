"""Tables in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import fill
from typing import NamedTuple

from streameval.measures.registry import symbol_parts
from streameval.view.escape import LATEX_PREAMBLE, foreign_letters, latex_text
from streameval.view.parts import Mark, Table

#: Number of letters in a line of a heading.
_HEAD_WIDTH = 12
#: Number of letters from which on the texts of a column are broken into lines.
_LONG_TEXT = 30
#: Largest number of rows of a table that does not break over pages.
_PAGE_ROWS = 40
#: Column type for long texts.
_PARAGRAPH = r">{\raggedright\arraybackslash}p{12em}"
#: Font size and gap between columns of all tables.
_SETTING = (r"\footnotesize", r"\setlength{\tabcolsep}{0.5em}")


def latex(table: Table, caption: str, label: str) -> str:
    """LaTeX source of a table; its first line names the packages that a document needs.

    A table with many rows breaks over pages. A table with few rows that is too wide is scaled down.
    """
    cells = table.cells[1:]
    columns = [
        _Column(column.head, [" ".join(row[i].split()) for row in cells], side, column.group)
        for i, (side, column) in enumerate(zip(table.alignment, table.columns, strict=True))
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
    table_lines = _longtable if len(rows) > _PAGE_ROWS else _floating_table
    lines = table_lines("".join(map(_column_type, columns)), title, head, body, notes)
    return "\n".join([*_comments(columns, caption, *table.notes), *lines]) + "\n"


class _Column(NamedTuple):
    """A column: its heading, its cells, its side (``l`` or ``r``), and the title of its group."""

    heading: str
    cells: list[str]
    side: str
    group: str


def _floating_table(
    sides: str, title: str, head: list[str], body: list[str], notes: list[str]
) -> list[str]:
    # Starred tuples only group short lines.
    return [
        *(r"\begin{table}", r"\centering", title, *_SETTING),
        r"\begin{adjustbox}{max width=\linewidth}",
        *(rf"\begin{{tabular}}{{{sides}}}", *head, *body, r"\bottomrule", r"\end{tabular}"),
        *(r"\end{adjustbox}", *notes, r"\end{table}"),
    ]


def _longtable(
    sides: str, title: str, head: list[str], body: list[str], notes: list[str]
) -> list[str]:
    return [
        *(r"\begingroup", *_SETTING, r"\setlength{\LTcapwidth}{\linewidth}"),
        *(rf"\begin{{longtable}}{{{sides}}}", rf"{title}\\", *head, r"\endfirsthead"),
        *(*head, r"\endhead", r"\bottomrule", r"\endfoot", *body, r"\end{longtable}"),
        *(*notes, r"\endgroup"),
    ]


def _column_type(column: _Column) -> str:
    is_long = column.side == "l" and max(map(len, column.cells), default=0) > _LONG_TEXT
    return _PARAGRAPH if is_long else column.side


def _head(column: _Column) -> str:
    lines = [
        _symbol(line)
        for line in fill(column.heading, _HEAD_WIDTH, break_long_words=False).split("\n")
    ]
    text = r"\\".join(lines)
    return text if len(lines) == 1 else rf"\shortstack[{column.side}]{{{text}}}"


def _group_heads(columns: Sequence[_Column]) -> Iterator[str]:
    """Yield the titles of groups of columns, and the rules below them."""
    if not any(column.group for column in columns):
        return
    titles, rules, first = [], "", 1
    for group, members in groupby(columns, key=lambda column: column.group):
        n_columns = len(list(members))
        titles.append(rf"\multicolumn{{{n_columns}}}{{c}}{{{_symbol(group)}}}")
        rules += rf"\cmidrule(lr){{{first}-{first + n_columns - 1}}}" if group else ""
        first += n_columns
    yield " & ".join(titles) + r" \\"
    yield rules


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    # LaTeX would read a [ or * here as an argument of the line break at the end of the last row.
    return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"


def _cell(text: str, mark: Mark) -> str:
    command = {"best": r"\textbf", "alike": r"\underline"}.get(mark)
    return rf"{command}{{{latex_text(text)}}}" if command else latex_text(text)


def _symbol(text: str) -> str:
    """LaTeX heading; a symbol like κ_t gets its subscript."""
    parts = symbol_parts(text)
    if parts is None:
        return latex_text(text)
    return r"{}\textsubscript{{{}}}".format(*map(latex_text, parts))


def _comments(columns: Sequence[_Column], *texts: str) -> list[str]:
    """Comments that name the packages, and the letters that pdfLaTeX lacks."""
    all_texts = [
        *texts,
        *(text for column in columns for text in (*column.cells, column.heading, column.group)),
    ]
    foreign = foreign_letters("".join(all_texts))
    notes = [f"% These letters need LuaLaTeX and a font that has them: {foreign}"] * bool(foreign)
    return [f"% {LATEX_PREAMBLE}", *notes]
