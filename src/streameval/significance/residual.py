"""Statistics of x - r y for two error series x and y and any r, without computing the series."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.significance.entity_variance import Neighbours, combined_variance, same_order
from streameval.significance.intervals import block_means
from streameval.significance.series import (
    ROUNDING,
    as_series,
    block_means_if_long,
    initial_positive_variance_of_means,
)
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, N_SECTIONS, Summary

#: Possible pairs of errors of an instance in classification, shape (2, 4): x and y.
_PAIRS = np.array([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]])


class Covariances(NamedTuple):
    """Variances and covariance of two series, from which the variance of x - r y follows."""

    xx: float
    xy: float
    yy: float

    def residual_variance(self, r: float) -> float:
        """Variance of x - r y."""
        return self.xx - 2.0 * r * self.xy + r * r * self.yy


class Residual:
    """Summaries of the series errors - r reference for any r.

    Up to rounding, means and variances of the residual follow from means, variances and the
    covariance of the two series. So a summary of a million instances takes as long as a summary of
    a few thousand.

    Parameters
    ----------
    errors, reference : ndarray of float, shape (n,)
        Errors on the same instances in order of time.
    order : ndarray of int, shape (n,), optional
        As in `Sample`.
    """

    def __init__(self, errors: Floats, reference: Floats, order: Integers | None = None) -> None:
        self._series = as_series(np.stack([errors, reference]), 1, "Interval of a skill")
        self._n = n = self._series.shape[1]
        # Only read if there are two orders, so an empty array is enough without entities.
        self._order = np.arange(0) if order is None else order
        self._means = [float(values.mean()) for values in self._series]
        x, y = (values - mean for values, mean in zip(self._series, self._means, strict=True))
        self._covariances = Covariances(
            *(float((u * v).sum()) / n for u, v in ((x, x), (x, y), (y, y)))
        )
        self._pair_counts = _pair_counts(self._series)
        ordered = [self._series]  # in order of time and, for several entities, by entity
        if not same_order(order):
            ordered.append(self._series[:, self._order])
        self._blocks = [block_means_if_long(series) for series in ordered]
        self._section_means = (
            [block_means(series, N_SECTIONS) for series in ordered]
            if n >= MIN_EFFECTIVE_SIZE
            else []
        )
        # Cache of `_neighbour_covariances` by its arguments.
        self._cached_covariances: dict[tuple[int, int], Covariances] = {}

    @property
    def learner_mean(self) -> float:
        """Mean error of the learner."""
        return self._means[0]

    @property
    def reference_mean(self) -> float:
        """Mean error of the reference."""
        return self._means[1]

    def summary(self, r: float) -> Summary:
        """Summary of errors - r reference."""
        n, mean = self._n, self._means[0] - r * self._means[1]
        most_frequent, variance = self._most_frequent(r), self._covariances.residual_variance(r)
        scale = self._covariances.xx + r * r * self._covariances.yy
        if most_frequent == n or variance <= ROUNDING * scale:  # all values are equal
            return Summary(
                n,
                mean,
                variance=0.0,
                most_frequent=n,
                long_run_variance=0.0,
                section_means=np.empty(0),
            )
        by_time, *by_entity = (
            initial_positive_variance_of_means(blocks[0] - r * blocks[1], n, variance)
            for blocks in self._blocks
        )
        long_run_variance = by_time.variance
        if by_entity:
            neighbours = self._neighbour_covariances(by_time.max_lag, by_entity[0].max_lag)
            long_run_variance = combined_variance(
                by_time, by_entity[0], neighbours.residual_variance(r)
            )
        section_means = np.array([means[0] - r * means[1] for means in self._section_means])
        return Summary(n, mean, variance, most_frequent, long_run_variance, section_means)

    def _most_frequent(self, r: float) -> int:
        """Number of occurrences of the most frequent value."""
        if self._pair_counts is None:
            values = self._series[0] - r * self._series[1]
            return int(np.unique(values, return_counts=True)[1].max())
        _, group = np.unique(_PAIRS[0] - r * _PAIRS[1], return_inverse=True)
        return int(np.bincount(group, weights=self._pair_counts).max())

    def _neighbour_covariances(self, time_distance: int, entity_distance: int) -> Covariances:
        """Covariances over neighbours in both orders; see `Neighbours`."""
        key = time_distance, entity_distance
        if key not in self._cached_covariances:
            neighbours = Neighbours(self._order, time_distance, entity_distance)
            x, y = map(neighbours.deviations, self._series)
            self._cached_covariances[key] = Covariances(
                x.covariance(x), x.covariance(y), y.covariance(y)
            )
        return self._cached_covariances[key]


def _pair_counts(series: Floats) -> Integers | None:
    """Number of instances with each of `_PAIRS`; None if an error is neither 0 nor 1."""
    if not ((series == 0.0) | (series == 1.0)).all():
        return None
    return np.bincount((2.0 * series[0] + series[1]).astype(np.uint8), minlength=4)
