"""The bias of stopping, from the frames of `label_waiting`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.pending.settings import StoppingBiasSettings
from streameval.items.subject import Subject
from streameval.report.tables import NO_VALUE, Layout, number_text, stream_name, stream_notes
from streameval.significance.stream_mean import stream_mean


def study(
    given: Mapping[str, StreamInput[Any]], item: ItemInput[StoppingBiasSettings]
) -> pd.DataFrame:
    """Return the table of an item: a row for each learner on each stream.

    Columns stream, simulated, learner, then at the last stop: labels, begun (instances), pending,
    the three accuracies and the bias of `label_waiting.stopping`; then, over all stops with a bias
    in the window: window, stops, mean_pending, window_bias (the mean), and the ends of its
    interval, low and high, which are NaN where `stream_mean` gives none.
    """
    frames, sizes = (item.frames_of_streams(name) for name in ("stopping", "size"))
    parts = [
        of_stream(frame).assign(stream=name, simulated=sizes[name]["simulated"].iloc[0])
        for name, frame in frames.items()
    ]
    return pd.concat(parts, ignore_index=True)[[*item.columns]]


def of_stream(stopping: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a stream."""
    rows = []
    for learner, own in stopping.groupby("learner", sort=False):
        last = own[own["window"] == 0].sort_values("time").to_dict("records")[-1]
        found = own[(own["window"] > 0) & own["bias"].notna()].sort_values("time")
        nothing = (np.nan, np.nan, np.nan)
        mean, low, high = stream_mean(found["bias"])[:3] if len(found) else nothing
        windows = own.loc[own["window"] > 0, "window"]
        about = {
            "window": int(windows.iloc[0]) if len(windows) else 0,
            "stops": len(found),
            "mean_pending": found["pending"].mean(),
            "window_bias": mean,
            "low": low,
            "high": high,
        }
        rows.append(last | {"learner": learner} | about)
    return pd.DataFrame(rows)


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
