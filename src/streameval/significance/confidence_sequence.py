"""Intervals for the mean difference of two learners that hold at all times at once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.significance.e_process import RANGE, RHO, log_mixture, walk
from streameval.significance.intervals import CONFIDENCE

# Bounds are computed for intrinsic times that grow by this factor, and taken from the next larger
# one: no bound is too narrow, and none is too wide by more than half of this.
_STEP = 1.001
# Newton's method needs at most 10 steps from 0 for times up to 1e10 and levels from 1e-12 to 0.25.
_STEPS = 15


class ConfidenceSequence(NamedTuple):
    """A mean after each instance and the ends of its interval, arrays of shape (..., n)."""

    mean: Floats
    low: Floats
    high: Floats


def confidence_sequence(
    differences: ArrayLike, confidence: float = CONFIDENCE
) -> ConfidenceSequence:
    """Return intervals for the mean of the conditional expectations of differences in [-1, 1].

    The probability that all intervals contain the mean of the expectations so far, each given all
    that was known before, is at least the confidence. An interval contains the values that
    neither one-sided e-process of `e_process.e_process` rejects at half the level. The mean may
    move, so intervals are not intersected.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time, positive where the first learner is better. It takes O(n).
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
    sums, times = walk(differences)
    step = np.ceil(np.log1p(times / RHO) / math.log(_STEP)).astype(np.int64)
    grid = RHO * np.expm1(np.arange(step.max() + 1) * math.log(_STEP))
    half = boundary(grid, (1.0 - confidence) / 2.0, RHO)[step]
    n = np.arange(1.0, sums.shape[-1] + 1.0)
    low, high = np.maximum((sums - half) / n, -1.0), np.minimum((sums + half) / n, 1.0)
    return ConfidenceSequence(sums / n, low, high)


def boundary(times: Floats, level: float, rho: float) -> Floats:
    """Return the sums at which the mixture of `e_process.log_mixture` is 1 / level.

    The logarithm of the mixture is convex and increases with the sum, so that Newton's method comes
    from above: rounding apart, the result is never too small.

    Parameters
    ----------
    times : ndarray
        Intrinsic times v, at least 0.
    level : float
        The probability that a sum ever is above its boundary is at most this.
    rho : float
        See `e_process.log_mixture`.
    """
    special = scipy.special
    a = (times + rho) / RANGE**2
    sums = np.zeros_like(a)
    for _ in range(_STEPS):
        x = a + sums / RANGE
        log_density = (a - 1.0) * np.log(x) - x - special.gammaln(a)
        slope = 1.0 - a / x + np.exp(log_density) / special.gammainc(a, x)
        excess = log_mixture(sums, times, rho) + math.log(level)
        change = excess * RANGE / slope
        sums = sums - change
        if (np.abs(change) <= 1e-12 * sums).all():
            break
    return sums
