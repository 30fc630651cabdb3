"""Series of differences between two learners: long-run variance, run lengths, and t-test."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import scipy  # loads its submodules on first use: most jobs need none
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.significance.intervals import CONFIDENCE, block_means
from streameval.significance.significance_test import SignificanceResult

#: Numbers below this fraction of the largest value of a series are rounding errors and count as 0.
ROUNDING = 1e-13


class Series(NamedTuple):
    """Differences of two learners in order of time, positive where the first learner is better.

    In classification: 1 where only the first learner is correct, -1 where only the second is, and 0
    elsewhere. The means of equally long bins are a series, too.
    """

    differences: Floats  # (..., n): a series for each index of the leading axes


def as_series(differences: ArrayLike, min_length: int, purpose: str) -> Floats:
    """Differences as an array of float, checked for length and missing values.

    Raises
    ------
    ConfigError
        If the last axis has fewer than `min_length` values, or a value is NaN or infinite.
    """
    series = np.asarray(differences, dtype=np.float64)
    length = series.shape[-1] if series.ndim else 0
    if length < min_length:
        raise ConfigError(
            f"{purpose}: expected a series of at least {min_length} differences, found {length}. "
            "Give a longer series, or shorter bins."
        )
    n_not_finite = np.count_nonzero(~np.isfinite(series))
    if n_not_finite:
        raise ConfigError(
            f"{purpose}: expected finite differences, found {n_not_finite} that are NaN or "
            "infinite. Leave out these instances or runs."
        )
    return series


def as_compact_series(
    values: ArrayLike, min_length: int, purpose: str
) -> NDArray[np.float64 | np.int8]:
    """Values of int8 unchanged, to save memory; others converted and checked by `as_series`."""
    series = np.asarray(values)
    is_long_enough = series.ndim > 0 and series.shape[-1] >= min_length
    is_compact = series.dtype == np.int8 and is_long_enough
    return series if is_compact else as_series(series, min_length, purpose)


def largest_magnitude(series: Floats) -> Floats:
    """Largest absolute value of each series: the scale of its rounding errors."""
    magnitude: Floats = np.abs(series).max(axis=-1)
    return magnitude


def t_ratio(mean: Floats, standard_error: Floats, scale: Floats) -> Floats:
    """Mean divided by its standard error.

    A series of zeros gives 0 / 0, which counts as 0: there is no evidence. A series of equal
    differences has a standard error of 0, and a ratio of infinity with the sign of the mean.
    """
    mean, standard_error = np.broadcast_arrays(
        np.asarray(mean, np.float64), np.asarray(standard_error, np.float64)
    )
    mean = np.where(np.abs(mean) <= ROUNDING * scale, 0.0, mean)
    has_zero_error = standard_error <= ROUNDING * scale
    ratio = np.divide(mean, standard_error, out=np.zeros_like(mean), where=~has_zero_error)
    return np.where(has_zero_error & (mean != 0.0), np.copysign(np.inf, mean), ratio)


def t_of_mean(mean: Floats, standard_error: Floats, df: float, scale: Floats) -> SignificanceResult:
    """Two-sided t-test of whether a mean is 0, robust to rounding, with the mean's 95 % interval.

    Parameters
    ----------
    mean, standard_error : ndarray, shape (...)
        Means and their standard errors; see `t_ratio` for standard errors of 0.
    df : float
        Degrees of freedom; infinity for the normal distribution.
    scale : ndarray, shape (...)
        The largest absolute value of each series, see `largest_magnitude`.

    Returns
    -------
    SignificanceResult
        See `two_sided_t`.
    """
    return two_sided_t(t_ratio(mean, standard_error, scale), mean, standard_error, df)


def two_sided_t(t: Floats, mean: Floats, standard_error: Floats, df: float) -> SignificanceResult:
    """Two-sided t-test of whether a mean is 0, with the interval of the mean at `CONFIDENCE`.

    Parameters
    ----------
    t : ndarray of shape (...)
        The mean divided by its standard error; see `t_ratio` for standard errors of 0.
    mean, standard_error : ndarray of shape (...)
        The mean and its standard error.
    df : float
        Degrees of freedom; infinity for the normal distribution.

    Returns
    -------
    SignificanceResult
        With ``mean``, ``standard_error``, ``low`` and ``high`` in the details.
    """
    p_value = 2.0 * scipy.special.stdtr(df, -np.abs(t))
    half_width = scipy.special.stdtrit(df, (1.0 + CONFIDENCE) / 2.0) * standard_error
    details: dict[str, Any] = {"mean": mean, "standard_error": standard_error}
    details |= {"low": mean - half_width, "high": mean + half_width}
    return SignificanceResult(t, p_value, details=details)


def bartlett(differences: ArrayLike) -> Floats:
    """Long-run variance with Bartlett weights (Newey and West, 1987).

    It is γ_0 + 2 Σ_{j<M} (1 - j/M) γ_j, where γ_j is the autocovariance at lag j with divisor n,
    and M the integer part of sqrt(n), as Coroneo and Iacone (2020) recommend. This
    equals the following form, which takes O(n) and is never negative: pad the deviations from the
    mean with zeros at both ends, square each sum of M consecutive ones, add, and divide by n M.

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
    series = as_series(differences, 2, "Long-run variance")
    n = series.shape[-1]
    m = math.isqrt(n)
    deviations = series - series.mean(axis=-1, keepdims=True)
    padded_sums = np.zeros((*series.shape[:-1], n + 2 * m))
    np.cumsum(deviations, axis=-1, out=padded_sums[..., m : m + n])
    padded_sums[..., m + n :] = padded_sums[..., m + n - 1 : m + n]
    sums = padded_sums[..., m:] - padded_sums[..., :-m]
    variance: Floats = np.einsum("...t,...t->...", sums, sums) / (n * m)
    return variance


