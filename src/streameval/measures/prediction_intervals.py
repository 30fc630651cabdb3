"""Measures of prediction intervals: coverage, width, NMPIW, interval score.

An interval of a target is what a regressor predicts it to lie in, with a stated probability, its
nominal coverage. Both ends belong to it. An infinite end is allowed: an interval without bounds
covers every target, and has an infinite width and score. The empty interval, from infinity to
minus infinity, covers none; its width is 0, its score infinite. An end that is NaN makes each
measure NaN.
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
    def empty(self) -> Flags:
        """Which of them contain nothing."""
        return np.asarray(self.low > self.high)

    @property
    def width(self) -> Floats:
        """Return their widths."""
        with np.errstate(invalid="ignore"):
            return np.where(self.empty, 0.0, self.high - self.low)


def checked_intervals(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Intervals:
    """Return targets and intervals as arrays.

    Raises
    ------
    DataError
        If the shapes differ, or a lower end is above the upper one and the interval is not the
        empty one.
    """
    made = Intervals(*(np.asarray(each, dtype=np.float64) for each in (true, low, high)))
    if made.true.ndim == 0 or not made.true.shape == made.low.shape == made.high.shape:
        raise DataError(
            "Expected as many lower and upper ends as targets, found arrays of shape "
            f"{made.low.shape}, {made.high.shape} and {made.true.shape}."
        )
    wrong = made.empty & ~(np.isposinf(made.low) & np.isneginf(made.high))
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise DataError(
            f"Expected a lower end up to the upper one, found the interval from {made.low[at]} to "
            f"{made.high[at]} at place {at[-1]}. Exchange the two."
        )
    return made


def interval_coverage(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Return the proportion of targets within their intervals, ends included (PICP).

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
    made = checked_intervals(true, low, high)
    return _mean(covered(made))


def covered(made: Intervals) -> Floats:
    """Return 1 where a target is within its interval, 0 where it is not, NaN without one."""
    inside = (made.low <= made.true) & (made.true <= made.high)
    known = ~np.isnan(made.true) & ~np.isnan(made.low) & ~np.isnan(made.high)
    return np.where(known, inside.astype(np.float64), np.nan)


def mean_interval_width(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Return the mean width of intervals, in the unit of the target (MPIW).

    It is infinite if one of them is; see `interval_coverage`.
    """
    return _mean(checked_intervals(true, low, high).width)


def normalised_interval_width(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Return the mean width divided by the range of the targets (NMPIW).

    NaN also if all targets are equal; see `interval_coverage`. Khosravi et al. (2011), Eq. 7.
    """
    made = checked_intervals(true, low, high)
    if made.true.shape[-1] == 0:
        return np.full(made.true.shape[:-1], np.nan)
    return ratio(_mean(made.width), made.true.max(axis=-1) - made.true.min(axis=-1))


def infinite_intervals(true: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Return the proportion of intervals without a bound, and of empty ones.

    See `interval_coverage`.
    """
    made = checked_intervals(true, low, high)
    known = ~np.isnan(made.low) & ~np.isnan(made.high)
    without = np.isinf(made.low) | np.isinf(made.high)
    return _mean(np.where(known, without.astype(np.float64), np.nan))


def interval_score(
    true: ArrayLike, low: ArrayLike, high: ArrayLike, coverage: float = 0.9
) -> Floats:
    """Return the mean interval score, in the unit of the target: the less, the better.

    It is the width, and 2/(1 - coverage) times the distance of a target outside: the only intervals
    whose expected score is the least have (1 - coverage)/2 of the targets on either side. It is the
    sum of the two pinball losses of their ends as quantiles, times 2/(1 - coverage).

    Parameters
    ----------
    true, low, high : array-like of float, shape (..., n)
        See `interval_coverage`.
    coverage : float
        The nominal coverage of the intervals.

    Returns
    -------
    ndarray of float64, shape (...)
        NaN without intervals, infinite if one of them is.

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


def interval_scores(made: Intervals, coverage: float) -> Floats:
    """Return the interval score of each interval; see `interval_score`."""
    alpha = 1.0 - checked_coverage(coverage)
    true, low, high = made
    with np.errstate(invalid="ignore"):
        outside = np.maximum(low - true, 0.0) + np.maximum(true - high, 0.0)
        return np.where(made.empty, np.inf, made.width + (2.0 / alpha) * outside)


def checked_coverage(coverage: float) -> float:
    """Return a nominal coverage.

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
        For axes, and for tables.
    lower, upper : float
        Least and greatest possible value.
    """

    function: Callable[[ArrayLike, ArrayLike, ArrayLike, float], Floats]
    symbol: str
    title: str
    lower: float
    upper: float


#: Rounding of a level that a rank does not see: 0.55 * 100 is 55.00000000000001.
ROUNDING = 1e-9


def least_residuals(coverage: float) -> int:
    """Least number of residuals of which one bounds a conformal interval of that coverage."""
    return max(math.ceil((coverage - ROUNDING) / (1 - coverage)), 1)


def _without_level(
    function: Callable[[ArrayLike, ArrayLike, ArrayLike], Floats],
) -> Callable[[ArrayLike, ArrayLike, ArrayLike, float], Floats]:
    return lambda true, low, high, coverage: function(true, low, high)


_INF = float("inf")

#: All measures of prediction intervals, by name.
INTERVAL_MEASURES: dict[str, IntervalMeasure] = {
    "interval_coverage": IntervalMeasure(
        _without_level(interval_coverage), "PICP", "Coverage", 0, 1
    ),
    "mean_interval_width": IntervalMeasure(
        _without_level(mean_interval_width), "MPIW", "Mean width", 0, _INF
    ),
    "normalised_interval_width": IntervalMeasure(
        _without_level(normalised_interval_width), "NMPIW", "Mean width / range of targets", 0, _INF
    ),
    "interval_score": IntervalMeasure(interval_score, "IS", "Interval score", 0, _INF),
    "infinite_intervals": IntervalMeasure(
        _without_level(infinite_intervals), "", "Infinite intervals", 0, 1
    ),
}
