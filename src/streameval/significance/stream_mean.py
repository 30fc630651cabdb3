"""The interval for the mean of a series of instances, over which verdicts are given.

A stream is one draw of the process that makes it. The mean over its instances differs from the mean
of the process by two kinds of chance: which instances came, in stretches since neighbours depend on
each other, and, of learners that draw, which seeds or folds they had.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike, NDArray

from streameval.significance.intervals import CONFIDENCE, block_means
from streameval.significance.series import checked, initial_positive

#: Sections of a stream whose means are taken for independent.
SECTIONS = 12
#: Effective instances below which there is no interval.
LEAST_EFFECTIVE = 60
#: Of these, the least number that differ from the most frequent value: below it, the mean of a
#: series of rare values is too skewed for Student's t.
LEAST_RARE = 10
#: A section differs from 0 where its mean is more standard errors away: 5 % for all sections.
APART = 2.87


class StreamMean(NamedTuple):
    """A mean over instances, its interval, and how much it rests upon.

    Parameters
    ----------
    mean : float
        The mean of all values.
    low, high : float
        Ends of the interval; NaN where there is none.
    p_value : float
        Of the hypothesis that the mean of the process is 0; NaN likewise.
    effective : float
        How many independent values the series is worth, at most its length; 0 if all are equal.
    error : float
        Standard error of the mean, of both kinds of chance.
    freedom : float
        Its degrees of freedom.
    reason : str
        Why there is no interval; empty where there is one.
    """

    mean: float
    low: float
    high: float
    p_value: float
    effective: float
    error: float
    freedom: float
    reason: str = ""


def stream_mean(
    values: ArrayLike, confidence: float = CONFIDENCE, *, runs: ArrayLike = ()
) -> StreamMean:
    """Return the mean of a series and the interval of the mean of the process behind it.

    The variance of the mean is that over time plus that between runs. That over time is the larger
    of two estimates: the variance of the means of 12 sections, which stays right where variances
    change, and the initial positive sequence of autocovariances, which sees dependence that is
    longer than a section. So the interval is a little too wide rather than too narrow. It has the
    11 degrees of freedom of the sections; with runs they follow Satterthwaite. Runs add a little
    more than their own, as the mean series holds a part of the same noise.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        A value for each instance in order of time; over several runs, the means over runs.
    confidence : float
        Between 0 and 1.
    runs : array_like of float, shape (r,), optional
        The mean of each run, or fold, at least 2; nothing where learners have no draws.

    Returns
    -------
    StreamMean
        Without an interval for less than `LEAST_EFFECTIVE` effective instances, or less than
        `LEAST_RARE` of these that differ from the most frequent value.

    Raises
    ------
    ConfigError
        If there is no value, or one is NaN or infinite.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference,
    Journal of Business & Economic Statistics 28(4), 453-468. Geyer (1992), Practical Markov chain
    Monte Carlo, Statistical Science 7(4), 473-483. Satterthwaite (1946), An approximate
    distribution of estimates of variance components, Biometrics Bulletin 2(6), 110-114.
    """
    series = checked(values, 1, "Interval over a stream")
    n, mean = len(series), float(series.mean())
    long_run = initial_positive(series) if n > 1 else 0.0
    effective, rare = _worth(series, long_run)
    over_runs = checked(runs, 2, "Interval over runs") if np.size(runs) else None
    reason = _too_little(n, effective, rare)
    if reason:
        nan = float("nan")
        return StreamMean(mean, nan, nan, nan, effective, nan, nan, reason)
    in_time = max(_of_sections(series), long_run / n)
    between = 0.0 if over_runs is None else float(over_runs.var(ddof=1)) / len(over_runs)
    variance = in_time + between
    freedom = SECTIONS - 1.0
    if over_runs is not None:
        parts = in_time**2 / freedom + between**2 / (len(over_runs) - 1)
        freedom = variance**2 / parts
    error = float(np.sqrt(variance))
    half = float(scipy.special.stdtrit(freedom, (1.0 + confidence) / 2.0)) * error
    p_value = 2.0 * float(scipy.special.stdtr(freedom, -abs(mean) / error))
    return StreamMean(mean, mean - half, mean + half, p_value, effective, error, freedom)


def sections(values: ArrayLike, margin: float = 0.0) -> NDArray[np.int8]:
    """Return for each section whether its mean is surely above a margin (1), below it (-1) or not.

    A mean is judged by the dependence within sections, so that this says whether the level moves
    between them: at most 5 % of all series of a constant level 0 have a section that is not 0.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        In order of time. Of less than `LEAST_EFFECTIVE` all sections are 0.
    margin : float
        A mean between -margin and margin counts as 0.
    """
    series = checked(values, 1, "Sections of a stream")
    if len(series) < LEAST_EFFECTIVE:
        return np.zeros(SECTIONS, np.int8)
    means = block_means(series, SECTIONS)
    lengths = np.diff(np.arange(SECTIONS + 1) * len(series) // SECTIONS)
    within = initial_positive(series - np.repeat(means, lengths))
    bound = margin + APART * np.sqrt(within / lengths)
    found: NDArray[np.int8] = np.where(np.abs(means) > bound, np.sign(means), 0).astype(np.int8)
    return found


def _of_sections(series: NDArray[np.float64]) -> float:
    """Return the variance of the mean by the means of sections."""
    return float(block_means(series, SECTIONS).var(ddof=1)) / SECTIONS


def _worth(series: NDArray[np.float64], long_run: float) -> tuple[float, float]:
    """Return the number of effective values, and of those that differ from the most frequent."""
    if long_run == 0.0:
        return 0.0, 0.0
    n = len(series)
    effective = min(n * float(series.var()) / long_run, float(n))
    _, counts = np.unique(series, return_counts=True)
    return effective, effective * (1.0 - counts.max() / n)


def _too_little(n: int, effective: float, rare: float) -> str:
    if effective == 0.0:
        return f"all {n:,} values are equal" if n > 1 else "there is one value"
    if effective < LEAST_EFFECTIVE:
        return (
            f"{n:,} instances are worth {effective:,.0f} independent ones; at least "
            f"{LEAST_EFFECTIVE} are needed"
        )
    if rare < LEAST_RARE:
        return (
            f"all but a few of {n:,} instances have the same value, the others are worth "
            f"{rare:,.1f} independent ones; at least {LEAST_RARE} are needed"
        )
    return ""
