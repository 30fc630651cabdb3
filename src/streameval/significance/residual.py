"""Errors of a learner less a multiple of a reference's, without computing each series anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.significance.entity_variance import Neighbours, combined, has_one_order
from streameval.significance.intervals import block_means
from streameval.significance.series import ROUNDING, checked, in_blocks, initial_positive_of
from streameval.significance.stream_mean import LEAST_EFFECTIVE, SECTIONS, Summary

#: The pairs of errors of an instance, for classes.
_PAIRS = np.array([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]])


class Quadratic(NamedTuple):
    """The (co)variances of two series, from which that of x - r y follows."""

    xx: float
    xy: float
    yy: float

    def at(self, r: float) -> float:
        """Variance of x - r y."""
        return self.xx - 2.0 * r * self.xy + r * r * self.yy


class Residual:
    """Summaries of errors - r reference for any r.

    Means of blocks and of sections, variances and covariances are those of the two series combined,
    so that a summary takes as long for a million instances as for some thousand. They equal those
    of the combined series up to rounding.

    Parameters
    ----------
    errors, reference : ndarray of float, shape (n,)
        For the same instances in order of time.
    order : ndarray of int, shape (n,), optional
        As in `Sample`.
    """

    def __init__(self, errors: Floats, reference: Floats, order: Integers | None = None) -> None:
        purpose = "Interval of a skill"
        self._series = checked(np.stack([errors, reference]), 1, purpose)
        self._n = n = self._series.shape[1]
        self._order = np.arange(0) if order is None else order
        self._means = [float(values.mean()) for values in self._series]
        x, y = (values - mean for values, mean in zip(self._series, self._means, strict=True))
        self._covariances = Quadratic(
            *(float((u * v).sum()) / n for u, v in ((x, x), (x, y), (y, y)))
        )
        self._pairs = _pairs_of_classes(self._series)
        in_orders = [self._series]
        if not has_one_order(order):
            in_orders.append(self._series[:, self._order])
        self._blocks = [in_blocks(series) for series in in_orders]
        self._sections = (
            [block_means(series, SECTIONS) for series in in_orders] if n >= LEAST_EFFECTIVE else []
        )
        self._of_neighbours: dict[tuple[int, int], Quadratic] = {}

    @property
    def mean_of_learner(self) -> float:
        """Mean error of the learner."""
        return self._means[0]

    @property
    def mean_of_reference(self) -> float:
        """Mean error of the reference."""
        return self._means[1]

    def summary(self, r: float) -> Summary:
        """Summary of errors - r reference."""
        n, mean = self._n, self._means[0] - r * self._means[1]
        most, variance = self._most(r), self._covariances.at(r)
        scale = self._covariances.xx + r * r * self._covariances.yy
        if most == n or variance <= ROUNDING * scale:
            return Summary(n, mean, 0.0, n, 0.0, np.empty(0))
        in_time, *by_entity = (
            initial_positive_of(blocks[0] - r * blocks[1], n, variance) for blocks in self._blocks
        )
        long_run = in_time.variance
        if by_entity:
            of_neighbours = self._neighbours(in_time.reach, by_entity[0].reach).at(r)
            long_run = combined(in_time, by_entity[0], of_neighbours)
        of_sections = np.array([means[0] - r * means[1] for means in self._sections])
        return Summary(n, mean, variance, most, long_run, of_sections)

    def _most(self, r: float) -> int:
        """Number of times that the most frequent value occurs."""
        if self._pairs is None:
            values = self._series[0] - r * self._series[1]
            return int(np.unique(values, return_counts=True)[1].max())
        _, place = np.unique(_PAIRS[0] - r * _PAIRS[1], return_inverse=True)
        return int(np.bincount(place, weights=self._pairs).max())

    def _neighbours(self, in_time: int, by_entity: int) -> Quadratic:
        """Covariances over neighbours in both orders; see `Neighbours`."""
        reaches = in_time, by_entity
        if reaches not in self._of_neighbours:
            neighbours = Neighbours(self._order, in_time, by_entity)
            x, y = map(neighbours.deviations, self._series)
            self._of_neighbours[reaches] = Quadratic(
                x.covariance(x), x.covariance(y), y.covariance(y)
            )
        return self._of_neighbours[reaches]


def _pairs_of_classes(series: Floats) -> Integers | None:
    """Numbers of `_PAIRS` where errors are 0 or 1, as those of classes; None for others."""
    if not ((series == 0.0) | (series == 1.0)).all():
        return None
    return np.bincount((2.0 * series[0] + series[1]).astype(np.uint8), minlength=4)
