"""The learners of the experiments (Žliobaitė et al. 2015, Table 4)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.given import Given, OfItem
from streameval.learners.registry import LearnerSpec


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
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
