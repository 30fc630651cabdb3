"""Columns that several kinds of tables share, and tables made from data frames."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.inputs import FAILED
from streameval.view.numbers import DECIMALS, number_text, number_with_interval
from streameval.view.parts import Column, Table, texts_table

_SIMULATED = (
    "Streams marked (simulated) are generated to resemble a real one; they are not the real one."
)


def text_column(head: str, key: str) -> Column:
    """A column of texts."""
    return Column(head, [key], kind="text")


def count_column(head: str, key: str) -> Column:
    """A column of whole numbers."""
    return Column(head, [key], lambda value: number_text(int(value)))


def number_column(head: str, key: str, decimals: int = DECIMALS, factor: float = 1.0) -> Column:
    """A column of numbers, multiplied by `factor`."""
    return Column(head, [key], lambda value: number_text(factor * float(value), decimals))


def interval_column(
    head: str,
    key: str,
    decimals: int,
    ends: tuple[str, str] | None = None,
    factor: float = 1.0,
) -> Column:
    """A column of numbers with their intervals, all multiplied by `factor`.

    `ends` name the frame's columns with the limits; by default KEY_low and KEY_high.
    """
    low_key, high_key = ends or (f"{key}_low", f"{key}_high")

    def text(*values: float) -> str:
        value, low, high = (factor * float(number) for number in values)
        return number_with_interval(value, low, high, decimals)

    return Column(head, [key, low_key, high_key], text)


def stream_name(stream: str, simulated: bool, titles: Mapping[str, str] | None) -> str:
    """The name of a stream in a table."""
    name = (titles or {}).get(stream, stream)
    return f"{name} (simulated)" if simulated else name


def stream_names(table: pd.DataFrame, titles: Mapping[str, str]) -> list[str]:
    """The name of the stream of each row of a table."""
    rows = zip(table["stream"], table["simulated"], strict=True)
    return [stream_name(str(stream), simulated, titles) for stream, simulated in rows]


def stream_column(subject: Subject) -> Column:
    """The column of the streams, which marks simulated streams."""
    return Column(
        "Stream",
        ["stream", "simulated"],
        lambda name, simulated: stream_name(str(name), bool(simulated), subject.streams),
        kind="text",
    )


def stream_notes(table: pd.DataFrame) -> tuple[str, ...]:
    """The notes below a table of streams."""
    return (_SIMULATED,) if table["simulated"].any() else ()


def learner_column(subject: Subject, head: str = "Learner", key: str = "learner") -> Column:
    """The column of the learners."""
    return Column(head, [key], lambda name: subject.titles.get(str(name), str(name)), kind="text")


def frame_table(table: pd.DataFrame, columns: Sequence[Column], notes: Sequence[str] = ()) -> Table:
    """A table with a row for each row of a frame."""
    rows = [
        {str(name): math.nan if value is None else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]
    return Table(columns, rows, notes=tuple(notes))


def with_failed_cells(table: Table, measures: Collection[str]) -> Table:
    """Show ``failed`` in the columns of measures where the row has an error in `FAILED`.

    On a page the error is the tooltip of the cell. A table whose rows have no key `FAILED` is
    unchanged.
    """
    if not any(FAILED in row for row in table.rows):
        return table

    def with_failures(column: Column) -> Column:
        def text(*values: Any) -> str:
            *cells, error = values
            return "failed" if error else column.format_values(*cells)

        return replace(column, keys=[*column.keys, FAILED], format_values=text, reason_key=FAILED)

    columns = [
        with_failures(column) if column.keys[0] in measures else column for column in table.columns
    ]
    return replace(table, columns=columns)


def text_frame_table(
    cells: pd.DataFrame, alignment: str, notes: Sequence[str] = (), groups: Sequence[str] = ()
) -> Table:
    """A table from a frame of texts; its headings are the names of the frame's columns.

    For the other parameters see `texts_table`. A column of a group has a name "GROUP: HEADING"; the
    table shows only the heading, below the group.
    """
    names_and_groups = zip(map(str, cells.columns), groups or [""] * len(alignment), strict=True)
    heads = [name.removeprefix(f"{group}: ") if group else name for name, group in names_and_groups]
    rows = cells.to_numpy().tolist()
    return texts_table("", heads, rows, alignment=alignment, groups=groups, notes=tuple(notes))


def plain_table(frame: pd.DataFrame, heads: Mapping[str, str], notes: Sequence[str] = ()) -> Table:
    """A table with the cells of a frame as they are; `heads` replace names of its columns."""
    columns = [
        Column(
            heads.get(str(name), str(name)),
            [str(name)],
            number_text,
            kind="number" if frame[name].dtype.kind in "iuf" else "text",
        )
        for name in frame.columns
    ]
    return frame_table(frame, columns, notes)
