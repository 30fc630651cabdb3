"""Wilcoxon's signed-rank test over folds: exact, and vectorised over many sets of differences."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import scipy  # loads its submodules on first use: most jobs need none
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Floats, Integers
from streameval.significance.significance_test import LEVEL, SignificanceResult, SignificanceTest
from streameval.significance.t_over_folds import FoldDifferences, as_differences

#: Largest number of non-zero differences with an exact p-value: without ties, and with ties.
EXACT, EXACT_TIED = 50, 20


def rank_sum_tail(doubled_ranks: Integers) -> Floats:
    """Probabilities that twice the sum of positive ranks is at most 0, 1, ...

    Each rank is in the sum with probability 1/2. Ranks are doubled, as ties have half ranks.
    """
    ways = np.ones(1)
    for rank in doubled_ranks:
        new_ways = np.zeros(len(ways) + rank)
        new_ways[: len(ways)] = ways
        new_ways[rank:] += ways
        ways = new_ways
    probabilities: Floats = np.cumsum(ways) / 2.0 ** len(doubled_ranks)
    return probabilities


@cache
def critical_value(n: int, level: float = LEVEL) -> int:
    """Largest value of the smaller rank sum that is rejected; -1 if there is none.

    For 10 folds at 5 % it is 8, with a true size of 0.049.

    Parameters
    ----------
    n : int
        Number of non-zero differences, without ties.
    level : float
        Two-sided level, an upper bound on the true size.
    """
    if n > EXACT:
        z = float(scipy.special.ndtri(level / 2))
        return math.floor(n * (n + 1) / 4 + z * math.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    allowed = 2.0 * rank_sum_tail(2 * np.arange(1, n + 1))[::2] <= level
    return int(np.count_nonzero(allowed)) - 1  # the tail only grows


def _groups(sizes: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Group rows by their pattern of ties and zeros; the sizes of each row are sorted.

    The result is the index of one row of each group, and the group of each row.
    """
    rows, folds = sizes.shape
    if folds > EXACT:  # a pattern would not fit into 64 bits
        return np.arange(rows), np.arange(rows)
    bits = np.concatenate([sizes[:, :1] == 0, sizes[:, 1:] == sizes[:, :-1]], axis=1)
    key = bits @ (1 << np.arange(folds))
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


def _p_values(ranks: Floats, group: NDArray[np.intp], smaller: Floats) -> Floats:
    """p-value of each row, from the ranks of its group and its smaller rank sum."""
    p_value = np.empty(len(group))
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=len(ranks)))
    for rank, members in zip(ranks, np.split(order, ends)[:-1], strict=True):
        used, low = rank[rank > 0], smaller[members]
        tied = len(np.unique(used)) < len(used)
        if len(used) <= (EXACT_TIED if tied else EXACT):
            tail = rank_sum_tail(np.rint(2 * used).astype(np.int64))
            p_value[members] = np.minimum(1.0, 2.0 * tail[np.rint(2 * low).astype(np.int64)])
        else:  # normal: the variance of the difference of rank sums is the sum of squared ranks
            z = (2.0 * low - used.sum()) / np.sqrt((used**2).sum())
            p_value[members] = 2.0 * scipy.special.ndtr(z)
    return p_value


def signed_rank_test(values: ArrayLike, unit: str = "folds") -> SignificanceResult:
    """Difference of the rank sums and two-sided p-value, for differences along the last axis.

    Differences of 0 are dropped; if all are 0, the p-value is 1. Tied sizes share their mean rank.
    The p-value is exact, over all signs of the ranks, for up to `EXACT` differences without ties
    and `EXACT_TIED` with ties. Otherwise it is from the normal distribution.

    `details` has

    - ``positive`` and ``negative``: the rank sums;
    - ``critical_value``: the largest smaller sum that is rejected without ties;
    - ``rejected_by_critical_value``: whether the smaller sum is at most the critical value;
    - ``rejected_below_critical_value``: whether it is less, which is the wording of Bifet et al.
      (2015).

    `unit` is the name of a fold in messages.
    """
    differences = as_differences(values, 1, unit)
    shape, folds = differences.shape[:-1], differences.shape[-1]
    rows = differences.reshape(-1, folds)
    unknown = np.any(np.isnan(rows), axis=-1)
    rows = np.where(unknown[:, None], 0.0, rows)
    ordered = np.take_along_axis(rows, np.argsort(np.abs(rows), axis=-1), axis=-1)
    sizes = np.abs(ordered)
    first, group = _groups(sizes)
    used = sizes[first] > 0
    zeros = folds - used.sum(axis=-1)
    ranks = np.where(used, scipy.stats.rankdata(sizes[first], axis=-1) - zeros[:, None], 0.0)
    positive = np.einsum("ij,ij->i", ranks[group], ordered > 0)
    negative = ranks.sum(axis=-1)[group] - positive
    smaller = np.minimum(positive, negative)
    p_value = _p_values(ranks, group, smaller)
    n = used.sum(axis=-1)
    critical = np.array([critical_value(int(count)) for count in n], dtype=np.int64)[group]
    details = {
        "positive": np.where(unknown, np.nan, positive).reshape(shape),
        "negative": np.where(unknown, np.nan, negative).reshape(shape),
        "critical_value": critical.reshape(shape),
        "rejected_by_critical_value": ((smaller <= critical) & ~unknown).reshape(shape),
        "rejected_below_critical_value": ((smaller < critical) & ~unknown).reshape(shape),
    }
    statistic = np.where(unknown, np.nan, positive - negative).reshape(shape)
    return SignificanceResult(
        statistic, np.where(unknown, np.nan, p_value).reshape(shape), details=details
    )


TEST = SignificanceTest(
    name="wilcoxon",
    title="Wilcoxon's signed-rank test over folds",
    null="the differences in the folds are distributed symmetrically about 0",
    estimand=(
        "the centre of the differences of the two algorithms on this stream, over their seeds and "
        "folds"
    ),
    assumptions="the differences are independent of each other, and their distribution symmetric",
    reference="Wilcoxon (1945); Demšar (2006), Section 3.1.3; Bifet et al. (2015), Section 4",
    evidence=FoldDifferences,
    function=lambda evidence: signed_rank_test(evidence.differences),
)
