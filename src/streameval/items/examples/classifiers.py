"""The learners of the experiments (Žliobaitė et al. 2015, Table 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.items.examples.settings import ClassifiersSettings
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.subject import Subject
from streameval.learners.registry import LearnerSpec
from streameval.report.tables import NO_VALUE, Layout, number_text


def study(
    given: Mapping[str, StreamInput[Any]], item: ItemInput[ClassifiersSettings]
) -> pd.DataFrame:
    """Return the table; see `classifier_characteristics`."""
    return classifier_characteristics(item.rows)


def classifier_characteristics(learners: Mapping[str, LearnerSpec]) -> pd.DataFrame:
    """Return the learners of the experiments (Table 4).

    Returns
    -------
    pandas.DataFrame
        Columns learner, title, adaptation, base, models: its mechanism for adapting to change
        ("none" if there is none), the kind of its models, and the number of models that vote.
    """
    rows = [
        (name, spec.title, spec.adaptation, spec.base, getattr(spec.make(), "members", 1))
        for name, spec in learners.items()
    ]
    return pd.DataFrame(rows, columns=["learner", "title", "adaptation", "base", "models"])


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return classifiers_layout(table)


def classifiers_layout(table: pd.DataFrame) -> Layout:
    """Lay out Table 4 of Žliobaitė et al. (2015): one line per learner.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.items.examples.classifiers.classifier_characteristics`.
    """
    cells = {
        "Learner": table["title"].astype(str),
        "Adaptation": [str(text) or NO_VALUE for text in table["adaptation"]],
        "Base classifier": [str(text) or NO_VALUE for text in table["base"]],
        "Models": [number_text(int(count)) for count in table["models"]],
    }
    return Layout(pd.DataFrame(cells, dtype=object), "lllr")
