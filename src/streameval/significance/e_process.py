"""E-processes: evidence for either of two learners that may be checked at any time."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy  # loads its submodules on first use
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError
from streameval.significance.series import Series, as_series
from streameval.significance.significance_test import LEVEL, SignificanceResult, SignificanceTest

#: Intrinsic time V_t, a sum of squared differences, at which intervals are narrowest: about the
#: number of instances on which exactly one learner is correct. It must be chosen before the run.
NARROWEST_TIME = 100.0
#: c, the largest distance between a difference and the mean of earlier ones, both in [-1, 1].
RANGE = 2.0
# 2 log(1 / (2 α)) at half the level, α = LEVEL / 2.
_TWICE_LOG = 2.0 * math.log(1.0 / LEVEL)
#: ρ of the gamma density that makes bounds narrowest at `NARROWEST_TIME`: the approximation of
#: Howard et al. (2021), Proposition 3, for a one-sided normal mixture.
RHO = NARROWEST_TIME / (_TWICE_LOG + math.log1p(_TWICE_LOG))


class EProcess(NamedTuple):
    """Logarithms of e-values after each instance, arrays of shape (..., n)."""

    better: Floats  # evidence that the first learner has been better on average
    worse: Floats  # evidence that the first learner has been worse on average
    either: Floats  # mean of both e-values: evidence that the learners have not been equally good


def e_process(differences: ArrayLike, looks: int | None = None) -> EProcess:
    """E-processes of a series of differences between -1 and 1.

    Let δ_i be the difference of instance i, Δ_i its expectation given the past, and g_i the mean of
    the earlier differences. Let S_t = Σ δ_i, and let V_t = Σ (δ_i - g_i)² be the intrinsic time.
    Then exp(λ Σ (δ_i - Δ_i) - ψ(λ) V_t) is a supermartingale for λ in [0, 1/c), where
    ψ(λ) = (-log(1 - c λ) - c λ) / c² and c = 2, as exp(λ y - ψ(λ) y²) ≤ 1 + λ y for y ≥ -c.
    Its mean over λ is a supermartingale, too. With a gamma density of λ, this mean has the closed
    form of `log_mixture`. Its value at S_t is the e-process ``better``. Under the null hypothesis
    Σ Δ_i ≤ 0, it does not exceed the supermartingale.
    By Ville's inequality, an e-value of 1/p or more ever occurs with a probability of at most p
    under the null hypothesis.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time.
    looks : int, optional
        Largest number of e-values, evenly spaced up to the last instance; by default one after each
        instance. Fewer take less time and are as valid.

    Returns
    -------
    EProcess

    Raises
    ------
    ConfigError
        If there is no difference, or one is outside [-1, 1].

    References
    ----------
    Choe, Ramdas (2024), Comparing sequential forecasters, Operations Research 72(4), 1368-1387;
    Howard, Ramdas, McAuliffe, Sekhon (2021), Time-uniform, nonparametric,
    nonasymptotic confidence sequences, Annals of Statistics 49(2), 1055-1080, Theorem 4 and
    Proposition 9.
    """
    sums, times = running_sums(differences)
    if looks is not None:
        n = sums.shape[-1]
        index = np.unique(np.linspace(n, 0, looks, endpoint=False).round().astype(np.int64)) - 1
        sums, times = sums[..., index], times[..., index]
    better, worse = log_mixture(sums, times, RHO), log_mixture(-sums, times, RHO)
    return EProcess(better, worse, np.logaddexp(better, worse) - math.log(2.0))


def running_sums(differences: ArrayLike) -> tuple[Floats, Floats]:
    """Sums S_t and intrinsic times V_t after each instance; see `e_process`."""
    series = as_series(differences, 1, "E-process")
    if (np.abs(series) > 1.0).any():
        raise ConfigError(
            f"E-process: expected differences between -1 and 1, found {series.min():g} to "
            f"{series.max():g}. Divide them by a bound that is known without looking at them."
        )
    sums = np.cumsum(series, axis=-1)
    earlier_means = np.zeros_like(series)
    earlier_means[..., 1:] = sums[..., :-1] / np.arange(1.0, series.shape[-1])
    return sums, np.cumsum((series - earlier_means) ** 2, axis=-1)


def log_mixture(sums: Floats, times: Floats, rho: float) -> Floats:
    """Logarithm of the gamma-exponential mixture with c = `RANGE`.

    The mixture is the mean of exp(λ s - ψ(λ) v), where u = 1 - c λ has a gamma density of shape and
    rate ρ/c² on [0, 1]. With a = (v + ρ)/c² and x = (c s + v + ρ)/c² it is

        K exp(x) ∫ u^(a - 1) exp(-x u) du,    K = (ρ/c²)^(ρ/c²) exp(-ρ/c²) / γ(ρ/c², ρ/c²).

    The integral is x^-a γ(a, x). Where γ(a, x) would underflow or x is negative, it is computed as
    exp(-x) 1F1(1; a + 1; x) / a.

    Parameters
    ----------
    sums : ndarray
        s, of either sign.
    times : ndarray
        v, at least 0.
    rho : float
        ρ, usually `RHO`.
    """
    special, r = scipy.special, rho / RANGE**2
    a = times / RANGE**2 + r
    x = a + sums / RANGE
    log_factor = r * math.log(r) - r - special.gammaln(r) - math.log(special.gammainc(r, r))
    # γ(a, x) does not underflow down to 5 standard deviations below the mean a of its density.
    uses_gamma = (x > 0.0) & (x > a - 5.0 * np.sqrt(a))
    value: Floats = np.empty_like(x)
    a_part, x_part = a[uses_gamma], x[uses_gamma]
    # Logarithm of γ(a, x), which is not divided by Γ(a).
    log_gamma = special.gammaln(a_part) + np.log(special.gammainc(a_part, x_part))
    value[uses_gamma] = log_factor + x_part - a_part * np.log(x_part) + log_gamma
    a_part, x_part = a[~uses_gamma], x[~uses_gamma]
    value[~uses_gamma] = log_factor + np.log(special.hyp1f1(1.0, a_part + 1.0, x_part) / a_part)
    return value


def _test(series: Series) -> SignificanceResult:
    """Compute the largest e-value, and its inverse as the anytime-valid p-value."""
    largest = e_process(series.differences).either.max(axis=-1)
    return SignificanceResult(largest, np.exp(-np.maximum(largest, 0.0)))


TEST = SignificanceTest(
    name="e_process",
    title="E-process of the difference",
    null=(
        "after every instance, the mean of the expected differences so far is 0, each given the "
        "past"
    ),
    estimand=(
        "the mean over the instances so far of the expected difference of two runs, each given "
        "the past; it may move over time, so two seeds of one learner can differ"
    ),
    assumptions=(
        "differences are between -1 and 1; none about their dependence; valid at any number of "
        "looks, so at a fixed length it rejects less often than other tests"
    ),
    reference="Choe, Ramdas (2024); Howard, Ramdas, McAuliffe, Sekhon (2021)",
    evidence=Series,
    function=_test,
)
