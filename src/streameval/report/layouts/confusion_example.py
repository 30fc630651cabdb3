"""Lay out the measures of Table 5 of Bifet et al. (2015)."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.report.tables import DECIMALS, Layout, number_text
from streameval.studies.confusion_example import ALL

_TITLES = {
    "majority_accuracy": "Accuracy of the majority class",
    "numerator_of_kappa": "Numerator of κ",
    "numerator_of_mcc": "Numerator of MCC",
}
#: What is in squared counts, and not a fraction.
_COUNTED = {"determinant", "numerator_of_kappa", "numerator_of_mcc"}


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return confusion_example_layout(table)


def confusion_example_layout(table: pd.DataFrame) -> Layout:
    """Lay out measures by their titles, a line for each.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.studies.confusion_example.confusion_example`.
    """
    names, classes, values = (table[name] for name in ("measure", "class", "value"))
    cells = {
        "Measure": [_title(*row) for row in zip(names, classes, strict=True)],
        "Value": [
            number_text(float(value), 0 if name in _COUNTED else DECIMALS)
            for name, value in zip(names, values, strict=True)
        ],
    }
    return Layout(pd.DataFrame(cells, dtype=object), "lr")


def _title(name: str, of: str) -> str:
    if of != ALL:
        return f"{'Accuracy' if name == 'recall' else name.upper()} of class {of}"
    return _TITLES.get(name) or MEASURES[name].title
