"""The skill of a learner over a reference: one minus the ratio of their mean errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Integers
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.series import by_runs
from streameval.significance.stream_mean import StreamMean, stream_mean

#: Most steps towards an end.
_STEPS = 50
#: Ends are found up to this fraction of half the width of the interval.
_PRECISE = 1e-4


class Skill(NamedTuple):
    """Relative reduction of a learner's errors against those of a reference.

    Parameters
    ----------
    value : float
        1 without any error, 0 if the mean errors are equal, negative if the learner's is larger;
        NaN if the reference makes no error.
    low, high : float
        Ends of the interval; NaN where there is none.
    reason : str
        Why there is no interval, or no value; empty where there are both.
    """

    value: float
    low: float
    high: float
    reason: str = ""


def skill_interval(
    errors: ArrayLike,
    reference: ArrayLike,
    confidence: float = CONFIDENCE,
    *,
    runs: tuple[ArrayLike, ArrayLike] = ((), ()),
    judged: bool = False,
    order: Integers | None = None,
) -> Skill:
    """Return 1 - r for the ratio r of two mean errors, with an interval by inverting a test.

    The interval has all r for which the series errors - r reference may have mean 0, by
    `stream_mean`: that of Fieller, for dependent series. So it holds 0 if, and only if, the
    interval of the mean difference does, and it is not symmetric where the reference is not known
    well.

    Parameters
    ----------
    errors, reference : array_like of float, shape (n,)
        Errors for the same instances in order of time, whose means are not negative; over several
        runs, the means over runs.
    confidence : float
        Between 0 and 1.
    runs : pair of array_like of float, shape (r,)
        The mean errors of each run, at least 2, and those of the reference beside it, so that the
        interval covers what differs between runs; nothing where learners have no draws.
    judged : bool
        Whether errors in few runs give no interval, see `stream_mean`.
    order : ndarray of int, shape (n,), optional
        See `stream_mean`.

    Raises
    ------
    ConfigError
        If a value is NaN or infinite.

    References
    ----------
    Fieller (1954), Some problems in interval estimation, Journal of the Royal Statistical Society B
    16(2), 175-185.
    """
    own, other = (np.asarray(each, dtype=np.float64) for each in (errors, reference))
    of_runs, beside = (np.asarray(each, dtype=np.float64) for each in runs)
    if not len(other):
        return Skill(np.nan, np.nan, np.nan, "there is no instance")
    if not other.any():
        return Skill(np.nan, np.nan, np.nan, "the reference makes no error")
    if np.array_equal(own, other):
        return Skill(0.0, np.nan, np.nan, "all errors equal those of the reference")
    ratio = float(own.mean() / other.mean())
    behind = by_runs(own, other, order=order) if judged else None

    def left(r: float) -> StreamMean:
        return stream_mean(
            own - r * other,
            confidence,
            runs=of_runs - r * beside,
            tested=False,
            behind=behind,
            order=order,
        )

    found = left(ratio)
    if found.reason:
        return Skill(1.0 - ratio, np.nan, np.nan, found.reason)
    upper, lower = (_end(left, ratio, side, float(other.mean()), found) for side in (1, -1))
    if reason := upper[1] or lower[1]:
        return Skill(1.0 - ratio, np.nan, np.nan, reason)
    return Skill(1.0 - ratio, 1.0 - upper[0], 1.0 - lower[0])


def _end(
    left: Callable[[float], StreamMean], ratio: float, side: int, mean: float, found: StreamMean
) -> tuple[float, str]:
    """Return the ratio, above or below the given one, at which an end of the interval is 0.

    There the mean of what is left is half the width of its interval. The width hardly changes with
    the ratio, so that a few steps are enough. The smallest ratio is 0: errors are not negative.
    Also why there is no end, if there is none.
    """
    end, first = ratio, (found.high - found.low) / 2.0 / mean
    for _ in range(_STEPS):
        before, end = end, max(ratio + side * (found.high - found.low) / 2.0 / mean, 0.0)
        if abs(end - before) <= _PRECISE * first:
            return end, ""
        found = left(end)
        if found.reason:
            return np.nan, found.reason
    return np.nan, "the mean error of the reference is not known well enough"
