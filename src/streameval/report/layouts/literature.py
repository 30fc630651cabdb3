"""Lay out accuracies that the literature reports."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.frames import as_flags
from streameval.report.tables import NO_VALUE, Layout, number_text

LITERATURE = (
    "algorithm",
    "accuracy_percent",
    "reference",
    "tested_on_subset",
    "measured",
    "above_no_change",
)
_SUBSET = "* tested on a subset of the stream"


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return literature_layout(table)


def literature_layout(table: pd.DataFrame, decimals: int = 1) -> Layout:
    """Lay out the accuracies that the literature reports, our own No-Change among them.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns algorithm, accuracy_percent, reference, tested_on_subset, measured,
        above_no_change; see `streameval.studies.literature.literature`.
    decimals : int
        Decimals of the accuracies.

    Returns
    -------
    Layout
        With a note that counts how many reported accuracies are above No-Change.
    """
    subset = as_flags(table["tested_on_subset"], "Literature")
    measured = as_flags(table["measured"], "Literature")
    cells = {
        "Algorithm": [
            f"{name}, measured here" if ours else str(name)
            for name, ours in zip(table["algorithm"], measured, strict=True)
        ],
        "Accuracy (%)": [
            number_text(float(value), decimals) + ("*" if part else "")
            for value, part in zip(table["accuracy_percent"], subset, strict=True)
        ],
        "Reference": [
            "this run" if ours else (text if isinstance(text, str) and text else NO_VALUE)
            for text, ours in zip(table["reference"], measured, strict=True)
        ],
    }
    above, reported = above_no_change(table)
    notes = [f"{above} of {reported} reported accuracies are above No-Change."]
    notes += [_SUBSET] if subset.any() else []
    if not measured.any():
        notes.append("No-Change was not run here; its accuracy is the published one.")
    return Layout(pd.DataFrame(cells, dtype=object), "lrl", tuple(notes))


def above_no_change(table: pd.DataFrame) -> tuple[int, int]:
    """Return how many reported accuracies are above No-Change, and how many are reported."""
    baseline = table["algorithm"].astype(str).str.contains("No-Change", regex=False)
    above = as_flags(table["above_no_change"], "Literature")
    return int(above[~baseline].sum()), int((~baseline).sum())
