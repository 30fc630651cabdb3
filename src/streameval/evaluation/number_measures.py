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
from streameval.evaluation.predictions import Ends, PredictionTable
from streameval.evaluation.task import REGRESSION_TASK
from streameval.measures.prediction_intervals import (
    INTERVAL_MEASURES,
    Intervals,
    interval_scores,
    least_residuals,
)
from streameval.measures.registry import MEASURES, Measure, measure_phrase
from streameval.measures.regression import REGRESSION_MEASURES

#: Prefixes of the names of skills by errors and by interval scores; the id of the baseline follows.
SKILL, INTERVAL_SKILL = REGRESSION_TASK.skill_over(""), "interval_skill_over_"
#: Proportion of intervals whose width is limited by the available residuals.
LIMITED = "limited_intervals"
_NO_PREDICTION, _NO_INTERVAL = "there is no prediction", "there is no interval"
_UNDEFINED = {
    "r_squared": "all targets are equal, or too large to be squared",
    SKILL: "the baseline makes no error, or predicts no instance that the learner predicts",
    "normalised_interval_width": "all targets are equal",
    INTERVAL_SKILL: (
        "the baseline has no intervals for the instances that the learner has, or an infinite "
        "score, or one of 0"
    ),
}
_NO_LEVEL = "the nominal coverage of the intervals is not stated: give intervals=0.9"

#: Selection of predictions of a table.
Which = slice | Flags


@dataclass(frozen=True)
class Spans:
    """Parts of the predictions of a regressor, by default one part with all predictions."""

    table: PredictionTable
    learner: str
    parts: Sequence[Which] = (slice(None),)
    _known: dict[str, Floats] = field(default_factory=dict, repr=False)

    def values(self, measure: NumberMeasure) -> Floats:
        """Measure of each part, computed once."""
        if measure.title not in self._known:
            values = [measure.of(self.table, self.learner, part) for part in self.parts]
            self._known[measure.title] = np.array(values, dtype=np.float64)
        return self._known[measure.title]

    @classmethod
    def windows(cls, table: PredictionTable, learner: str, window: int, at: Integers) -> Spans:
        """Last `window` predictions at each of the positions `at`."""
        table.require_one_fold("Measures over a sliding window")
        parts = [slice(max(end - window, 0), end) for end in at.tolist()]
        return cls(table, learner, parts)


@dataclass(frozen=True)
class NumberMeasure:
    """A regression measure: its function, title and range, and the reason if it is undefined."""

    of: Callable[[PredictionTable, str, Which], float]
    why: Callable[[PredictionTable, str], str]
    title: str
    symbol: str
    lower: float
    upper: float
    needs_baseline: bool = False

    def value(self, spans: Spans) -> Floats:
        """Value of the measure in each part."""
        return spans.values(self)

    def reason(self, spans: Spans) -> NDArray[Any]:
        """Reason why the measure is undefined in each part; "" where it is defined."""
        undefined = np.isnan(self.value(spans))
        why = self.why(spans.table, spans.learner) if undefined.any() else ""
        return np.where(undefined, why, "")


def number_measures(
    learners: Iterable[str], intervals: Iterable[str] = ()
) -> dict[str, NumberMeasure]:
    """Measures of regressors by name: errors, R², and a skill over each baseline among them.

    `intervals` are the learners with prediction intervals. With any, their measures are included.
    """
    measures = {
        name: NumberMeasure(
            partial(_of_errors, name),
            _why(name),
            measure.title,
            measure.symbol,
            measure.lower,
            measure.upper,
        )
        for name, measure in REGRESSION_MEASURES.items()
    }
    for base in REGRESSION_TASK.baselines_of(learners):
        title = f"Skill over {REGRESSION_TASK.name_in_text(base)}"
        measures[SKILL + base] = _skill(partial(_skill_over, base), _why(SKILL), title)
    return measures | _interval_measures([*intervals])


def named_measure(name: str) -> Measure | NumberMeasure:
    """Measure of classification or regression with a name, including skills.

    Raises KeyError for other names, including measures of prediction intervals.
    """
    return MEASURES.get(name) or number_measures([name.removeprefix(SKILL)])[name]


def words_of_measure(name: str) -> str:
    """Words for a measure in a sentence."""
    if name in MEASURES:
        return measure_phrase(name)
    measure = named_measure(name)
    return measure.title.replace("Skill", "skill") if measure.needs_baseline else measure.symbol


