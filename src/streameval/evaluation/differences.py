"""Differences between learners on the same stream, and from baselines, with intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import (
    AUGMENTED,
    COMPARATORS,
    CORRECTED,
    NO_CHANGE,
    REGRESSION_BASELINES,
)
from streameval.significance.series import ByRuns, least_worth
from streameval.significance.stream_mean import stream_mean

if TYPE_CHECKING:
    import pandas as pd

#: Predictions that are compared at a time.
_STRETCH = 1 << 16
#: Why a difference has no interval, or no value.
_SEVERAL = "it would need the predictions of one model, and there are several"
NO_PREDICTIONS = "there is no prediction of an instance with a label"
COLUMNS = ["learner", "other", "difference", "low", "high", "instances"]


class Difference(NamedTuple):
    """A difference in accuracy or in mean absolute error, with its 95 % interval.

    Parameters
    ----------
    difference : float
        By how much the accuracy of the first learner is higher, or its error lower; above 0 the
        first is better.
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

    Each pair of `more`, a learner and the one that it is compared with, is left out where one of
    them was not run.

    Columns learner, other, difference (accuracy of the first minus that of the second), low, high
    (95 % interval of `stream_mean`; NaN where it gives none), instances.
    """
    return differences(predictions, _pairs(predictions.predicted, list(more)))


def differences(predictions: PredictionTable, pairs: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Return differences in accuracy of given pairs; see `paired_differences`."""
    import pandas as pd

    predictions.require_one_fold("Intervals of differences")
    rows = [(*pair, *difference(predictions, *pair)[:4]) for pair in pairs]
    return pd.DataFrame(rows, columns=COLUMNS)


def difference(predictions: PredictionTable, learner: str, other: str) -> Difference:
    """Return a row of `differences` without the names.

    With folds, and with a part of the labels, it has no interval.
    """
    true, given = predictions.true, predictions.predicted
    series, errors = np.empty(len(true), np.int8), (ByRuns(), ByRuns())
    for at in range(0, len(true), _STRETCH):
        part = slice(at, at + _STRETCH)
        first, second = (given[name][part] == true[part] for name in (learner, other))
        np.subtract(first, second, out=series[part], dtype=np.int8)
        for one, right in zip(errors, (first, second), strict=True):
            one.add(~right)
    if predictions.fold is None and len(series) and not predictions.no_interval:
        behind = least_worth(errors)
        found = stream_mean(series, tested=False, behind=behind)
        return Difference(found.mean, found.low, found.high, len(series), found.reason)
    mean = float(series.mean()) if len(series) else np.nan
    why = (predictions.no_interval or _SEVERAL) if len(series) else NO_PREDICTIONS
    return Difference(mean, np.nan, np.nan, len(series), why)


def _pairs(learners: Collection[str], more: Collection[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of available learners."""
    wanted = []
    for name in learners:
        plain = name.removesuffix(CORRECTED).removesuffix(AUGMENTED)
        others = [NO_CHANGE]
        others += [plain] if plain != name else []
        others += [f"{plain}{CORRECTED}"] if name.endswith(AUGMENTED) else []
        others += [second for first, second in more if first == name]
        wanted += [(name, other) for other in others if other != name]
    yield from ((name, other) for name, other in dict.fromkeys(wanted) if other in learners)


#: Bin of the predictions that are made when an instance arrives.
_ARRIVAL = 0


class OverBaseline(NamedTuple):
    """How much better a learner is than a baseline.

    Parameters
    ----------
    learner, baseline : str
        Their ids.
    is_skill : bool
        Whether the value is a skill, by how much the learner errs less in proportion to the
        baseline, or a difference in accuracy.
    value, low, high : float
        Above 0 the learner is better; ends of the 95 % interval, NaN where there is none.
    accuracy : float
        The learner's accuracy; NaN of a skill.
    """

    learner: str
    baseline: str
    is_skill: bool
    value: float
    low: float
    high: float
    accuracy: float


def accuracy_over_baselines(predictions: PredictionTable) -> list[OverBaseline]:
    """Return differences in accuracy between learners and No-Change and Majority.

    Of an instance that is predicted several times it is about the first prediction, on arrival.

    Predictions are in one sequence, of instances with labels; the comparators are among them.
    """
    table, found = predictions.on_arrival(), []
    for learner, labels in table.predicted.items():
        if learner not in COMPARATORS:
            accuracy = float((labels == table.true).mean()) if len(table) else np.nan
            for other in COMPARATORS:
                one = difference(table, learner, other)
                numbers = (one.difference, one.low, one.high, accuracy)
                found.append(OverBaseline(learner, other, False, *numbers))
    return found


def skill_over_baselines(skills: pd.DataFrame) -> list[OverBaseline]:
    """Return the skills of learners on arrival.

    `skills` is the frame of this name of `items.reevaluation.binned_measures` or `binned_errors`.
    """
    named = skills.rename(columns={"baseline": "reference", "skill": "value"})
    return [
        OverBaseline(
            row["learner"], row["reference"], True, row["value"], row["low"], row["high"], np.nan
        )
        for row in named[named["bin"] == _ARRIVAL].to_dict("records")
        if row["learner"] not in (*COMPARATORS, *REGRESSION_BASELINES)
    ]
