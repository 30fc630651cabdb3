"""The errors of regressors in some bins, from the frames of a study by bin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.reevaluation.binned_table import cells_by_bin, chosen_bins
from streameval.items.reevaluation.settings import BinnedErrorTableSettings
from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text, stream_notes


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[BinnedErrorTableSettings],
) -> pd.DataFrame:
    """Return the table of an item.

    Columns stream, simulated, labels, attributes, bin, which (the bin's number, or "B+1"), learner,
    mean_absolute_error, low, high, seeds, seeds_low, seeds_high, skill_over_previous_target,
    skill_over_target_mean. The intervals are for this bin and
    learner alone: over the labels, and over the seeds if there are several.
    """
    bins, sizes = (item.frames_of_streams(name) for name in ("bins", "size"))
    parts = [chosen_bins(name, bins[name], sizes[name], item.settings.shown) for name in bins]
    return pd.concat(parts, ignore_index=True)[list(item.columns)]


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
