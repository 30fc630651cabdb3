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

#: Largest number of non-zero differences without ties for which the p-value is exact.
MAX_EXACT = 50
#: Largest number of non-zero differences with ties for which the p-value is exact.
MAX_EXACT_TIED = 20


def rank_sum_tail(doubled_ranks: Integers) -> Floats:
    """Probabilities that twice the sum of positive ranks is at most 0, 1, ...

    Each rank is in the sum with probability 1/2. Ranks are doubled to be integers: the mean rank of
    ties may be a multiple of 1/2.
    """
    subsets = np.ones(1)  # number of sets of ranks, by twice the sum of the ranks
    for rank in doubled_ranks:
        new_subsets = np.zeros(len(subsets) + rank)
        new_subsets[: len(subsets)] = subsets
        new_subsets[rank:] += subsets
        subsets = new_subsets
    probabilities: Floats = np.cumsum(subsets) / 2.0 ** len(doubled_ranks)
    return probabilities


@cache
def critical_value(n: int, level: float = LEVEL) -> int:
    """Largest value of the smaller rank sum that is rejected; -1 if no value is.

    For 10 folds at 5 % it is 8, with a true size of 0.049.

    Parameters
    ----------
    n : int
        Number of non-zero differences, without ties.
    level : float
        Two-sided level, an upper bound on the true size.
    """
    if n > MAX_EXACT:
        z = float(scipy.special.ndtri(level / 2))
        return math.floor(n * (n + 1) / 4 + z * math.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    whole_sums = rank_sum_tail(2 * np.arange(1, n + 1))[::2]  # without ties, sums are integers
    is_rejected = 2.0 * whole_sums <= level
    return int(np.count_nonzero(is_rejected)) - 1  # the smallest sums, from 0 on, are rejected


def _groups(magnitudes: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Group rows by their pattern of ties and zeros; the magnitudes of each row are sorted.

    The result is the index of one row of each group, and the group of each row. Rows of one group
    have the same ranks.
    """
    rows, folds = magnitudes.shape
    # A pattern takes a bit for each fold, and up to `MAX_EXACT` bits fit into an integer. With more
    # folds, each row is a group.
    if folds > MAX_EXACT:
        return np.arange(rows), np.arange(rows)
    bits = np.concatenate([magnitudes[:, :1] == 0, magnitudes[:, 1:] == magnitudes[:, :-1]], axis=1)
    pattern = bits @ (1 << np.arange(folds))
    _, first, group = np.unique(pattern, return_index=True, return_inverse=True)
    return first, group


def _p_values(ranks: Floats, group: NDArray[np.intp], smaller_sums: Floats) -> Floats:
    """p-value of each row, from the ranks of its group and its smaller rank sum."""
    p_value = np.empty(len(group))
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=len(ranks)))
    for group_ranks, members in zip(ranks, np.split(order, ends)[:-1], strict=True):
        nonzero_ranks, sums = group_ranks[group_ranks > 0], smaller_sums[members]
        has_ties = len(np.unique(nonzero_ranks)) < len(nonzero_ranks)
        if len(nonzero_ranks) <= (MAX_EXACT_TIED if has_ties else MAX_EXACT):
            tail = rank_sum_tail(np.rint(2 * nonzero_ranks).astype(np.int64))
            p_value[members] = np.minimum(1.0, 2.0 * tail[np.rint(2 * sums).astype(np.int64)])
        else:  # normal: the variance of the difference of rank sums is the sum of squared ranks
            z = (2.0 * sums - nonzero_ranks.sum()) / np.sqrt((nonzero_ranks**2).sum())
            p_value[members] = 2.0 * scipy.special.ndtr(z)
    return p_value


def signed_rank_test(values: ArrayLike, unit: str = "folds") -> SignificanceResult:
    """Difference of the rank sums and two-sided p-value, for differences along the last axis.

    Differences of 0 are dropped; if all are 0, the p-value is 1. Tied magnitudes share
    their mean rank. The p-value is exact, over all signs of the ranks, for up to `MAX_EXACT`
    differences without ties and `MAX_EXACT_TIED` with ties. Otherwise it is from the normal
    distribution.

    `details` has

    - ``positive`` and ``negative``: the rank sums;
    - ``critical_value``: the largest value of the smaller sum that is rejected without ties;
    - ``rejected_by_critical_value``: whether the smaller sum is at most the critical value;
    - ``rejected_below_critical_value``: whether it is less than the critical value, which is the
      rule as Bifet et al. (2015) word it.

    `unit` is the name of a fold in messages.
    """
    differences = as_differences(values, 1, unit)
    shape, folds = differences.shape[:-1], differences.shape[-1]
    rows = differences.reshape(-1, folds)
    has_nan = np.any(np.isnan(rows), axis=-1)
    rows = np.where(has_nan[:, None], 0.0, rows)
    ordered = np.take_along_axis(rows, np.argsort(np.abs(rows), axis=-1), axis=-1)
    magnitudes = np.abs(ordered)
    first, group = _groups(magnitudes)
    is_nonzero = magnitudes[first] > 0
    n_zeros = folds - is_nonzero.sum(axis=-1)
    ranks_with_zeros = scipy.stats.rankdata(magnitudes[first], axis=-1)
    # Zeros have the lowest ranks: without them, the other ranks are lower by their number.
    ranks = np.where(is_nonzero, ranks_with_zeros - n_zeros[:, None], 0.0)
    positive = np.einsum("ij,ij->i", ranks[group], ordered > 0)
    negative = ranks.sum(axis=-1)[group] - positive
    smaller = np.minimum(positive, negative)
    p_value = _p_values(ranks, group, smaller)
    n = is_nonzero.sum(axis=-1)
    critical = np.array([critical_value(int(count)) for count in n], dtype=np.int64)[group]
    details = {
        "positive": np.where(has_nan, np.nan, positive).reshape(shape),
        "negative": np.where(has_nan, np.nan, negative).reshape(shape),
        "critical_value": critical.reshape(shape),
        "rejected_by_critical_value": ((smaller <= critical) & ~has_nan).reshape(shape),
        "rejected_below_critical_value": ((smaller < critical) & ~has_nan).reshape(shape),
    }
    statistic = np.where(has_nan, np.nan, positive - negative).reshape(shape)
    return SignificanceResult(
        statistic, np.where(has_nan, np.nan, p_value).reshape(shape), details=details
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
