"""Confidence intervals for means and proportions of independent values, and means of blocks."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

#: Approximate number of values that `block_means` copies at a time, to limit memory.
_CHUNK_VALUES = 1 << 13
#: Confidence level of all intervals.
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean and the ends of its interval."""

    mean: float
    low: float
    high: float


def mean_interval(values: ArrayLike, confidence: float = CONFIDENCE) -> Interval:
    """Mean of independent values, with Student's t interval for their expectation.

    Parameters
    ----------
    values : array_like of float, shape (seeds,)
        One value per seed; a NaN makes the mean and both ends NaN.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Interval
        It has width 0 if all values are equal.

    Raises
    ------
    ConfigError
        If there are fewer than two values, from which no variance can be estimated.
    """
    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        raise ConfigError(
            f"Interval over seeds: expected at least 2 seeds, found {len(sample)}. Increase the "
            "number of seeds."
        )
    mean = float(sample.mean())
    if (sample == sample[0]).all():  # rounding of the mean would look like variance
        return Interval(float(sample[0]), float(sample[0]), float(sample[0]))
    standard_error = float(sample.std(ddof=1)) / np.sqrt(len(sample))
    import scipy  # here, as listing callers import only the names of this module

    quantile = float(scipy.special.stdtrit(len(sample) - 1, (1.0 + confidence) / 2.0))
    half_width = quantile * standard_error
    return Interval(mean, mean - half_width, mean + half_width)


def mean_intervals(
    runs: pd.DataFrame, by: Sequence[str], quantities: Sequence[str]
) -> pd.DataFrame:
    """Mean and interval of several columns over the seeds of each group.

    Parameters
    ----------
    runs : pandas.DataFrame
        One row per group and seed.
    by : sequence of str
        Columns that identify a group.
    quantities : sequence of str
        Columns to average.

    Returns
    -------
    pandas.DataFrame
        Columns `by`, quantity, mean, low, high (interval at `CONFIDENCE`), seeds; groups in order
        of their first row.
    """
    import pandas as pd

    rows = [
        (*group, quantity, *mean_interval(rows_of_group[quantity]), len(rows_of_group))
        for group, rows_of_group in runs.groupby(list(by), sort=False)
        for quantity in quantities
    ]
    return pd.DataFrame(rows, columns=[*by, "quantity", "mean", "low", "high", "seeds"])


def mean_of_rates(rates: ArrayLike, runs: ArrayLike) -> Interval:
    """Mean of independent rates, with Wilson's interval from the runs behind all rates.

    The interval treats all runs as if they had the mean rate. If rates differ, this overestimates
    the variance, since p (1 - p) is concave; so the interval is conservative. It is for the mean of
    these rates and does not generalise to other rates.

    Parameters
    ----------
    rates : array_like of float, shape (k,)
        Between 0 and 1.
    runs : array_like of int, shape (k,)
        Number of runs behind each rate; the smallest number is used for all rates.
    """
    proportions = np.asarray(rates, dtype=np.float64)
    mean, trials = float(proportions.mean()), len(proportions) * int(np.min(runs))
    return Interval(mean, *wilson_interval(mean * trials, trials))


def interval_of_difference(first: Interval, second: Interval) -> Interval:
    """Difference of two independent estimates, with an interval computed from their intervals.

    For proportions with Wilson's intervals it is Newcombe's hybrid score interval.

    References
    ----------
    Zou, Donner (2008), Construction of confidence limits about effect measures: a general approach,
    Statistics in Medicine 27(10), 1693-1702. Newcombe (1998), Interval estimation for the
    difference between independent proportions, Statistics in Medicine 17(8), 873-890, method 10.
    """
    difference = first.mean - second.mean
    below = float(np.hypot(first.mean - first.low, second.high - second.mean))
    above = float(np.hypot(first.high - first.mean, second.mean - second.low))
    return Interval(difference, difference - below, difference + above)


def wilson_interval(successes: float, trials: int) -> tuple[float, float]:
    """Wilson's interval for a proportion, at confidence level `CONFIDENCE`.

    It equals the interval of `scipy.stats.binomtest`, which is slow to load.
    """
    z = NormalDist().inv_cdf((1.0 + CONFIDENCE) / 2.0)
    proportion, scale = successes / trials, 2.0 * (trials + z**2)
    centre = (2.0 * successes + z**2) / scale
    half_width = z / scale * sqrt(4.0 * successes * (1.0 - proportion) + z**2)
    # Without rounding, the ends are exactly 0 without a success, and 1 without a failure.
    low = centre - half_width if successes > 0 else 0.0
    high = centre + half_width if successes < trials else 1.0
    return low, high


def block_means(values: ArrayLike, n_blocks: int) -> Floats:
    """Means of blocks of consecutive values; the lengths of blocks differ by at most 1.

    Parameters
    ----------
    values : array_like of float, shape (..., n)
        Series in order of time; one for each index of the leading axes.
    n_blocks : int
        Maximum number of blocks, at least 2. Each block has at least two values, so a short series
        has n // 2 blocks.

    Returns
    -------
    ndarray, shape (..., n_blocks)

    Raises
    ------
    ConfigError
        If there are fewer than 4 values or 2 blocks.
    """
    series = np.asarray(values)
    n = series.shape[-1]
    n_blocks = min(n_blocks, n // 2)
    if n_blocks < 2:
        raise ConfigError(
            f"Blocks of a series: expected at least 4 values and 2 blocks, found {n} "
            f"values and {n_blocks} blocks."
        )
    starts = np.arange(n_blocks + 1) * n // n_blocks
    means = np.empty((*series.shape[:-1], n_blocks))
    # Only some blocks at a time: a copy of all integers as floats would take much memory.
    step = max(1, n_blocks * _CHUNK_VALUES // n)
    for first in range(0, n_blocks, step):
        chunk = slice(first, first + step)
        begin, ends = starts[first], starts[first + 1 : first + step + 1]
        part = series[..., begin : ends[-1]].astype(np.float64, copy=False)
        means[..., chunk] = np.add.reduceat(part, starts[:-1][chunk] - begin, axis=-1)
    means /= np.diff(starts)
    return means
