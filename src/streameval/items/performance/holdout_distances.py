"""How far estimates are from the hold-out, for several streams (Bifet et al. 2015, Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.performance.following import ADWIN, WINDOW
from streameval.items.performance.settings import HoldoutDistancesSettings
from streameval.items.subject import Subject
from streameval.report.results import as_numbers
from streameval.report.tables import Layout, number_text
from streameval.significance.stream_mean import LEAST_EFFECTIVE

_FRAME = ".distances"


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[HoldoutDistancesSettings],
) -> pd.DataFrame:
    """Return the table: columns stream, then those of the frame of `holdout`."""
    parts = []
    for name in item.frames:
        if name.endswith(_FRAME):
            part = item.frame(name)
            part.insert(0, "stream", name.removesuffix(_FRAME))
            parts.append(
                part.assign(learner=part["learner"].map(lambda key: item.titles.get(key, key)))
            )
    return pd.concat(parts or [pd.DataFrame(columns=list(item.columns))], ignore_index=True)


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a line for each stream and learner."""
    ends = {end: as_numbers(table[end], "Distances to the hold-out") for end in ("low", "high")}
    table = table.assign(**ends)
    names = list(dict.fromkeys(table["estimator"]))
    rows = []
    for (stream, learner), part in table.groupby(["stream", "learner"], sort=False):
        one = part.set_index("estimator")
        found = [_plus_minus(one.loc[name]) if name in one.index else "" for name in names]
        instances = number_text(int(part["instances"].iloc[0]))
        title = subject.streams.get(str(stream), str(stream))
        rows.append([title, learner, instances, *found, number_text(float(part["floor"].iloc[0]))])
    header = ["Stream", "Learner", "Instances", *map(_name, names), "Hold-out's own"]
    note = (
        "Mean absolute distance of estimates of accuracy to the hold-out, ± half of the 95 % "
        "interval, which respects dependence; without it where tests are worth too few "
        f"independent ones for any (fewer than {LEAST_EFFECTIVE})."
    )
    cells = pd.DataFrame(rows, columns=header, dtype=object)
    return Layout(cells, "ll" + "r" * (len(names) + 2), (note,))


def _name(estimator: str) -> str:
    if estimator == ADWIN:
        return "ADWIN"
    return f"Window of {int(estimator.removeprefix(WINDOW)):,}"


def _plus_minus(row: pd.Series) -> str:
    half = (row["high"] - row["low"]) / 2
    ends = "" if np.isnan(half) else f" ± {number_text(half)}"
    return number_text(float(row["distance"])) + ends
