"""The bias of stopping, from the frames of `label_waiting`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.significance.intervals import series_interval
from streameval.studies.given import Given, OfItem


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table of an item: a row for each learner on each stream.

    Columns stream, simulated, learner, then at the last stop: labels, begun (instances), pending,
    the three accuracies and the bias of `label_waiting.stopping`; then, over all stops with a bias
    in the window: window, stops, mean_pending, window_bias (the mean), and the ends of its
    interval, low and high, which are NaN for fewer than four stops.
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
        few = len(found) < 4  # too few for any interval
        ends = (np.nan, np.nan) if few else series_interval(found["bias"])[1:]
        windows = own.loc[own["window"] > 0, "window"]
        about = {
            "window": int(windows.iloc[0]) if len(windows) else 0,
            "stops": len(found),
            "mean_pending": found["pending"].mean(),
            "window_bias": found["bias"].mean(),
            "low": ends[0],
            "high": ends[1],
        }
        rows.append(last | {"learner": learner} | about)
    return pd.DataFrame(rows)
