"""Intervals of κ, κ_t, κ_m and skills of one learner.

Each kappa is a skill. The item ``beyond/interval_coverage`` measures how often intervals miss.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.evaluation.measurements import measures_of
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.regression_measures import SKILL_PREFIX
from streameval.evaluation.roles import NO_CHANGE
from streameval.measures.counting import checked_predictions
from streameval.significance.series import error_runs
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import Sample

#: The measures that are skills: over chance, over No-Change and over Majority.
KAPPAS = KAPPA, KAPPA_TEMPORAL, KAPPA_M = ("kappa", "kappa_temporal", "kappa_m")


def measures_with_intervals(table: PredictionTable) -> list[str]:
    """Names of the measures that can have an interval; skills come last."""
    skills = [
        name for name in measures_of(table) if name in KAPPAS or name.startswith(SKILL_PREFIX)
    ]
    return [table.task.measure, *skills]


def kappa_interval(table: PredictionTable, learner: str, measure: str) -> Skill:
    """A measure of `KAPPAS`, or a skill over a baseline, with its interval from one run.

    The reference of κ_t is No-Change, of κ_m the majority class, of κ `chance_errors`.
    """
    table.require_one_fold(f"The interval of {measure}")
    if measure != KAPPA:
        references = {KAPPA_TEMPORAL: NO_CHANGE, KAPPA_M: table.majority}
        return table.skill(learner, references.get(measure, measure.removeprefix(SKILL_PREFIX)))
    chance = chance_errors(table.true, table.predicted[learner], table.n_classes)
    errors, order = table.losses(learner), table.order()
    sample = Sample(errors, run_lengths=error_runs(errors, chance, order=order), order=order)
    return skill_interval(sample, chance).without_interval(table.no_interval_reason)


def chance_errors(true: ArrayLike, predicted: ArrayLike, n_classes: int) -> Floats:
    """Series with mean 1 - p_c, the error rate of chance agreement, for class codes.

    p_c = Σ a_k b_k, with the proportions a of true and b of predicted classes. The influence
    function of an instance with true class y and predicted class z is b_y + a_z - 2 p_c (Hampel,
    1974). The series is therefore 1 + p_c - b_y - a_z, which has the long-run variance of the
    estimate. A missing prediction, -1, counts as an error of chance.
    """
    y, z = checked_predictions(true, predicted, n_classes)
    n = len(y)
    # `z` is n_classes for a missing prediction. Integer arithmetic is exact: if the learner
    # predicts a single class, the series equals the errors of its predictions.
    true_counts = np.bincount(y, minlength=n_classes + 1)
    predicted_counts = np.bincount(z, minlength=n_classes + 1)
    agreement = int(true_counts @ predicted_counts)
    errors = n * n + agreement - n * (predicted_counts[y] + true_counts[z])
    series: Floats = errors / (n * n) if n else errors.astype(np.float64)
    return series
