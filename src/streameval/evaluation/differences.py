"""Differences between learners on the same stream, and from baselines, with intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import (
    AUGMENTED,
    COMPARATORS,
    CORRECTED,
    NO_CHANGE,
    REGRESSION_BASELINES,
)
from streameval.significance.series import ByRuns, by_runs, least_worth
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import stream_mean

if TYPE_CHECKING:
    import pandas as pd

#: Predictions that are compared at a time.
_STRETCH = 1 << 16
#: Why a difference has no interval.
_SEVERAL = "it would need the predictions of one model, and there are several"
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
    """Return differences in accuracy between pairs of learners that were run.

    Each is compared with No-Change, wrapped ones with the plain learner, augmented with corrected
    ones; `more` are pairs of a learner and another.
    """
    pairs = _pairs(predictions.predicted, list(more))
    return differences(predictions, pairs).drop(columns="reason")


def differences(table: PredictionTable, pairs: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Return differences of given pairs: columns `COLUMNS`, and the reason for no interval."""
    import pandas as pd

    table.require_one_fold("Intervals of differences")
    rows = [(*pair, *difference(table, *pair)) for pair in pairs]
    return pd.DataFrame(rows, columns=[*COLUMNS, "reason"])


def difference(table: PredictionTable, learner: str, other: str) -> Difference:
    """Return by how much a learner is better than another, of what both predict.

    A missing class is wrong. With folds, or a part of the labels, there is no interval.
    """
    series, behind, order = _compared(table, learner, other)
    if not len(series):
        return Difference(np.nan, np.nan, np.nan, 0, table.task.nothing_compared)
    if table.fold is None and not table.no_interval:
        found = stream_mean(series, tested=False, behind=behind, order=order)
        return Difference(found.mean, found.low, found.high, len(series), found.reason)
    why = table.no_interval or _SEVERAL
    return Difference(float(series.mean()), np.nan, np.nan, len(series), why)


def _compared(
    table: PredictionTable, learner: str, other: str
) -> tuple[NDArray[Any], ByRuns, Integers | None]:
    """Return the series of differences in gain, what the losses behind it are worth, its order."""
    if not table.n_classes or table.groups is not None:
        own, beside, order = paired(table, learner, other)
        return beside - own, by_runs(own, beside, order=order), order
    # Of classes, in one byte for each and a stretch at a time: streams may be long.
    series, errors = np.empty(len(table), np.int8), (ByRuns(), ByRuns())
    for at in range(0, len(table), _STRETCH):
        part = slice(at, at + _STRETCH)
        wrongs = table.losses(learner, part), table.losses(other, part)
        np.subtract(*wrongs[::-1], out=series[part], dtype=np.int8)
        for one, wrong in zip(errors, wrongs, strict=True):
            one.add(wrong)
    return series, least_worth(errors), None


def paired(
    table: PredictionTable, learner: str, other: str
) -> tuple[Floats, Floats, Integers | None]:
    """Return the losses of two learners where both are known, and `PredictionTable.order`."""
    losses, others = (table.losses(name).astype(np.float64) for name in (learner, other))
    known = ~np.isnan(losses) & ~np.isnan(others)
    if known.all():
        return losses, others, table.order()
    return losses[known], others[known], table.order(known)


def skill(table: PredictionTable, learner: str, baseline: str) -> Skill:
    """Return the skill of a learner over another, one less the ratio of their mean losses.

    Of κ_t the other is No-Change, of κ_m it is Majority; see `skill_interval`.
    """
    own, beside, order = paired(table, learner, baseline)
    found = skill_interval(own, beside, judged=True, order=order)
    return without_skill_ends(found, table.no_interval)


def without_skill_ends(found: Skill, reason: str) -> Skill:
    """Return a skill without its interval if there is a `reason` for that."""
    if not reason:
        return found
    return found._replace(low=np.nan, high=np.nan, reason=found.reason or reason)


def skills(table: PredictionTable, learners: Iterable[str]) -> pd.DataFrame:
    """Return skills over each baseline: columns learner, baseline, skill, low, high, reason."""
    import pandas as pd

    rows = [
        (name, baseline, *skill(table, name, baseline))
        for name in learners
        for baseline in table.task.baselines_of(table.predicted)
    ]
    return pd.DataFrame(rows, columns=["learner", "baseline", "skill", "low", "high", "reason"])


def over_baselines(
    table: PredictionTable, learners: Iterable[str]
) -> dict[str, dict[str, Difference]]:
    """Return the differences of learners from each baseline, but of a baseline from itself."""
    baselines = table.task.baselines_of(table.predicted)
    return {
        name: {one: difference(table, name, one) for one in baselines if one != name}
        for name in learners
    }


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
    """How much better a learner is than a baseline, above 0: a skill, or more accuracy."""

    learner: str
    baseline: str
    is_skill: bool
    value: float
    low: float
    high: float
    accuracy: float


def accuracy_over_baselines(predictions: PredictionTable) -> list[OverBaseline]:
    """Return differences in accuracy between learners and No-Change and Majority.

    Of an instance that is predicted several times, the first prediction counts, on arrival.
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
