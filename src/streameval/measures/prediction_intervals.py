"""Measures of prediction intervals: coverage, width, NMPIW, interval score.

A prediction interval should contain the target with a stated probability, the nominal coverage.
Both ends belong to the interval. An end may be infinite: an interval without bounds covers each
target, and has an infinite width and score. Adaptive conformal methods can also predict the empty
interval, which is stored as infinity to minus infinity. It covers no target; its width is 0, its
score infinite. An end that is NaN makes each measure NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Flags, Floats
from streameval.base.errors import ConfigError, DataError
from streameval.measures.tally import ratio


class Intervals(NamedTuple):
    """Targets and their prediction intervals.

    Parameters
    ----------
    true, low, high : ndarray of float64, shape (..., n)
        Targets, and the ends of their intervals.
    """

    true: Floats
    low: Floats
    high: Floats

    @property
    def is_empty(self) -> Flags:
        """Whether each interval is empty."""
        return np.asarray(self.low > self.high)

    @property
    def width(self) -> Floats:
        """Width of each interval."""
        with np.errstate(invalid="ignore"):
            return np.where(self.is_empty, 0.0, self.high - self.low)


def checked_intervals(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Intervals:
    """Targets and intervals as arrays, checked.

    Raises
    ------
    DataError
        If the shapes differ, or a lower end is above the upper end. Only the empty interval, from
        infinity to minus infinity, is allowed.
    """
    intervals = Intervals(*(np.asarray(values, dtype=np.float64) for values in (true, low, high)))
    if (
        intervals.true.ndim == 0
        or not intervals.true.shape == intervals.low.shape == intervals.high.shape
    ):
        raise DataError(
            "Expected as many lower and upper ends as targets, found arrays of shape "
            f"{intervals.low.shape}, {intervals.high.shape} and {intervals.true.shape}."
        )
    is_stored_empty = np.isposinf(intervals.low) & np.isneginf(intervals.high)
    is_reversed = intervals.is_empty & ~is_stored_empty
    if is_reversed.any():
        index = tuple(np.argwhere(is_reversed)[0])
        raise DataError(
            "Expected a lower end that is at most the upper end, found the interval from "
            f"{intervals.low[index]} to {intervals.high[index]} at index {index[-1]}. Exchange the "
            "two ends."
        )
    return intervals


def interval_coverage(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Proportion of targets within their intervals, ends included (PICP).

    Parameters
    ----------
    true, low, high : array-like of float, shape (..., n)
        Targets, and the ends of their intervals.

    Returns
    -------
    ndarray of float64, shape (...)
        NaN without intervals.

    Raises
    ------
    DataError
        If the shapes differ, or a lower end is above the upper one.

    References
    ----------
    Khosravi, Nahavandi, Creighton, Atiya (2011), Comprehensive review of neural network-based
    prediction intervals and new advances, Eq. 5.
    """
    return _mean(is_covered(checked_intervals(true, low, high)))


def is_covered(intervals: Intervals) -> Floats:
    """1 where a target is within its interval, 0 where it is not, NaN where a value is NaN."""
    inside = (intervals.low <= intervals.true) & (intervals.true <= intervals.high)
    has_values = ~np.isnan(intervals.true) & ~np.isnan(intervals.low) & ~np.isnan(intervals.high)
    return np.where(has_values, inside.astype(np.float64), np.nan)


