"""Differences in accuracy between learners on the same stream, with intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streameval.evaluation.prediction_table import PredictionTable
from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.learners.baselines import NoChange
from streameval.significance.stream_mean import stream_mean

if TYPE_CHECKING:
    import pandas as pd

#: Why a difference has no interval, or no value.
_SEVERAL = "it would need the predictions of one model, and there are several"
_NONE = "there is no prediction of an instance with a label"
COLUMNS = ["learner", "other", "difference", "low", "high", "instances"]


class Difference(NamedTuple):
    """A difference in accuracy or in mean absolute error, with its 95 % interval.

    Parameters
    ----------
    difference : float
        That of the first learner less that of the second.
    low, high : float
        Ends of the interval of `stream_mean`; NaN where there is none.
    instances : int
        How many instances it is about.
    reason : str
        Why there is no interval; empty where there is one.
    """

    difference: float
    low: float
    high: float
    instances: int
    reason: str


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
    rows = [(*pair, *difference(predictions, *pair)[:4]) for pair in pairs]
    return pd.DataFrame(rows, columns=COLUMNS)


def difference(predictions: PredictionTable, learner: str, other: str) -> Difference:
    """Return a row of `differences` without the names; with folds it has no interval."""
    true, given = predictions.true, predictions.predicted
    series = (given[learner] == true).astype(np.float64) - (given[other] == true)
    if predictions.fold is None and len(series):
        found = stream_mean(series)
        return Difference(found.mean, found.low, found.high, len(series), found.reason)
    mean = float(series.mean()) if len(series) else np.nan
    return Difference(mean, np.nan, np.nan, len(series), _SEVERAL if len(series) else _NONE)


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
