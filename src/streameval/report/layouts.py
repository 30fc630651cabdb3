"""How the papers' tables are laid out for people; the tidy frames stay as they are."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.errors import DataError
from streameval.report.frames import as_flags, require_columns
from streameval.report.tables import NO_VALUE, Layout, number_text

TABLE2 = ("stream", "simulated", "measure", "value")
TABLE3 = ("stream", "simulated", "instances", "attributes", "classes", "P(M)", "P(T)")
LITERATURE = (
    "algorithm",
    "accuracy_percent",
    "reference",
    "tested_on_subset",
    "measured",
    "above_no_change",
)

_SIMULATED = (
    "Streams marked (simulated) are generated to resemble a real one; they are not the real one."
)
_SUBSET = "* tested on a subset of the stream"


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

    Raises
    ------
    DataError
        If a column is missing, or a stream has a measure twice.
    """
    require_columns(table, TABLE2, "Table 2")
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
    return Layout(pd.DataFrame(rows, columns=header), "llrrrlr", _stream_notes(table, "Table 2"))


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

    Raises
    ------
    DataError
        If a column is missing.
    """
    require_columns(table, TABLE3, "Table 3")
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
    return Layout(pd.DataFrame(cells, dtype=object), "lrrrrr", _stream_notes(table, "Table 3"))


def literature_layout(table: pd.DataFrame, decimals: int = 1) -> Layout:
    """Lay out the accuracies that the literature reports, our own No-Change among them.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns algorithm, accuracy_percent, reference, tested_on_subset, measured,
        above_no_change; see `streameval.studies.pitfalls.literature`.
    decimals : int
        Decimals of the accuracies.

    Returns
    -------
    Layout
        With a note that counts how many reported accuracies are above No-Change.

    Raises
    ------
    DataError
        If a column is missing.
    """
    require_columns(table, LITERATURE, "Literature")
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


def stream_name(stream: str, simulated: bool, titles: Mapping[str, str] | None) -> str:
    """Return what a table calls a stream."""
    name = (titles or {}).get(stream, stream)
    return f"{name} (simulated)" if simulated else name


def _stream_notes(table: pd.DataFrame, what: str) -> tuple[str, ...]:
    return (_SIMULATED,) if as_flags(table["simulated"], what).any() else ()
