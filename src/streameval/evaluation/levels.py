"""Intervals of measures of one learner: of its accuracy or error, of κ, κ_t, κ_m, and of skills.

Each kappa is a skill. The item ``beyond/interval_coverage`` measures how often they miss.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.evaluation.differences import skill, without_skill_ends
from streameval.evaluation.measurements import measures_of
from streameval.evaluation.number_measures import SKILL
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import NO_CHANGE
from streameval.evaluation.runs import Runs
from streameval.measures.counting import checked_predictions
from streameval.significance.series import by_runs
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import StreamMean, stream_mean

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
        return skill(table, learner, others.get(measure, measure.removeprefix(SKILL)))
    chance = chance_errors(table.true, table.predicted[learner], table.n_classes)
    found = skill_interval(table.losses(learner), chance, judged=True, order=table.order())
    return without_skill_ends(found, table.no_interval)


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
    found: Floats = errors / (n * n) if n else errors.astype(np.float64)
    return found


def level_of(known: Runs, learner: str, *, draws: bool) -> StreamMean:
    """Return the accuracy, or mean absolute error, of a learner over its runs.

    `draws` says whether its models differ by their seeds, which the interval then covers.
    """
    found = known.levels(learner).mean(axis=1)
    covers = draws and len(found) > 1
    values, order = known.values(learner), known.order(learner)
    behind, over_runs = by_runs(values, order=order), found if covers else ()
    return stream_mean(values, runs=over_runs, tested=False, behind=behind, order=order)


def skill_of(known: Runs, learner: str, baseline: str, *, draws: bool) -> Skill:
    """Return the skill of a learner over a baseline, which has no draws; see `level_of`.

    It is about the instances that both predict.
    """
    found = known.errors_of(learner, baseline)
    covers = draws and len(known.tested) > 1
    own, beside = found.by_run if covers else ((), ())
    order = known.order(learner, baseline)
    return skill_interval(*found.by_instance, runs=(own, beside), judged=True, order=order)
