"""Lay out Table 4 of Žliobaitė et al. (2015)."""

from __future__ import annotations

import pandas as pd

from streameval.items.subject import Subject
from streameval.report.tables import NO_VALUE, Layout, number_text


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return classifiers_layout(table)


def classifiers_layout(table: pd.DataFrame) -> Layout:
    """Lay out Table 4 of Žliobaitė et al. (2015): one line per learner.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.studies.classifiers.classifier_characteristics`.
    """
    cells = {
        "Learner": table["title"].astype(str),
        "Adaptation": [str(text) or NO_VALUE for text in table["adaptation"]],
        "Base classifier": [str(text) or NO_VALUE for text in table["base"]],
        "Models": [number_text(int(count)) for count in table["models"]],
    }
    return Layout(pd.DataFrame(cells, dtype=object), "lllr")
