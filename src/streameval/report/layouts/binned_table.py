"""Lay out accuracies by bin: a line for each stream and bin, a column for each learner."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.layouts.streams import stream_name, stream_notes
from streameval.report.tables import Layout, number_text
from streameval.studies.binned_table import WEIGHTED

COLUMNS = (
    *("stream", "simulated", "labels", "attributes", "which", "learner"),
    *("accuracy_percent", "low", "high"),
)


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item; the most accurate learners of a line are marked."""
    cells = cells_by_bin(table, subject, "accuracy_percent", 1)
    widest = ((table["high"] - table["low"]) / 2).max()
    note = (
        "* The highest accuracy of the bin. The CSV has 95 % intervals of single cells; the widest "
        f"is ±{number_text(widest, 1)}."
    )
    notes = (note, *stream_notes(table, "Table of bins"))
    return Layout(cells, "l" + "r" * (cells.shape[1] - 1), notes)


def cells_by_bin(table: pd.DataFrame, subject: Subject, column: str, sign: int) -> pd.DataFrame:
    """Return the texts: a line for each stream and bin, a column for each learner.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns stream, simulated, labels, attributes, which, learner, and that of the values.
    subject : Subject
        How streams and learners are called.
    column : str
        The values, shown with two decimals.
    sign : {1, -1}
        Whether the highest or the lowest ones of a line are marked.
    """
    lines: list[dict[str, str]] = []
    learners = list(dict.fromkeys(table["learner"]))
    for _, rows in table.groupby(["stream", "which"], sort=False):
        first = rows.to_dict("records")[0]
        values = rows.set_index("learner")[column]
        texts = {learner: number_text(values[learner], 2) for learner in learners}
        best = texts[str((sign * values).idxmax())]
        lines.append(
            {
                "Stream": stream_name(
                    str(first["stream"]), bool(first["simulated"]), subject.streams
                ),
                "Labels": number_text(int(first["labels"])),
                "Inputs": number_text(int(first["attributes"])),
                "Bin": bin_name(str(first["which"])),
            }
            | {
                subject.titles.get(learner, learner): f"{text}{' *' if text == best else ''}"
                for learner, text in texts.items()
            }
        )
    return pd.DataFrame(lines, dtype=object)


def bin_name(which: str) -> str:
    """Return what tables call a bin, or the weights of all bins."""
    return which.replace("B+1", "B + 1").replace(WEIGHTED, "Ψ, ")
