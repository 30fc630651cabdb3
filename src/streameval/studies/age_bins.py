"""Accuracy by age in round steps, with the skill under the same delay: what results show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.durations import even_step
from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.skills import skill
from streameval.protocols.ages import Aged, aged
from streameval.protocols.reevaluation import Polls
from streameval.studies.accuracy_by_age import ages, by_age

#: Ages go as far as so many instances are still at risk.
LEAST = 100
#: What the skill over each comparator is called.
SKILLS = ("kappa_temporal_delayed", "kappa_m_delayed")
COLUMNS = (
    *("learner", "age", "accuracy", "low", "high", *SKILLS, "at_risk", "pending"),
    *("gain", "gain_low", "gain_high", "overall"),
)


def age_bins(
    polls: Polls,
    true: NDArray[np.int32],
    predicted: Mapping[str, NDArray[np.int16]],
    learners: Sequence[str],
    number: int,
    ticks: int = 0,
    pending: ArrayLike = (),
) -> pd.DataFrame:
    """Return the accuracy of the predictions in force at some ages.

    Parameters
    ----------
    polls : Polls
        What the predictions are for.
    true : ndarray of int32, shape (s,)
        True labels, in the order of their arrival.
    predicted : mapping of str to ndarray of int16, shape (p,)
        Predictions of the learners and of the comparators.
    learners : sequence of str
        Those that are shown.
    number : int
        The largest number of steps from age 0.
    ticks : int
        Units of time in a second; 0 if times are no dates.
    pending : array-like of int, shape (w,)
        When the instances have arrived whose labels have not.

    Returns
    -------
    DataFrame
        `COLUMNS`. Ages are in units of time. At risk are instances whose labels arrive later than
        at this age; accuracy and skill, over No-Change and Majority at the same age, are over
        these. `pending` more are at risk whose labels have not arrived at all, and which no
        accuracy counts. The gain is over the first predictions of those at risk; `overall` is over
        all instances, with the last prediction from the label on.
    """
    found = aged(polls)
    at = even_ages(found, number, ticks)
    force = found.in_force(at)
    right = {
        name: predicted[name][force] == true[:, None]
        for name in dict.fromkeys([*learners, *COMPARATORS])
    }
    waits = [found.latency > age for age in at]
    waited = int(polls.time.max()) - np.asarray(pending, dtype=np.int64)
    still = [int((waited >= age).sum()) for age in at]
    parts = []
    for name in learners:
        part = by_age(found, at, right[name]).assign(learner=name, pending=still)
        for column, other in zip(SKILLS, COMPARATORS, strict=True):
            part[column] = [
                skill(right[name][kept, i], right[other][kept, i])[0] if kept.any() else np.nan
                for i, kept in enumerate(waits)
            ]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)[[*COLUMNS]]


def even_ages(found: Aged, number: int, ticks: int = 0) -> NDArray[np.int64]:
    """Return ages in round steps from 0, as far as `LEAST` scored instances are at risk."""
    last = int(ages(found, 2, LEAST)[-1])
    if ticks:
        step = even_step(last / ticks, max(number, 1)) * ticks
    else:
        step = max(-(-last // max(number, 1)), 1)
    return np.arange(0, last + 1, step, dtype=np.int64)
