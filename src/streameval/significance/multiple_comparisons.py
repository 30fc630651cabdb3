"""Comparisons of more than two learners: Nemenyi's test of mean ranks, and Holm's correction."""

from __future__ import annotations

import math

import numpy as np
import scipy  # loads its parts when they are first used: most jobs need none
from numpy.typing import ArrayLike, NDArray

from streameval.significance.significance_test import LEVEL


def critical_difference(learners: int, streams: int, level: float = LEVEL) -> float:
    """Return the difference of mean ranks from which on Nemenyi's test rejects.

    Parameters
    ----------
    learners, streams : int
        k and N.
    level : float
        Probability of any rejection if all learners are equal.

    Returns
    -------
    float
        CD = q √(k (k + 1) / 6 N), with q the quantile of the Studentized range of k means and
        infinite degrees of freedom, divided by √2 (Demšar, 2006, Section 3.2.2).
    """
    q = float(scipy.stats.studentized_range.ppf(1 - level, learners, np.inf)) / math.sqrt(2)
    return q * math.sqrt(learners * (learners + 1) / (6 * streams))


def nemenyi(mean_ranks: ArrayLike, streams: int) -> NDArray[np.float64]:
    """Return the p-value of each pair of learners, corrected for all pairs.

    Parameters
    ----------
    mean_ranks : array_like of float, shape (k,)
        Mean rank of each learner.
    streams : int
        Number of streams N.

    Returns
    -------
    ndarray of float, shape (k, k)
        Symmetric, with 1 on the diagonal; at most `level` where ranks differ by the
        `critical_difference` of this level (Demšar, 2006, Section 3.2.2).
    """
    ranks = np.asarray(mean_ranks, dtype=np.float64)
    k = len(ranks)
    p_values = np.ones((k, k))
    first, second = np.triu_indices(k, 1)
    gaps = np.abs(ranks[first] - ranks[second]) / math.sqrt(k * (k + 1) / (6 * streams))
    p_values[first, second] = scipy.stats.studentized_range.sf(gaps * math.sqrt(2), k, np.inf)
    p_values[second, first] = p_values[first, second]
    return np.clip(p_values, 0.0, 1.0)
