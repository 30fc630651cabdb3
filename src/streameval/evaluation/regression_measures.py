"""Regression measures, and measures of prediction intervals, over parts of a table.

Missing predictions are left out. A skill covers the instances that the learner and the baseline
predict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.evaluation.predictions import PredictionIntervals, PredictionTable
from streameval.evaluation.task import REGRESSION_TASK
from streameval.measures.prediction_intervals import (
    INTERVAL_MEASURES,
    Intervals,
    interval_scores,
    smallest_n_residuals,
)
from streameval.measures.registry import MEASURES, Measure, measure_phrase
from streameval.measures.regression import REGRESSION_MEASURES

#: Prefix of the names of skills by errors; the id of the baseline follows.
SKILL_PREFIX = REGRESSION_TASK.skill_column("")
#: Prefix of the names of skills by interval scores; the id of the baseline follows.
INTERVAL_SKILL_PREFIX = "interval_skill_over_"
#: Name of the proportion of intervals whose width is limited by the available residuals.
LIMITED = "limited_intervals"
_NO_PREDICTION = "there is no prediction"
_NO_INTERVAL = "there is no interval"
# Reasons why a measure, or a kind of skill, is undefined.
_UNDEFINED = {
    "r_squared": "all targets are equal, or too large to be squared",
    SKILL_PREFIX: "the baseline makes no error, or predicts no instance that the learner predicts",
    "normalised_interval_width": "all targets are equal",
    INTERVAL_SKILL_PREFIX: (
        "the baseline has no intervals for the instances with an interval of the learner, or its "
        "score is 0 or infinite"
    ),
}
_NO_COVERAGE = "the nominal coverage of the intervals is not stated: give intervals=0.9"

#: Selection of predictions of a table.
Selection = slice | Flags


@dataclass(frozen=True)
class SelectedPredictions:
    """Parts of the predictions of a regressor, by default one part with all predictions."""

    table: PredictionTable
    learner: str
    parts: Sequence[Selection] = (slice(None),)
    _cache: dict[str, Floats] = field(default_factory=dict, repr=False)  # by title of the measure

    def values(self, measure: TableMeasure) -> Floats:
        """Measure of each part, computed once."""
        if measure.title not in self._cache:
            values = [measure.function(self.table, self.learner, part) for part in self.parts]
            self._cache[measure.title] = np.array(values, dtype=np.float64)
        return self._cache[measure.title]

    @classmethod
    def windows(
        cls, table: PredictionTable, learner: str, window: int, ends: Integers
    ) -> SelectedPredictions:
        """The last `window` predictions at each of the positions `ends`."""
        table.require_one_fold("Measures over a sliding window")
        parts = [slice(max(end - window, 0), end) for end in ends.tolist()]
        return cls(table, learner, parts)


@dataclass(frozen=True)
class TableMeasure:
    """A regression measure.

    Parameters
    ----------
    function : callable
        Maps a table, a learner and a selection of predictions to the value; NaN where undefined.
    undefined_reason : callable
        Maps a table and a learner to the reason why the measure is undefined.
    title, symbol : str
        Label in tables, and on axes.
    lower, upper : float
        Smallest and largest possible value.
    needs_baseline : bool
        Whether the measure is a skill over a baseline.
    """

    function: Callable[[PredictionTable, str, Selection], float]
    undefined_reason: Callable[[PredictionTable, str], str]
    title: str
    symbol: str
    lower: float
    upper: float
    needs_baseline: bool = False

    def value(self, parts: SelectedPredictions) -> Floats:
        """Value of the measure in each part."""
        return parts.values(self)

    def reason(self, parts: SelectedPredictions) -> NDArray[Any]:
        """Reason why the measure is undefined in each part; "" where it is defined."""
        is_undefined = np.isnan(self.value(parts))
        reason = self.undefined_reason(parts.table, parts.learner) if is_undefined.any() else ""
        return np.where(is_undefined, reason, "")


def regression_measures(
    learners: Iterable[str], intervals: Iterable[str] = ()
) -> dict[str, TableMeasure]:
    """Measures of regressors by name: errors, R², and a skill over each baseline among them.

    `intervals` are the learners with prediction intervals. If there are any, measures of intervals
    are included.
    """
    measures = {
        name: TableMeasure(
            partial(_error_measure, name),
            partial(_undefined_reason, name),
            measure.title,
            measure.symbol,
            measure.lower,
            measure.upper,
        )
        for name, measure in REGRESSION_MEASURES.items()
    }
    for baseline in REGRESSION_TASK.baselines_of(learners):
        title = f"Skill over {REGRESSION_TASK.name_in_text(baseline)}"
        measures[SKILL_PREFIX + baseline] = _skill(
            partial(_skill_over, baseline), partial(_undefined_reason, SKILL_PREFIX), title
        )
    return measures | _interval_measures([*intervals])


def named_measure(name: str) -> Measure | TableMeasure:
    """Measure of classification or regression with a name, including skills.

    Raises KeyError for other names, including measures of prediction intervals.
    """
    return MEASURES.get(name) or regression_measures([name.removeprefix(SKILL_PREFIX)])[name]


def phrase_of_measure(name: str) -> str:
    """Name of a measure in a sentence."""
    if name in MEASURES:
        return measure_phrase(name)
    measure = named_measure(name)
    return measure.title.replace("Skill", "skill") if measure.needs_baseline else measure.symbol


def _interval_measures(intervals: Sequence[str]) -> dict[str, TableMeasure]:
    """Measures of intervals with a skill over each baseline; none without `intervals`."""
    if not intervals:
        return {}
    measures = {
        name: TableMeasure(
            partial(_interval_measure, name),
            partial(_undefined_reason, name),
            measure.title,
            measure.symbol,
            measure.lower,
            measure.upper,
        )
        for name, measure in INTERVAL_MEASURES.items()
    }
    measures[LIMITED] = TableMeasure(
        _limited_proportion,
        partial(_undefined_reason, LIMITED),
        title="Limited to the residuals",
        symbol="",
        lower=0.0,
        upper=1.0,
    )
    for baseline in REGRESSION_TASK.baselines_of(intervals):
        title = f"Interval skill over {REGRESSION_TASK.name_in_text(baseline)}"
        function = partial(_interval_skill_over, baseline)
        measures[INTERVAL_SKILL_PREFIX + baseline] = _skill(
            function, partial(_undefined_reason, INTERVAL_SKILL_PREFIX), title
        )
    return measures


def _skill(
    function: Callable[..., float], undefined_reason: Callable[..., str], title: str
) -> TableMeasure:
    return TableMeasure(
        function, undefined_reason, title, "S", lower=-np.inf, upper=1.0, needs_baseline=True
    )


def is_interval_measure(name: str) -> bool:
    """Whether a measure is about prediction intervals."""
    return name in INTERVAL_MEASURES or name == LIMITED or name.startswith(INTERVAL_SKILL_PREFIX)


def _error_measure(name: str, table: PredictionTable, learner: str, part: Selection) -> float:
    true, predicted = table.true[part], table.predicted[learner][part]
    has_both = REGRESSION_TASK.is_known(true) & REGRESSION_TASK.is_known(predicted)
    return float(REGRESSION_MEASURES[name].function(true[has_both], predicted[has_both]))


def _skill_over(baseline: str, table: PredictionTable, learner: str, part: Selection) -> float:
    return REGRESSION_TASK.skill(table.losses(learner, part), table.losses(baseline, part))


def _interval_measure(name: str, table: PredictionTable, learner: str, part: Selection) -> float:
    true, ends = table.true[part], _ends(table, learner, part)
    if ends is None or (name == "interval_score" and table.coverage is None):
        return np.nan
    has_both = ~np.isnan(true) & ~np.isnan(ends.low)
    low, high = ends.low[has_both], ends.high[has_both]
    coverage = table.coverage or 0.5  # only the interval score depends on it
    return float(INTERVAL_MEASURES[name].function(true[has_both], low, high, coverage))


def _limited_proportion(table: PredictionTable, learner: str, part: Selection) -> float:
    if (ends := _ends(table, learner, part)) is None:
        return np.nan
    has_both = ~np.isnan(table.true[part]) & ~np.isnan(ends.low)
    return float(ends.limited[has_both].mean()) if has_both.any() else np.nan


def _interval_skill_over(
    baseline: str, table: PredictionTable, learner: str, part: Selection
) -> float:
    """Skill: 1 minus the ratio of mean interval scores, over targets with both intervals.

    NaN without a nominal coverage, or if the mean score of the baseline is 0 or infinite.
    """
    true = table.true[part]
    learner_ends, baseline_ends = (_ends(table, name, part) for name in (learner, baseline))
    if learner_ends is None or baseline_ends is None or table.coverage is None:
        return np.nan
    has_all = ~np.isnan(true) & ~np.isnan(learner_ends.low) & ~np.isnan(baseline_ends.low)
    if not has_all.any():
        return np.nan
    score, baseline_score = (
        interval_scores(
            Intervals(true[has_all], ends.low[has_all], ends.high[has_all]), table.coverage
        ).mean()
        for ends in (learner_ends, baseline_ends)
    )
    return 1.0 - float(score / baseline_score) if 0.0 < baseline_score < np.inf else np.nan


def _ends(table: PredictionTable, learner: str, part: Selection) -> PredictionIntervals | None:
    ends = table.intervals.get(learner)
    return None if ends is None else ends.select(part)


def too_few_for_intervals(table: PredictionTable, learner: str) -> str:
    """Reason why a learner has no interval; "" if it has any, or enough errors for an interval."""
    ends, coverage = table.intervals[learner], table.coverage
    if coverage is None or not np.isnan(ends.low).all():
        return ""
    n_errors = int(np.count_nonzero(~np.isnan(table.losses(learner))))
    needed = smallest_n_residuals(coverage)
    if n_errors > needed:
        return ""
    return (
        f"{_NO_INTERVAL}, as the first interval of coverage {coverage:g} needs {needed:,} earlier "
        f"errors, and there are {n_errors:,} in all"
    )


def _undefined_reason(name: str, table: PredictionTable, learner: str) -> str:
    """Reason why a measure, or a kind of skill, of a learner is undefined."""
    if name in REGRESSION_MEASURES or name == SKILL_PREFIX:
        return _UNDEFINED.get(name, _NO_PREDICTION)
    if learner not in table.intervals:
        return _NO_INTERVAL
    if table.coverage is None and name in (INTERVAL_SKILL_PREFIX, "interval_score"):
        return _NO_COVERAGE
    if too_few := too_few_for_intervals(table, learner):
        return too_few
    return _UNDEFINED.get(name, _NO_INTERVAL)
