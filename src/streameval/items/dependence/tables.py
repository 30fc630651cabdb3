"""Class proportions and size of streams, beside their temporal dependence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from streameval.base.arrays import Codes
from streameval.drawing.subject import Subject
from streameval.items.columns import (
    count,
    laid_out,
    number,
    of_texts,
    stream_names,
    stream_notes,
    streams,
)
from streameval.items.dependence.settings import (
    ClassCharacteristicsSettings,
    StreamCharacteristicsSettings,
)
from streameval.items.inputs import ItemInput, StreamInput, StreamInputs, over_streams
from streameval.streams.stream import Stream
from streameval.view.blocks import Table
from streameval.view.numbers import DECIMALS, number_text

#: Number of classes per stream in Table 2: the largest ones.
LARGEST_CLASSES = 3


def study_class_characteristics(
    given: StreamInputs, item: ItemInput[ClassCharacteristicsSettings]
) -> pd.DataFrame:
    """Return the table for several streams; see `class_characteristics`."""

    def part(one: StreamInput[Any]) -> pd.DataFrame:
        predictions = one.predictions()
        correct = predictions.predicted["no_change"] == predictions.true
        return class_characteristics(predictions.true, float(correct.mean()))

    return over_streams(given, part, item.columns)


def class_characteristics(labels: Codes, no_change_accuracy: float) -> pd.DataFrame:
    """Return a stream's part of Table 2: P(c) and P(c|c), of the most frequent class first.

    P(c|c) is the proportion of class c right after one of class c.
    """
    classes, counts = np.unique(labels, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:LARGEST_CLASSES]
    rows = [(f"P(c{i + 1})", counts[c] / len(labels)) for i, c in enumerate(order)]
    for i, c in enumerate(order):
        after = labels[1:][labels[:-1] == classes[c]]
        repeated = float(np.mean(after == classes[c])) if len(after) else float("nan")
        rows.append((f"P(c{i + 1}|c{i + 1})", repeated))
    rows.append(("majority_accuracy", counts[order[0]] / len(labels)))
    rows.append(("no_change_accuracy", no_change_accuracy))
    return pd.DataFrame(rows, columns=["measure", "value"])


def layout_class_characteristics(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out Table 2 of Bifet et al. (2013): two lines for each stream, P(c) and P(c|c) below."""
    rows = []
    for _, part in table.groupby("stream", sort=False):
        value = dict(zip(part["measure"], part["value"], strict=True))
        name = stream_names(part, subject.streams)[0]
        lines = (
            (name, "P(c)", "P(c{0})", "Majority", "majority_accuracy"),
            ("", "P(c|c)", "P(c{0}|c{0})", "No-Change", "no_change_accuracy"),
        )
        for first, line, cell, baseline, accuracy in lines:
            shares = [number_text(value.get(cell.format(i)), DECIMALS) for i in (1, 2, 3)]
            rows.append(
                [first, line, *shares, baseline, number_text(value.get(accuracy), DECIMALS)]
            )
    header = ["Stream", "Share", "c₁", "c₂", "c₃", "Baseline", "Accuracy"]
    return of_texts(pd.DataFrame(rows, columns=header), "llrrrlr", stream_notes(table))


def study_stream_characteristics(
    given: StreamInputs, item: ItemInput[StreamCharacteristicsSettings]
) -> pd.DataFrame:
    """Return the table for several streams; see `stream_characteristics`."""
    return over_streams(
        given, lambda one: stream_characteristics(one.labelled_stream), item.columns
    )


def stream_characteristics(stream: Stream) -> pd.DataFrame:
    """Return a stream's row of Table 3.

    P(M) is the proportion of the most frequent class, P(T) that of labels that equal the one
    before.
    """
    labels = stream.y
    row = {
        "instances": len(stream),
        "attributes": stream.X.shape[1],
        "classes": stream.n_classes,
        "P(M)": np.bincount(labels).max() / len(labels),
        "P(T)": float(np.mean(labels[1:] == labels[:-1])) if len(labels) > 1 else float("nan"),
    }
    return pd.DataFrame([row])


def layout_stream_characteristics(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out Table 3 of Žliobaitė et al. (2015): a line for each stream."""
    counts = [count(name.capitalize(), name) for name in ("instances", "attributes", "classes")]
    columns = [streams(subject), *counts, number("P(M)", "P(M)"), number("P(T)", "P(T)")]
    return laid_out(table, columns, stream_notes(table))
