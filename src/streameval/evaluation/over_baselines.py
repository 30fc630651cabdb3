"""Whether learners beat the baselines on a stream: what first pages and commands say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from streameval.evaluation.differences import difference
from streameval.evaluation.prediction_table import PredictionTable
from streameval.evaluation.roles import COMPARATORS, REGRESSION_BASELINES

#: Bin of the predictions that are made when an instance arrives.
_ARRIVAL = 0


class OverBaseline(NamedTuple):
    """How much better a learner is than a baseline.

    Parameters
    ----------
    learner, baseline : str
        Their ids.
    is_skill : bool
        Whether the value is a skill, by how much the learner errs less in proportion to the
        baseline, or a difference in accuracy.
    value, low, high : float
        Above 0 the learner is better; ends of the 95 % interval, NaN where there is none.
    accuracy : float
        The learner's accuracy; NaN of a skill.
    """

    learner: str
    baseline: str
    is_skill: bool
    value: float
    low: float
    high: float
    accuracy: float


def of_predictions(predictions: PredictionTable) -> list[OverBaseline]:
    """Return by how much learners are more accurate than No-Change and Majority.

    Of an instance that is predicted several times it is about the first prediction, on arrival.

    Parameters
    ----------
    predictions : PredictionTable
        Predictions in one sequence, of instances with labels; the comparators are among them.
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


def of_skills(skills: pd.DataFrame) -> list[OverBaseline]:
    """Return the skills of learners on arrival.

    Parameters
    ----------
    skills : DataFrame
        The frame ``skills`` of `studies.binned_measures` or `studies.binned_errors`.
    """
    named = skills.rename(columns={"baseline": "reference", "skill": "value"})
    return [
        OverBaseline(
            row["learner"], row["reference"], True, row["value"], row["low"], row["high"], np.nan
        )
        for row in named[named["bin"] == _ARRIVAL].to_dict("records")
        if row["learner"] not in (*COMPARATORS, *REGRESSION_BASELINES)
    ]
