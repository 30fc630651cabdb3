"""Errors of regressors by age in round steps, with the skill over each baseline at the same age."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.evaluation.age_bins import even_ages
from streameval.evaluation.number_measures import SKILL, baselines_of, ratio_skill
from streameval.protocols.ages import aged
from streameval.protocols.reevaluation import PredictionEvents
from streameval.significance.stream_mean import stream_mean

Floats = NDArray[np.float64]


def error_ages(
    polls: PredictionEvents,
    true: Floats,
    predicted: Mapping[str, Floats],
    learners: Sequence[str],
    number: int,
    ticks: int = 0,
    pending: ArrayLike = (),
) -> pd.DataFrame:
    """Return the mean absolute error of the predictions in force at some ages.

    Parameters
    ----------
    polls, number, ticks, pending
        See `age_bins`.
    true : ndarray of float64, shape (s,)
        Targets, in the order of their arrival.
    predicted : mapping of str to ndarray of float64, shape (p,)
        Predictions of the regressors and of the baselines; NaN where there is none.
    learners : sequence of str
        Those that are shown.

    Returns
    -------
    DataFrame
        Columns learner, age, mean_absolute_error, low, high, the skill over each baseline at this
        age, at_risk, pending, missing (how many of those at risk have no prediction, which are left
        out), gain (by how much the error is smaller than that of the first predictions of those at
        risk), gain_low, gain_high, and overall (the error over all instances, with the last
        prediction from the target on). Otherwise as those of `age_bins`.
    """
    found = aged(polls)
    at = even_ages(found, number, ticks)
    force = found.in_force(at)
    baselines = baselines_of(predicted)
    errors = {
        name: np.abs(predicted[name][force] - true[:, None])
        for name in dict.fromkeys([*learners, *baselines])
    }
    waited = int(polls.time.max()) - np.asarray(pending, dtype=np.int64)
    rows = []
    for name in learners:
        for i, age in enumerate(at):
            waits = found.latency > age
            own, first = errors[name][waits, i], errors[name][waits, 0]
            mean, low, high = _interval(own)
            gain, gain_low, gain_high = _interval(first - own)
            skills = {
                SKILL + other: ratio_skill(own, errors[other][waits, i]) for other in baselines
            }
            row = {"learner": name, "age": age, "mean_absolute_error": mean}
            row |= {
                "low": np.maximum(low, 0.0),
                "high": high,
                **skills,
                "at_risk": int(waits.sum()),
            }
            row |= {"pending": int((waited >= age).sum()), "missing": int(np.isnan(own).sum())}
            row |= {"gain": gain, "gain_low": gain_low, "gain_high": gain_high}
            rows.append(row | {"overall": _interval(errors[name][:, i])[0]})
    return pd.DataFrame(rows)


def _interval(values: Floats) -> tuple[float, float, float]:
    """Return the mean of what is known, and the ends of its 95 % interval."""
    known = values[~np.isnan(values)]
    return stream_mean(known)[:3] if len(known) else (np.nan, np.nan, np.nan)
