"""Confidence intervals for means and proportions of independent values; blocks of a series."""

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

#: Values that are added up at a time, about.
_STRETCH = 1 << 13
#: Proportion of intervals that contain the expectation over all possible seeds.
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean and the ends of its interval."""

    mean: float
    low: float
    high: float


def mean_interval(values: ArrayLike, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of independent values and Student's t interval for its expectation.

    Parameters
    ----------
    values : array_like of float, shape (seeds,)
        One value per seed; NaN in one makes all three NaN.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Interval
        Of width 0 if all values are equal.

    Raises
    ------
    ConfigError
        If there are fewer than two values, which say nothing about their variance.
    """
    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        raise ConfigError(
            f"Interval over seeds: expected at least 2 seeds, found {len(sample)}. Increase the "
            "number of seeds."
        )
    mean = float(sample.mean())
    if (sample == sample[0]).all():  # otherwise rounding of the mean would look like variance
        return Interval(float(sample[0]), float(sample[0]), float(sample[0]))
    error = float(sample.std(ddof=1)) / np.sqrt(len(sample))
    import scipy  # here: figures and a command need the names alone

    half = float(scipy.special.stdtrit(len(sample) - 1, (1.0 + confidence) / 2.0)) * error
    return Interval(mean, mean - half, mean + half)


def mean_intervals(
    runs: pd.DataFrame, by: Sequence[str], quantities: Sequence[str]
) -> pd.DataFrame:
    """Return the means of several columns over the seeds of each group.

    Parameters
    ----------
    runs : pandas.DataFrame
        One row per group and seed.
    by : sequence of str
        Columns that make a group.
    quantities : sequence of str
        Columns with numbers.

    Returns
    -------
    pandas.DataFrame
        Columns `by`, quantity, mean, low, high (interval at `CONFIDENCE`), seeds; groups in
        their first order.
    """
    import pandas as pd

    rows = [
        (*group, quantity, *mean_interval(part[quantity]), len(part))
        for group, part in runs.groupby(list(by), sort=False)
        for quantity in quantities
    ]
    return pd.DataFrame(rows, columns=[*by, "quantity", "mean", "low", "high", "seeds"])


def mean_of_rates(rates: ArrayLike, runs: ArrayLike) -> Interval:
    """Return the mean of independent rates, and an interval from all their runs together.

    It is Wilson's of as many runs with the mean as their rate. As p (1 - p) is concave, the mean
    of different rates varies less, so the interval is wide rather than narrow. It is about these
    very rates, not about others of their kind.

    Parameters
    ----------
    rates : array_like of float, shape (k,)
        Between 0 and 1.
    runs : array_like of int, shape (k,)
        Of how many runs each is the proportion; the smallest number counts for all.
    """
    found = np.asarray(rates, dtype=np.float64)
    mean, trials = float(found.mean()), len(found) * int(np.min(runs))
    return Interval(mean, *wilson_interval(mean * trials, trials))


def difference_of_intervals(one: Interval, other: Interval) -> Interval:
    """Return the difference of two independent estimates, with the interval from their own.

    Of proportions with Wilson's intervals it is Newcombe's hybrid score interval.

    References
    ----------
    Zou, Donner (2008), Construction of confidence limits about effect measures: a general approach,
    Statistics in Medicine 27(10), 1693-1702. Newcombe (1998), Interval estimation for the
    difference between independent proportions, Statistics in Medicine 17(8), 873-890, method 10.
    """
    value = one.mean - other.mean
    below = float(np.hypot(one.mean - one.low, other.high - other.mean))
    above = float(np.hypot(one.high - one.mean, other.mean - other.low))
    return Interval(value, value - below, value + above)


def wilson_interval(successes: float, trials: int) -> tuple[float, float]:
    """Return Wilson's interval for a proportion, on the confidence level `CONFIDENCE`.

    It is that of `scipy.stats.binomtest`, which takes longer to load than the whole check.
    """
    z = NormalDist().inv_cdf((1.0 + CONFIDENCE) / 2.0)
    proportion, scale = successes / trials, 2.0 * (trials + z**2)
    centre = (2.0 * successes + z**2) / scale
    half = z / scale * sqrt(4.0 * successes * (1.0 - proportion) + z**2)
    low = centre - half if successes > 0 else 0.0
    high = centre + half if successes < trials else 1.0
    return low, high


def block_means(values: ArrayLike, blocks: int) -> Floats:
    """Return the means of blocks of consecutive values, whose lengths differ by at most 1.

    Parameters
    ----------
    values : array_like of float, shape (..., n)
        Series in order; one for each index of the leading axes.
    blocks : int
        Maximum number of blocks, at least 2; a series of fewer than twice as many values has half
        as many blocks as values.

    Returns
    -------
    ndarray, shape (..., blocks)

    Raises
    ------
    ConfigError
        If there are fewer than 4 values or 2 blocks.
    """
    series = np.asarray(values)
    n = series.shape[-1]
    blocks = min(blocks, n // 2)
    if blocks < 2:
        raise ConfigError(
            f"Blocks of a series: expected at least 4 values and 2 blocks, found {n} "
            f"values and {blocks} blocks."
        )
    starts = np.arange(blocks + 1) * n // blocks
    means = np.empty((*series.shape[:-1], blocks))
    # Some blocks at a time: integers are copied as floats before they are added.
    step = max(1, blocks * _STRETCH // n)
    for first in range(0, blocks, step):
        some = slice(first, first + step)
        begin, ends = starts[first], starts[first + 1 : first + step + 1]
        part = series[..., begin : ends[-1]].astype(np.float64, copy=False)
        means[..., some] = np.add.reduceat(part, starts[:-1][some] - begin, axis=-1)
    means /= np.diff(starts)
    return means
