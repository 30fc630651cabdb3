"""Lay out by how much the two rules for predictions in a bin differ."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import Layout, number_text


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
