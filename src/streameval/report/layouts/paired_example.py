"""Lay out Table 1 of Bifet et al. (2015): folds as lines, tests as notes."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text
from streameval.significance.registry import TESTS

_FOLDS = {
    "classifier_a": "Classifier A (%)",
    "classifier_b": "Classifier B (%)",
    "difference": "Difference",
    "rank": "Rank",
}


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return paired_example_layout(table)


def paired_example_layout(table: pd.DataFrame) -> Layout:
    """Lay out accuracies by fold, and a note for each test.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.studies.paired_example.paired_example`.
    """
    is_test = table["of"].isin(list(TESTS))
    folds = table[~is_test]
    cells = {"Fold": folds["of"].drop_duplicates().to_list()}
    for quantity, header in _FOLDS.items():
        values = folds.loc[folds["quantity"] == quantity, "value"]
        cells[header] = [_text(value, 2 if quantity != "rank" else 1) for value in values]
    notes = []
    for name, rows in table[is_test].groupby("of", sort=False):
        found = [
            f"{_in_words(quantity)} {_result(quantity, value)}"
            for quantity, value in zip(rows["quantity"], rows["value"], strict=True)
        ]
        notes.append(f"{TESTS[str(name)].title}: {', '.join(found)}.")
    return Layout(pd.DataFrame(cells, dtype=object), "rrrrr", tuple(notes))


def _result(quantity: str, value: float) -> str:
    return number_text(bool(value)) if quantity.startswith("rejected") else _text(value)


def _in_words(quantity: str) -> str:
    return "p-value" if quantity == "p_value" else quantity.replace("_", " ")


def _text(value: float, decimals: int = 4) -> str:
    """Return a number; whole ones without decimals, unless they are percentages."""
    whole = decimals != 2 and float(value).is_integer()
    return number_text(int(value) if whole else float(value), decimals)
