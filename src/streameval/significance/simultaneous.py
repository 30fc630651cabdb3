"""Width of simultaneous intervals for the means of correlated series."""

from __future__ import annotations

import functools

import numpy as np
import scipy  # loads its submodules on first use
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.significance.intervals import CONFIDENCE, block_means
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, N_SECTIONS

#: Number of blocks from which correlations are estimated. It must be well above the number of
#: series: the means of `N_SECTIONS` (12) blocks of a dozen series would be linearly dependent.
CORRELATION_BLOCKS = 128
#: Number of draws from which `simultaneous_width` is computed, with a relative error of about 1 %.
DRAWS = 2000
#: Number of draws at a time: all draws at once would not fit into the processor's cache.
_DRAWS_CHUNK = 250
#: Seed of the draws, fixed so that equal series have equal widths.
_SEED = 20190701
#: Draws are rounded to multiples of `_DRAW_UNIT`, and deviations to multiples of `_DEVIATION_UNIT`.
#: So sums of their products are exact in any order. Otherwise the last digits would depend on the
#: processor.
_DRAW_UNIT = 2.0**-20
_DEVIATION_UNIT = 2.0**-24
#: Smallest effective number of labels for simultaneous intervals of a learner.
MIN_JUDGED_SIZE = 2 * MIN_EFFECTIVE_SIZE
#: Smallest effective number of labels for each unit of the squared skewness of differences; see
#: `drop_unsupported_bands`.
SIZE_PER_SQUARED_SKEWNESS = 50


def column_block_means(series: ArrayLike) -> Floats:
    """Means of blocks of consecutive values in each column, for `simultaneous_width`.

    Parameters
    ----------
    series : array_like of float, shape (n, m)
        One series in order of time per column, with at least 4 values.

    Returns
    -------
    ndarray, shape (b, m)
        Block means are linear: the block means of a difference of two series are the differences
        of their block means.
    """
    columns = np.ascontiguousarray(np.asarray(series).T, dtype=np.float64)
    return np.ascontiguousarray(block_means(columns, CORRELATION_BLOCKS).T)


def simultaneous_width(blocks: ArrayLike, confidence: float = CONFIDENCE) -> float:
    """Half width, in standard errors, of intervals for several means that hold simultaneously.

    The standard error of a mean comes from `N_SECTIONS` sections, as in `stream_mean`. The half
    width is a quantile of the largest ratio of a mean to its error. The quantile is simulated, with
    normal section means that have the correlations of the blocks. For a single series, or equal
    series, it is the quantile of Student's t, which is also its lower limit. It is at most the half
    width by Bonferroni's correction, up to the simulation error.

    Parameters
    ----------
    blocks : array_like of float, shape (b, m)
        Block means of m series; see `column_block_means`. Constant series are ignored.
    confidence : float
        Between 0 and 1.

    References
    ----------
    Hothorn, Bretz, Westfall (2008), Simultaneous inference in general parametric models,
    Biometrical Journal 50(3), 346-363. Ibragimov, Müller (2010), t-statistic based correlation and
    heterogeneity robust inference, Journal of Business & Economic Statistics 28(4), 453-468.
    """
    means = np.asarray(blocks, dtype=np.float64)
    means = means[:, (means != means[:1]).any(axis=0)]
    single_width = float(scipy.special.stdtrit(N_SECTIONS - 1, (1.0 + confidence) / 2.0))
    if means.shape[1] < 2:
        return single_width
    deviations = means - means.mean(axis=0)
    deviations = _round_to(deviations / np.sqrt((deviations**2).sum(axis=0)), _DEVIATION_UNIT)
    largest = np.empty(DRAWS)
    for start in range(0, DRAWS, _DRAWS_CHUNK):
        noise = _noise(len(deviations))[start * N_SECTIONS : (start + _DRAWS_CHUNK) * N_SECTIONS]
        section_means = (noise @ deviations).reshape(_DRAWS_CHUNK, N_SECTIONS, -1)
        error = section_means.std(axis=1, ddof=1) / np.sqrt(N_SECTIONS)
        ratios = np.abs(section_means.mean(axis=1)) / error
        largest[start : start + _DRAWS_CHUNK] = ratios.max(axis=1)
    return max(single_width, float(np.quantile(largest, confidence)))


def skewness(values: ArrayLike) -> float:
    """Skewness of values, without bias correction; 0 if all values are equal.

    It equals `scipy.stats.skew`, which takes longer to load than most studies take to compute.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        At least one value, without NaN.
    """
    series = np.asarray(values, dtype=np.float64)
    if series.min() == series.max():
        return 0.0
    deviations = series - series.mean()
    squares = deviations * deviations
    return float(np.mean(squares * deviations) / np.mean(squares) ** 1.5)


@functools.lru_cache(1)  # one entry: nearly all calls are for `CORRELATION_BLOCKS` blocks
def _noise(blocks: int) -> Floats:
    """Normal draws of independent blocks, shared by all calls."""
    rng = np.random.default_rng(_SEED)
    draws = rng.standard_normal((DRAWS * N_SECTIONS, blocks), dtype=np.float32)
    return _round_to(draws.astype(np.float64), _DRAW_UNIT)


def _round_to(values: Floats, unit: float) -> Floats:
    """Round to multiples of a unit that is a power of 2."""
    rounded: Floats = np.rint(values / unit) * unit
    return rounded
