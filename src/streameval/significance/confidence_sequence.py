"""Intervals for the mean difference of two learners, valid simultaneously at all times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy  # loads its submodules on first use
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.significance.e_process import RANGE, RHO, log_mixture, running_sums
from streameval.significance.intervals import CONFIDENCE

# Bounds are computed on a grid of intrinsic times v (see `e_process.running_sums`), on which v + ρ
# grows by this factor. A bound comes from the next larger time of the grid, so it is never too
# narrow and at most 0.05 % too wide.
_GRID_FACTOR = 1.001
# Newton's method needs at most 10 steps from 0 for times up to 1e10 and levels from 1e-12 to 0.25.
_MAX_STEPS = 15
# Newton's method ends after relative changes of at most this size.
_TOLERANCE = 1e-12


class ConfidenceSequence(NamedTuple):
    """A mean after each instance and the ends of its interval, arrays of shape (..., n)."""

    mean: Floats
    low: Floats
    high: Floats


def confidence_sequence(
    differences: ArrayLike, confidence: float = CONFIDENCE
) -> ConfidenceSequence:
    """Intervals for the mean expected difference of two learners, one after each instance.

    Each difference, in [-1, 1], has a conditional expectation given the past. With a probability of
    at least `confidence`, each interval contains the mean of the expectations up to its instance.
    An interval holds the values that neither one-sided e-process of `e_process.e_process` rejects
    at half the level. Intervals are not intersected, as this mean may change over time. The
    computing time is O(n).

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time, positive where the first learner is better.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    ConfidenceSequence

    Raises
    ------
    ConfigError
        See `e_process.e_process`.

    References
    ----------
    Choe, Ramdas (2024), Comparing sequential forecasters, Operations Research 72(4), 1368-1387,
    Theorem 2, with the gamma-exponential mixture of Howard et al. (2021), Proposition 9.
    """
    sums, times = running_sums(differences)
    # Index of the next larger time of the grid.
    index = np.ceil(np.log1p(times / RHO) / math.log(_GRID_FACTOR)).astype(np.int64)
    grid = RHO * np.expm1(np.arange(index.max() + 1) * math.log(_GRID_FACTOR))
    boundary = mixture_boundary(grid, (1.0 - confidence) / 2.0, RHO)[index]
    n = np.arange(1.0, sums.shape[-1] + 1.0)
    low = np.maximum((sums - boundary) / n, -1.0)  # differences are in [-1, 1]
    high = np.minimum((sums + boundary) / n, 1.0)
    return ConfidenceSequence(sums / n, low, high)


def mixture_boundary(times: Floats, level: float, rho: float) -> Floats:
    """Sums at which the mixture of `e_process.log_mixture` equals 1 / level.

    The logarithm of the mixture is convex and increases with the sum. So Newton's method approaches
    the solution from above, and the result is never too small, apart from rounding.

    Parameters
    ----------
    times : ndarray
        Intrinsic times v, at least 0.
    level : float
        Upper bound on the probability that a sum ever exceeds its boundary.
    rho : float
        See `e_process.log_mixture`.
    """
    special = scipy.special
    a = (times + rho) / RANGE**2
    sums = np.zeros_like(a)
    # `x` and `a` as in `log_mixture`. `excess` is the log of the mixture less log(1 / level), and
    # `slope` its derivative by `x`.
    for _ in range(_MAX_STEPS):
        x = a + sums / RANGE
        log_density = (a - 1.0) * np.log(x) - x - special.gammaln(a)
        slope = 1.0 - a / x + np.exp(log_density) / special.gammainc(a, x)
        excess = log_mixture(sums, times, rho) + math.log(level)
        change = excess * RANGE / slope
        sums = sums - change
        if (np.abs(change) <= _TOLERANCE * sums).all():
            break
    return sums
