"""Weights of the labels that have arrived, which represent the pending labels.

An instance is scored if its label arrives by the end. Two probabilities of that can be estimated
without any label that is missing:

by age
    That a label arrives within the age of its instance at the end, by the Kaplan-Meier estimate of
    the time to the label. Weights by it are right if that time has nothing to do with whether the
    prediction is correct, even if predictions become better or worse.
by latency
    That an instance is old enough at the end for the time that its label took. Weights by it are
    right if the age has nothing to do with whether the prediction is correct, even if the labels of
    one class take longer; they stand for labels that arrive at last.

Neither can be right for labels that never arrive more often in one class than in another: the same
labels and predictions are seen if the missing ones are of another class. `bounds` hold even then.

References
----------
Robins, Rotnitzky, Zhao (1994), Estimation of regression coefficients when some regressors are not
always observed, Journal of the American Statistical Association 89(427), 846-866; Manski (1989),
Anatomy of the selection problem, Journal of Human Resources 24(3), 343-360.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats

Weights = Floats


def weights_by_age(latency: ArrayLike, age: ArrayLike) -> Weights:
    """1 / P(a label arrives within this age), by the Kaplan-Meier estimate.

    Parameters
    ----------
    latency : array-like of float, shape (n,)
        Time from each instance to its label; what is above the age is not looked at.
    age : array-like of float, shape (n,)
        Time from each instance to the end.

    Returns
    -------
    ndarray of float64, shape (n,)
        Weights of instances whose labels have arrived; 0 for others.
    """
    waits, ages = np.asarray(latency, dtype=np.float64), np.asarray(age, dtype=np.float64)
    arrived = waits <= ages
    weights = np.zeros(len(ages))
    if arrived.any():
        from scipy import stats  # here: what is only imported need not wait for it

        seen = stats.CensoredData(uncensored=waits[arrived], right=ages[~arrived])
        weights[arrived] = 1.0 / stats.ecdf(seen).cdf.evaluate(ages[arrived])
    return weights


def weights_by_latency(latency: ArrayLike, age: ArrayLike) -> Weights:
    """1 / P(an instance is at least as old as its label took), by the ages of all.

    The ages of all instances are known at the end, so their proportion needs no Kaplan-Meier
    estimate. Parameters and result are those of `weights_by_age`.
    """
    waits, ages = np.asarray(latency, dtype=np.float64), np.asarray(age, dtype=np.float64)
    arrived = waits <= ages
    old_enough = len(ages) - np.searchsorted(np.sort(ages), waits[arrived], "left")
    weights = np.zeros(len(ages))
    weights[arrived] = len(ages) / old_enough
    return weights


def weighted_mean(values: ArrayLike, weights: ArrayLike) -> float:
    """The mean with weights, NaN if they sum to 0."""
    numbers, by = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    total = by.sum()
    return float((by * numbers).sum() / total) if total > 0 else np.nan


def bounds(correct: ArrayLike, arrived: ArrayLike) -> tuple[float, float]:
    """Bounds on the accuracy over all instances, for any values of the missing labels.

    Parameters
    ----------
    correct : array-like of bool, shape (n,)
        Whether each prediction is correct; not looked at where the label has not arrived.
    arrived : array-like of bool, shape (n,)
        Whether the label has arrived.

    Returns
    -------
    tuple of float
        The accuracy if all predictions without labels are wrong, and if all are correct.
    """
    seen = np.asarray(arrived, dtype=np.bool_)
    right = np.asarray(correct, dtype=np.bool_) & seen
    return float(right.mean()), float((right | ~seen).mean())
