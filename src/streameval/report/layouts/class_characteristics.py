"""Lay out Table 2 of Bifet et al. (2013)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.errors import DataError
from streameval.items.subject import Subject
from streameval.report.frames import as_flags
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import Layout, number_text

TABLE2 = ("stream", "simulated", "measure", "value")


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return table2_layout(table, subject.streams)


def table2_layout(
    table: pd.DataFrame, titles: Mapping[str, str] | None = None, decimals: int = 4
) -> Layout:
    """Lay out Table 2 of Bifet et al. (2013): two lines per stream.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns stream, simulated, measure, value (fraction).
    titles : mapping of str to str, optional
        Names of the streams, for people.
    decimals : int
        Decimals of all numbers.

    Returns
    -------
    Layout
        Above, the shares P(c) of the largest classes and the accuracy of Majority; below,
        P(c|c), how often such a class follows itself, and the accuracy of No-Change.
    """
    if table.duplicated(["stream", "measure"]).any():
        twice = table[table.duplicated(["stream", "measure"])].iloc[0]
        raise DataError(
            f"Table 2: expected {twice['measure']} of {twice['stream']} once, found it twice."
        )
    rows = []
    for stream, part in table.groupby("stream", sort=False):
        simulated = bool(as_flags(part["simulated"], "Table 2").iloc[0])
        value = dict(zip(part["measure"], part["value"], strict=True))
        name = stream_name(str(stream), simulated, titles)
        lines = (
            (name, "P(c)", "P(c{0})", "Majority", "majority_accuracy"),
            ("", "P(c|c)", "P(c{0}|c{0})", "No-Change", "no_change_accuracy"),
        )
        for first, line, cell, baseline, accuracy in lines:
            shares = [number_text(value.get(cell.format(i)), decimals) for i in (1, 2, 3)]
            rows.append(
                [first, line, *shares, baseline, number_text(value.get(accuracy), decimals)]
            )
    header = ["Stream", "Share", "c₁", "c₂", "c₃", "Baseline", "Accuracy"]
    return Layout(pd.DataFrame(rows, columns=header), "llrrrlr", stream_notes(table, "Table 2"))
