"""Measures of learners for pages, with intervals only if these have the nominal coverage."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from streameval.api.comparison import Comparison
from streameval.api.result import Result
from streameval.api.result_view import measure_text, value_with_interval
from streameval.evaluation.coverage import MAX_CLASS_PROPORTION
from streameval.evaluation.kappa_intervals import KAPPA, KAPPA_M, KAPPA_TEMPORAL, KAPPAS
from streameval.evaluation.measurements import measure_predictions, measures_of
from streameval.evaluation.roles import CLASSIFICATION_BASELINES, MAJORITY, NO_CHANGE
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import StreamMean
from streameval.view.parts import Column, Table

#: Further measures of regressors.
FURTHER_REGRESSION_MEASURES = ("root_mean_squared_error", "r_squared")
#: Reason for an accuracy without an interval: simulated coverage is too low on such streams.
SKEWED = f"more than {100 * MAX_CLASS_PROPORTION:g} % of the labels are in one class"
#: Reason for a measure of a random learner without an interval.
ONE_RUN = "one run does not cover other seeds"
#: Kappas that are skills, and their baselines.
_SKILL_BASELINES = {KAPPA_TEMPORAL: NO_CHANGE, KAPPA_M: MAJORITY}


def estimates_with_intervals(comparison: Comparison) -> dict[str, StreamMean]:
    """Accuracy, or mean absolute error, of each learner and baseline, over all runs."""
    return {
        name: estimate_with_interval(comparison, name, comparison.estimate(name), comparison.runs)
        for name in comparison.learners_and_baselines
    }


def estimate_with_interval(
    comparison: Comparison, name: str, estimate: StreamMean, runs: int = 1
) -> StreamMean:
    """Accuracy or error of a learner; without its interval if the coverage would be too low.

    `estimate` is the mean over `runs`. It may be from other runs than those of `comparison`.
    The baselines keep their intervals: in simulations, their coverage is sufficient.
    """
    if (
        not comparison.plan.task.is_classification
        or name in CLASSIFICATION_BASELINES
        or estimate.reason
    ):
        return estimate
    reason = ONE_RUN if name in comparison.random_learners and runs == 1 else ""
    labels = comparison.stream.with_labels().y
    if np.bincount(labels).max() > MAX_CLASS_PROPORTION * len(labels):
        reason = SKEWED
    return estimate.without_interval(reason)  # with an empty reason the interval stays


def measure_intervals(result: Result, comparison: Comparison) -> dict[str, dict[str, Interval]]:
    """Further measures of each learner, with intervals (NaN without one).

    κ_t and κ_m are over all runs, the other measures are of the run in `result`.
    """
    nan = math.nan
    measures = KAPPAS if comparison.plan.task.is_classification else FURTHER_REGRESSION_MEASURES
    values_of_result: dict[str, dict[str, float]] = {}
    for row in measure_predictions(result.table, measures=[*measures]):
        values_of_result.setdefault(row.learner, {})[row.measure] = row.value
    intervals: dict[str, dict[str, Interval]] = {
        name: {} for name in comparison.learners_and_baselines
    }
    for name, learner_intervals in intervals.items():
        is_random = name in comparison.random_learners
        for measure in measures:
            value, low, high = values_of_result[name][measure], nan, nan
            if measure in _SKILL_BASELINES:
                value, low, high, _ = comparison.skill(name, _SKILL_BASELINES[measure])
                if is_random and comparison.runs == 1:
                    low = high = nan
            elif measure == KAPPA and not is_random and name != MAJORITY:  # κ of Majority is 0
                _, low, high, *_ = result.estimate(name, measure)
            learner_intervals[measure] = Interval(value, low, high)
    return intervals


def measures_table(
    result: Result, comparison: Comparison, title_of: Callable[[str], str] = str
) -> Table:
    """Table of `measure_intervals`; `title_of` gives the title of a learner."""
    rows = [
        {"learner": name, **measures}
        for name, measures in measure_intervals(result, comparison).items()
    ]
    infos = measures_of(result.table)
    measures = [key for key in rows[0] if key != "learner"]
    columns = [Column(infos[key].symbol, [key], partial(_interval_text, key)) for key in measures]
    return Table([Column("", ["learner"], title_of, kind="name"), *columns], rows)


def _interval_text(measure: str, interval: Interval) -> str:
    return value_with_interval(partial(measure_text, measure), *interval)
