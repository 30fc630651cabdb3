"""Intervals of measures of one learner: of its accuracy or error, of κ, κ_t, κ_m, and of skills.

Each kappa is a skill. The item ``beyond/interval_coverage`` measures how often they miss.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.evaluation.measurements import measures_of
from streameval.evaluation.number_measures import SKILL
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import NO_CHANGE
from streameval.measures.counting import checked_predictions
from streameval.significance.series import error_runs
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import Sample

#: The measures that are skills: over chance, over No-Change and over Majority.
KAPPAS = KAPPA, KAPPA_TEMPORAL, KAPPA_M = ("kappa", "kappa_temporal", "kappa_m")


def levels_of(table: PredictionTable) -> list[str]:
    """Return the measures of predictions that can have an interval, by name, skills at the end."""
    skills = [name for name in measures_of(table) if name in KAPPAS or name.startswith(SKILL)]
    return [table.task.measure, *skills]


def kappa_interval(table: PredictionTable, learner: str, measure: str) -> Skill:
    """Return one of `KAPPAS`, or a skill over a baseline, with its interval of one run.

    The reference of κ_t is No-Change, of κ_m the majority class, of κ `chance_errors`.
    """
    table.require_one_fold(f"The interval of {measure}")
    if measure != KAPPA:
        others = {KAPPA_TEMPORAL: NO_CHANGE, KAPPA_M: table.majority}
        return table.skill(learner, others.get(measure, measure.removeprefix(SKILL)))
    chance = chance_errors(table.true, table.predicted[learner], table.n_classes)
    errors, order = table.losses(learner), table.order()
    sample = Sample(errors, run_lengths=error_runs(errors, chance, order=order), order=order)
    return skill_interval(sample, chance).without_ends(table.no_interval)


def chance_errors(true: ArrayLike, predicted: ArrayLike, n_classes: int) -> Floats:
    """Return a series whose mean is the proportion of errors of chance, 1 - p_c, for class codes.

    p_c is Σ a_k b_k of the proportions a of true and b of predicted classes, which to first order
    an instance changes by b_y + a_z - 2 p_c, its influence function (Hampel, 1974). So the series
    is 1 + p_c - b_y - a_z, with the long-run variance of that estimate. A missing prediction, -1,
    is wrong by chance, too.
    """
    y, z = checked_predictions(true, predicted, n_classes)
    n = len(y)
    # In whole numbers: where all predictions are one class, these are exactly its errors.
    of_true = np.bincount(y, minlength=n_classes + 1)
    of_predicted = np.bincount(z, minlength=n_classes + 1)
    agreement = int(of_true @ of_predicted)
    errors = n * n + agreement - n * (of_predicted[y] + of_true[z])
    series: Floats = errors / (n * n) if n else errors.astype(np.float64)
    return series
