"""Fluctuation test of Giacomini and Rossi: whether either learner is better at some time."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.significance.series import Series, as_series, bartlett, largest_magnitude, t_ratio
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

#: Length of the window as a fraction of the series.
WINDOW = 0.3
#: A longer series is averaged in at most this many bins.
BINS = 1000
#: Simulated series of independent values, from which p-values are taken.
DRAWS = 4999


def _path(series: Floats, m: int) -> Floats:
    """Statistic of each window of m values."""
    sums = np.zeros((*series.shape[:-1], series.shape[-1] + 1))
    np.cumsum(series, axis=-1, out=sums[..., 1:])
    inside = (sums[..., m:] - sums[..., :-m]) / np.sqrt(m)
    spread = np.sqrt(bartlett(series))[..., None]
    return t_ratio(inside, spread, largest_magnitude(series)[..., None])


@lru_cache(maxsize=16)
def _largest_of_noise(bins: int, m: int) -> Floats:
    """Sorted test statistics of simulated series of independent normal values."""
    rng = generator("significance", "fluctuation", bins, m)
    statistics = [np.abs(_path(rng.standard_normal(bins), m)).max() for _ in range(DRAWS)]
    return np.sort(statistics)


def _test(series: Series) -> SignificanceResult:
    """Compare two learners in a window that moves over a series of differences.

    The statistic of a window is the sum of its m values divided by sqrt(m) and by the long-run
    standard deviation of the series, `bartlett`. The test statistic is the largest absolute one.
    Its p-value comes from simulated series of independent normal values of the same length. So it
    allows for the number of windows and for the estimated variance, whereas Table 1 of Giacomini
    and Rossi holds for infinite series of known variance. Series of more than `BINS` values are
    averaged in bins of equal size. A remainder at the beginning, less than a bin, is not used.
    """
    values = as_series(series.differences, 20, "Fluctuation test")
    n = values.shape[-1]
    size = -(-n // BINS)
    bins = n // size
    values = values[..., n - bins * size :].reshape(*values.shape[:-1], bins, size).mean(axis=-1)
    m = round(WINDOW * bins)
    statistic = np.abs(_path(values, m)).max(axis=-1)
    as_large = DRAWS - np.searchsorted(_largest_of_noise(bins, m), statistic, side="left")
    p_value = (as_large + 1.0) / (DRAWS + 1)
    error = float(np.sqrt(p_value * (1.0 - p_value) / DRAWS).max())
    return SignificanceResult(statistic, p_value, error)


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