def daniell(differences: ArrayLike) -> Floats:
    """Long-run variance as the mean of the periodogram at its lowest frequencies.

    This is the weighted periodogram estimate with Daniell's kernel of Coroneo and Iacone (2020),
    over the lowest `daniell_frequencies` frequencies.

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
    series = as_series(differences, 3, "Long-run variance")
    n = series.shape[-1]
    m = daniell_frequencies(n)
    spectrum = np.fft.rfft(series - series.mean(axis=-1, keepdims=True), axis=-1)[..., 1 : m + 1]
    variance: Floats = np.mean(spectrum.real**2 + spectrum.imag**2, axis=-1) / n
    return variance


def daniell_frequencies(n: int) -> int:
    """Number of frequencies for `daniell`: the integer part of the cube root of n."""
    root = round(math.cbrt(n))  # exact for cubes, where the integer part could be one too small
    return root if root**3 <= n else root - 1


#: Number of deviations from a mean that are squared at a time, to limit memory.
_CHUNK = 1 << 13
#: Autocovariances of a longer series are computed from the means of this number of blocks.
MAX_BLOCKS = 4096


class LongRunVariance(NamedTuple):
    """The long-run variance of a series, and the largest lag that it includes."""

    variance: float  # n times the variance of the mean; 0 where all values are equal
    max_lag: int  # largest lag whose autocovariance is part of the variance


def initial_positive_variance(values: ArrayLike) -> LongRunVariance:
    """Long-run variance by the initial positive sequence of autocovariances, made monotone.

    It is γ_0 + 2 Σ γ_j over the lags before the first pair of neighbours whose sum, γ_2k + γ_2k+1,
    is not positive. A sum that exceeds the sum of an earlier pair is replaced by the earlier sum.
    The result is at least γ_0: negative dependence counts as independence.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        A series in order of time. More than 4096 values are first averaged in 4096 blocks.

    References
    ----------
    Geyer (1992), Practical Markov chain Monte Carlo, Statistical Science 7(4), 473-483, Section
    3.3, initial monotone sequence estimator.
    """
    series = as_compact_series(values, 2, "Long-run variance")
    n = len(series)
    if series.min() == series.max():  # otherwise rounding of the mean would look like variance
        return LongRunVariance(0.0, 0)
    return initial_positive_variance_of_means(block_means_if_long(series), n, variance_of(series))


def block_means_if_long(series: NDArray[Any]) -> NDArray[Any]:
    """Series (..., n) of up to `MAX_BLOCKS` values unchanged; longer ones as block means."""
    return series if series.shape[-1] <= MAX_BLOCKS else block_means(series, MAX_BLOCKS)


def variance_of(series: NDArray[np.float64 | np.int8]) -> float:
    """Variance of a series in bounded memory, bit for bit equal to `series.var()`."""
    return _squares(series, series.mean()) / len(series)


def _squares(series: NDArray[np.float64 | np.int8], mean: np.float64) -> float:
    """Sum of the squared deviations from the mean, added in the order of NumPy's `sum`."""
    n = len(series)
    if n <= _CHUNK:
        deviations = series - mean
        return float((deviations * deviations).sum())
    half = n // 2 - n // 2 % 8  # as NumPy splits a sum: at a multiple of its 8 partial sums
    return _squares(series[:half], mean) + _squares(series[half:], mean)


def initial_positive_variance_of_means(
    means: NDArray[np.float64 | np.int8], n: int, variance_of_values: float
) -> LongRunVariance:
    """Compute `initial_positive_variance` from the values of a series, or from means of blocks.

    Parameters
    ----------
    means : ndarray of float64 or int8
        All n values, or the means of `MAX_BLOCKS` blocks.
    n : int
        Length of the series.
    variance_of_values : float
        Variance of the n values, which are not all equal.
    """
    from streameval.significance.autocovariances import initial_positive_sum  # loads numba

    m = len(means)
    deviations = means - means.mean()
    variance = float((deviations * deviations).sum()) / m
    total, last_lag = initial_positive_sum(deviations, variance)
    if total <= variance:
        total, last_lag = variance, 0
    if total * n / m <= variance_of_values:
        return LongRunVariance(variance_of_values, 0)
    # The lag in values: half a block more than `last_lag` blocks; `last_lag` itself if n = m.
    return LongRunVariance(total * n / m, int((last_lag + 0.5) * n / m - 0.5))


