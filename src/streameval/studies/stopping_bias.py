"""The bias of stopping, from the frames of `label_waiting`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.items.given import Given, OfItem
from streameval.significance.stream_mean import stream_mean


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
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
