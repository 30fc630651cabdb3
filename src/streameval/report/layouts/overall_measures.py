"""Lay out measures of learners over whole streams."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.report.frames import as_flags
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import DECIMALS, Layout, plain_layout


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: measures by their symbols.

    What is the same in all rows has no column: the only stream stands below.
    """
    measures = list(subject.settings.measures)
    simulated = as_flags(table["simulated"], "Measures")
    names = [
        stream_name(str(stream), flag, None)
        for stream, flag in zip(table["stream"], simulated, strict=True)
    ]
    shown = table[["learner", *measures]]
    notes = stream_notes(table, "Measures")
    if len(set(names)) == 1:
        notes = (f"Stream: {names[0]}.", *notes)
    else:
        shown = shown.assign(stream=names)[["stream", *shown.columns]]
    symbols = {name: MEASURES[name].symbol for name in measures}
    found = plain_layout(shown, DECIMALS, symbols | {"accuracy": "accuracy"})
    return Layout(found.cells, found.align, notes)
