"""The test set bound by simulation (Bifet et al. 2015, Theorem 1)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike, NDArray

from streameval.evaluation.simulated_errors import dependent_errors, proportion_interval
from streameval.seeds import generator

COLUMNS = (
    *("error", "memory", "instances", "delta", "bound", "seeds"),
    *("missed", "low", "high", "exact", "quantile"),
)
#: What is varied: true errors, autocorrelations of errors, test sizes, and δ.
ERRORS, MEMORIES = (0.05, 0.2, 0.5), (0.0, 0.5, 0.9)
SIZES, DELTAS = (50, 200, 1000, 5000), (0.05, 0.2)


def set_bound(instances: ArrayLike, delta: ArrayLike) -> NDArray[np.float64]:
    """Return how far the estimated error of m test instances is from the true one at most.

    With probability 1 - `delta` at least, if the instances are independent: sqrt(ln(2/δ) / 2m).
    """
    m, d = np.asarray(instances, dtype=np.float64), np.asarray(delta, dtype=np.float64)
    return np.sqrt(np.log(2.0 / d) / (2.0 * m))


def asked_in_the_limit(error: float, delta: float) -> float:
    """Return how many times as many instances as needed the bound asks for, where there are many.

    What is needed is that a normal estimate is within its distance with probability 1 - `delta`.
    """
    needed = float(scipy.special.ndtri(1.0 - delta / 2.0)) ** 2 * error * (1.0 - error)
    return float(np.log(2.0 / delta)) / 2.0 / needed


def coverage(runs: int) -> pd.DataFrame:
    """Simulate how often the bound does not hold.

    Parameters
    ----------
    runs : int
        Simulated tests for each case.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`, a row for each case: `missed` is the proportion of tests whose estimate
        is farther from the true error than the bound, with its exact 95 % interval; `exact` is the
        probability of that by `distance_law` where errors are independent, else NaN; `quantile`
        is the distance that a proportion 1 - δ of the tests keeps, by the same law or simulated:
        (bound / quantile)² says how many times too many instances the bound asks for.
    """
    rows = []
    for error in ERRORS:
        for memory in MEMORIES:
            draws = generator("theorem 1", repr(error), repr(memory))
            wrong = _counts(draws, error, memory, runs)
            for size, counts in zip(SIZES, wrong, strict=True):
                apart = np.abs(counts / size - error)
                for delta in DELTAS:
                    bound = float(set_bound(size, delta))
                    missed = proportion_interval(int((apart > bound).sum()), runs)
                    exact = np.nan
                    quantile = float(np.quantile(apart, 1 - delta, method="higher"))
                    if memory == 0:
                        distances, masses = distance_law(error, size)
                        exact = round(float(masses[distances > bound].sum()), 12)
                        quantile = float(distances[masses.cumsum().searchsorted(1 - delta)])
                    case = (error, memory, size, delta, bound, runs)
                    rows.append((*case, *missed, exact, quantile))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def distance_law(error: float, instances: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the distances of estimated and true error, increasing, and their probabilities.

    They follow from the binomial law, where errors are independent.
    """
    counts = np.arange(instances + 1)
    distances = np.abs(counts / instances - error)
    order = np.argsort(distances, kind="stable")
    return distances[order], scipy.stats.binom.pmf(counts[order], instances, error)


def _counts(
    draws: np.random.Generator, error: float, memory: float, runs: int
) -> list[NDArray[np.int64]]:
    """Return the errors among the first instances of each test, for all of `SIZES`."""
    parts = []
    for start in range(0, runs, _AT_ONCE):
        few = min(_AT_ONCE, runs - start)
        total = dependent_errors(draws, np.full(max(SIZES), error), memory, few).cumsum(axis=1)
        parts.append(total[:, np.array(SIZES) - 1])
    return list(np.concatenate(parts).T)


#: Tests that are simulated at once, to limit memory.
_AT_ONCE = 500
