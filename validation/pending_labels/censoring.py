"""Weights that let instances with labels represent the instances whose labels are missing.

An instance is scored if its label arrives by the end of evaluation. Weights are inverse
probabilities of this. Two such probabilities can be estimated without the missing labels:

by age
    The probability that a label arrives within the age of its instance at the end, by the
    Kaplan-Meier estimate of the time to the label. These weights are right if this time is
    independent of whether the prediction is correct, even if predictions become better or worse.
by latency
    The probability that an instance is at least as old at the end as the latency of its label.
    These weights are right if the age is independent of whether the prediction is correct, even if
    labels of one class take longer. Labels that never arrive are not represented.

Both weights are wrong if the probability that a label never arrives depends on its class: the
observations would be the same if the missing labels were of another class. `accuracy_bounds` hold
even then.

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
    """1 / P(a label arrives within the age of its instance), by the Kaplan-Meier estimate.

    Parameters
    ----------
    latency : array-like of float, shape (n,)
        Time from each instance to its label. Values above the age are ignored.
    age : array-like of float, shape (n,)
        Time from each instance to the end.

    Returns
    -------
    ndarray of float64, shape (n,)
        Weights of instances whose labels have arrived; 0 for others.
    """
    latencies, ages = np.asarray(latency, dtype=np.float64), np.asarray(age, dtype=np.float64)
    arrived = latencies <= ages
    weights = np.zeros(len(ages))
    if arrived.any():
        from scipy import stats  # slow to import, and not needed to import this module

        censored = stats.CensoredData(uncensored=latencies[arrived], right=ages[~arrived])
        weights[arrived] = 1.0 / stats.ecdf(censored).cdf.evaluate(ages[arrived])
    return weights


def weights_by_latency(latency: ArrayLike, age: ArrayLike) -> Weights:
    """1 / P(an instance is at least as old as the latency of this label).

    The probability is a proportion of the ages of all instances, which are all known at the end.
    Parameters and result are the same as in `weights_by_age`.
    """
    latencies, ages = np.asarray(latency, dtype=np.float64), np.asarray(age, dtype=np.float64)
    arrived = latencies <= ages
    n_old_enough = len(ages) - np.searchsorted(np.sort(ages), latencies[arrived], "left")
    weights = np.zeros(len(ages))
    weights[arrived] = len(ages) / n_old_enough
    return weights


def weighted_mean(values: ArrayLike, weights: ArrayLike) -> float:
    """The weighted mean; NaN if the weights sum to 0."""
    numbers, w = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    total = w.sum()
    return float((w * numbers).sum() / total) if total > 0 else np.nan


def accuracy_bounds(correct: ArrayLike, arrived: ArrayLike) -> tuple[float, float]:
    """Bounds on the accuracy over all instances, for any values of the missing labels.

    Parameters
    ----------
    correct : array-like of bool, shape (n,)
        Whether each prediction is correct. Ignored if the label has not arrived.
    arrived : array-like of bool, shape (n,)
        Whether the label has arrived.

    Returns
    -------
    tuple of float
        The accuracy if all predictions without labels are wrong, and if all are correct.
    """
    has_label = np.asarray(arrived, dtype=np.bool_)
    is_correct = np.asarray(correct, dtype=np.bool_) & has_label
    return float(is_correct.mean()), float((is_correct | ~has_label).mean())
