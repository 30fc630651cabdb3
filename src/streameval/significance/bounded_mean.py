"""Confidence interval for the mean of a bounded variable, from few and possibly skewed draws.

Student's t assumes that means are normal. The delays of a detector that finds nearly all drifts are
far from normal: most are short, and a missed drift counts as the longest delay. This interval
assumes only the bounds. For draws of 0 and 1 it is the interval of Clopper and Pearson.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError
from streameval.base.seeds import generator
from streameval.significance.intervals import CONFIDENCE, Interval

#: Number of draws of sorted uniform numbers that give a bound. All calls use the same draws.
DRAWS = 10_000


def bounded_mean_interval(
    values: ArrayLike, low: float = 0.0, high: float = 1.0, confidence: float = CONFIDENCE
) -> Interval:
    """Mean of independent draws, with a confidence interval for the mean of their distribution.

    The sorted draws are quantiles of the distribution, at unknown levels. For given levels, the
    mean of the distribution has a largest possible value. The levels are drawn at random many
    times, and the upper end is a quantile of the largest possible means. The lower end is the upper
    end of the mirrored draws, mirrored back.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Independent draws from one distribution.
    low, high : float
        Smallest and largest possible value.
    confidence : float
        Between 0 and 1. Both tails have equal probability.

    Raises
    ------
    ConfigError
        If there is no draw, or a draw is outside the bounds.

    References
    ----------
    Learned-Miller, Thomas (2019), A new confidence interval for the mean of a bounded random
    variable, arXiv:1905.06208. Its coverage is proven in special cases only; no distribution is
    known for which it fails.
    """
    draws = np.asarray(values, dtype=np.float64)
    if draws.ndim != 1 or not len(draws) or not ((draws >= low) & (draws <= high)).all():
        raise ConfigError(
            f"Bounded mean: expected one or more numbers from {low:g} to {high:g}, found "
            f"{draws[:5].tolist()}{', ...' if draws.size > 5 else ''}."
        )
    scaled, level = (draws - low) / (high - low), (1.0 + confidence) / 2.0
    ends = 1.0 - _upper_end(1.0 - scaled, level), _upper_end(scaled, level)
    lower, upper = (low + (high - low) * end for end in ends)
    mean = float(draws.mean())
    # Rounding could put an end on the wrong side of the mean.
    return Interval(mean, min(lower, mean), max(upper, mean))


def _upper_end(x: Floats, level: float) -> float:
    """Quantile `level` of the largest possible mean of a distribution on [0, 1] with draws `x`."""
    gaps = np.diff(np.append(np.sort(x), 1.0))
    # Added in order: the result of a matrix product depends on the processor.
    largest = 1.0 - np.add.accumulate(_random_levels(len(x)) * gaps, axis=1)[:, -1]
    return float(np.quantile(largest, level, method="higher"))  # "higher" is conservative


@cache
def _random_levels(n: int) -> Floats:
    """Random quantile levels of n sorted draws: rows of sorted uniform numbers, (DRAWS, n)."""
    return np.sort(generator("bounded mean", n).random((DRAWS, n)), axis=1)
