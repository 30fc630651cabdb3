"""Lines of text: what terminals show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from textwrap import wrap

from streameval.view.blocks import Table, View

WIDTH = 100


def lines(view: View) -> list[str]:
    """Return a view, its blocks apart."""
    words = _wrapped(view.sentences, "  ")
    blocks = [_wrapped(view.head), *map(_told, view.tables), words, _wrapped([view.limits])]
    return [line for block in filter(None, blocks) for line in ("", *block)][1:]


def in_columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows of cells as lines, some columns flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _told(table: Table) -> list[str]:
    return in_columns(
        table.cells, [i for i, one in enumerate(table.columns) if one.kind == "number"]
    )


def _wrapped(texts: Iterable[str], later: str = "") -> list[str]:
    wrapped = (wrap(one, WIDTH, subsequent_indent=later, break_on_hyphens=False) for one in texts)
    return [line for one in wrapped for line in one]
