"""Differences in accuracy between learners on the same stream, with intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from streameval.learners.baselines import NoChange
from streameval.significance.stream_mean import stream_mean
from streameval.studies.prediction_table import PredictionTable
from streameval.studies.roles import AUGMENTED, CORRECTED

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["learner", "other", "difference", "low", "high", "instances"]


def paired_differences(
    predictions: PredictionTable, more: Iterable[Sequence[str]] = ()
) -> pd.DataFrame:
    """Return differences in accuracy between pairs of learners.

    Each learner is compared with No-Change, each wrapped learner with the plain learner, and each
    augmented learner with the corrected learner.

    Parameters
    ----------
    predictions : PredictionTable
        The predictions of all learners.
    more : iterable of (str, str)
        More pairs: a learner, and the one that it is compared with. Left out where one of them was
        not run.

    Returns
    -------
    pandas.DataFrame
        Columns learner, other, difference (accuracy of the first minus that of the second), low,
        high (95 % interval of `stream_mean`; NaN where it gives none), instances.
    """
    return differences(predictions, _pairs(predictions.predicted, list(more)))


def differences(predictions: PredictionTable, pairs: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Return differences in accuracy of given pairs; see `paired_differences`."""
    import pandas as pd

    predictions.require_one_fold("Intervals of differences")
    correct = {
        name: (labels == predictions.true).astype(np.float64)
        for name, labels in predictions.predicted.items()
    }
    rows = [
        (learner, other, *stream_mean(correct[learner] - correct[other])[:3], len(predictions.true))
        for learner, other in pairs
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _pairs(learners: Collection[str], more: Collection[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of available learners."""
    wanted = []
    for name in learners:
        plain = name.removesuffix(CORRECTED).removesuffix(AUGMENTED)
        others = [NoChange.name]
        others += [plain] if plain != name else []
        others += [f"{plain}{CORRECTED}"] if name.endswith(AUGMENTED) else []
        others += [second for first, second in more if first == name]
        wanted += [(name, other) for other in others if other != name]
    yield from ((name, other) for name, other in dict.fromkeys(wanted) if other in learners)
