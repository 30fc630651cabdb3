"""Lay out skill under the same delays: a line for each stream, bin and learner."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.layouts.binned_table import bin_name
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import NO_VALUE, Layout, number_text

_LINE = ["stream", "which", "learner"]
_SYMBOLS = {"no_change": "κ_t", "majority": "κ_m"}


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    lines = []
    for (stream, which, learner), rows in table.groupby(_LINE, sort=False):
        line = {
            "Stream": stream_name(str(stream), bool(rows["simulated"].iloc[0]), subject.streams),
            "Bin": bin_name(str(which)),
            "Learner": subject.titles.get(str(learner), str(learner)),
        }
        for row in rows.to_dict("records"):
            symbol = _SYMBOLS[str(row["reference"])]
            line[f"{symbol}: published"] = number_text(float(row["published"]), 3)
            value, low, high = (
                number_text(float(row[name]), 3) for name in ("skill", "low", "high")
            )
            ends = "" if NO_VALUE in (low, high) else f" ({low} to {high})"
            line[f"{symbol}: same delays"] = f"{value}{ends}"
        lines.append(line)
    cells = pd.DataFrame(lines, dtype=object)
    groups = [str(name).partition(": ")[0] for name in cells.columns[3:]]
    notes = stream_notes(table, "Skill")
    return Layout(cells, "lrl" + "r" * len(groups), notes, ("", "", "", *groups))
