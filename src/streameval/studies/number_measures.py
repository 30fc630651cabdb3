"""Measures of predicted numbers, beside baselines: errors, skills with intervals, and curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.learners.regression.past_targets import PreviousTarget, Seasonal
from streameval.learners.regression.target_mean import TargetMean
from streameval.measures.regression import REGRESSION_MEASURES, RegressionMeasure
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import stream_mean
from streameval.studies.measuring import positions
from streameval.studies.number_table import NumberTable

if TYPE_CHECKING:
    import pandas as pd

#: The baselines of regressors that always run, and how sentences call them.
BASELINES = {PreviousTarget.name: "the previous target", TargetMean.name: "the mean so far"}
#: How the names of skills begin; behind it is the id of a baseline.
SKILL = "skill_over_"
DIFFERENCES = ["learner", "other", "difference", "low", "high", "instances", "reason"]


def baselines_of(learners: Iterable[str]) -> list[str]:
    """Return the baselines among learners: those that always run, and seasonal ones."""
    found = [name for name in learners if name in BASELINES or _is_seasonal(name)]
    return sorted(found, key=[*BASELINES, *found].index)


def _is_seasonal(name: str) -> bool:
    return name.partition(":")[0] == Seasonal.name


def called(baseline: str) -> str:
    """Return how sentences call a baseline."""
    if baseline in BASELINES:
        return BASELINES[baseline]
    period = baseline.partition(":")[2]
    return (
        f"the target {int(period):,} instances before"
        if period
        else "the target of a season before"
    )


class SkillMeasure(NamedTuple):
    """A skill over a baseline, as it is drawn and printed."""

    title: str
    symbol: str = "S"
    lower: float = -math.inf
    upper: float = 1.0


def measures_of(learners: Iterable[str]) -> dict[str, RegressionMeasure | SkillMeasure]:
    """Return the measures that these regressors have: errors, R², and a skill for each baseline."""
    skills_over = {
        SKILL + name: SkillMeasure(f"Skill over {called(name)}") for name in baselines_of(learners)
    }
    return {**REGRESSION_MEASURES, **skills_over}


def measure(
    table: NumberTable, learner: str, name: str, part: slice | NDArray[np.bool_] = slice(None)
) -> float:
    """Return a measure of a regressor, over some of the predictions.

    Predictions that are missing are left out; a skill is about the instances that the baseline
    predicts, too. NaN where it is undefined.
    """
    if name.startswith(SKILL):
        own, other = table.paired_errors([learner, name.removeprefix(SKILL)], part)
        return 1.0 - float(own.mean() / other.mean()) if other.any() else np.nan
    true, predicted = table.true[part], table.predicted[learner][part]
    known = ~np.isnan(true) & ~np.isnan(predicted)
    return float(REGRESSION_MEASURES[name].function(true[known], predicted[known]))


def why_undefined(name: str) -> str:
    """Return why a measure is undefined, where it is."""
    if name.startswith(SKILL):
        return "the baseline makes no error, or predicts no instance that the learner predicts"
    if name == "r_squared":
        return "all targets are equal, or too large to be squared"
    return "there is no prediction"


def skill(table: NumberTable, learner: str, baseline: str) -> Skill:
    """Return the skill of a regressor over a baseline, with its interval."""
    own, other = table.paired_errors([learner, baseline])
    return skill_interval(own, other)


def skills(table: NumberTable, learners: Sequence[str]) -> pd.DataFrame:
    """Return skills over each baseline: columns learner, baseline, skill, low, high, reason."""
    import pandas as pd

    rows = [
        (name, baseline, *skill(table, name, baseline))
        for name in learners
        for baseline in baselines_of(table.predicted)
    ]
    return pd.DataFrame(rows, columns=["learner", "baseline", "skill", "low", "high", "reason"])


class Difference(NamedTuple):
    """A difference in mean absolute error; see `error_differences`."""

    difference: float
    low: float
    high: float
    instances: int
    reason: str


def error_difference(table: NumberTable, learner: str, other: str) -> Difference:
    """Return a row of `error_differences`, without the names."""
    own, beside = table.paired_errors([learner, other])
    if not len(own):
        return Difference(np.nan, np.nan, np.nan, 0, "there is no instance that both predict")
    found = stream_mean(own - beside)
    return Difference(found.mean, found.low, found.high, len(own), found.reason)


def error_differences(table: NumberTable, pairs: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Return differences in the mean absolute error of pairs of regressors.

    Returns
    -------
    pandas.DataFrame
        `DIFFERENCES`: that of the first less that of the second, negative where the first is
        better; the ends of its 95 % interval, NaN for the reason given; and how many instances both
        predict.
    """
    import pandas as pd

    rows = [(one, other, *error_difference(table, one, other)) for one, other in pairs]
    return pd.DataFrame(rows, columns=DIFFERENCES)


def windowed(
    table: NumberTable, learners: Sequence[str], measures: Sequence[str], window: int, points: int
) -> pd.DataFrame:
    """Return measures over a sliding window: columns instance, learner, measure, value."""
    import pandas as pd

    at = positions(len(table), window, points).tolist()
    rows = [
        (end, learner, name, measure(table, learner, name, slice(max(end - window, 0), end)))
        for learner in learners
        for name in measures
        for end in at
    ]
    return pd.DataFrame(rows, columns=["instance", "learner", "measure", "value"])
