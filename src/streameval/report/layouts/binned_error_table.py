"""Lay out errors by bin: a line for each stream and bin, a column for each regressor."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.layouts.binned_table import cells_by_bin
from streameval.report.layouts.streams import stream_notes
from streameval.report.tables import Layout, number_text

COLUMNS = (
    *("stream", "simulated", "labels", "attributes", "which", "learner"),
    *("mean_absolute_error", "low", "high", "seeds", "seeds_low", "seeds_high"),
)


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item; the regressors with the smallest error of a line are marked."""
    cells = cells_by_bin(table, subject, "mean_absolute_error", -1)
    first = "The CSV has 95 % intervals of single cells over the labels, and over seeds."
    notes = [f"* The smallest error of the bin. {first}"]
    for learner, rows in table[table["seeds"] > 1].groupby("learner", sort=False):
        widest = ((rows["seeds_high"] - rows["seeds_low"]) / 2).max()
        notes.append(
            f"{subject.titles.get(str(learner), learner)}: mean over {rows['seeds'].iloc[0]} "
            f"seeds, at most ±{number_text(widest, 2)}."
        )
    return Layout(
        cells,
        "l" + "r" * (cells.shape[1] - 1),
        (*notes, *stream_notes(table, "Table of errors")),
    )
