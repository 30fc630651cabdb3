"""Width of simultaneous intervals for the means of correlated series."""

from __future__ import annotations

import functools

import numpy as np
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.significance.intervals import CONFIDENCE, block_means
from streameval.significance.stream_mean import LEAST_EFFECTIVE, SECTIONS

#: Blocks over which the correlations are taken: more than sections, or few series would fill them.
CORRELATED = 128
#: Draws of the largest of all ratios. Its quantile has a relative error of about one per cent.
DRAWS = 2000
_SEED, _STEP = 20190701, 250
#: Draws and deviations are multiples of these: sums of their products are exact, in any order. Else
#: the last digits would depend on the processor, for which libraries choose how they multiply.
_FINE, _FINER = 2.0**-20, 2.0**-24
#: Effective labels below which no learner is told to be worse than another one, and, of skewed
#: differences, how many of them there have to be for each unit of the skewness squared.
LEAST_JUDGED, SKEWED = 2 * LEAST_EFFECTIVE, 50


def blocks_of(series: ArrayLike) -> Floats:
    """Return the means of blocks of consecutive values, for `errors_together`.

    Parameters
    ----------
    series : array_like of float, shape (n, m)
        Series in order of time, one in each column, at least 4 values.

    Returns
    -------
    ndarray, shape (b, m)
        Differences of series have the differences of their blocks.
    """
    columns = np.ascontiguousarray(np.asarray(series).T, dtype=np.float64)
    return np.ascontiguousarray(block_means(columns, CORRELATED).T)


def errors_together(blocks: ArrayLike, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors wide to each side intervals are that all hold at once.

    The mean of a series has a standard error from `SECTIONS` sections, as in `stream_mean`. If
    sections are normal and correlated as the blocks are, the largest of all ratios of a mean to its
    error has the quantile that is returned. It is found by drawing. For one series, and for equal
    ones, it is that of Student's t; Bonferroni's is never smaller by more than the error of the
    draws.

    Parameters
    ----------
    blocks : array_like of float, shape (b, m)
        The means of blocks of m series; see `blocks_of`. Constant series do not count.
    confidence : float
        Between 0 and 1.

    References
    ----------
    Hothorn, Bretz, Westfall (2008), Simultaneous inference in general parametric models,
    Biometrical Journal 50(3), 346-363. Ibragimov, Müller (2010), t-statistic based correlation and
    heterogeneity robust inference, Journal of Business & Economic Statistics 28(4), 453-468.
    """
    found = np.asarray(blocks, dtype=np.float64)
    found = found[:, (found != found[:1]).any(axis=0)]
    alone = float(scipy.special.stdtrit(SECTIONS - 1, (1.0 + confidence) / 2.0))
    if found.shape[1] < 2:
        return alone
    deviations = found - found.mean(axis=0)
    deviations = _multiples(deviations / np.sqrt((deviations**2).sum(axis=0)), _FINER)
    largest = np.empty(DRAWS)
    for start in range(0, DRAWS, _STEP):  # the rest does not fit into the cache
        noise = _noise(len(deviations))[start * SECTIONS : (start + _STEP) * SECTIONS]
        drawn = (noise @ deviations).reshape(_STEP, SECTIONS, -1)
        error = drawn.std(axis=1, ddof=1) / np.sqrt(SECTIONS)
        largest[start : start + _STEP] = (np.abs(drawn.mean(axis=1)) / error).max(axis=1)
    return max(alone, float(np.quantile(largest, confidence)))


def skewness(values: ArrayLike) -> float:
    """Skewness of values, without correction for their number; 0 if all are equal.

    It is that of `scipy.stats.skew`, which takes longer to load than most studies to compute.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        At least one, none of them NaN.
    """
    series = np.asarray(values, dtype=np.float64)
    if series.min() == series.max():
        return 0.0
    deviations = series - series.mean()
    squares = deviations * deviations
    return float(np.mean(squares * deviations) / np.mean(squares) ** 1.5)


@functools.lru_cache(1)  # almost always for `CORRELATED` blocks
def _noise(blocks: int) -> Floats:
    """Return the draws of independent blocks; all calls share them."""
    rng = np.random.default_rng(_SEED)
    drawn = rng.standard_normal((DRAWS * SECTIONS, blocks), dtype=np.float32)
    return _multiples(drawn.astype(np.float64), _FINE)


def _multiples(values: Floats, unit: float) -> Floats:
    """Return the nearest multiples of a unit, which is a power of 2."""
    found: Floats = np.rint(values / unit) * unit
    return found