def _interval_measures(intervals: Sequence[str]) -> dict[str, NumberMeasure]:
    """Measures of intervals, if there are any, with a skill over each baseline."""
    if not intervals:
        return {}
    measures = {
        name: NumberMeasure(
            partial(_of_intervals, name),
            _why(name),
            measure.title,
            measure.symbol,
            measure.lower,
            measure.upper,
        )
        for name, measure in INTERVAL_MEASURES.items()
    }
    limited = "Limited to the residuals"
    measures[LIMITED] = NumberMeasure(_limited, _why(LIMITED), limited, "", 0.0, 1.0)
    for base in REGRESSION_TASK.baselines_of(intervals):
        title = f"Interval skill over {REGRESSION_TASK.name_in_text(base)}"
        of = partial(_interval_skill_over, base)
        measures[INTERVAL_SKILL + base] = _skill(of, _why(INTERVAL_SKILL), title)
    return measures


def _skill(of: Callable[..., float], why: Callable[..., str], title: str) -> NumberMeasure:
    return NumberMeasure(of, why, title, "S", -np.inf, 1.0, needs_baseline=True)


def is_interval_measure(name: str) -> bool:
    """Whether a measure is about prediction intervals."""
    return name in INTERVAL_MEASURES or name == LIMITED or name.startswith(INTERVAL_SKILL)


def _of_errors(name: str, table: PredictionTable, learner: str, part: Which) -> float:
    true, predicted = table.true[part], table.predicted[learner][part]
    known = REGRESSION_TASK.known(true) & REGRESSION_TASK.known(predicted)
    return float(REGRESSION_MEASURES[name].function(true[known], predicted[known]))


def _skill_over(base: str, table: PredictionTable, learner: str, part: Which) -> float:
    return REGRESSION_TASK.skill(table.losses(learner, part), table.losses(base, part))


def _of_intervals(name: str, table: PredictionTable, learner: str, part: Which) -> float:
    true, ends = table.true[part], _ends(table, learner, part)
    if ends is None or (name == "interval_score" and table.coverage is None):
        return np.nan
    known = ~np.isnan(true) & ~np.isnan(ends.low)
    function = INTERVAL_MEASURES[name].function
    return float(function(true[known], ends.low[known], ends.high[known], table.coverage or 0.5))


def _limited(table: PredictionTable, learner: str, part: Which) -> float:
    if (ends := _ends(table, learner, part)) is None:
        return np.nan
    known = ~np.isnan(table.true[part]) & ~np.isnan(ends.low)
    return float(ends.limited[known].mean()) if known.any() else np.nan


def _interval_skill_over(base: str, table: PredictionTable, learner: str, part: Which) -> float:
    """Skill: 1 minus the ratio of mean interval scores, over targets with both intervals.

    NaN without a stated level, and where the mean score of the baseline is 0 or infinite.
    """
    true = table.true[part]
    learner_ends, baseline_ends = (_ends(table, name, part) for name in (learner, base))
    if learner_ends is None or baseline_ends is None or table.coverage is None:
        return np.nan
    known = ~np.isnan(true) & ~np.isnan(learner_ends.low) & ~np.isnan(baseline_ends.low)
    if not known.any():
        return np.nan
    of = [
        Intervals(true[known], ends.low[known], ends.high[known])
        for ends in (learner_ends, baseline_ends)
    ]
    score, baseline_score = (interval_scores(intervals, table.coverage).mean() for intervals in of)
    return 1.0 - float(score / baseline_score) if 0.0 < baseline_score < np.inf else np.nan


def _ends(table: PredictionTable, learner: str, part: Which) -> Ends | None:
    ends = table.intervals.get(learner)
    return None if ends is None else ends.part(part)


def _why(name: str) -> Callable[[PredictionTable, str], str]:
    """Function for the reason why a measure, or a kind of skill, is undefined."""
    return partial(_reason, name)


def too_few_for_intervals(table: PredictionTable, learner: str) -> str:
    """Reason why a learner has no interval; "" if it has any, or enough errors for one."""
    ends, coverage = table.intervals[learner], table.coverage
    if coverage is None or not np.isnan(ends.low).all():
        return ""
    errors = int(np.count_nonzero(~np.isnan(table.losses(learner))))
    needed = least_residuals(coverage)
    if errors > needed:
        return ""
    return (
        f"{_NO_INTERVAL}, as the first one of coverage {coverage:g} needs {needed:,} earlier "
        f"errors, and there are {errors:,} in all"
    )


def _reason(name: str, table: PredictionTable, learner: str) -> str:
    """Reason why a measure, or a kind of skill, of a learner is undefined."""
    if name in REGRESSION_MEASURES or name == SKILL:
        return _UNDEFINED.get(name, _NO_PREDICTION)
    if learner not in table.intervals:
        return _NO_INTERVAL
    if table.coverage is None and name in (INTERVAL_SKILL, "interval_score"):
        return _NO_LEVEL
    if too_few := too_few_for_intervals(table, learner):
        return too_few
    return _UNDEFINED.get(name, _NO_INTERVAL)
