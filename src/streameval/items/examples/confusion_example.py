"""Measures of a confusion matrix (Bifet et al. 2015, Table 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from streameval.items.examples.settings import ConfusionExampleSettings
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.subject import Subject
from streameval.measures.classification import class_f1, class_recall
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally
from streameval.report.tables import DECIMALS, Layout, number_text

#: What stands for no class in particular.
ALL = "all"
_MEASURES = (
    *("accuracy", "chance_accuracy", "kappa", "kappa_m", "mcc"),
    *("arithmetic_mean", "geometric_mean", "harmonic_mean", "f1_prime", "determinant"),
)


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[ConfusionExampleSettings],
) -> pd.DataFrame:
    """Return the table; see `confusion_example`."""
    return confusion_example(item.settings.confusion, item.settings.classes)


def confusion_example(confusion: ArrayLike, classes: Sequence[str]) -> pd.DataFrame:
    """Return the measures of a confusion matrix of two classes.

    Parameters
    ----------
    confusion : array_like of int, shape (2, 2)
        Counts by true and predicted class.
    classes : sequence of str
        Names of the classes.

    Returns
    -------
    pandas.DataFrame
        Columns measure, class ("all" for measures of both) and value, a fraction or, for the
        determinant and the numerators of κ and MCC, in squared counts; NaN where undefined.
        `majority_accuracy` is that of a classifier that always predicts the larger class.
    """
    true = np.asarray(confusion, dtype=np.float64).sum(axis=1)
    tally = Tally.from_confusion(confusion, majority_correct=true.max())
    values = {name: float(MEASURES[name].value(tally)) for name in _MEASURES}
    n = float(tally.n)
    marginals = float(np.prod(true) * np.prod(tally.predicted_counts[:-1]))
    values["majority_accuracy"] = float(true.max()) / n if n else np.nan
    # Section 5.1: both have the determinant as numerator.
    values["numerator_of_kappa"] = values["kappa"] * n**2 * (1 - values["chance_accuracy"]) / 2
    values["numerator_of_mcc"] = values["mcc"] * np.sqrt(marginals)
    rows = [(name, ALL, value) for name, value in values.items()]
    for name, by_class in (("recall", class_recall(tally)), ("f1", class_f1(tally))):
        rows += [(name, one, float(value)) for one, value in zip(classes, by_class, strict=True)]
    return pd.DataFrame(rows, columns=["measure", "class", "value"])


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
        See `streameval.items.examples.confusion_example.confusion_example`.
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
