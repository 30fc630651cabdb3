"""Accuracies reported in papers (Bifet et al. 2013, Table 1; Žliobaitė et al. 2015, Table 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.items.examples.settings import LiteratureSettings
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.subject import Subject
from streameval.report.results import above_no_change, as_flags
from streameval.report.tables import NO_VALUE, Layout, number_text
from streameval.table_files import read_csv


def study(
    given: Mapping[str, StreamInput[Any]], item: ItemInput[LiteratureSettings]
) -> pd.DataFrame:
    """Return the table, with the No-Change of the last of the streams; see `literature`."""
    measured = None
    for one in given.values():
        predictions = one.predictions()
        measured = float((predictions.predicted["no_change"] == predictions.true).mean())
    published = read_csv(item.resource(item.settings.published))
    return literature(published, item.settings.member, measured)


def literature(
    published: pd.DataFrame, column: str, no_change_accuracy: float | None
) -> pd.DataFrame:
    """Return the accuracies reported for the electricity stream (Table 1), with our own.

    Parameters
    ----------
    published : pandas.DataFrame
        ``resources/published/elec2_literature.csv``.
    column : str
        Its column that marks the rows of the table.
    no_change_accuracy : float or None
        Our accuracy of No-Change, a fraction; None without a run.

    Returns
    -------
    pandas.DataFrame
        Columns algorithm, accuracy_percent, reference, tested_on_subset, measured,
        above_no_change; sorted in descending order of accuracy. Without a run of our own, the
        published value of No-Change is used and `measured` is False everywhere.
    """
    rows = published[published[column].astype(int) == 1]
    table = rows[["algorithm", "accuracy_percent", "reference", "tested_on_subset"]].copy()
    table["accuracy_percent"] = table["accuracy_percent"].astype(float)
    table["tested_on_subset"] = table["tested_on_subset"].astype(int).astype(bool)
    table["reference"] = table["reference"].fillna("")
    baseline = table["algorithm"].str.contains("No-Change")
    table["measured"] = baseline & (no_change_accuracy is not None)
    if no_change_accuracy is not None:
        table.loc[baseline, "accuracy_percent"] = 100 * no_change_accuracy
    threshold = float(table.loc[baseline, "accuracy_percent"].iloc[0])
    table["above_no_change"] = table["accuracy_percent"] > threshold
    order = table["accuracy_percent"].sort_values(ascending=False, kind="stable").index
    return table.loc[order].reset_index(drop=True)


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
        above_no_change; see `streameval.items.examples.literature.literature`.
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
