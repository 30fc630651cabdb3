"""The skill of a learner over a reference: one minus the ratio of their mean errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.significance.intervals import CONFIDENCE
from streameval.significance.residual import Residual
from streameval.significance.series import checked
from streameval.significance.stream_mean import Sample, StreamMean, interval_of

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

    def without_ends(self, reason: str) -> Skill:
        """Return the skill without its interval if there is a `reason` for that."""
        without = self._replace(low=np.nan, high=np.nan, reason=self.reason or reason)
        return without if reason else self


def skill_interval(
    errors: ArrayLike | Sample, reference: ArrayLike | Sample, confidence: float = CONFIDENCE
) -> Skill:
    """Return 1 - r for the ratio r of two mean errors, with an interval by inverting a test.

    The interval has all r for which the series errors - r reference may have mean 0, by
    `stream_mean`: that of Fieller, for dependent series. So it holds 0 if, and only if, the
    interval of the mean difference does, and it is not symmetric where the reference is not known
    well.

    Parameters
    ----------
    errors, reference : Sample or array_like of float, shape (n,)
        Errors for the same instances in order of time, whose means are not negative, and how those
        of the learner were drawn. The runs of both, if there are some, are the same, so that the
        interval covers what differs between them.
    confidence : float
        Between 0 and 1.

    Raises
    ------
    ConfigError
        If a value is NaN or infinite.

    References
    ----------
    Fieller (1954), Some problems in interval estimation, Journal of the Royal Statistical Society B
    16(2), 175-185.
    """
    sample, compared = Sample.of(errors), Sample.of(reference)
    of_learner, of_reference = (
        np.asarray(each.values, dtype=np.float64) for each in (sample, compared)
    )
    runs, reference_runs = (np.asarray(each.runs, dtype=np.float64) for each in (sample, compared))
    if not len(of_reference):
        return Skill(np.nan, np.nan, np.nan, "there is no instance")
    if not of_reference.any():
        return Skill(np.nan, np.nan, np.nan, "the reference makes no error")
    if np.array_equal(of_learner, of_reference):
        return Skill(0.0, np.nan, np.nan, "all errors equal those of the reference")
    residual = Residual(of_learner, of_reference, sample.order)
    ratio = residual.mean_of_learner / residual.mean_of_reference

    def left(r: float) -> StreamMean:
        over_runs = (
            checked(runs - r * reference_runs, 2, "Interval over runs") if len(runs) else None
        )
        return interval_of(
            residual.summary(r), confidence, over_runs, tested=False, behind=sample.behind
        )

    at_ratio = left(ratio)
    if at_ratio.reason:
        return Skill(1.0 - ratio, np.nan, np.nan, at_ratio.reason)
    upper, lower = (
        _end(left, ratio, side, residual.mean_of_reference, at_ratio) for side in (1, -1)
    )
    if reason := upper[1] or lower[1]:
        return Skill(1.0 - ratio, np.nan, np.nan, reason)
    return Skill(1.0 - ratio, 1.0 - upper[0], 1.0 - lower[0])


def _end(
    left: Callable[[float], StreamMean], ratio: float, side: int, mean: float, at_ratio: StreamMean
) -> tuple[float, str]:
    """Return the ratio, above or below the given one, at which an end of the interval is 0.

    There the mean of what is left is half the width of its interval. The width hardly changes with
    the ratio, so that a few steps are enough. The smallest ratio is 0: errors are not negative.
    Also why there is no end, if there is none.
    """
    residual = at_ratio
    end, first = ratio, (residual.high - residual.low) / 2.0 / mean
    for _ in range(_STEPS):
        before, end = end, max(ratio + side * (residual.high - residual.low) / 2.0 / mean, 0.0)
        if abs(end - before) <= _PRECISE * first:
            return end, ""
        residual = left(end)
        if residual.reason:
            return np.nan, residual.reason
    return np.nan, "the mean error of the reference is not known well enough"
