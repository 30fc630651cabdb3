"""Measures of the prediction intervals of regressors over one tape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Flags, Floats
from streameval.learners.predictions import PredictedValues
from streameval.measures.prediction_intervals import (
    INTERVAL_MEASURES,
    Intervals,
    interval_scores,
)
from streameval.measures.regression import SkillMeasure

#: How the names of skills of the interval score begin; behind it is the id of a baseline.
INTERVAL_SKILL = "interval_skill_over_"
#: The proportion of intervals that are as wide, or as narrow, as the residuals allow.
LIMITED = "limited_intervals"


class LimitedMeasure(NamedTuple):
    """The proportion of limited intervals, as it is drawn and printed."""

    title: str = "Limited to the residuals"
    symbol: str = ""
    lower: float = 0.0
    upper: float = 1.0


class Ends(NamedTuple):
    """The prediction intervals of a regressor.

    Parameters
    ----------
    low, high : ndarray of float64, shape (p,)
        Their ends, NaN where there is none.
    limited : ndarray of bool, shape (p,)
        Where they are as wide, or as narrow, as the residuals allow; see
        `streameval.learners.wrappers.conformal`.
    """

    low: Floats
    high: Floats
    limited: Flags

    def part(self, which: slice | Flags) -> Ends:
        """Return some of them."""
        return Ends(self.low[which], self.high[which], self.limited[which])


def ends_of(found: PredictedValues) -> Ends | None:
    """Return the prediction intervals of a run, None if there are none."""
    if found.low is None or found.high is None:
        return None
    limited = getattr(found, "limited", None)
    none = np.zeros(len(found.low), dtype=np.bool_)
    return Ends(found.low, found.high, none if limited is None else limited)


def interval_measures(baselines: Iterable[str], called: Mapping[str, str]) -> dict[str, object]:
    """Return the measures of prediction intervals, with a skill over each of these baselines."""
    skills = {
        INTERVAL_SKILL + name: SkillMeasure(f"Interval skill over {called[name]}")
        for name in baselines
    }
    return {**INTERVAL_MEASURES, LIMITED: LimitedMeasure(), **skills}


def is_of_intervals(name: str) -> bool:
    """Return whether a measure is about prediction intervals."""
    return name in INTERVAL_MEASURES or name == LIMITED or name.startswith(INTERVAL_SKILL)


def measure_intervals(true: Floats, ends: Ends, name: str, coverage: float | None) -> float:
    """Return a measure of the intervals of a regressor, NaN where it is undefined.

    Targets and intervals that are not known are left out.
    """
    known = ~np.isnan(true) & ~np.isnan(ends.low)
    if name == LIMITED:
        return float(ends.limited[known].mean()) if known.any() else np.nan
    if name == "interval_score" and coverage is None:
        return np.nan
    function = INTERVAL_MEASURES[name].function
    return float(function(true[known], ends.low[known], ends.high[known], coverage or 0.5))


def score_skill(true: Floats, own: Ends, other: Ends, coverage: float | None) -> float:
    """Return one less the ratio of mean interval scores, over targets with both intervals.

    NaN where there is none, where the level is not stated, and where both means are infinite or
    that of the other is.
    """
    known = ~np.isnan(true) & ~np.isnan(own.low) & ~np.isnan(other.low)
    if coverage is None or not known.any():
        return np.nan
    means = [
        interval_scores(Intervals(true[known], ends.low[known], ends.high[known]), coverage).mean()
        for ends in (own, other)
    ]
    return 1.0 - float(means[0] / means[1]) if 0.0 < means[1] < np.inf else np.nan


def why_undefined(name: str, coverage: float | None, has_intervals: bool) -> str:
    """Return why a measure of intervals is undefined, where it is."""
    if not has_intervals:
        return "there is no interval"
    if coverage is None and (name.startswith(INTERVAL_SKILL) or name == "interval_score"):
        return "the nominal coverage of the intervals is not stated: give intervals=0.9"
    if name.startswith(INTERVAL_SKILL):
        return (
            "the baseline has no intervals for the instances that the learner has, or an infinite "
            "score, or one of 0"
        )
    if name == "normalised_interval_width":
        return "all targets are equal"
    return "there is no interval"
