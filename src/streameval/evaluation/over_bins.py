"""One number for all bins of a re-evaluation: the value of the best bin, or a weighted mean.

The weighted mean is defined by Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data
streams. The maximum and exponential weights are in their program of 2020, IntermediateMeasures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.evaluation.roles import BEST_BINS, MAXIMUM, MINIMUM
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Gains
from streameval.significance.stream_mean import stream_mean

#: Weights by name: a number for each bin, or λ; see `bin_weights`.
Weights = Mapping[str, float | Sequence[float]]
_INF = float("inf")


def bin_weights(weights: float | Sequence[float], bins: int) -> list[float]:
    """Weights of the bins 0, ..., B + 1.

    A number λ gives the weights λ^(b/B) in the bins b = 0, ..., B, and 0 in the last bin, just
    before the label.
    """
    if isinstance(weights, int | float):
        return [float(weights) ** (b / max(bins, 1)) for b in range(bins + 1)] + [0.0]
    return [float(weight) for weight in weights]


def weights_error(weights: float | Sequence[float], bins: int, name: str = "") -> str:
    """Text on what is wrong with weights or with their name; "" if they are valid."""
    if name in BEST_BINS:
        return f"expected another name, found {name!r}, which stands for the best bin"
    if isinstance(weights, int | float):
        # λ^(b/B) is at most max(λ, 1), so the sum of the weights is finite if λ (B + 1) is.
        return (
            "" if 0 < weights * (bins + 1) < _INF else f"expected a number above 0, found {weights}"
        )
    if len(weights) != bins + 2:
        return (
            f"expected {bins + 2} weights, for the bins from 0 to {bins + 1}, found {len(weights)}"
        )
    invalid = [weight for weight in weights if not 0 <= weight < _INF]
    if invalid:
        return f"expected weights of at least 0, found {invalid[0]}"
    if sum(weights) == _INF:
        return "expected weights with a finite sum, found an infinite sum"
    return "" if sum(weights) > 0 else "expected a weight above 0, found none"


#: The columns of `over_bins`.
OVER_BINS = ("weights", "measure", "learner", "value", "low", "high")
#: Measures for which lower is better.
_ERRORS = frozenset({"mean_absolute_error", "root_mean_squared_error"})
#: Tasks by their measure, which is the mean of a series and so has an interval.
_TASKS = {task.measure: task for task in (CLASSIFICATION_TASK, REGRESSION_TASK)}


def over_bins(
    bins: pd.DataFrame,
    gains: Mapping[str, Gains],
    weights: Weights,
    measures: Sequence[str],
) -> pd.DataFrame:
    """Table with one number for all bins, by weights, measure and learner.

    With weights, the number is the weighted mean of the measure, NaN if it is undefined in a bin of
    positive weight. Its interval is computed from the `gains` of the s instances in the B + 2 bins,
    shape (s, B + 2), if each bin of positive weight has an interval. Rows with the weights
    "maximum" (for errors "minimum") have the value of the best bin, which is biased upwards. Its
    interval extends from the greatest lower to the greatest upper end of the
    simultaneous bands, and so covers the maximum of the process. It is NaN if a band is NaN.
    """
    rows = list[tuple[Any, ...]]()
    tables = {name: bins[bins["learner"] == name].sort_values("bin") for name in gains}
    for name, weight in weights.items():
        for learner, gain in gains.items():
            fractions = np.array(bin_weights(weight, gain.shape[1] - 2))
            fractions /= fractions.sum()
            has_weight = fractions > 0
            for measure in measures:
                weighted_bins = tables[learner].loc[has_weight]
                values = weighted_bins[measure].to_numpy(dtype=float)
                value = float((values * fractions[has_weight]).sum())
                ends: tuple[float, float] = (np.nan, np.nan)
                if measure in _TASKS and weighted_bins["low"].notna().all():
                    task = _TASKS[measure]
                    series = _weighted_series(task.series(gain), fractions)
                    mean = stream_mean(series, with_p_value=False)
                    ends = tuple(np.clip((mean.low, mean.high), 0.0, task.largest_difference))
                rows.append((name, measure, learner, value, *ends))
    for learner, table in tables.items():
        for measure in measures:
            name, best = (MINIMUM, np.min) if measure in _ERRORS else (MAXIMUM, np.max)
            columns = [measure, *(["band_low", "band_high"] if measure in _TASKS else [])]
            numbers = [float(best(table[column].to_numpy(dtype=float))) for column in columns]
            numbers += [np.nan] * (3 - len(numbers))  # other measures have no bands
            rows.append((name, measure, learner, *numbers))
    return pd.DataFrame(rows, columns=[*OVER_BINS])


def _weighted_series(series: NDArray[Any], weights: Floats) -> Floats:
    """Series whose mean is the weighted mean of the column means; these ignore missing values.

    If values are missing, the series is linear in the deviations from the means (delta method).
    """
    if series.dtype == np.bool_ or not np.isnan(series).any():
        return _weighted_sum(series, weights)
    columns, weights = series[:, weights > 0], weights[weights > 0]
    has_value = ~np.isnan(columns)
    means = np.where(has_value, columns, 0.0).sum(axis=0) / has_value.sum(axis=0)
    deviations = np.where(has_value, columns - means, 0.0) / has_value.mean(axis=0)
    return _weighted_sum(deviations, weights) + float((means * weights).sum())


def _weighted_sum(columns: NDArray[Any], weights: Floats) -> Floats:
    """Weighted sum of columns; a matrix product would depend on the processor."""
    total = np.zeros(len(columns))
    for weight, column in zip(weights, columns.T, strict=True):
        total += weight * column
    return total
