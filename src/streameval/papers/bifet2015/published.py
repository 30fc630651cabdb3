"""The tables of Bifet et al. (2015), and how ours are found."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.report.published import PublishedTable
from streameval.report.results import Finding, Results
from streameval.studies.confusion_example import ALL

_FOLDS = ("stream", "p_noise", "validation")

#: Names in the paper's Table 5 of what our table calls otherwise: measure and class.
_OURS = {
    "p_c": ("chance_accuracy", ALL),
    "accuracy_class_plus": ("recall", "plus"),
    "accuracy_class_minus": ("recall", "minus"),
}


def _paired(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``fold/quantity`` or ``test/quantity`` in our table of the folds."""
    of, _, quantity = key.partition("/")
    return _value(results, "bifet2015/table1", of=of, quantity=quantity)


def _confusion(results: Results, item: str, key: str) -> Finding:
    """Look up a measure, in per cent, in our table of the confusion matrix."""
    measure, of = _OURS.get(key, (key, ALL))
    found = _value(results, item, measure=measure, **{"class": of})
    return found._replace(value=100 * found.value)


def _value(results: Results, item: str, **where: str) -> Finding:
    frame = results.frame(item, ("value", *where))
    if frame is None:
        return Finding(np.nan, f"this run has no {item}")
    fits = pd.Series(True, index=frame.index)
    for name, wanted in where.items():
        fits &= frame[name].astype(str) == wanted
    if not fits.any():
        return Finding(np.nan, f"{item} of this run does not have {' '.join(where.values())}")
    value = float(frame.loc[fits, "value"].iloc[0])
    return Finding(value, "undefined in this run" if np.isnan(value) else "")


_PRINTED = "it is computed from the accuracies that the paper prints, and not from a run"

TABLES = (
    PublishedTable(
        "table1",
        ("fold",),
        _paired,
        ("classifier_a", "classifier_b", "difference", "rank"),
        by_construction={"*": _PRINTED},
        of_labels=("*",),
    ),
    PublishedTable(
        "table1_tests",
        ("test", "quantity"),
        _paired,
        by_construction={"*": _PRINTED},
        of_labels=("*",),
    ),
    PublishedTable("table2", ("test", "mode", "p_noise", "validation")),
    PublishedTable("table3", _FOLDS, values=("rejection_fraction",)),
    PublishedTable("table4", _FOLDS, values=("rejection_fraction",)),
    PublishedTable(
        "table5",
        ("measure",),
        _confusion,
        ("value_percent",),
        by_construction={
            "*": (
                "it is computed from the confusion matrix that the paper prints, and not from a run"
            )
        },
    ),
)
