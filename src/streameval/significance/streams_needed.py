"""How many streams it takes to see a difference: power of Wilcoxon's test by simulation."""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import ArrayLike

from streameval.base.arrays import Flags, Floats
from streameval.base.errors import DataError
from streameval.base.seeds import generator
from streameval.significance.significance_test import LEVEL
from streameval.significance.t_over_folds import as_differences
from streameval.significance.wilcoxon import critical_value

#: Probability with which a difference should be seen.
POWER = 0.8
#: Simulated studies for each number of streams: a power of 0.8 has a standard error of 0.9 %.
STUDIES = 2000
#: More streams are not simulated.
MOST_STREAMS = 1000
#: Efficiency of Wilcoxon's test relative to the t-test, if differences are normal.
_EFFICIENCY = 3.0 / math.pi


def rejections(values: ArrayLike, level: float) -> Flags:
    """Whether Wilcoxon's signed-rank test rejects each row of values without ties and zeros.

    Parameters
    ----------
    values : array_like of float, shape (studies, n)
    level : float
        Two-sided level.

    Returns
    -------
    ndarray of bool, shape (studies,)
    """
    rows = np.asarray(values, dtype=np.float64)
    n = rows.shape[-1]
    order = np.argsort(np.abs(rows), axis=-1)
    positive = (np.take_along_axis(rows, order, axis=-1) > 0) @ np.arange(1, n + 1)
    smaller = np.minimum(positive, n * (n + 1) // 2 - positive)
    rejected: Flags = smaller <= critical_value(n, level)
    return rejected


def simulated_noise(differences: ArrayLike, streams: int, studies: int = STUDIES) -> Floats:
    """Differences of two equal learners on further streams, by those at hand.

    They are symmetric about 0, have the variance of the differences at hand and about their shape:
    these, less their mean and with a random sign, smoothed by a normal distribution.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        At least two.
    streams, studies : int
        Numbers of streams of a study and of studies.

    Returns
    -------
    ndarray, shape (studies, streams)
    """
    values = as_differences(differences, 2, "streams")
    n, rng = len(values), generator("significance", "streams_needed", streams)
    residuals, sd = values - values.mean(), float(values.std(ddof=1))
    width = 0.9 * n**-0.2  # Silverman's rule, in standard deviations
    chosen = residuals[rng.integers(0, n, (studies, streams))] * math.sqrt(n / (n - 1))
    signs = 2 * rng.integers(0, 2, chosen.shape) - 1
    smoothed = signs * chosen + width * sd * rng.standard_normal(chosen.shape)
    noise: Floats = smoothed / math.sqrt(1.0 + width**2)
    return noise


def power(differences: ArrayLike, difference: float, streams: int, level: float = LEVEL) -> float:
    """Probability that Wilcoxon's test sees a difference, if the learners differ by so much.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        Differences of the two learners on the streams at hand, of which the spread counts only.
    difference : float
        How much they differ on average.
    streams : int
        Number of streams of the study.
    level : float
        Two-sided level of the test.
    """
    _check(differences, difference)
    noise = simulated_noise(differences, streams)
    return float(rejections(noise + difference, level).mean())


def streams_needed(
    differences: ArrayLike, difference: float, level: float = LEVEL, target: float = POWER
) -> float:
    """Fewest streams with which Wilcoxon's test sees a difference with the power `target`.

    Parameters
    ----------
    differences, difference, level
        As for `power`.
    target : float
        Between the level and 1.

    Returns
    -------
    float
        A whole number; infinite if more than `MOST_STREAMS` are needed.
    """
    _check(differences, difference)
    values = np.asarray(differences, dtype=np.float64)
    least = _least(level)
    if values.min() == values.max():  # nothing varies
        return float(least)
    quantiles = scipy.special.ndtri([1.0 - level / 2.0, target])
    normal = (float(quantiles.sum()) * float(values.std(ddof=1)) / difference) ** 2 / _EFFICIENCY
    if normal > 3 * MOST_STREAMS:
        return math.inf
    # The power grows with the number of streams: the first that reaches the target is bisected.
    below, enough = least - 1, min(max(least, math.ceil(normal)), MOST_STREAMS)
    while power(values, difference, enough, level) < target:
        if enough == MOST_STREAMS:
            return math.inf
        below, enough = enough, min(math.ceil(1.3 * enough), MOST_STREAMS)
    while enough - below > 1:
        middle = (below + enough) // 2
        if power(values, difference, middle, level) < target:
            below = middle
        else:
            enough = middle
    return float(enough)


def _least(level: float) -> int:
    """Fewest differences of one sign that the test rejects."""
    streams = 1
    while critical_value(streams, level) < 0:
        streams += 1
    return streams


def _check(differences: ArrayLike, difference: float) -> None:
    """Refuse differences that are not finite, and a difference to see that is not positive."""
    values = as_differences(differences, 2, "streams")
    if values.ndim > 1 or not np.isfinite(values).all() or not difference > 0:
        raise DataError(
            "Streams needed: expected a list of finite differences and a positive difference to "
            f"see, found shape {values.shape} with {int((~np.isfinite(values)).sum())} that are "
            f"not finite, and {difference:g}. Leave out streams on which a measure is undefined."
        )
