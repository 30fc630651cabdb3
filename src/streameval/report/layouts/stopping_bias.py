"""Lay out the bias of stopping: a line for each learner on each stream."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import NO_VALUE, Layout, number_text

COLUMNS = (
    *("stream", "simulated", "learner", "labels", "begun", "pending"),
    *("arrived_accuracy", "pending_accuracy", "accuracy", "bias"),
    *("window", "stops", "mean_pending", "window_bias", "low", "high"),
)


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item; accuracies and biases are in per cent and points."""
    rows = []
    for row in table.to_dict("records"):
        percent = {name: number_text(100 * float(row[name]), 2) for name in COLUMNS[6:10]}
        mean, low, high = (
            number_text(100 * float(row[name]), 2) for name in ("window_bias", "low", "high")
        )
        ends = "" if NO_VALUE in (low, high) else f" ({low} to {high})"
        rows.append(
            {
                "Stream": stream_name(str(row["stream"]), bool(row["simulated"]), subject.streams),
                "Learner": subject.titles.get(str(row["learner"]), str(row["learner"])),
                "Begun": number_text(int(row["begun"])),
                "Pending": number_text(int(row["pending"])),
                "Arrived, %": percent["arrived_accuracy"],
                "Pending, %": percent["pending_accuracy"],
                "All begun, %": percent["accuracy"],
                "Bias": percent["bias"],
                f"Latest {number_text(int(row['window']))}: bias": mean + ends,
            }
        )
    pending = table.drop_duplicates("stream")["mean_pending"]
    texts = ", ".join(number_text(float(value), 0) for value in pending)
    note = f"Pending instances in a window, on average over the stopping times: {texts}."
    return Layout(
        pd.DataFrame(rows, dtype=object),
        "llrrrrrrr",
        (note, *stream_notes(table, "Bias of stopping")),
    )
