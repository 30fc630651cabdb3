"""By how much the two rules for predictions in a bin differ, from the frames of a study by bin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.reevaluation.settings import BinRulesSettings
from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text, stream_name, stream_notes


def study(given: Mapping[str, StreamInput[Any]], item: ItemInput[BinRulesSettings]) -> pd.DataFrame:
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


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a line for each stream and learner."""
    lines = [
        {
            "Stream": stream_name(str(row["stream"]), bool(row["simulated"]), subject.streams),
            "Learner": subject.titles.get(str(row["learner"]), str(row["learner"])),
            "Bin": number_text(int(row["bin"])),
            "Other labels (%)": number_text(float(row["differing_percent"]), 2),
            "Published (%)": number_text(float(row["published_percent"]), 2),
            "Paper (%)": number_text(float(row["paper_percent"]), 2),
            "Difference": number_text(float(row["difference"]), 2),
        }
        for row in table.to_dict("records")
    ]
    return Layout(pd.DataFrame(lines, dtype=object), "llrrrrr", stream_notes(table, "Rules"))
