"""The interval for the mean of a bounded variable, from few draws that may be very skewed.

Student's t takes means for normal. The delays of a detector that finds nearly all drifts are far
from it: most are short, a missed one counts as the longest. This interval assumes nothing but the
bounds. Of draws of 0 and 1 it is Clopper and Pearson's.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError
from streameval.base.seeds import generator
from streameval.significance.intervals import CONFIDENCE, Interval

#: Draws of sorted uniform numbers by which a bound is computed: always the same ones.
DRAWS = 10_000


def bounded_mean_interval(
    values: ArrayLike, low: float = 0.0, high: float = 1.0, confidence: float = CONFIDENCE
) -> Interval:
    """Return the mean of independent draws, and an interval for the mean of their law.

    The upper end is a quantile of the largest mean that a law can have of which the sorted draws
    are at given quantiles, over random quantiles; the lower end is that of the mirrored draws.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Independent draws from one law.
    low, high : float
        Least and greatest possible value.
    confidence : float
        Between 0 and 1; half of the rest is left to each side.

    Raises
    ------
    ConfigError
        If there is no draw, or one is outside of the bounds.

    References
    ----------
    Learned-Miller, Thomas (2019), A new confidence interval for the mean of a bounded random
    variable, arXiv:1905.06208. That it holds its level for all laws is proven in special cases
    only; no law is known for which it does not.
    """
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not len(found) or not ((found >= low) & (found <= high)).all():
        raise ConfigError(
            f"Bounded mean: expected one or more numbers from {low:g} to {high:g}, found "
            f"{found[:5].tolist()}{', ...' if found.size > 5 else ''}."
        )
    scaled, level = (found - low) / (high - low), (1.0 + confidence) / 2.0
    ends = 1.0 - _upper(1.0 - scaled, level), _upper(scaled, level)
    least, most = (low + (high - low) * end for end in ends)
    mean = float(found.mean())
    return Interval(mean, min(least, mean), max(most, mean))


def _upper(x: Floats, level: float) -> float:
    gaps = np.diff(np.append(np.sort(x), 1.0))
    # Summed one by one, and not by a product of matrices, whose sums depend on the processor.
    largest = 1.0 - np.add.accumulate(_quantiles(len(x)) * gaps, axis=1)[:, -1]
    return float(np.quantile(largest, level, method="higher"))


@cache
def _quantiles(n: int) -> Floats:
    """Return draws of n sorted uniform numbers, shape (draws, n)."""
    return np.sort(generator("bounded mean", n).random((DRAWS, n)), axis=1)