def mean_interval_width(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Mean width of intervals, in the unit of the target (MPIW); see `interval_coverage`.

    The mean is infinite if a width is infinite.
    """
    return _mean(checked_intervals(true, low, high).width)


def normalised_interval_width(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Mean width divided by the range of the targets (NMPIW); see `interval_coverage`.

    It is also NaN if all targets are equal. Khosravi et al. (2011), Eq. 7.
    """
    intervals = checked_intervals(true, low, high)
    if intervals.true.shape[-1] == 0:
        return np.full(intervals.true.shape[:-1], np.nan)
    return ratio(_mean(intervals.width), intervals.true.max(axis=-1) - intervals.true.min(axis=-1))


def infinite_intervals(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Proportion of intervals that are unbounded or empty; see `interval_coverage`."""
    intervals = checked_intervals(true, low, high)
    has_values = ~np.isnan(intervals.low) & ~np.isnan(intervals.high)
    is_infinite = np.isinf(intervals.low) | np.isinf(intervals.high)
    return _mean(np.where(has_values, is_infinite.astype(np.float64), np.nan))


def interval_score(
    true: ArrayLike, low: ArrayLike, high: ArrayLike, coverage: float = 0.9
) -> Floats:
    """Mean interval score, in the unit of the target; smaller is better.

    The score is the width plus 2/(1 - coverage) times the distance of the target from the interval.
    Its expectation is smallest for the interval that leaves (1 - coverage)/2 of the targets below
    and as many above it. The score equals 2/(1 - coverage) times the sum of the pinball losses of
    the two ends, as forecasts of quantiles.

    Parameters
    ----------
    true, low, high : array-like of float, shape (..., n)
        See `interval_coverage`.
    coverage : float
        The nominal coverage of the intervals.

    Returns
    -------
    ndarray of float64, shape (...)
        NaN without intervals; infinite if any interval is infinite.

    Raises
    ------
    ConfigError
        If `coverage` is not between 0 and 1.
    DataError
        See `interval_coverage`.

    References
    ----------
    Gneiting, Raftery (2007), Strictly proper scoring rules, prediction, and estimation, Journal of
    the American Statistical Association 102, 359-378, Eq. 43.
    """
    return _mean(interval_scores(checked_intervals(true, low, high), coverage))


def interval_scores(intervals: Intervals, coverage: float) -> Floats:
    """Score of each interval; see `interval_score`."""
    miss_rate = 1.0 - checked_coverage(coverage)  # α in the paper
    true, low, high = intervals
    with np.errstate(invalid="ignore"):
        outside = np.maximum(low - true, 0.0) + np.maximum(true - high, 0.0)
        return np.where(intervals.is_empty, np.inf, intervals.width + (2.0 / miss_rate) * outside)


def checked_coverage(coverage: float) -> float:
    """The nominal coverage, checked.

    Raises
    ------
    ConfigError
        If it is not between 0 and 1.
    """
    if not 0.0 < coverage < 1.0:
        raise ConfigError(
            f"Nominal coverage: expected a number between 0 and 1, found {coverage}. It is the "
            "proportion of targets that intervals are to contain, for instance 0.9."
        )
    return float(coverage)


def _mean(values: Floats) -> Floats:
    return ratio(values.sum(axis=-1), values.shape[-1])


@dataclass(frozen=True)
class IntervalMeasure:
    """A measure of prediction intervals.

    Parameters
    ----------
    function : callable
        Maps targets and ends of intervals of shape (..., n), and the nominal coverage, to values of
        shape (...).
    symbol, title : str
        Short and full name in figures and tables; "" for no symbol.
    lower, upper : float
        Smallest and largest possible value.
    """

    function: Callable[[ArrayLike, ArrayLike, ArrayLike, float], Floats]
    symbol: str
    title: str
    lower: float
    upper: float


#: A conformal interval is bounded by the residual of rank ceil((n + 1) coverage) among n residuals.
#: This number is subtracted before rounding up, for floating-point errors: 0.55 * 100 is
#: 55.00000000000001.
RANK_ROUNDING = 1e-9


def smallest_n_residuals(coverage: float) -> int:
    """Smallest number n of residuals for a bounded conformal interval: the rank is at most n."""
    return max(math.ceil((coverage - RANK_ROUNDING) / (1 - coverage)), 1)


def _without_coverage(
    function: Callable[[ArrayLike, ArrayLike, ArrayLike], Floats],
) -> Callable[[ArrayLike, ArrayLike, ArrayLike, float], Floats]:
    """The measure as a function that also accepts the nominal coverage, and ignores it."""
    return lambda true, low, high, coverage: function(true, low, high)


_INF = float("inf")

#: All measures of prediction intervals, by name.
INTERVAL_MEASURES: dict[str, IntervalMeasure] = {
    "interval_coverage": IntervalMeasure(
        _without_coverage(interval_coverage), "PICP", "Coverage", 0, 1
    ),
    "mean_interval_width": IntervalMeasure(
        _without_coverage(mean_interval_width), "MPIW", "Mean width", 0, _INF
    ),
    "normalised_interval_width": IntervalMeasure(
        _without_coverage(normalised_interval_width),
        "NMPIW",
        "Mean width / range of targets",
        0,
        _INF,
    ),
    "interval_score": IntervalMeasure(interval_score, "IS", "Interval score", 0, _INF),
    "infinite_intervals": IntervalMeasure(
        _without_coverage(infinite_intervals), "", "Infinite intervals", 0, 1
    ),
}
