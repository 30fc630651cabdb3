"""The long-run variance of a series whose values are of several entities in turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Integers
from streameval.significance.series import initial_positive, variance_of


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
    in_both = _of_neighbours(series, order, in_time.reach, by_entity.reach)
    total = in_time.variance + by_entity.variance - in_both
    return max(in_time.variance, by_entity.variance, total)


def _of_neighbours(
    series: NDArray[np.float64 | np.int8], order: Integers, in_time: int, by_entity: int
) -> float:
    """Variance and covariances of values within `in_time` and `by_entity` places of each other."""
    if not in_time or not by_entity:
        return variance_of(series)
    n, places = len(series), np.arange(len(series))
    deviations = (series - series.mean())[order]
    # Places in time, those of each entity moved beyond the reach of the entity before it.
    entity = np.concatenate([[0], np.cumsum(order[1:] < order[:-1])])
    in_order = entity * 2 * n + order
    first = np.searchsorted(in_order, in_order - in_time)
    np.maximum(first, places - by_entity, out=first)
    sums = np.concatenate([[0.0], np.cumsum(deviations)])
    of_earlier = sums[:-1] - sums[first]
    return float((deviations * (deviations + 2.0 * of_earlier)).sum()) / n
