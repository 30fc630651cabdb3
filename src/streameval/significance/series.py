"""Series of differences between two learners: their long-run variance, and the t-test of a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used: most jobs need none
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.significance.intervals import CONFIDENCE, block_means
from streameval.significance.significance_test import SignificanceResult

#: Numbers below this fraction of the largest value of a series are rounding, and count as 0.
ROUNDING = 1e-13


class Series(NamedTuple):
    """Differences of two learners in order of time, positive where the first one is better.

    For correct predictions: 1 where only the first learner is correct, -1 where only the second
    one is, and 0 elsewhere. The means of equally long bins are a series too.
    """

    differences: Floats  # (..., n): a series for each index of the leading axes


def checked(differences: ArrayLike, least: int, purpose: str) -> Floats:
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


def compact(values: ArrayLike, least: int, purpose: str) -> NDArray[np.float64 | np.int8]:
    """Return values of int8 as they are, and others as `checked` does."""
    series = np.asarray(values)
    is_small = series.dtype == np.int8 and series.shape[-1:] >= (least,)
    return series if is_small else checked(series, least, purpose)


def largest_magnitude(series: Floats) -> Floats:
    """Return the largest absolute value of each series, below which rounding is judged."""
    peak: Floats = np.abs(series).max(axis=-1)
    return peak


def ratio(mean: Floats, error: Floats, scale: Floats) -> Floats:
    """Return mean / error.

    A series without any difference has 0 / 0, which counts as 0: there is no evidence at all. A
    series of equal differences has an error of 0 and a ratio of infinity with the sign of the mean.
    """
    mean, error = np.broadcast_arrays(np.asarray(mean, np.float64), np.asarray(error, np.float64))
    mean = np.where(np.abs(mean) <= ROUNDING * scale, 0.0, mean)
    still = error <= ROUNDING * scale
    value = np.divide(mean, error, out=np.zeros_like(mean), where=~still)
    return np.where(still & (mean != 0.0), np.copysign(np.inf, mean), value)


def t_of_mean(mean: Floats, error: Floats, freedom: float, scale: Floats) -> SignificanceResult:
    """Return the two-sided t-test of a mean of 0, with the 95 % interval of the mean.

    Parameters
    ----------
    mean, error : ndarray, shape (...)
        Means and their standard errors; see `ratio` for errors of 0.
    freedom : float
        Degrees of freedom; infinity for the normal distribution.
    scale : ndarray, shape (...)
        The largest absolute values of the series, see `largest_magnitude`.

    Returns
    -------
    SignificanceResult
        See `two_sided`.
    """
    return two_sided(ratio(mean, error, scale), mean, error, freedom)


Values = Floats


def two_sided(t: Values, mean: Values, error: Values, freedom: float) -> SignificanceResult:
    """Return the two-sided test of a mean of 0, with the interval of confidence `CONFIDENCE`.

    Parameters
    ----------
    t : ndarray of shape (...)
        The mean divided by its standard error, or what stands for it where the error is 0.
    mean, error : ndarray of shape (...)
        The mean and its standard error.
    freedom : float
        Degrees of freedom; infinity for the normal distribution.

    Returns
    -------
    SignificanceResult
        With ``mean``, ``standard_error``, ``low`` and ``high`` in its details.
    """
    p_value = 2.0 * scipy.special.stdtr(freedom, -np.abs(t))
    half = scipy.special.stdtrit(freedom, (1.0 + CONFIDENCE) / 2.0) * error
    details: dict[str, Any] = {"mean": mean, "standard_error": error}
    return SignificanceResult(
        t, p_value, details={**details, "low": mean - half, "high": mean + half}
    )


def bartlett(differences: ArrayLike) -> Floats:
    """Return the long-run variance with Bartlett weights, Newey and West (1987).

    γ_0 + 2 Σ_{j<M} (1 - j/M) γ_j, where γ_j is the autocovariance at lag j, divided by n, and M the
    integer part of sqrt(n), as Coroneo and Iacone (2020) recommend. The sum equals the mean square
    of the sums of M consecutive deviations from the mean, divided by M, with zeros before and after
    the series. So it takes O(n) and is never negative.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Series in order of time.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ConfigError
        If there are fewer than 2 values.
    """
    series = checked(differences, 2, "Long-run variance")
    n = series.shape[-1]
    m = math.isqrt(n)
    deviations = series - series.mean(axis=-1, keepdims=True)
    around = np.zeros((*series.shape[:-1], n + 2 * m))
    np.cumsum(deviations, axis=-1, out=around[..., m : m + n])
    around[..., m + n :] = around[..., m + n - 1 : m + n]
    sums = around[..., m:] - around[..., :-m]
    variance: Floats = np.einsum("...t,...t->...", sums, sums) / (n * m)
    return variance


def daniell(differences: ArrayLike) -> Floats:
    """Return the long-run variance as the mean of the periodogram at its lowest frequencies.

    The weighted periodogram estimate with the kernel of Daniell, Coroneo and Iacone (2020), over as
    many frequencies as `daniell_frequencies` says.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Series in order of time.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ConfigError
        If there are fewer than 3 values.
    """
    series = checked(differences, 3, "Long-run variance")
    n = series.shape[-1]
    m = daniell_frequencies(n)
    waves = np.fft.rfft(series - series.mean(axis=-1, keepdims=True), axis=-1)[..., 1 : m + 1]
    variance: Floats = np.mean(waves.real**2 + waves.imag**2, axis=-1) / n
    return variance


def daniell_frequencies(n: int) -> int:
    """Return how many frequencies `daniell` takes: the integer part of the cube root of n."""
    root = round(math.cbrt(n))
    return root if root**3 <= n else root - 1


#: Deviations from a mean that are squared at a time.
_STRETCH = 1 << 13
#: Longer series are averaged over so many blocks before their autocovariances are summed.
MOST_BLOCKS = 4096


class LongRun(NamedTuple):
    """The long-run variance of a series, and the distances of values that it covers."""

    variance: float  # n times the variance of the mean; 0 where all values are equal
    reach: int  # the largest distance whose autocovariance is part of the variance


def initial_positive(values: ArrayLike) -> LongRun:
    """Long-run variance by the initial positive sequence of autocovariances.

    γ_0 + 2 Σ γ_j up to the lag where the sum of two neighbours, γ_2k + γ_2k+1, is no longer
    positive, with these sums made not to increase. So the range of the sum follows from the
    dependence. A series of negative dependence counts as independent: the result is at least γ_0.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        A series in order of time. One of over 4096 values is averaged over 4096 blocks first.

    References
    ----------
    Geyer (1992), Practical Markov chain Monte Carlo, Statistical Science 7(4), 473-483, Section
    3.3, initial monotone sequence estimator.
    """
    series = compact(values, 2, "Long-run variance")
    n = len(series)
    if series.min() == series.max():  # otherwise rounding of the mean would look like variance
        return LongRun(0.0, 0)
    return initial_positive_of(in_blocks(series), n, variance_of(series))


def in_blocks(series: NDArray[Any]) -> NDArray[Any]:
    """Series (..., n) of at most `MOST_BLOCKS` values; of longer ones, means of so many blocks."""
    return series if series.shape[-1] <= MOST_BLOCKS else block_means(series, MOST_BLOCKS)


def variance_of(series: NDArray[np.float64 | np.int8]) -> float:
    """Return the variance of a series, bit for bit as its method `var`, in bounded memory."""
    return _squares(series, series.mean()) / len(series)


def _squares(series: NDArray[np.float64 | np.int8], mean: np.float64) -> float:
    """Return the sum of the squared deviations from the mean, in the order in which NumPy adds."""
    n = len(series)
    if n <= _STRETCH:
        deviations = series - mean
        return float((deviations * deviations).sum())
    half = n // 2 - n // 2 % 8
    return _squares(series[:half], mean) + _squares(series[half:], mean)


def initial_positive_of(
    means: NDArray[np.float64 | np.int8], n: int, variance_of_values: float
) -> LongRun:
    """Compute `initial_positive` of a series from its values, or from the means of their blocks.

    Parameters
    ----------
    means : ndarray of float64 or int8
        All n values, or the means of `MOST_BLOCKS` blocks.
    n : int
        Length of the series.
    variance_of_values : float
        Of the series itself, which are not all equal.
    """
    from streameval.significance.autocovariances import initial_positive_sum  # loads numba

    m = len(means)
    deviations = means - means.mean()
    variance = float((deviations * deviations).sum()) / m
    total, last_lag = initial_positive_sum(deviations, variance)
    if total <= variance:
        total, last_lag = variance, 0
    if total * n / m <= variance_of_values:
        return LongRun(variance_of_values, 0)
    # Values further apart than this are in blocks within the last lag less often than not.
    return LongRun(total * n / m, int((last_lag + 0.5) * n / m - 0.5))


#: Angles at which `ByRuns.worth` looks up how often a process changes sides.
_ANGLES = np.linspace(0.0, np.pi / 2.0, 513)
#: Values whose changes are counted at a time.
_COUNTED = 1 << 16
#: Distances at which changes are counted, and the autocorrelation that the chosen one has at least.
_LAGS, _LASTING = 2 ** np.arange(11), 0.5


class ByRuns:
    """What a series is worth by how long it stays above or below its mean, in bounded memory.

    Changes of the side are counted over near neighbours, so that their number is known well where
    stretches of errors are so long that the sum of autocovariances is not: there, a calm series
    looks long enough.
    """

    def __init__(self) -> None:
        self._n = self._above = 0
        self._changes = np.zeros(len(_LAGS), np.int64)
        self._last = np.empty(0, np.bool_)

    def add(self, above: Flags) -> None:
        """Take further values: whether each is above the mean; of errors, whether it is one."""
        self._n, self._above = self._n + len(above), self._above + int(np.count_nonzero(above))
        both, new = np.concatenate([self._last, above]), len(above)
        for place, lag in enumerate(_LAGS[len(both) > _LAGS]):
            begin = max(len(both) - new - lag, 0)
            changed = both[begin + lag :] != both[begin : len(both) - lag]
            self._changes[place] += int(np.count_nonzero(changed))
        self._last = both[-int(_LAGS[-1]) :]

    @property
    def runs(self) -> int:
        """How many runs of values above and below the mean there are."""
        return int(self._changes[0]) + 1

    @property
    def worth(self) -> float:
        """The number of independent values, if a Gaussian process of order 1 crosses a level.

        At two times at which its autocorrelation is cos θ, the process is on different sides of the
        level c, above which it is as often as the series, with the probability of the integral of
        exp(-c² / (1 + cos x)) / π over x from 0 to θ. So θ follows from the number of changes, and
        the coefficient φ from θ. They are those at the largest of the distances 1, 2, 4, ... up to
        a quarter of the series, or 1024, up to which the sides have an autocorrelation of at least
        0.5. The mean of n values has the variance of n (1 - φ) / (1 + φ) independent ones.
        """
        n, share = self._n, self._above / max(self._n, 1)
        if not 0.0 < share < 1.0:
            return float(n)
        changed = self._changes / np.maximum(n - _LAGS, 1)
        lasting = (changed <= 2.0 * share * (1.0 - share) * (1.0 - _LASTING)) & (n >= 4 * _LAGS)
        place = max(int(np.argmin(np.append(lasting, False))) - 1, 0)
        level = NormalDist().inv_cdf(share)
        density = np.exp(-(level**2) / (1.0 + np.cos(_ANGLES))) / np.pi
        steps = (density[1:] + density[:-1]) / 2.0 * _ANGLES[1]
        angle = np.interp(changed[place], np.append(0.0, np.cumsum(steps)), _ANGLES)
        coefficient = float(np.cos(angle)) ** (1.0 / float(_LAGS[place]))
        # Rounded, as the last digits of sums and exponentials depend on the processor.
        return round(float(n * (1.0 - coefficient) / (1.0 + coefficient)), 6)


def _least_worth(found: Sequence[ByRuns]) -> ByRuns:
    """Return the errors that are worth least by their runs, of one or several."""
    return min(found, key=lambda one: min(one.worth, one.runs if one.runs > 1 else np.inf))


def by_runs(*errors: ArrayLike, order: Integers | None = None) -> ByRuns:
    """Return what the errors behind a series are worth by their runs: the least of all.

    With an `order` of entities, these are runs in time and runs within entities.
    """
    found = []
    for each in map(np.asarray, errors):
        mean = each.mean() if len(each) else np.nan
        for own in (each,) if order is None else (each, each[order]):
            found.append(ByRuns())
            for at in range(0, len(own), _COUNTED):
                found[-1].add(own[at : at + _COUNTED] > mean)
    return _least_worth(found)
