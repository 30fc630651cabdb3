"""Errors of estimates where labels are missing, from the frames of `censored_accuracy`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.pending.settings import CensoredTableSettings
from streameval.items.subject import Subject
from streameval.report.names import ESTIMATOR_TITLES
from streameval.report.tables import Layout, number_text, stream_name, stream_notes
from streameval.significance.intervals import mean_interval


def study(
    given: Mapping[str, StreamInput[Any]], item: ItemInput[CensoredTableSettings]
) -> pd.DataFrame:
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


_ERROR = "Error, points"


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item; errors and accuracies are in points and per cent."""
    rows = []
    for (stream, law, learner), own in table.groupby(["stream", "law", "learner"], sort=False):
        one = own.set_index("estimator").to_dict("index")
        first = own.iloc[0]
        lower, upper = (_percent(one[end]["estimate"]) for end in ("lower", "upper"))
        rows.append(
            {
                "Stream": stream_name(str(stream), bool(first["simulated"]), subject.streams),
                "Law": str(law).replace("_", " "),
                "Learner": subject.titles.get(str(learner), str(learner)),
                "Arrived, %": _percent(first["arrived"], 0),
                "Accuracy, %": _percent(first["truth"]),
                **{
                    f"{_ERROR}: {title}": _plus_minus(one[name])
                    for name, title in ESTIMATOR_TITLES.items()
                },
                "Bounds, %": f"{lower} to {upper}",
            }
        )
    cells = pd.DataFrame(rows, dtype=object)
    groups = ("",) * 5 + (_ERROR,) * len(ESTIMATOR_TITLES) + ("",)
    return Layout(
        cells, "lllrr" + "r" * (len(groups) - 5), stream_notes(table, "Missing labels"), groups
    )


def _percent(value: float, decimals: int = 1) -> str:
    return number_text(100 * float(value), decimals)


def _plus_minus(row: Mapping[Hashable, Any]) -> str:
    half = (float(row["high"]) - float(row["low"])) / 2
    return f"{_percent(row['error'])} ± {_percent(half)}"
