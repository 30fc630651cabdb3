"""The fluctuation test of Giacomini and Rossi: is one of two learners better at some time."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.significance.series import Series, bartlett, checked, largest_magnitude, ratio
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

#: Length of the window as a part of the series.
WINDOW = 0.3
#: A longer series is averaged in at most this many bins.
BINS = 1000
#: Simulated series of independent values, from which p-values are taken.
DRAWS = 4999


def _path(series: Floats, m: int) -> Floats:
    """Return the statistic of each window of m values."""
    sums = np.zeros((*series.shape[:-1], series.shape[-1] + 1))
    np.cumsum(series, axis=-1, out=sums[..., 1:])
    inside = (sums[..., m:] - sums[..., :-m]) / np.sqrt(m)
    spread = np.sqrt(bartlett(series))[..., None]
    return ratio(inside, spread, largest_magnitude(series)[..., None])


@lru_cache(maxsize=16)
def _largest_of_noise(bins: int, m: int) -> Floats:
    """Return the largest absolute values of the paths of independent values, in ascending order."""
    draws = generator("significance", "fluctuation", bins, m)
    found = [np.abs(_path(draws.standard_normal(bins), m)).max() for _ in range(DRAWS)]
    return np.sort(found)


def _test(series: Series) -> SignificanceResult:
    """Compare two learners in a window that moves over a series of differences.

    The statistic is the largest of all windows: the sum of m values over sqrt(m) times the long-run
    standard deviation of the series, `bartlett`. Its p-value is from series of independent normal
    values of the same length, and so allows for the number of windows and for the estimated
    variance. The values of Giacomini and Rossi, Table 1, are for endless series of known variance.
    Series of more than `BINS` values are averaged in bins of equal size. What is left over at the
    beginning, less than a bin, is not used.
    """
    values = checked(series.differences, 20, "Fluctuation test")
    n = values.shape[-1]
    size = -(-n // BINS)
    bins = n // size
    values = values[..., n - bins * size :].reshape(*values.shape[:-1], bins, size).mean(axis=-1)
    m = round(WINDOW * bins)
    found = np.abs(_path(values, m)).max(axis=-1)
    as_large = DRAWS - np.searchsorted(_largest_of_noise(bins, m), found, side="left")
    p_value = (as_large + 1.0) / (DRAWS + 1)
    error = float(np.sqrt(p_value * (1.0 - p_value) / DRAWS).max())
    return SignificanceResult(found, p_value, error)


TEST = SignificanceTest(
    name="fluctuation",
    title="Fluctuation test",
    null="the expected difference of the two learners is 0 at all times",
    estimand=(
        "the expected differences of two runs over windows of one stream, not of the learners over "
        "other seeds"
    ),
    assumptions=(
        "apart from their mean the differences are stationary, and they depend on each other over "
        "a range much shorter than the window"
    ),
    reference="Giacomini, Rossi (2010), Proposition 1",
    evidence=Series,
    function=_test,
)
