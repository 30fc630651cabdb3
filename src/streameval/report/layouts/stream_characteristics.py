"""Lay out Table 3 of Žliobaitė et al. (2015)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.frames import as_flags
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import Layout, number_text

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
