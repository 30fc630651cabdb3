"""Number of streams needed to detect a difference with Wilcoxon's test, by simulation."""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import ArrayLike

from streameval.base.arrays import Flags, Floats
from streameval.base.errors import DataError
from streameval.base.seeds import generator
from streameval.significance.significance_test import LEVEL
from streameval.significance.t_over_folds import as_differences
from streameval.significance.wilcoxon import critical_value

#: Default power: the probability of detecting a difference.
POWER = 0.8
#: Number of simulated studies for each number of streams: a power of 0.8 has a standard error of
#: 0.9 %.
STUDIES = 2000
#: Largest number of streams that is simulated.
MAX_STREAMS = 1000
#: Efficiency of Wilcoxon's test relative to the t-test for normal differences.
_EFFICIENCY = 3.0 / math.pi


def wilcoxon_rejects(values: ArrayLike, level: float) -> Flags:
    """Whether Wilcoxon's signed-rank test rejects each row of values, which have no ties or zeros.

    Parameters
    ----------
    values : array_like of float, shape (studies, n)
    level : float
        Two-sided level.

    Returns
    -------
    ndarray of bool, shape (studies,)
    """
    rows = np.asarray(values, dtype=np.float64)
    n = rows.shape[-1]
    order = np.argsort(np.abs(rows), axis=-1)
    positive_sum = (np.take_along_axis(rows, order, axis=-1) > 0) @ np.arange(1, n + 1)
    total = n * (n + 1) // 2
    smaller_sum = np.minimum(positive_sum, total - positive_sum)
    is_rejected: Flags = smaller_sum <= critical_value(n, level)
    return is_rejected


def simulated_noise(differences: ArrayLike, streams: int, studies: int = STUDIES) -> Floats:
    """Simulated differences of two equal learners on further streams.

    Observed differences are resampled, less their mean and with a random sign, and smoothed by a
    normal distribution. So simulated differences are symmetric about 0, with the observed variance
    and approximately the observed shape.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        Observed differences, at least two.
    streams, studies : int
        Number of streams per study, and number of studies.

    Returns
    -------
    ndarray, shape (studies, streams)
    """
    values = as_differences(differences, min_length=2, unit="streams")
    n, rng = len(values), generator("significance", "streams_needed", streams)
    residuals, sd = values - values.mean(), float(values.std(ddof=1))
    width = 0.9 * n**-0.2  # Silverman's rule, in standard deviations
    # The factor raises the variance of the residuals to the unbiased estimate, the square of `sd`.
    resampled = residuals[rng.integers(0, n, (studies, streams))] * math.sqrt(n / (n - 1))
    signs = 2 * rng.integers(0, 2, resampled.shape) - 1
    smoothed = signs * resampled + width * sd * rng.standard_normal(resampled.shape)
    noise: Floats = smoothed / math.sqrt(1.0 + width**2)  # without the added variance
    return noise


def wilcoxon_power(
    differences: ArrayLike, mean_difference: float, streams: int, level: float = LEVEL
) -> float:
    """Power of Wilcoxon's test against a mean difference of `mean_difference`.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        Observed differences of the two learners; their mean does not matter.
    mean_difference : float
        Mean difference to detect.
    streams : int
        Number of streams of the study.
    level : float
        Two-sided level of the test.
    """
    _check(differences, mean_difference)
    noise = simulated_noise(differences, streams)
    return float(wilcoxon_rejects(noise + mean_difference, level).mean())


def streams_needed(
    differences: ArrayLike, mean_difference: float, level: float = LEVEL, target: float = POWER
) -> float:
    """Smallest number of streams with which Wilcoxon's test has the power `target`.

    Parameters
    ----------
    differences, mean_difference, level
        As for `wilcoxon_power`.
    target : float
        Between the level and 1.

    Returns
    -------
    float
        A whole number; infinite if more than `MAX_STREAMS` are needed.
    """
    _check(differences, mean_difference)
    values = np.asarray(differences, dtype=np.float64)
    smallest = _smallest_rejectable(level)
    if values.min() == values.max():  # no variance: any number that can reject is enough
        return float(smallest)
    quantiles = scipy.special.ndtri([1.0 - level / 2.0, target])
    sd_ratio = float(values.std(ddof=1)) / mean_difference
    by_t_test = (float(quantiles.sum()) * sd_ratio) ** 2 / _EFFICIENCY
    if by_t_test > 3 * MAX_STREAMS:  # too many even if this approximation is three times too large
        return math.inf
    # The power grows with the number of streams, so the smallest number is found by bisection. The
    # number is first raised by 30 % at a time until it is enough.
    too_few, enough = smallest - 1, min(max(smallest, math.ceil(by_t_test)), MAX_STREAMS)
    while wilcoxon_power(values, mean_difference, enough, level) < target:
        if enough == MAX_STREAMS:
            return math.inf
        too_few, enough = enough, min(math.ceil(1.3 * enough), MAX_STREAMS)
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if wilcoxon_power(values, mean_difference, middle, level) < target:
            too_few = middle
        else:
            enough = middle
    return float(enough)


def _smallest_rejectable(level: float) -> int:
    """Smallest number of differences with which the test can reject."""
    streams = 1
    while critical_value(streams, level) < 0:
        streams += 1
    return streams


def _check(differences: ArrayLike, mean_difference: float) -> None:
    """Raise DataError unless differences are finite and the difference to detect is positive."""
    values = as_differences(differences, min_length=2, unit="streams")
    if values.ndim > 1 or not np.isfinite(values).all() or not mean_difference > 0:
        raise DataError(
            "Streams needed: expected a list of finite differences and a positive difference to "
            f"detect, found shape {values.shape} with {int((~np.isfinite(values)).sum())} that are "
            f"not finite, and {mean_difference:g}. Leave out streams on which a measure is "
            "undefined."
        )
