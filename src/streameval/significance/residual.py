"""Statistics of x - r y for two error series x and y and any r, without computing the series."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.significance.entity_variance import Neighbours, combined_variance, has_one_order
from streameval.significance.intervals import block_means
from streameval.significance.series import (
    ROUNDING,
    as_series,
    block_means_if_long,
    initial_positive_of,
)
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, SECTIONS, Summary

#: Possible pairs of errors of an instance in classification, shape (2, 4): x and y.
_PAIRS = np.array([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]])


class Quadratic(NamedTuple):
    """Variances and covariance of two series, from which the variance of x - r y follows."""

    xx: float
    xy: float
    yy: float

    def of_residual(self, r: float) -> float:
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
        self._order = np.arange(0) if order is None else order
        self._means = [float(values.mean()) for values in self._series]
        x, y = (values - mean for values, mean in zip(self._series, self._means, strict=True))
        self._covariances = Quadratic(
            *(float((u * v).sum()) / n for u, v in ((x, x), (x, y), (y, y)))
        )
        self._pair_counts = _pair_counts(self._series)
        ordered = [self._series]  # in order of time and, for several entities, by entity
        if not has_one_order(order):
            ordered.append(self._series[:, self._order])
        self._blocks = [block_means_if_long(series) for series in ordered]
        self._section_means = (
            [block_means(series, SECTIONS) for series in ordered] if n >= MIN_EFFECTIVE_SIZE else []
        )
        self._by_reaches: dict[tuple[int, int], Quadratic] = {}

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
        most_frequent, variance = self._most_frequent(r), self._covariances.of_residual(r)
        scale = self._covariances.xx + r * r * self._covariances.yy
        if most_frequent == n or variance <= ROUNDING * scale:  # all values are equal
            return Summary(
                n,
                mean,
                variance=0.0,
                most_frequent=n,
                long_run=0.0,
                section_means=np.empty(0),
            )
        in_time, *by_entity = (
            initial_positive_of(blocks[0] - r * blocks[1], n, variance) for blocks in self._blocks
        )
        long_run = in_time.variance
        if by_entity:
            covariances = self._neighbour_covariances(in_time.reach, by_entity[0].reach)
            long_run = combined_variance(in_time, by_entity[0], covariances.of_residual(r))
        section_means = np.array([means[0] - r * means[1] for means in self._section_means])
        return Summary(n, mean, variance, most_frequent, long_run, section_means)

    def _most_frequent(self, r: float) -> int:
        """Number of occurrences of the most frequent value."""
        if self._pair_counts is None:
            values = self._series[0] - r * self._series[1]
            return int(np.unique(values, return_counts=True)[1].max())
        _, group = np.unique(_PAIRS[0] - r * _PAIRS[1], return_inverse=True)
        return int(np.bincount(group, weights=self._pair_counts).max())

    def _neighbour_covariances(self, in_time: int, by_entity: int) -> Quadratic:
        """Covariances over neighbours in both orders; see `Neighbours`."""
        reaches = in_time, by_entity
        if reaches not in self._by_reaches:
            neighbours = Neighbours(self._order, in_time, by_entity)
            x, y = map(neighbours.deviations, self._series)
            self._by_reaches[reaches] = Quadratic(x.covariance(x), x.covariance(y), y.covariance(y))
        return self._by_reaches[reaches]


def _pair_counts(series: Floats) -> Integers | None:
    """Number of instances with each of `_PAIRS`; None if an error is neither 0 nor 1."""
    if not ((series == 0.0) | (series == 1.0)).all():
        return None
    return np.bincount((2.0 * series[0] + series[1]).astype(np.uint8), minlength=4)
