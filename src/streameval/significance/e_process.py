"""Evidence for either learner that is valid whenever one looks at it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError
from streameval.significance.series import Series, checked
from streameval.significance.significance_test import LEVEL, SignificanceResult, SignificanceTest

#: The sum of squared differences at which intervals are narrowest: about the number of instances
#: for which only one of the learners is correct. It must be chosen before the run.
TIGHTEST = 100.0
#: Differences in [-1, 1] are at most this far from any prediction of them in [-1, 1].
RANGE = 2.0
_TWICE = 2.0 * math.log(1.0 / LEVEL)
#: ρ of the gamma density whose bounds are narrow at this time: the approximation of Howard et al.
#: (2021), Proposition 3, for a one-sided normal mixture at half the level.
RHO = TIGHTEST / (_TWICE + math.log1p(_TWICE))


class EProcess(NamedTuple):
    """Logarithms of e-values after each instance, arrays of shape (..., n)."""

    better: Floats  # against: the first learner has not been better on average
    worse: Floats  # against: the first learner has not been worse on average
    either: Floats  # of the mean of both e-values, against: neither has been better


def e_process(differences: ArrayLike, looks: int | None = None) -> EProcess:
    """Return the e-processes of a series of differences between -1 and 1.

    Let δ_i be the difference of instance i, Δ_i its expectation given all that was known before,
    and g_i the mean of the differences before. With S_t = Σ δ_i and V_t = Σ (δ_i - g_i)²,
    exp(λ Σ (δ_i - Δ_i) - ψ(λ) V_t) is a supermartingale for λ in [0, 1/c), where
    ψ(λ) = (-log(1 - c λ) - c λ) / c² and c = 2, as exp(λ y - ψ(λ) y²) ≤ 1 + λ y for y ≥ -c.
    So is its mean over λ, by a gamma density here, which has the closed form of `log_mixture`.
    As long as Σ Δ_i ≤ 0 it is no less than the value at S_t, which is the e-process ``better``.
    Ville's inequality: under the null hypothesis, an e-value of 1/p or more is ever seen with a
    probability of at most p.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time.
    looks : int, optional
        Return e-values after at most so many instances, evenly spaced up to the last one, which
        takes less time; by default after each. Looking more rarely is as valid.

    Returns
    -------
    EProcess

    Raises
    ------
    ConfigError
        If there is no difference, or one is beyond -1 or 1.

    References
    ----------
    Choe, Ramdas (2024), Comparing sequential forecasters, Operations Research 72(4), 1368-1387;
    Howard, Ramdas, McAuliffe, Sekhon (2021), Time-uniform, nonparametric,
    nonasymptotic confidence sequences, Annals of Statistics 49(2), 1055-1080, Theorem 4 and
    Proposition 9.
    """
    sums, times = walk(differences)
    if looks is not None:
        n = sums.shape[-1]
        at = np.unique(np.linspace(n, 0, looks, endpoint=False).round().astype(np.int64)) - 1
        sums, times = sums[..., at], times[..., at]
    better, worse = log_mixture(sums, times, RHO), log_mixture(-sums, times, RHO)
    return EProcess(better, worse, np.logaddexp(better, worse) - math.log(2.0))


def walk(differences: ArrayLike) -> tuple[Floats, Floats]:
    """Return S_t and V_t after each instance; see `e_process`."""
    series = checked(differences, 1, "E-process")
    if (np.abs(series) > 1.0).any():
        raise ConfigError(
            f"E-process: expected differences between -1 and 1, found {series.min():g} to "
            f"{series.max():g}. Divide them by a bound that is known without looking at them."
        )
    sums = np.cumsum(series, axis=-1)
    before = np.zeros_like(series)
    before[..., 1:] = sums[..., :-1] / np.arange(1.0, series.shape[-1])
    return sums, np.cumsum((series - before) ** 2, axis=-1)


def log_mixture(sums: Floats, times: Floats, rho: float) -> Floats:
    """Return the logarithm of the gamma-exponential mixture with c = `RANGE`.

    The mean of exp(λ s - ψ(λ) v) where u = 1 - c λ has a gamma density of shape and rate ρ/c² on
    [0, 1]. With a = (v + ρ)/c² and x = (c s + v + ρ)/c² it is

        K exp(x) ∫ u^(a - 1) exp(-x u) du,    K = (ρ/c²)^(ρ/c²) exp(-ρ/c²) / γ(ρ/c², ρ/c²),

    where the integral is x^-a γ(a, x), or exp(-x) 1F1(1; a + 1; x) / a, where γ(a, x) would be too
    small or x is negative.

    Parameters
    ----------
    sums : ndarray
        s, for any sign of it.
    times : ndarray
        v, at least 0.
    rho : float
        ρ, usually `RHO`.
    """
    special, r = scipy.special, rho / RANGE**2
    a = times / RANGE**2 + r
    x = a + sums / RANGE
    lead = r * math.log(r) - r - special.gammaln(r) - math.log(special.gammainc(r, r))
    near = (x > 0.0) & (x > a - 5.0 * np.sqrt(a))
    value: Floats = np.empty_like(x)
    some, at = a[near], x[near]
    integral = special.gammaln(some) + np.log(special.gammainc(some, at))
    value[near] = lead + at - some * np.log(at) + integral
    some, at = a[~near], x[~near]
    value[~near] = lead + np.log(special.hyp1f1(1.0, some + 1.0, at) / some)
    return value


def _test(series: Series) -> SignificanceResult:
    """Return the smallest anytime-valid p-value, 1 over the largest e-value."""
    top = e_process(series.differences).either.max(axis=-1)
    return SignificanceResult(top, np.exp(-np.maximum(top, 0.0)))


TEST = SignificanceTest(
    name="e_process",
    title="E-process of the difference",
    null=(
        "after every instance, the mean of the expected differences so far is 0, each given what "
        "was known before"
    ),
    estimand=(
        "the mean over the instances so far of the expected difference of two runs, each given "
        "what was known before; it may move over time, so two seeds of one learner can differ"
    ),
    assumptions=(
        "differences are between -1 and 1; none about their dependence; valid whenever one looks, "
        "so it rejects more rarely at a fixed length"
    ),
    reference="Choe, Ramdas (2024); Howard, Ramdas, McAuliffe, Sekhon (2021)",
    evidence=Series,
    function=_test,
)
