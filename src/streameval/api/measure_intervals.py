"""Measures of learners, with intervals only where their error rate is controlled, for pages."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from streameval.api.comparison import Comparison
from streameval.api.result import Result
from streameval.api.result_view import measure_text, value_and_ends
from streameval.evaluation.coverage import MOST_FREQUENT
from streameval.evaluation.levels import KAPPA, KAPPA_M, KAPPA_TEMPORAL, KAPPAS
from streameval.evaluation.measurements import measure_predictions, measures_of
from streameval.evaluation.roles import COMPARATORS, MAJORITY, NO_CHANGE
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import StreamMean
from streameval.view.blocks import Column, Table

#: Further measures of regressors.
ERRORS = ("root_mean_squared_error", "r_squared")
#: Why a level of a learner is shown without its interval.
SKEWED = f"more than {100 * MOST_FREQUENT:g} % of the labels are in one class"
ONE_RUN = "one run does not cover other seeds"
#: The baselines over which these kappas are skills.
_OVER = {KAPPA_TEMPORAL: NO_CHANGE, KAPPA_M: MAJORITY}


def level_intervals(compared: Comparison) -> dict[str, StreamMean]:
    """Accuracy, or mean absolute error, of each learner and baseline over its runs."""
    return {
        name: level_interval(compared, name, compared.level(name), compared.runs)
        for name in compared.with_baselines
    }


def level_interval(compared: Comparison, name: str, level: StreamMean, runs: int = 1) -> StreamMean:
    """Accuracy or error of a learner, without an interval where it would miss too often."""
    if not compared.plan.task.is_counted or name in COMPARATORS or level.reason:
        return level
    reason = ONE_RUN if name in compared.draws and runs == 1 else ""
    labels = compared.stream.with_labels().y
    if np.bincount(labels).max() > MOST_FREQUENT * len(labels):
        reason = SKEWED
    return level.without_ends(reason)


def measure_intervals(result: Result, compared: Comparison) -> dict[str, dict[str, Interval]]:
    """Further measures of each learner, with their intervals where there are any.

    κ_t and κ_m are over all runs, the others of one run.
    """
    nan = math.nan
    measures = KAPPAS if compared.plan.task.is_counted else ERRORS
    of_one_run: dict[str, dict[str, float]] = {}
    for row in measure_predictions(result.table, measures=[*measures]):
        of_one_run.setdefault(row.learner, {})[row.measure] = row.value
    intervals: dict[str, dict[str, Interval]] = {name: {} for name in compared.with_baselines}
    for name, of_learner in intervals.items():
        draws = name in compared.draws
        for measure in measures:
            value, low, high = of_one_run[name][measure], nan, nan
            if measure in _OVER:
                value, low, high, _ = compared.skill(name, _OVER[measure])
                if draws and compared.runs == 1:
                    low = high = nan
            elif measure == KAPPA and not draws and name != MAJORITY:
                _, low, high, *_ = result.level(name, measure)
            of_learner[measure] = Interval(value, low, high)
    return intervals


def measures_table(
    result: Result, compared: Comparison, called: Callable[[str], str] = str
) -> Table:
    """Table of `measure_intervals`; `called` gives the names of its rows."""
    rows = [
        {"learner": name, **measures}
        for name, measures in measure_intervals(result, compared).items()
    ]
    known = measures_of(result.table)
    columns = [Column(known[key].symbol, [key], partial(_with_ends, key)) for key in [*rows[0]][1:]]
    return Table([Column("", ["learner"], called, kind="name"), *columns], rows)


def _with_ends(measure: str, value: Interval) -> str:
    return value_and_ends(partial(measure_text, measure), *value)
