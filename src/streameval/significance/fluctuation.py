"""Fluctuation test of Giacomini and Rossi: whether one of two learners is better at some time."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.significance.series import Series, as_series, bartlett, largest_magnitude, t_ratio
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

#: Length of the window as a fraction of the series.
WINDOW_FRACTION = 0.3
#: A longer series is averaged in at most this many bins.
MAX_BINS = 1000
#: Number of simulated series of independent values. P-values are multiples of 1 / (DRAWS + 1).
DRAWS = 4999
#: Length of the shortest series, in which a window has 6 values.
_MIN_LENGTH = 20


def _window_statistics(series: Floats, m: int) -> Floats:
    """Statistic of each window of m values."""
    sums = np.zeros((*series.shape[:-1], series.shape[-1] + 1))
    np.cumsum(series, axis=-1, out=sums[..., 1:])
    scaled_sums = (sums[..., m:] - sums[..., :-m]) / np.sqrt(m)
    deviation = np.sqrt(bartlett(series))[..., None]
    return t_ratio(scaled_sums, deviation, largest_magnitude(series)[..., None])


@lru_cache(maxsize=16)
def _null_statistics(n_bins: int, m: int) -> Floats:
    """Sorted test statistics of simulated series of independent normal values."""
    rng = generator("significance", "fluctuation", n_bins, m)
    return np.sort(
        [np.abs(_window_statistics(rng.standard_normal(n_bins), m)).max() for _ in range(DRAWS)]
    )


def _test(series: Series) -> SignificanceResult:
    """Compare two learners in a window that moves over a series of differences.

    The statistic of a window is the sum of its m values divided by sqrt(m) and by the long-run
    standard deviation of the series, `bartlett`. The test statistic is the largest absolute
    statistic of a window. Its p-value comes from simulated series of independent normal values of
    the same length. So it allows for the number of windows and for the estimated variance, whereas
    Table 1 of Giacomini and Rossi holds for infinite series of known variance. Series of more than
    `MAX_BINS` values are averaged in bins of equal size; first values that do not fill a bin are
    not used.
    """
    values = as_series(series.differences, _MIN_LENGTH, "Fluctuation test")
    n = values.shape[-1]
    bin_size = -(-n // MAX_BINS)  # rounded up
    n_bins = n // bin_size
    values = values[..., n - n_bins * bin_size :]
    values = values.reshape(*values.shape[:-1], n_bins, bin_size).mean(axis=-1)
    m = round(WINDOW_FRACTION * n_bins)
    statistic = np.abs(_window_statistics(values, m)).max(axis=-1)
    n_at_least = DRAWS - np.searchsorted(_null_statistics(n_bins, m), statistic, side="left")
    p_value = (n_at_least + 1.0) / (DRAWS + 1)
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
