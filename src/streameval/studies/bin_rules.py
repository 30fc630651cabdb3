"""By how much the two rules for predictions in a bin differ, from the frames of a study by bin."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.given import Given, OfItem


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table of an item: for each stream and learner the bin where they differ most.

    Columns stream, simulated, labels, learner, bin (the first one of equal differences),
    differing_percent (instances for which another label counts), published_percent and
    paper_percent (accuracy by either rule), and difference (the second minus the first, in points).
    """
    rules, sizes = (item.frames_of_streams(name) for name in ("rules", "size"))
    parts = []
    for stream, frame in rules.items():
        points = 100 * (frame["other_accuracy"] - frame["accuracy"])
        most = points.abs().fillna(0).groupby(frame["learner"], sort=False).idxmax()
        rows = frame.loc[most].assign(difference=points, stream=stream)
        rows["differing_percent"] = 100 * rows["differing"] / rows["predictions"]
        rows["published_percent"] = 100 * rows["accuracy"]
        rows["paper_percent"] = 100 * rows["other_accuracy"]
        about = {name: sizes[stream][name].iloc[0] for name in ("simulated", "labels")}
        parts.append(rows.assign(**about))
    return pd.concat(parts, ignore_index=True)[[*item.columns]]
