"""Lay out the classes of pending labels: a line for each class of each stream."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import Layout, number_text


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
