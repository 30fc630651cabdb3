"""Size and temporal dependence of streams (Žliobaitė et al. 2015, Table 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from streameval.items.dependence.settings import StreamCharacteristicsSettings
from streameval.items.inputs import ItemInput, StreamInput, over_streams
from streameval.items.subject import Subject
from streameval.report.results import as_flags
from streameval.report.tables import Layout, number_text, stream_name, stream_notes
from streameval.streams.stream import Stream


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[StreamCharacteristicsSettings],
) -> pd.DataFrame:
    """Return the table for several streams; see `stream_characteristics`."""
    return over_streams(
        given, lambda one: stream_characteristics(one.labelled_stream), item.columns
    )


def stream_characteristics(stream: Stream) -> pd.DataFrame:
    """Return a stream's row of Table 3.

    Returns
    -------
    pandas.DataFrame
        Columns instances, attributes, classes (declared ones), P(M), P(T). P(M) is the proportion
        of the most frequent class. P(T) is the proportion of labels that equal the previous label,
        Σ P(i, i) of Proposition 7, among the n - 1 labels with a previous one.
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


TABLE3 = ("stream", "simulated", "instances", "attributes", "classes", "P(M)", "P(T)")


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return table3_layout(table, subject.streams)


def table3_layout(
    table: pd.DataFrame, titles: Mapping[str, str] | None = None, decimals: int = 4
) -> Layout:
    """Lay out Table 3 of Žliobaitė et al. (2015): one line per stream.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns stream, simulated, instances, attributes, classes, P(M), P(T).
    titles : mapping of str to str, optional
        Names of the streams, for people.
    decimals : int
        Decimals of P(M) and P(T).
    """
    simulated = as_flags(table["simulated"], "Table 3")
    cells = {
        "Stream": [
            stream_name(str(stream), flag, titles)
            for stream, flag in zip(table["stream"], simulated, strict=True)
        ]
    }
    for name in ("instances", "attributes", "classes"):
        cells[name.capitalize()] = [number_text(int(value)) for value in table[name]]
    for name in ("P(M)", "P(T)"):
        cells[name] = [number_text(value, decimals) for value in table[name]]
    return Layout(pd.DataFrame(cells, dtype=object), "lrrrrr", stream_notes(table, "Table 3"))