#: Grid of angles for the numerical integral in `RunLengths.effective_size`.
_ANGLES = np.linspace(0.0, np.pi / 2.0, 513)
#: Number of values whose changes are counted at a time, to limit memory.
_RUNS_CHUNK = 1 << 16
#: Lags at which changes are counted: 1, 2, 4, ..., 1024.
_LAGS = 2 ** np.arange(11)
#: Smallest autocorrelation of the sides (above or below the mean) at a lag whose changes are used.
_MIN_AUTOCORRELATION = 0.5


class RunLengths:
    """Runs of a series above and below its mean, and the effective sample size they imply.

    If runs of errors are very long, the sum of autocovariances is unreliable: it is too small for a
    series that happens to have few runs. Changes of side between near neighbours can be counted
    even then. Values are added in chunks, in bounded memory.
    """

    def __init__(self) -> None:
        self._n = self._n_above = 0
        # By lag: number of pairs of values on different sides of the mean.
        self._changes = np.zeros(len(_LAGS), np.int64)
        # Sides of the newest values, up to the largest lag.
        self._newest_sides = np.empty(0, np.bool_)

    def add(self, above: Flags) -> None:
        """Append values: whether each is above the mean, or whether each prediction is an error."""
        n_new = len(above)
        self._n += n_new
        self._n_above += int(np.count_nonzero(above))
        sides = np.concatenate([self._newest_sides, above])
        for i, lag in enumerate(_LAGS[len(sides) > _LAGS]):
            begin = max(len(sides) - n_new - lag, 0)
            changed = sides[begin + lag :] != sides[begin : len(sides) - lag]
            self._changes[i] += int(np.count_nonzero(changed))
        self._newest_sides = sides[-int(_LAGS[-1]) :]

    @property
    def n_runs(self) -> int:
        """Number of runs of values above and below the mean."""
        return int(self._changes[0]) + 1

    @property
    def effective_size(self) -> float:
        """Effective sample size, estimated as if the series were a Gaussian AR(1) process.

        The process is above a level c as often as the series is above its mean. The probability
        that it is on different sides of c at two times with autocorrelation cos θ is the integral
        of exp(-c² / (1 + cos x)) / π over x from 0 to θ. So the number of changes of side at a lag
        gives θ, and φ = (cos θ)^(1/lag) is the coefficient of the process. The effective sample
        size is n (1 - φ) / (1 + φ). The lag is the largest of 1, 2, 4, ... (at most 1024 and a
        quarter of the series) up to which sides have an autocorrelation of at least 0.5.
        """
        n, proportion = self._n, self._n_above / max(self._n, 1)
        if not 0.0 < proportion < 1.0:
            return float(n)
        changed = self._changes / np.maximum(n - _LAGS, 1)
        if_independent = 2.0 * proportion * (1.0 - proportion)
        usable = (changed <= if_independent * (1.0 - _MIN_AUTOCORRELATION)) & (n >= 4 * _LAGS)
        # The last lag before the first that is not usable.
        i = max(int(np.argmin(np.append(usable, False))) - 1, 0)
        level = NormalDist().inv_cdf(proportion)
        density = np.exp(-(level**2) / (1.0 + np.cos(_ANGLES))) / np.pi
        trapezoids = (density[1:] + density[:-1]) / 2.0 * _ANGLES[1]
        angle = np.interp(changed[i], np.append(0.0, np.cumsum(trapezoids)), _ANGLES)
        coefficient = float(np.cos(angle)) ** (1.0 / float(_LAGS[i]))
        # Rounded, as the last digits of sums and exponentials depend on the processor.
        return round(float(n * (1.0 - coefficient) / (1.0 + coefficient)), 6)

    @property
    def _smallest_size(self) -> float:
        """The smaller of the effective sample size and the number of runs.

        A single run is a series of equal values, which says nothing about dependence.
        """
        return min(self.effective_size, self.n_runs if self.n_runs > 1 else np.inf)


def error_runs(*errors: ArrayLike, order: Integers | None = None) -> RunLengths:
    """Run lengths of the error series with the smallest effective sample size.

    With an `order` of entities, the runs of each series in order by entity are considered, too.
    """
    all_lengths = []
    for series in map(np.asarray, errors):
        mean = series.mean() if len(series) else np.nan
        for ordered in (series,) if order is None else (series, series[order]):
            lengths = RunLengths()
            for begin in range(0, len(ordered), _RUNS_CHUNK):
                lengths.add(ordered[begin : begin + _RUNS_CHUNK] > mean)
            all_lengths.append(lengths)
    return min(all_lengths, key=lambda lengths: lengths._smallest_size)
