"""Skill of a learner over a reference: one minus the ratio of their mean errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.significance.intervals import CONFIDENCE
from streameval.significance.residual import Residual
from streameval.significance.series import as_series
from streameval.significance.stream_mean import Sample, StreamMean, interval_from_summary

#: Maximum number of steps in the search for an end of the interval.
_MAX_STEPS = 50
#: Precision of the ends, as a fraction of half the width of the interval.
_PRECISION = 1e-4


class Skill(NamedTuple):
    """Relative reduction of the mean error of a learner against a reference.

    Parameters
    ----------
    value : float
        1 without any error, 0 if the mean errors are equal, negative if the learner's error is
        larger, NaN if the reference makes no error.
    low, high : float
        Ends of the interval; NaN if there is no interval.
    reason : str
        Why there is no interval or no value; empty if there are both.
    """

    value: float
    low: float
    high: float
    reason: str = ""

    def without_interval(self, reason: str) -> Skill:
        """The skill without its interval, for this reason; unchanged if `reason` is empty."""
        without = self._replace(low=np.nan, high=np.nan, reason=self.reason or reason)
        return without if reason else self


def skill_interval(
    errors: ArrayLike | Sample, reference: ArrayLike | Sample, confidence: float = CONFIDENCE
) -> Skill:
    """Skill 1 - r for the ratio r of two mean errors, with an interval that inverts a test.

    The interval holds each 1 - r for which the mean of ``errors - r * reference`` has an interval,
    from `stream_mean`, that contains 0. This is Fieller's interval, for dependent series. So it
    contains 0 if and only if the interval of the mean difference does. It is asymmetric if the
    error of the reference is uncertain.

    Parameters
    ----------
    errors, reference : Sample or array_like of float, shape (n,)
        Errors on the same instances in order of time, with means that are not negative. If the
        learner has several runs, the reference has the same runs, so that the interval covers the
        variation between them.
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
    sample = Sample.of(errors)
    samples = sample, Sample.of(reference)
    x, y = (np.asarray(series.values, dtype=np.float64) for series in samples)
    runs, reference_runs = (np.asarray(series.runs, dtype=np.float64) for series in samples)
    if not len(y):
        return Skill(np.nan, np.nan, np.nan, "there are no instances")
    if not y.any():
        return Skill(np.nan, np.nan, np.nan, "the reference makes no error")
    if np.array_equal(x, y):
        return Skill(0.0, np.nan, np.nan, "all errors equal those of the reference")
    residual = Residual(x, y, sample.order)
    ratio = residual.learner_mean / residual.reference_mean

    def residual_mean(r: float) -> StreamMean:
        run_means = (
            as_series(runs - r * reference_runs, 2, "Interval over runs") if len(runs) else None
        )
        return interval_from_summary(
            residual.summary(r),
            confidence,
            run_means,
            with_p_value=False,
            run_lengths=sample.run_lengths,
        )

    mean_at_ratio = residual_mean(ratio)
    if mean_at_ratio.reason:
        return Skill(1.0 - ratio, np.nan, np.nan, mean_at_ratio.reason)
    (upper, upper_reason), (lower, lower_reason) = (
        _end(residual_mean, ratio, side, residual.reference_mean, mean_at_ratio) for side in (1, -1)
    )
    if reason := upper_reason or lower_reason:
        return Skill(1.0 - ratio, np.nan, np.nan, reason)
    return Skill(1.0 - ratio, 1.0 - upper, 1.0 - lower)


def _end(
    residual_mean: Callable[[float], StreamMean],
    ratio: float,
    side: int,
    reference_mean: float,
    mean_at_ratio: StreamMean,
) -> tuple[float, str]:
    """Find the ratio above (`side` 1) or below (-1) `ratio` at which an end of the interval is 0.

    At this ratio, the absolute mean of the residual is half the width of its interval. The width
    hardly changes with the ratio, so a few steps are enough. A ratio of errors is at least 0. If
    there is no end, the result is NaN and the reason.
    """
    mean = mean_at_ratio
    end, first_half_width = ratio, (mean.high - mean.low) / 2.0 / reference_mean
    for _ in range(_MAX_STEPS):
        half_width = (mean.high - mean.low) / 2.0 / reference_mean
        previous, end = end, max(ratio + side * half_width, 0.0)
        if abs(end - previous) <= _PRECISION * first_half_width:
            return end, ""
        mean = residual_mean(end)
        if mean.reason:
            return np.nan, mean.reason
    return np.nan, "the mean error of the reference is not known well enough"
