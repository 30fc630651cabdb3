"""Intervals for means: over independent seeds, and over series of dependent values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used: figures need the names alone
from numpy.typing import ArrayLike

from streameval.errors import ConfigError

#: Proportion of intervals that hold the mean of all seeds there could be.
CONFIDENCE = 0.95
#: Blocks of a series. Each must be much longer than the dependence within the series reaches, and
#: there must be enough of them for Student's t to be narrow: its 95 % quantile is 2.05 here.
BLOCKS = 30


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
        Of width 0 where all values are the same.

    Raises
    ------
    ConfigError
        If there are fewer than two values: one says nothing about how values scatter.
    """
    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        raise ConfigError(
            f"An interval over seeds: expected 2 seeds or more, found {len(sample)}. Raise the "
            "number of seeds."
        )
    mean = float(sample.mean())
    if (sample == sample[0]).all():  # else rounding of the mean would look like scatter
        return Interval(float(sample[0]), float(sample[0]), float(sample[0]))
    error = float(sample.std(ddof=1)) / np.sqrt(len(sample))
    half = float(scipy.special.stdtrit(len(sample) - 1, (1.0 + confidence) / 2.0)) * error
    return Interval(mean, mean - half, mean + half)


def series_interval(
    values: ArrayLike, confidence: float = CONFIDENCE, blocks: int = BLOCKS
) -> Interval:
    """Return the mean of a series and an interval that respects dependence within the series.

    Correct predictions come in runs, so that an interval for independent values is too narrow. Here
    the series is cut into blocks of consecutive values; the means of long blocks are nearly
    independent, and Student's t interval is taken over them. The blocks may have unequal variances.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        In their order, such as 1, 0 or -1 where the first learner only, both or neither, or the
        second one only was correct.
    confidence : float
        Between 0 and 1.
    blocks : int
        At most this many, at least 2; a series of fewer than twice as many values has half as many
        blocks as values.

    Returns
    -------
    Interval
        Around the mean of all values, of width 0 where all blocks have the same mean.

    Raises
    ------
    ConfigError
        If there are fewer than 4 values or 2 blocks.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference,
    Journal of Business & Economic Statistics 28(4), 453-468.
    """
    series = np.asarray(values, dtype=np.float64)
    blocks = min(blocks, len(series) // 2)
    if blocks < 2:
        raise ConfigError(
            f"An interval over a series: expected 4 values and 2 blocks or more, found "
            f"{len(series)} values and {blocks} blocks."
        )
    starts = np.arange(blocks + 1) * len(series) // blocks
    means = np.add.reduceat(series, starts[:-1]) / np.diff(starts)
    middle, low, high = mean_interval(means, confidence)
    mean = float(series.mean())
    return Interval(mean, mean + (low - middle), mean + (high - middle))
