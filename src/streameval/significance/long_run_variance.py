"""The long-run variance of a series."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import ConfigError
from streameval.significance.intervals import block_means
from streameval.significance.series import checked


def bartlett(differences: ArrayLike, bandwidth: int | None = None) -> NDArray[np.float64]:
    """Return the long-run variance with Bartlett weights, Newey and West (1987).

    γ_0 + 2 Σ_{j<M} (1 - j/M) γ_j, where γ_j is the autocovariance at lag j, divided by n. The sum
    equals the mean square of the sums of M consecutive deviations from the mean, divided by M, with
    zeros before and after the series. So it takes O(n) for any M and is never negative.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Series in order of time.
    bandwidth : int, optional
        M, from 1 (the variance) to n; by default the integer part of sqrt(n), as Coroneo and
        Iacone (2020) recommend.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ConfigError
        If there are fewer than 2 values, or the bandwidth is not from 1 to n.
    """
    series = checked(differences, 2, "Long-run variance")
    n = series.shape[-1]
    m = math.isqrt(n) if bandwidth is None else bandwidth
    if not 1 <= m <= n:
        raise ConfigError(
            f"Long-run variance: expected a bandwidth from 1 to {n}, the length of the series, "
            f"found {m}."
        )
    deviations = series - series.mean(axis=-1, keepdims=True)
    around = np.zeros((*series.shape[:-1], n + 2 * m))
    np.cumsum(deviations, axis=-1, out=around[..., m : m + n])
    around[..., m + n :] = around[..., m + n - 1 : m + n]
    sums = around[..., m:] - around[..., :-m]
    variance: NDArray[np.float64] = np.einsum("...t,...t->...", sums, sums) / (n * m)
    return variance


def daniell(differences: ArrayLike, frequencies: int | None = None) -> NDArray[np.float64]:
    """Return the long-run variance as the mean of the periodogram at its lowest frequencies.

    The weighted periodogram estimate with the kernel of Daniell, Coroneo and Iacone (2020).

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Series in order of time.
    frequencies : int, optional
        m, from 1 to (n - 1) / 2; by default the integer part of the cube root of n.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ConfigError
        If there are fewer than 3 values, or the number of frequencies is not in that range.
    """
    series = checked(differences, 3, "Long-run variance")
    n = series.shape[-1]
    m = daniell_frequencies(n) if frequencies is None else frequencies
    if not 1 <= m <= (n - 1) // 2:
        raise ConfigError(
            f"Long-run variance: expected from 1 to {(n - 1) // 2} frequencies for a series of "
            f"{n} values, found {m}."
        )
    waves = np.fft.rfft(series - series.mean(axis=-1, keepdims=True), axis=-1)[..., 1 : m + 1]
    variance: NDArray[np.float64] = np.mean(waves.real**2 + waves.imag**2, axis=-1) / n
    return variance


def daniell_frequencies(n: int) -> int:
    """Return the integer part of the cube root of n, the default of `daniell`."""
    root = round(math.cbrt(n))
    return root if root**3 <= n else root - 1


#: Longer series are averaged over so many blocks before their autocovariances are summed.
_MOST = 4096


def initial_positive(values: ArrayLike) -> float:
    """Return the long-run variance by the initial positive sequence of autocovariances.

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
    series = checked(values, 2, "Long-run variance")
    n = len(series)
    if (series == series[0]).all():  # otherwise rounding of the mean would look like variance
        return 0.0
    means = series if n <= _MOST else block_means(series, _MOST)
    m = len(means)
    deviations = means - means.mean()
    variance = float((deviations * deviations).sum()) / m
    total, least = -variance, np.inf
    for lag in range(0, m - 1, 2):
        even = float((deviations[: m - lag] * deviations[lag:]).sum())
        odd = float((deviations[: m - lag - 1] * deviations[lag + 1 :]).sum())
        least = min(least, (even + odd) / m)
        if least <= 0.0:
            break
        total += 2.0 * least
    return max(max(total, variance) * n / m, float(series.var()))
