"""Lay out how often tests err, by the length of the stream."""

from __future__ import annotations

from string import ascii_uppercase

import pandas as pd

from streameval.evaluation.decisions import DECISIONS
from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text

#: What stands for the long texts that say what tests are about, and are below the table.
_LETTERS = ascii_uppercase


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each test, its size at each length, a verdict."""
    once = table.drop_duplicates(["test", "instances"])
    about: dict[str, str] = {}
    rows = []
    for test, found in once.groupby("test", sort=False):
        ordered = found.sort_values("instances")
        cells = {"Test": DECISIONS[str(test)].title}
        cells |= {
            f"n = {row.instances:,}": (
                f"{number_text(row.size, 2)} "
                f"({number_text(row.size_low, 2)} to {number_text(row.size_high, 2)})"
            )
            for row in ordered.rename(columns={"size": "size"}).itertuples()
        }
        cells["rejects"] = str(ordered["verdict"].iloc[-1])
        estimand = str(ordered["estimand"].iloc[-1])
        cells["is about"] = about.setdefault(estimand, _LETTERS[len(about)])
        rows.append(cells)
    shown = pd.DataFrame(rows, dtype=object).fillna("")
    lengths = [str(name) for name in shown if str(name).startswith("n = ")]
    shown = shown[["Test", *lengths, "rejects", "is about"]]
    notes = [f"{letter}: {estimand}." for estimand, letter in about.items()]
    return Layout(shown, "l" + "r" * len(lengths) + "ll", tuple(notes))
