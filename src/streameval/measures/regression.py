"""Regression measures: mean absolute error, root mean squared error, R².

A prediction that is NaN makes each measure NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.measures.tally import ratio


def mean_absolute_error(true: ArrayLike, predicted: ArrayLike) -> Floats:
    """Mean of |true - predicted|, in the unit of the target.

    Parameters
    ----------
    true, predicted : array-like of float, shape (..., n)
        Targets and predictions.

    Returns
    -------
    ndarray of float64, shape (...)
        NaN without predictions.

    Raises
    ------
    DataError
        If the shapes differ.
    """
    _, errors = _targets_and_errors(true, predicted)
    return ratio(np.abs(errors).sum(axis=-1), errors.shape[-1])


def root_mean_squared_error(true: ArrayLike, predicted: ArrayLike) -> Floats:
    """Root of the mean of (true - predicted)²; see `mean_absolute_error`."""
    _, errors = _targets_and_errors(true, predicted)
    return np.sqrt(ratio(_sum_of_squares(errors), errors.shape[-1]))


def r_squared(true: ArrayLike, predicted: ArrayLike) -> Floats:
    """R²: one minus the squared error divided by the squared error of predicting the mean target.

    1 is perfect; 0 is as good as predicting the mean of all targets, which is not available in
    advance. R² is also NaN if all targets are equal. See `mean_absolute_error`.
    """
    targets, errors = _targets_and_errors(true, predicted)
    if targets.shape[-1] == 0:
        return np.full(targets.shape[:-1], np.nan)
    # Equal targets have deviations of exactly 0; their computed mean can differ in the last bit.
    is_constant = targets.max(axis=-1) == targets.min(axis=-1)
    deviations = targets - targets.mean(axis=-1, keepdims=True)
    error_of_mean = np.where(is_constant, 0.0, _sum_of_squares(deviations))
    with np.errstate(invalid="ignore"):  # infinity / infinity is NaN, as intended
        return 1.0 - ratio(_sum_of_squares(errors), error_of_mean)


def _sum_of_squares(errors: Floats) -> Floats:
    """Sum of squares over the last axis, which may overflow to infinity."""
    with np.errstate(over="ignore"):
        squares: Floats = (errors**2).sum(axis=-1)
    return squares


def _targets_and_errors(true: ArrayLike, predicted: ArrayLike) -> tuple[Floats, Floats]:
    targets = np.asarray(true, dtype=np.float64)
    predictions = np.asarray(predicted, dtype=np.float64)
    if targets.ndim == 0 or targets.shape != predictions.shape:
        raise DataError(
            "Expected as many predictions as targets, found arrays of shape "
            f"{predictions.shape} and {targets.shape}."
        )
    return targets, targets - predictions


@dataclass(frozen=True)
class RegressionMeasure:
    """A regression measure: a function of targets and predictions.

    Parameters
    ----------
    function : callable
        Maps targets and predictions of shape (..., n) to values of shape (...).
    symbol, title : str
        Short and full name in figures and tables.
    lower, upper : float
        Smallest and largest possible value.
    is_error : bool
        True for an error in the unit of the target: smaller is better.
    """

    function: Callable[[ArrayLike, ArrayLike], Floats]
    symbol: str
    title: str
    lower: float
    upper: float
    is_error: bool = False


_INF = float("inf")


class SkillMeasure(NamedTuple):
    """Title, symbol and range of a skill over a baseline, 1 - error / error of the baseline."""

    title: str
    symbol: str = "S"
    lower: float = -_INF
    upper: float = 1.0


#: All regression measures, by name.
REGRESSION_MEASURES: dict[str, RegressionMeasure] = {
    "mean_absolute_error": RegressionMeasure(
        mean_absolute_error, "MAE", "Mean absolute error", 0, _INF, is_error=True
    ),
    "root_mean_squared_error": RegressionMeasure(
        root_mean_squared_error, "RMSE", "Root mean squared error", 0, _INF, is_error=True
    ),
    "r_squared": RegressionMeasure(r_squared, "R²", "Coefficient of determination", -_INF, 1),
}


def is_error(name: str) -> bool:
    """Whether a measure is an error in the unit of the target: smaller is better."""
    return name in REGRESSION_MEASURES and REGRESSION_MEASURES[name].is_error
