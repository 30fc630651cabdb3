"""Views as lines of text, for terminals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import singledispatch
from textwrap import wrap

from streameval.base.errors import visible
from streameval.view.blocks import Code, Facts, Part, Picture, Sentences, Table, View, Words

#: Letters of a line, of the names of facts, and at least of the columns of a turned table.
WIDTH, _NAME, _CELL = 100, 24, 12


def text_lines(view: View) -> list[str]:
    """Lines of a view, with an empty line between parts."""
    blocks = [_lines(part) for part in view.parts_for("text")]
    return [line for block in filter(None, blocks) for line in ("", *block)][1:]


def align_columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Lines of aligned cells; the columns in `right` are flush right."""
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def fill_lines(texts: Iterable[str], later: str = "  ") -> list[str]:
    """Lines of wrapped texts; each text starts a line."""
    seen = map(visible, texts)
    wrapped = (wrap(text, WIDTH, subsequent_indent=later, break_on_hyphens=False) for text in seen)
    return [line for lines in wrapped for line in lines]


@singledispatch
def _lines(part: Part) -> list[str]:
    raise NotImplementedError


@_lines.register
def _(part: Table) -> list[str]:
    cells = [[" ".join(visible(cell).split()) for cell in row] for row in part.cells]  # a line each
    marks: list[Sequence[str]] = [[""] * len(part.columns), *part.marks]
    signs = list[str]()
    if any(mark for row in marks for mark in row):
        signs = ["Here * stands for bold and ~ for underlined."]
        each = zip(cells, marks, strict=True)
        cells = [[_marked(*pair) for pair in zip(*row, strict=True)] for row in each]
    lines = align_columns(
        cells, [i for i, column in enumerate(part.columns) if column.kind == "number"]
    )
    if part.transposed:
        blocks = _across(cells)
        if len(blocks) == 1 or max(map(len, lines)) > WIDTH:
            lines = [line for block in blocks for line in ("", *block)][1:]
    notes = fill_lines([*part.undefined, *part.notes, *signs])
    return [*fill_lines([part.title], ""), *lines, *notes]


def _marked(cell: str, mark: str) -> str:
    """Cell followed by its sign, or by a space so that numbers stay aligned."""
    return cell + {"best": "*", "alike": "~"}.get(mark, " ")


def _across(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Blocks with a column for each row; a new block starts where a line is full."""
    heads, *rows = cells
    blocks: list[list[Sequence[str]]] = []
    room = 0
    for row in rows:
        width = 2 + max(_CELL, *map(len, row))
        if width > room:
            blocks.append([heads])
            room = WIDTH - max(map(len, heads))
        blocks[-1].append([cell.rjust(_CELL) for cell in row])
        room -= width
    return [align_columns([*zip(*block, strict=True)], range(1, len(block))) for block in blocks]


@_lines.register
def _(part: Sentences) -> list[str]:
    return fill_lines([*(row.text for row in part.rows), *part.notes])


@_lines.register
def _(part: Words) -> list[str]:
    return fill_lines(part.texts, "")


@_lines.register
def _(part: Code) -> list[str]:
    return [part.title, *map(visible, part.text.splitlines())]


@_lines.register
def _(part: Picture) -> list[str]:
    return fill_lines([part.caption], "")


@_lines.register
def _(part: Facts) -> list[str]:
    width = max(_NAME, *(len(name) + 2 for name, _ in part.rows))
    lines = (f"{name:<{width}}{text}" for name, text in part.rows)
    return [*fill_lines([part.title], ""), *fill_lines(lines, " " * width)]
