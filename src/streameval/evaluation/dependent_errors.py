"""Simulated errors with a given rate and dependence, and intervals for proportions."""

from __future__ import annotations

import numpy as np
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike, NDArray

from streameval.significance.intervals import CONFIDENCE, Interval


def dependent_errors(
    draws: np.random.Generator, rates: ArrayLike, memory: float, runs: int
) -> NDArray[np.bool_]:
    """Return errors of a stationary two-state Markov chain.

    Parameters
    ----------
    draws : numpy.random.Generator
        Source of the draws.
    rates : array-like of float, shape (n,)
        Error rate at each step, which may change: an error repeats the last draw's rank.
    memory : float
        Autocorrelation of successive errors of equal rate, 0 <= `memory` < 1.
    runs : int
        Number of sequences.

    Returns
    -------
    ndarray of bool, shape (runs, n)
        Whether there is an error.

    Notes
    -----
    With probability `memory` a step keeps the uniform number of the step before, otherwise it
    draws another one; there is an error where the number is below the rate.
    """
    rate = np.asarray(rates, dtype=np.float64)
    shape = (runs, len(rate))
    fresh = draws.random(shape)
    kept = draws.random(shape) < memory
    kept[:, 0] = False
    source = np.maximum.accumulate(np.where(kept, 0, np.arange(len(rate))), axis=1)
    return np.take_along_axis(fresh, source, axis=1) < rate


def proportion_interval(hits: int, runs: int, confidence: float = CONFIDENCE) -> Interval:
    """Return a proportion and the exact interval of Clopper and Pearson (1934)."""
    ends = scipy.stats.binomtest(hits, runs).proportion_ci(confidence, method="exact")
    # Versions of scipy differ in the last digits.
    return Interval(hits / runs, round(float(ends.low), 12), round(float(ends.high), 12))
