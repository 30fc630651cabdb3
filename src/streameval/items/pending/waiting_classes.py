"""The classes of pending labels when evaluation stops, from the frames of `label_waiting`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.pending.settings import WaitingClassesSettings
from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text, stream_name, stream_notes

#: Columns of the quartiles, by fraction of the labels.
QUARTILES = {0.25: "low", 0.5: "median", 0.75: "high"}


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[WaitingClassesSettings],
) -> pd.DataFrame:
    """Return the table of an item: a row for each class of each stream.

    Columns stream, simulated, labels and pending_labels (in all, at the last stop), class, arrived
    and pending (labels of this class), arrived_fraction and pending_fraction (of all that have
    arrived, and that are pending), low, median and high: quartiles of the time to the label,
    in the column unit.
    """
    names = ("classes", "latency", "size")
    found, waits, sizes = (item.frames_of_streams(name) for name in names)
    parts = [
        at_the_end(found[name], waits[name]).assign(
            stream=name, simulated=sizes[name]["simulated"].iloc[0]
        )
        for name in found
    ]
    return pd.concat(parts, ignore_index=True)[[*item.columns]]


def at_the_end(classes: pd.DataFrame, latency: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a stream."""
    rows: pd.DataFrame = classes[classes["time"] == classes["time"].max()].copy()
    rows["pending_labels"] = rows["pending"].sum()
    for state in ("arrived", "pending"):
        rows[f"{state}_fraction"] = rows[state] / rows[state].sum()
    for fraction, name in QUARTILES.items():
        own = latency[latency["fraction"] == fraction].set_index("class")["latency"]
        rows[name] = rows["class"].map(own)
    return rows.assign(unit="".join(latency["unit"].head(1)))


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    rows = [
        {
            "Stream": stream_name(str(row["stream"]), bool(row["simulated"]), subject.streams),
            "Class": str(row["class"]),
            "Arrived": _counted(row["arrived"], row["arrived_fraction"]),
            "Pending": _counted(row["pending"], row["pending_fraction"]),
            "Median time": f"{number_text(float(row['median']), 1)} {row['unit']}",
            "Quartiles": " to ".join(number_text(float(row[end]), 1) for end in ("low", "high")),
        }
        for row in table.to_dict("records")
    ]
    notes = stream_notes(table, "Classes of pending labels")
    return Layout(pd.DataFrame(rows, dtype=object), "llrrrr", notes)


def _counted(count: int, fraction: float) -> str:
    if not count:
        return "0"
    return f"{number_text(int(count))} ({number_text(100 * float(fraction), 1)} %)"
