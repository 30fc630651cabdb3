"""Columns that tables of several kinds have, and tables whose cells are texts already."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.inputs import FAILED
from streameval.view.blocks import Column, Table, texts_table
from streameval.view.numbers import DECIMALS, in_brackets, number_text

_SIMULATED = (
    "Streams marked (simulated) are generated to resemble a real one; they are not the real one."
)


def text_column(head: str, of: str) -> Column:
    """A column of texts."""
    return Column(head, [of], kind="text")


def count_column(head: str, of: str) -> Column:
    """A column of whole numbers."""
    return Column(head, [of], lambda value: number_text(int(value)))


def number_column(head: str, of: str, decimals: int = DECIMALS, factor: float = 1.0) -> Column:
    """A column of numbers."""
    return Column(head, [of], lambda value: number_text(factor * float(value), decimals))


def with_ends(
    head: str,
    of: str,
    decimals: int,
    ends: tuple[str, str] | None = None,
    factor: float = 1.0,
) -> Column:
    """A column of numbers with their intervals; `ends` name the columns of the limits."""
    low, high = ends or (f"{of}_low", f"{of}_high")

    def shown(*values: float) -> str:
        value, least, most = (factor * float(number) for number in values)
        return in_brackets(value, least, most, decimals)

    return Column(head, [of, low, high], shown)


def stream_name(stream: str, simulated: bool, titles: Mapping[str, str] | None) -> str:
    """The name of a stream in a table."""
    name = (titles or {}).get(stream, stream)
    return f"{name} (simulated)" if simulated else name


def stream_names(table: pd.DataFrame, titles: Mapping[str, str]) -> list[str]:
    """The name of the stream of each row of a table."""
    rows = zip(table["stream"], table["simulated"], strict=True)
    return [stream_name(str(stream), simulated, titles) for stream, simulated in rows]


def streams(subject: Subject) -> Column:
    """The column of the streams, which says whether they are real."""
    return Column(
        "Stream",
        ["stream", "simulated"],
        lambda name, simulated: stream_name(str(name), bool(simulated), subject.streams),
        kind="text",
    )


def stream_notes(table: pd.DataFrame) -> tuple[str, ...]:
    """The notes below a table of streams."""
    return (_SIMULATED,) if table["simulated"].any() else ()


def learners(subject: Subject, head: str = "Learner", of: str = "learner") -> Column:
    """The column of the learners."""
    return Column(head, [of], lambda name: subject.titles.get(str(name), str(name)), kind="text")


def laid_out(table: pd.DataFrame, columns: Sequence[Column], notes: Sequence[str] = ()) -> Table:
    """A table with a row for each row of a frame."""
    rows = [
        {str(name): math.nan if value is None else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]
    return Table(columns, rows, notes=tuple(notes))


def with_failed_cells(table: Table, measures: Collection[str]) -> Table:
    """Show ``failed`` in the columns of measures where the row has an error in `FAILED`.

    In a page the cell has the error as its tooltip. A table without the key is unchanged.
    """
    if not any(FAILED in row for row in table.rows):
        return table

    def of_measure(column: Column) -> Column:
        def text(*values: Any) -> str:
            *cells, error = values
            return "failed" if error else column.text(*cells)

        return replace(column, of=[*column.of, FAILED], text=text, reason=FAILED)

    columns = [
        of_measure(column) if column.of[0] in measures else column for column in table.columns
    ]
    return replace(table, columns=columns)


def of_texts(
    cells: pd.DataFrame, sides: str, notes: Sequence[str] = (), groups: Sequence[str] = ()
) -> Table:
    """A table of texts, whose columns have the names of the frame.

    Of a column in a group the name begins with that of the group and a colon.
    """
    named = zip(map(str, cells.columns), groups or [""] * len(sides), strict=True)
    heads = [name.removeprefix(f"{group}: ") if group else name for name, group in named]
    rows = cells.to_numpy().tolist()
    return texts_table("", heads, rows, sides=sides, groups=groups, notes=tuple(notes))


def plain_table(frame: pd.DataFrame, heads: Mapping[str, str], notes: Sequence[str] = ()) -> Table:
    """A frame cell by cell; numbers flush right."""
    columns = [
        Column(
            heads.get(str(name), str(name)),
            [str(name)],
            number_text,
            kind="number" if frame[name].dtype.kind in "iuf" else "text",
        )
        for name in frame.columns
    ]
    return laid_out(frame, columns, notes)
