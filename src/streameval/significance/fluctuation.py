"""The fluctuation test of Giacomini and Rossi: when is one of two learners better."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import ConfigError
from streameval.seeds import generator
from streameval.significance.series import Series, bartlett, checked, largest, ratio
from streameval.significance.significance_test import LEVEL, SignificanceResult, SignificanceTest

#: Length of the window as a part of the series.
WINDOW = 0.3
#: A longer series is averaged in at most this many bins.
BINS = 1000
#: Simulated series of independent values, from which p-values and critical values are taken.
DRAWS = 4999


class Fluctuation(NamedTuple):
    """The path of the statistic, and where it is beyond its critical value."""

    first: NDArray[np.int64]  # (windows,): first instance of each window
    last: NDArray[np.int64]  # (windows,): its last instance
    path: NDArray[np.float64]  # (..., windows)
    critical: float
    ahead: NDArray[np.int8]  # (..., windows): 1 where the first learner is better, -1 where worse
    p_value: NDArray[np.float64]  # (...): of the largest absolute value of the path


def fluctuation(
    differences: ArrayLike, window: float = WINDOW, level: float = LEVEL
) -> Fluctuation:
    """Compare two learners in a window that moves over a series of differences.

    The statistic of a window of m values is their sum over sqrt(m) times the long-run standard
    deviation of the series (`long_run_variance.bartlett` with its default bandwidth). The
    critical value holds for the whole path: without a difference, the path leaves ± the critical
    value anywhere with a probability of `level`. It is simulated with series of independent normal
    values of the same length, and so allows for the number of windows and for the estimated
    variance. The values of Giacomini and Rossi, Table 1, are for endless series of known variance.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time. If there are more than `BINS`, they are averaged in bins of
        equal size. What is left over at the beginning, less than a bin, is not used.
    window : float
        Length of the window as a part of the series, between 0 and 1.
    level : float
        Level of significance.

    Returns
    -------
    Fluctuation
        Series without any difference have p-value 1.

    Raises
    ------
    ConfigError
        If there are fewer than 20 values, or the window has fewer than 2 bins or all of them.

    References
    ----------
    Giacomini, Rossi (2010), Forecast comparisons in unstable environments, Journal of Applied
    Econometrics 25(4), 595-620, Proposition 1.
    """
    series = checked(differences, 20, "Fluctuation test")
    n = series.shape[-1]
    size = -(-n // BINS)
    bins = n // size
    left = n - bins * size
    series = series[..., left:].reshape(*series.shape[:-1], bins, size).mean(axis=-1)
    m = round(window * bins)
    if not 2 <= m < bins:
        raise ConfigError(
            f"Fluctuation test: expected a window of at least 2 and fewer than all {bins} bins "
            f"of the series, found {window:g} of them, which is {m}."
        )
    path = _path(series, m)
    null = _largest_of_noise(bins, m)
    critical = float(np.quantile(null, 1.0 - level, method="higher"))
    as_large = DRAWS - np.searchsorted(null, np.abs(path).max(axis=-1), side="left")
    ahead = np.where(np.abs(path) > critical, np.sign(path), 0.0).astype(np.int8)
    first = left + size * np.arange(bins - m + 1)
    return Fluctuation(
        first, first + size * m - 1, path, critical, ahead, (as_large + 1.0) / (DRAWS + 1.0)
    )


def _path(series: NDArray[np.float64], m: int) -> NDArray[np.float64]:
    """Return the statistic of each window of m values."""
    sums = np.zeros((*series.shape[:-1], series.shape[-1] + 1))
    np.cumsum(series, axis=-1, out=sums[..., 1:])
    inside = (sums[..., m:] - sums[..., :-m]) / np.sqrt(m)
    spread = np.sqrt(bartlett(series))[..., None]
    return ratio(inside, spread, largest(series)[..., None])


@lru_cache(maxsize=16)
def _largest_of_noise(bins: int, m: int) -> NDArray[np.float64]:
    """Return the largest absolute values of the paths of independent values, in ascending order."""
    draws = generator("significance", "fluctuation", bins, m)
    found = [np.abs(_path(draws.standard_normal(bins), m)).max() for _ in range(DRAWS)]
    return np.sort(found)


def _test(series: Series) -> SignificanceResult:
    found = fluctuation(series.differences)
    error = np.sqrt(found.p_value * (1.0 - found.p_value) / DRAWS).max()
    details = {
        "critical": found.critical,
        "better": (found.ahead > 0).mean(axis=-1),  # proportions of windows
        "worse": (found.ahead < 0).mean(axis=-1),
    }
    return SignificanceResult(np.abs(found.path).max(axis=-1), found.p_value, float(error), details)


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
