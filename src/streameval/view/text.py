"""Views as lines of text, for terminals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import singledispatch
from textwrap import wrap

from streameval.base.errors import escape_controls
from streameval.view.parts import Code, Facts, Part, Picture, Sentences, Table, View, Words

#: Number of letters in a line.
WIDTH = 100
#: Smallest width of the column of names of facts.
_NAME_WIDTH = 24
#: Smallest width of the columns of a transposed table.
_CELL_WIDTH = 12


def text_lines(view: View) -> list[str]:
    """Lines of a view, with an empty line between parts."""
    parts = [_lines(part) for part in view.parts_for("text")]
    return [line for lines in filter(None, parts) for line in ("", *lines)][1:]


def align_columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Lines of aligned cells; the columns in `right` are flush right."""
    rows = [[escape_controls(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def fill_lines(texts: Iterable[str], indent: str = "  ") -> list[str]:
    """Lines of wrapped texts; each text starts a line, and its further lines are indented."""
    wrapped = (
        wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
        for text in map(escape_controls, texts)
    )
    return [line for lines in wrapped for line in lines]


@singledispatch
def _lines(part: Part) -> list[str]:
    raise NotImplementedError


@_lines.register
def _(part: Table) -> list[str]:
    # A cell can have line breaks, which become blanks.
    cells = [[" ".join(escape_controls(cell).split()) for cell in row] for row in part.cells]
    marks: list[Sequence[str]] = [[""] * len(part.columns), *part.marks]
    legend = list[str]()
    if any(mark for row in marks for mark in row):
        legend = ["Here * stands for bold and ~ for underlined."]
        cells = [
            [_marked(cell, mark) for cell, mark in zip(row, marks_of_row, strict=True)]
            for row, marks_of_row in zip(cells, marks, strict=True)
        ]
    lines = align_columns(
        cells, [i for i, column in enumerate(part.columns) if column.kind == "number"]
    )
    if part.transposed:
        # Several blocks are harder to read than a table that fits into the width as it is.
        blocks = _transposed_blocks(cells)
        if len(blocks) == 1 or max(map(len, lines)) > WIDTH:
            lines = [line for block in blocks for line in ("", *block)][1:]
    notes = fill_lines([*part.undefined_sentences, *part.notes, *legend])
    return [*fill_lines([part.title], indent=""), *lines, *notes]


def _marked(cell: str, mark: str) -> str:
    """Cell followed by its sign, or by a space so that numbers stay aligned."""
    return cell + {"best": "*", "alike": "~"}.get(mark, " ")


def _transposed_blocks(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Lines of blocks with a column for each row; a new block starts where a line is full."""
    heads, *rows = cells
    blocks: list[list[Sequence[str]]] = []
    free_width = 0
    for row in rows:
        width = 2 + max(_CELL_WIDTH, *map(len, row))  # with the gap between columns
        if width > free_width:
            blocks.append([heads])
            free_width = WIDTH - max(map(len, heads))
        blocks[-1].append([cell.rjust(_CELL_WIDTH) for cell in row])
        free_width -= width
    return [align_columns([*zip(*block, strict=True)], range(1, len(block))) for block in blocks]


@_lines.register
def _(part: Sentences) -> list[str]:
    return fill_lines([*(row.text for row in part.rows), *part.notes])


@_lines.register
def _(part: Words) -> list[str]:
    return fill_lines(part.texts, indent="")


@_lines.register
def _(part: Code) -> list[str]:
    return [part.title, *map(escape_controls, part.text.splitlines())]


@_lines.register
def _(part: Picture) -> list[str]:
    return fill_lines([part.caption], indent="")


@_lines.register
def _(part: Facts) -> list[str]:
    width = max(_NAME_WIDTH, *(len(name) + 2 for name, _ in part.rows))
    lines = (f"{name:<{width}}{text}" for name, text in part.rows)
    return [*fill_lines([part.title], indent=""), *fill_lines(lines, indent=" " * width)]
