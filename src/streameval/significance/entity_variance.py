"""The long-run variance of a series whose values are of several entities in turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.significance.series import LongRun, initial_positive


def has_one_order(order: Integers | None) -> bool:
    """Whether values are in the same order in time and entity by entity."""
    return order is None or bool((order[1:] > order[:-1]).all())


def two_way(series: NDArray[np.float64 | np.int8], order: Integers) -> float:
    """Long-run variance of a series of several entities, by its order in time and entity by entity.

    In order of time neighbours of one entity are far apart, so that their dependence is not seen;
    entity by entity, that of different entities is not. So the variance is the sum of both, less
    that of values that are neighbours in both orders, which both count, and at least the larger
    one: the variance of clusters in two ways (Cameron, Gelbach, Miller, 2011). Entities that come
    one after the other have one order, and the variance of the plain series.

    Parameters
    ----------
    series : ndarray of float64 or int8, shape (n,)
        Values in order of time.
    order : ndarray of int, shape (n,)
        Their places entity by entity, those of each entity in order of time.
    """
    in_time = initial_positive(series)
    if not in_time.variance or has_one_order(order):
        return in_time.variance
    by_entity = initial_positive(series[order])
    deviations = Neighbours(order, in_time.reach, by_entity.reach).deviations(series)
    return combined(in_time, by_entity, deviations.covariance(deviations))


def combined(in_time: LongRun, by_entity: LongRun, of_neighbours: float) -> float:
    """Variance by both orders, less that of values that are neighbours in both orders."""
    total = in_time.variance + by_entity.variance - of_neighbours
    return max(in_time.variance, by_entity.variance, total)


class Deviations(NamedTuple):
    """Deviations of values from their mean, entity by entity, beside sums over neighbours."""

    at: Floats  # of the value itself
    before: Floats  # the sum of its earlier `Neighbours`

    def covariance(self, other: Deviations) -> float:
        """Covariance of two series at the same instance and, both ways, over pairs of neighbours.

        Of a series with itself it is a part of its long-run variance.
        """
        total = self.at * other.at + self.at * other.before + other.at * self.before
        return float(total.sum()) / len(self.at)


class Neighbours:
    """The pairs of values that are near each other both in time and entity by entity.

    Parameters
    ----------
    order : ndarray of int, shape (n,)
        As in `two_way`.
    in_time, by_entity : int
        The largest distances of a pair in the two orders.
    """

    def __init__(self, order: Integers, in_time: int, by_entity: int) -> None:
        self._order, n = order, len(order)
        self._first = np.arange(n)
        if in_time and by_entity:
            # Places in time, those of each entity moved beyond the reach of the entity before it.
            entity = np.concatenate([[0], np.cumsum(order[1:] < order[:-1])])
            in_order = entity * 2 * n + order
            nearest = np.searchsorted(in_order, in_order - in_time)
            self._first = np.maximum(nearest, self._first - by_entity)

    def deviations(self, series: NDArray[np.float64 | np.int8]) -> Deviations:
        """Deviations of a series in order of time."""
        deviations = (series - series.mean())[self._order]
        sums = np.concatenate([[0.0], np.cumsum(deviations)])
        return Deviations(deviations, sums[:-1] - sums[self._first])
