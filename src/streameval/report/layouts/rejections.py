"""Lay out how often tests reject."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.evaluation.decisions import DECISIONS
from streameval.items.subject import Subject
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.names import READINGS, SCHEMES
from streameval.report.tables import Layout, number_text

COLUMNS = (
    "stream",
    "simulated",
    "test",
    "reading",
    "scheme",
    "alternative",
    "instances",
    "value",
    "low",
    "high",
)


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a column for each alternative and scheme."""
    rows: dict[str, dict[str, str]] = {}
    groups: dict[str, str] = {}
    for row in table.to_dict("records"):
        name = f"{row['alternative']}: {SCHEMES[row['scheme']]}"
        groups[name] = str(row["alternative"])
        rows.setdefault(_name(row, subject), {})[name] = number_text(row["value"], 2)
    cells = pd.DataFrame(rows.values(), dtype=object)
    first = "Stream" if subject.settings.by_stream else "Test"
    cells.insert(0, first, list(rows))
    widest = ((table["high"] - table["low"]) / 2).max()
    shortest, longest = (number_text(int(table["instances"].agg(end))) for end in ("min", "max"))
    lengths = longest if shortest == longest else f"{shortest} to {longest}"
    if not subject.settings.by_stream:
        lengths = f"at least {shortest}"  # all that averages say of their streams
    note = (
        f"Runs of {lengths} instances. The CSV has 95 % intervals, the true difference in accuracy "
        "behind each cell, and the number of runs. The widest interval is "
        f"±{number_text(widest, 2)}."
    )
    notes = (note, *stream_notes(table, "Rejections"))
    return Layout(cells, "l" + "r" * len(groups), notes, ("", *groups.values()))


def _name(row: Mapping[Any, Any], subject: Subject) -> str:
    reading, test = str(row["reading"]), str(row["test"])
    parts = []
    if subject.settings.by_stream:
        is_average = row["stream"] == "all"
        name = stream_name(str(row["stream"]), bool(row["simulated"]), subject.streams)
        parts.append("Average" if is_average else name)
    if not subject.settings.by_stream or len(subject.settings.tests) > 1:
        parts.append(DECISIONS[test].title)
    if not subject.settings.by_stream or len(subject.settings.readings) > 1:
        parts.append(READINGS[reading])
    return ", ".join(parts)
