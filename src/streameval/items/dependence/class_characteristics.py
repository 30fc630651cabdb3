"""Proportions of the classes and accuracies of the baselines (Bifet et al. 2013, Table 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.items.dependence.settings import ClassCharacteristicsSettings
from streameval.items.inputs import ItemInput, StreamInput, over_streams
from streameval.items.subject import Subject
from streameval.report.results import as_flags
from streameval.report.tables import Layout, number_text, stream_name, stream_notes

#: Number of classes per stream in Table 2: the largest ones.
LARGEST_CLASSES = 3


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[ClassCharacteristicsSettings],
) -> pd.DataFrame:
    """Return the table for several streams; see `class_characteristics`."""

    def part(one: StreamInput[Any]) -> pd.DataFrame:
        predictions = one.predictions()
        correct = predictions.predicted["no_change"] == predictions.true
        return class_characteristics(predictions.true, float(correct.mean()))

    return over_streams(given, part, item.columns)


def class_characteristics(
    labels: NDArray[np.int32], no_change_accuracy: float, largest: int = LARGEST_CLASSES
) -> pd.DataFrame:
    """Return a stream's part of Table 2.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in stream order.
    no_change_accuracy : float
        Accuracy of the No-Change learner on the stream.
    largest : int
        Number of classes to report on.

    Returns
    -------
    pandas.DataFrame
        Columns measure, value. Classes c1, c2, ... are in descending order of their proportion
        P(c). P(c|c) is the proportion of class c among the instances right after one of class c.
        `majority_accuracy` is P(c1), Equation 6 of the 2015 journal paper.
    """
    classes, counts = np.unique(labels, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:largest]
    rows = [(f"P(c{i + 1})", counts[c] / len(labels)) for i, c in enumerate(order)]
    for i, c in enumerate(order):
        after = labels[1:][labels[:-1] == classes[c]]
        repeated = float(np.mean(after == classes[c])) if len(after) else float("nan")
        rows.append((f"P(c{i + 1}|c{i + 1})", repeated))
    rows.append(("majority_accuracy", counts[order[0]] / len(labels)))
    rows.append(("no_change_accuracy", no_change_accuracy))
    return pd.DataFrame(rows, columns=["measure", "value"])


TABLE2 = ("stream", "simulated", "measure", "value")


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return table2_layout(table, subject.streams)


def table2_layout(
    table: pd.DataFrame, titles: Mapping[str, str] | None = None, decimals: int = 4
) -> Layout:
    """Lay out Table 2 of Bifet et al. (2013): two lines per stream.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns stream, simulated, measure, value (fraction).
    titles : mapping of str to str, optional
        Names of the streams, for people.
    decimals : int
        Decimals of all numbers.

    Returns
    -------
    Layout
        Above, the shares P(c) of the largest classes and the accuracy of Majority; below,
        P(c|c), how often such a class follows itself, and the accuracy of No-Change.
    """
    if table.duplicated(["stream", "measure"]).any():
        twice = table[table.duplicated(["stream", "measure"])].iloc[0]
        raise DataError(
            f"Table 2: expected {twice['measure']} of {twice['stream']} once, found it twice."
        )
    rows = []
    for stream, part in table.groupby("stream", sort=False):
        simulated = bool(as_flags(part["simulated"], "Table 2").iloc[0])
        value = dict(zip(part["measure"], part["value"], strict=True))
        name = stream_name(str(stream), simulated, titles)
        lines = (
            (name, "P(c)", "P(c{0})", "Majority", "majority_accuracy"),
            ("", "P(c|c)", "P(c{0}|c{0})", "No-Change", "no_change_accuracy"),
        )
        for first, line, cell, baseline, accuracy in lines:
            shares = [number_text(value.get(cell.format(i)), decimals) for i in (1, 2, 3)]
            rows.append(
                [first, line, *shares, baseline, number_text(value.get(accuracy), decimals)]
            )
    header = ["Stream", "Share", "c₁", "c₂", "c₃", "Baseline", "Accuracy"]
    return Layout(pd.DataFrame(rows, columns=header), "llrrrlr", stream_notes(table, "Table 2"))
