"""Errors of estimates where labels are missing, from the frames of `censored_accuracy`."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.given import Given, OfItem
from streameval.significance.intervals import mean_interval


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table of an item: a row for each law, learner and estimator of each stream.

    Columns stream, simulated, law, learner, estimator, runs, then means over runs: arrived
    (fraction of labels), truth, estimate, error (the estimate minus the truth), with its interval,
    low to high.
    """
    frames, sizes = (item.frames_of_streams(name) for name in ("censored", "size"))
    parts = [
        errors(frame).assign(stream=name, simulated=sizes[name]["simulated"].iloc[0])
        for name, frame in frames.items()
    ]
    return pd.concat(parts, ignore_index=True)[[*item.columns]]


def errors(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a stream: means and intervals over runs."""
    rows = []
    by = ["law", "learner", "estimator"]
    for key, own in estimates.groupby(by, sort=False):
        error, low, high = mean_interval((own["estimate"] - own["truth"]).to_numpy())
        means = own[["arrived", "truth", "estimate"]].mean().to_dict()
        about = dict(zip(by, key, strict=True)) | {"runs": len(own)} | means
        rows.append(about | {"error": error, "low": low, "high": high})
    return pd.DataFrame(rows)
