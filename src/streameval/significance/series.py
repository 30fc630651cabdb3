"""Series of differences between two learners, and the t-test that several tests of them end in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import ConfigError
from streameval.significance.significance_test import SignificanceResult
from streameval.significance.student import two_sided

#: Numbers below this fraction of the largest value of a series are rounding, and count as 0.
ROUNDING = 1e-13


class Series(NamedTuple):
    """Differences of two learners in order of time, positive where the first one is better.

    For correct predictions: 1 where only the first learner is correct, -1 where only the second
    one is, and 0 elsewhere. The means of equally long bins are a series too.
    """

    differences: NDArray[np.float64]  # (..., n): a series for each index of the leading axes


def checked(differences: ArrayLike, least: int, purpose: str) -> NDArray[np.float64]:
    """Return the differences as floats.

    Raises
    ------
    ConfigError
        If the last axis has fewer than `least` values, or one is NaN or infinite.
    """
    series = np.asarray(differences, dtype=np.float64)
    found = series.shape[-1] if series.ndim else 0
    if found < least:
        raise ConfigError(
            f"{purpose}: expected a series of at least {least} differences, found {found}. "
            "Give a longer series, or shorter bins."
        )
    unknown = np.count_nonzero(~np.isfinite(series))
    if unknown:
        raise ConfigError(
            f"{purpose}: expected finite differences, found {unknown} that are NaN or infinite. "
            "Leave out the instances, or the runs, that have none."
        )
    return series


def largest(series: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest absolute value of each series, below which rounding is judged."""
    peak: NDArray[np.float64] = np.abs(series).max(axis=-1)
    return peak


def ratio(
    mean: NDArray[np.float64], error: NDArray[np.float64], scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return mean / error.

    A series without any difference has 0 / 0, which counts as 0: there is no evidence at all. A
    series of equal differences has an error of 0 and a ratio of infinity with the sign of the mean.
    """
    mean, error = np.broadcast_arrays(np.asarray(mean, np.float64), np.asarray(error, np.float64))
    mean = np.where(np.abs(mean) <= ROUNDING * scale, 0.0, mean)
    still = error <= ROUNDING * scale
    value = np.divide(mean, error, out=np.zeros_like(mean), where=~still)
    return np.where(still & (mean != 0.0), np.copysign(np.inf, mean), value)


def t_of_mean(
    mean: NDArray[np.float64],
    error: NDArray[np.float64],
    freedom: float,
    scale: NDArray[np.float64],
) -> SignificanceResult:
    """Return the two-sided t-test of a mean of 0, with the 95 % interval of the mean.

    Parameters
    ----------
    mean, error : ndarray, shape (...)
        Means and their standard errors; see `ratio` for errors of 0.
    freedom : float
        Degrees of freedom; infinity for the normal distribution.
    scale : ndarray, shape (...)
        The largest absolute values of the series, see `largest`.

    Returns
    -------
    SignificanceResult
        See `two_sided`.
    """
    return two_sided(ratio(mean, error, scale), mean, error, freedom)
