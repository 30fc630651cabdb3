"""Long-run variance of a series of several interleaved entities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.significance.series import LongRunVariance, initial_positive_variance


def same_order(order: Integers | None) -> bool:
    """Whether the order by entity is the order in time; `order` as in `two_way_variance`."""
    return order is None or bool((order[1:] > order[:-1]).all())


def two_way_variance(series: NDArray[np.float64 | np.int8], order: Integers) -> float:
    """Long-run variance of a series of several entities, from its orders in time and by entity.

    In order of time, neighbours of one entity are far apart, and their dependence is missed. In
    order by entity, the dependence between entities is missed. So the two variances are added. Both
    count the pairs that are neighbours in both orders, so the covariances of these pairs are
    subtracted once. The result is at least the larger variance. This is two-way clustering
    (Cameron, Gelbach, Miller, 2011). If all instances of an entity come before those of the next,
    both orders are the same, and the result is the long-run variance of the series.

    Parameters
    ----------
    series : ndarray of float64 or int8, shape (n,)
        Values in order of time.
    order : ndarray of int, shape (n,)
        Indices that sort the values by entity and, within an entity, by time.
    """
    by_time = initial_positive_variance(series)
    if not by_time.variance or same_order(order):
        return by_time.variance
    by_entity = initial_positive_variance(series[order])
    deviations = Neighbours(order, by_time.max_lag, by_entity.max_lag).deviations(series)
    return combined_variance(by_time, by_entity, deviations.covariance(deviations))


def combined_variance(
    by_time: LongRunVariance, by_entity: LongRunVariance, neighbour_covariance: float
) -> float:
    """Sum of both variances less `neighbour_covariance`; see `two_way_variance`."""
    total = by_time.variance + by_entity.variance - neighbour_covariance
    return max(by_time.variance, by_entity.variance, total)


class Deviations(NamedTuple):
    """Deviations from the mean in order by entity, and their sums over earlier neighbours."""

    value: Floats  # deviation of each value
    neighbour_sum: Floats  # sum of the deviations of its earlier `Neighbours`

    def covariance(self, other: Deviations) -> float:
        """Sum of covariances of two series: of each instance, and of all pairs of neighbours.

        For a series with itself, this is the part of its long-run variance that both orders count.
        """
        total = (
            self.value * other.value
            + self.value * other.neighbour_sum
            + other.value * self.neighbour_sum
        )
        return float(total.sum()) / len(self.value)


class Neighbours:
    """Pairs of values that are near each other both in time and in order by entity.

    Parameters
    ----------
    order : ndarray of int, shape (n,)
        As in `two_way_variance`.
    time_distance, entity_distance : int
        The largest distances of a pair in the two orders. If either is 0, there are no pairs.
    """

    def __init__(self, order: Integers, time_distance: int, entity_distance: int) -> None:
        self._order, n = order, len(order)
        # Index of the earliest neighbour of each value, in order by entity.
        self._first = np.arange(n)
        if time_distance and entity_distance:
            # Times and distances are at most n. A shift of 2 n for each entity keeps the times of
            # different entities farther apart than any distance.
            entity = np.concatenate([[0], np.cumsum(order[1:] < order[:-1])])
            shifted_times = entity * 2 * n + order
            nearest = np.searchsorted(shifted_times, shifted_times - time_distance)
            self._first = np.maximum(nearest, self._first - entity_distance)

    def deviations(self, series: NDArray[np.float64 | np.int8]) -> Deviations:
        """Deviations of a series that is in order of time, and sums over their neighbours."""
        deviations = (series - series.mean())[self._order]
        sums = np.concatenate([[0.0], np.cumsum(deviations)])
        return Deviations(deviations, sums[:-1] - sums[self._first])
