"""Tables of labels that are pending when evaluation stops."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.columns import (
    count,
    laid_out,
    learners,
    number,
    of_texts,
    stream_name,
    stream_notes,
    streams,
    text,
    with_ends,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.pending.settings import (
    CensoredTableSettings,
    StoppingBiasSettings,
    WaitingClassesSettings,
)
from streameval.report.names import ESTIMATOR_TITLES
from streameval.significance.intervals import mean_interval
from streameval.significance.stream_mean import stream_mean
from streameval.view.blocks import Column, Table
from streameval.view.numbers import number_text


def study_censored_table(
    given: StreamInputs, item: ItemInput[CensoredTableSettings]
) -> pd.DataFrame:
    """Return the table of an item: means over runs for each stream, law, learner and estimator.

    `arrived` is a fraction of labels; `error` is the estimate minus the truth, with its interval.
    """
    return item.over_frames(errors, "censored")


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


def layout_censored_table(table: pd.DataFrame, subject: Subject) -> Table:
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
    return of_texts(cells, "lllrr" + "r" * (len(groups) - 5), stream_notes(table), groups)


def _percent(value: float, decimals: int = 1) -> str:
    return number_text(100 * float(value), decimals)


def _plus_minus(row: Mapping[Hashable, Any]) -> str:
    half = (float(row["high"]) - float(row["low"])) / 2
    return f"{_percent(row['error'])} ± {_percent(half)}"


def study_stopping_bias(given: StreamInputs, item: ItemInput[StoppingBiasSettings]) -> pd.DataFrame:
    """Return the table of an item: for each learner on each stream the bias of its accuracy.

    It is that of `label_waiting.stopping` at the last stop, and the mean over all stops in a
    window.
    """
    return item.over_frames(biases, "stopping")


def biases(stopping: pd.DataFrame) -> pd.DataFrame:
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


def layout_stopping_bias(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item; accuracies and biases are in per cent and points."""
    window = number_text(int(table["window"].iloc[0]))
    columns = [
        streams(subject),
        learners(subject),
        count("Begun", "begun"),
        count("Pending", "pending"),
        number("Arrived, %", "arrived_accuracy", 2, 100.0),
        number("Pending, %", "pending_accuracy", 2, 100.0),
        number("All begun, %", "accuracy", 2, 100.0),
        number("Bias", "bias", 2, 100.0),
        with_ends(f"Latest {window}: bias", "window_bias", 2, ("low", "high"), 100.0),
    ]
    pending = table.drop_duplicates("stream")["mean_pending"]
    texts = ", ".join(number_text(float(value), 0) for value in pending)
    note = f"Pending instances in a window, on average over the stopping times: {texts}."
    return laid_out(table, columns, (note, *stream_notes(table)))


#: Columns of the quartiles, by fraction of the labels.
QUARTILES = {0.25: "low", 0.5: "median", 0.75: "high"}


def study_waiting_classes(
    given: StreamInputs, item: ItemInput[WaitingClassesSettings]
) -> pd.DataFrame:
    """Return the table of an item: a row for each class of each stream, at the last stop.

    Fractions are of all labels that have arrived, and that are pending; times to labels have
    quartiles.
    """
    return item.over_frames(at_the_end, "classes", "latency")


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


def layout_waiting_classes(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item."""

    def quartiles(*ends: float) -> str:
        return " to ".join(number_text(float(end), 1) for end in ends)

    columns = [
        streams(subject),
        text("Class", "class"),
        Column("Arrived", ["arrived", "arrived_fraction"], _counted),
        Column("Pending", ["pending", "pending_fraction"], _counted),
        Column("Median time", ["median", "unit"], _time),
        Column("Quartiles", ["low", "high"], quartiles),
    ]
    return laid_out(table, columns, stream_notes(table))


def _time(length: float, unit: str) -> str:
    return f"{number_text(float(length), 1)} {unit}"


def _counted(count: int, fraction: float) -> str:
    if not count:
        return "0"
    return f"{number_text(int(count))} ({number_text(100 * float(fraction), 1)} %)"
