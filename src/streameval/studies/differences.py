"""Differences in accuracy between learners that were run over the same stream, with intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import pandas as pd

from streameval.learners.baselines import NoChange
from streameval.studies.intervals import series_interval
from streameval.studies.prediction_table import PredictionTable
from streameval.studies.roles import AUGMENTED, CORRECTED

COLUMNS = ["learner", "other", "difference", "low", "high", "instances"]

#: The learner that adaptive ones are compared with.
PLAIN_TREE = "hoeffding_tree"
ADAPTIVE = ("hoeffding_adaptive_tree", "leveraging_bagging")


def paired_differences(predictions: PredictionTable) -> pd.DataFrame:
    """Return accuracy differences of the pairs of learners that claims compare.

    Each learner is compared with No-Change, each wrapped one with the learner that it wraps, each
    augmented one with the corrected one, and adaptive learners with the Hoeffding tree.

    Parameters
    ----------
    predictions : PredictionTable
        The predictions of all learners.

    Returns
    -------
    pandas.DataFrame
        Columns learner, other, difference (accuracy of the first less that of the second), low,
        high (95 % interval of `series_interval`, which respects dependence), instances.
    """
    correct = {
        name: (labels == predictions.true).astype(np.float64)
        for name, labels in predictions.predicted.items()
    }
    rows = [
        (learner, other, *series_interval(correct[learner] - correct[other]), len(predictions.true))
        for learner, other in _pairs(correct)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _pairs(learners: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs both of whose learners are there."""
    wanted = []
    for name in learners:
        plain = name.removesuffix(CORRECTED).removesuffix(AUGMENTED)
        others = [NoChange.name]
        others += [plain] if plain != name else []
        others += [f"{plain}{CORRECTED}"] if name.endswith(AUGMENTED) else []
        others += [PLAIN_TREE] if name in ADAPTIVE else []
        wanted += [(name, other) for other in others if other != name]
    yield from ((name, other) for name, other in wanted if other in learners)
