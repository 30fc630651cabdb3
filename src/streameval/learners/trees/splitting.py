"""The best split of a leaf: information gain over binary and multiway candidates.

The order of operations follows MOA's Hoeffding trees, since predictions depend on it: which
candidate comes first, on which side of a cut an equal value falls, when a sum is computed.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.normal import normal_cdf
from streameval.learners.bayes.class_statistics import (
    N_VALUES,
    TOTAL,
    Statistics,
    attribute_place,
    gaussian_of,
    range_of,
    record_of,
    summary_index,
    value_weight,
)
from streameval.learners.bayes.exact import density, standard_deviation, total_of
from streameval.streams.stream import Schema

#: Number of candidate cut points of a numeric attribute, as in MOA.
N_CUTS = 10
#: A split needs two branches with more than this fraction of the weight, as in MOA.
MINIMUM_BRANCH_FRACTION = 0.01
LOG_2 = math.log(2.0)
#: Bound below which whole numbers and their sums are exact in double precision.
LARGEST_EXACT_SUM = 2.0**53

# Tests on an attribute.
AT_MOST = 0  # two branches: value <= threshold or not
EACH_VALUE = 1  # a branch for each value
EQUALS = 2  # two branches: value == threshold or not


class BranchWeights(NamedTuple):
    """Scratch: the weights of k classes in the b branches of a candidate split."""

    weight: Floats  # (b, k)
    length: Integers  # (b,) 1 + the highest class with a weight: the length of MOA's vector
    deviation: Floats  # (k,) standard deviations of the numeric attribute
    total: Floats  # (k,) weights of all values of the nominal attribute


class SplitCandidate(NamedTuple):
    """The best split of an attribute, or no split."""

    merit: float  # information gain in bits; NaN if there is no split
    attribute: int
    test: int  # see `AT_MOST`
    threshold: float  # operand of the test
    branches: int


def make_branch_weights(schema: Schema) -> BranchWeights:
    """Scratch for the widest split that the schema allows."""
    branches = max(2, int(schema.n_values.max(initial=2)))
    k = max(schema.n_classes, 1)
    return BranchWeights(
        weight=np.zeros((branches, k)),
        length=np.zeros(branches, dtype=np.int64),
        deviation=np.zeros(k),
        total=np.zeros(k),
    )


@inlined
def entropy(weights: Floats) -> float:
    """Entropy in bits of class weights (k,)."""
    weighted_sum, total = 0.0, 0.0
    for w in weights:
        if w > 0.0:
            weighted_sum -= w * (math.log(w) / LOG_2)
            total += w
    return (weighted_sum + total * (math.log(total) / LOG_2)) / total if total > 0.0 else 0.0


@inlined
def information_gain(leaf_entropy: float, after: BranchWeights, branches: int) -> float:
    """Information gain in bits; -inf unless two branches have more than 1 % of the weight each."""
    total = 0.0
    for b in range(branches):
        total += total_of(after.weight[b])
    n_large = 0
    for b in range(branches):
        if total_of(after.weight[b]) / total > MINIMUM_BRANCH_FRACTION:
            n_large += 1
    if n_large < 2:
        return -np.inf
    remaining = 0.0
    for b in range(branches):
        remaining += total_of(after.weight[b]) * entropy(after.weight[b])
    return leaf_entropy - remaining / total


@subkernel
def distribute_weights(
    stats: Statistics,
    slot: int,
    attribute: int,
    test: int,
    threshold: float,
    branches: int,
    out: BranchWeights,
) -> None:
    """Write to `out` the class weights in the branches of a test on an attribute."""
    place = attribute_place(stats, slot, attribute)
    if place >= 0:
        _measure_deviations(stats, slot, place, out)
        _distribute_numeric(stats, slot, place, threshold, out)
    else:  # nominal attribute j has the place -1 - j
        _distribute_nominal(stats, slot, -1 - place, test, int(threshold), branches, out)


@inlined
def _clear(out: BranchWeights, branches: int) -> None:
    for b in range(branches):
        out.length[b] = 0
        for c in range(out.weight.shape[1]):
            out.weight[b, c] = 0.0


@inlined
def _distribute_nominal(
    stats: Statistics, slot: int, j: int, test: int, value: int, branches: int, out: BranchWeights
) -> None:
    """Sum the weight of each class in each branch of a test on nominal attribute `j`."""
    _clear(out, branches)
    for c in range(out.weight.shape[1]):
        record = record_of(stats, slot, c)
        if stats.record[summary_index(stats, record, TOTAL, j)] > 0.0:
            for v in range(int(stats.record[summary_index(stats, record, N_VALUES, j)])):
                branch = v if test == EACH_VALUE else (0 if v == value else 1)
                out.weight[branch, c] += value_weight(stats, record, stats.offset[j] + v)
                out.length[branch] = c + 1


@inlined
def _sum_values(stats: Statistics, slot: int, j: int, out: BranchWeights) -> tuple[int, bool]:
    """Write the weight of each class to ``out.total``; return 1 + the highest value observed.

    The second result tells whether all weights are whole numbers, so that their sums are exact in
    any order.
    """
    values, is_whole = 0, True
    for c in range(out.total.shape[0]):
        record = record_of(stats, slot, c)
        n_values, total = int(stats.record[summary_index(stats, record, N_VALUES, j)]), 0.0
        for v in range(n_values):
            weight = value_weight(stats, record, stats.offset[j] + v)
            is_whole &= weight == math.floor(weight)
            total += weight
        out.total[c] = total
        values, is_whole = max(values, n_values), is_whole and total < LARGEST_EXACT_SUM
    return values, is_whole


@inlined
def _distribute_equals(
    stats: Statistics, slot: int, j: int, value: int, out: BranchWeights
) -> None:
    """Write the weights of the test EQUALS on a nominal attribute, if all weights are whole.

    The second weight is a difference from ``out.total``, which takes less time than a sum over the
    other values. Of whole numbers, both are exact.
    """
    for c in range(out.total.shape[0]):
        out.weight[0, c] = value_weight(stats, record_of(stats, slot, c), stats.offset[j] + value)
        out.weight[1, c] = out.total[c] - out.weight[0, c]


@inlined
def _measure_deviations(stats: Statistics, slot: int, place: int, out: BranchWeights) -> None:
    for c in range(out.deviation.shape[0]):
        out.deviation[c] = standard_deviation(gaussian_of(stats, slot, c, place))


@inlined
def _distribute_numeric(
    stats: Statistics, slot: int, place: int, cut: float, out: BranchWeights
) -> None:
    """Estimate the weight of each class up to the cut, and above it.

    ``out.deviation`` must be filled for this attribute; see `_measure_deviations`.
    """
    _clear(out, 2)
    for c in range(out.weight.shape[1]):
        gaussian = gaussian_of(stats, slot, c, place)
        weight = gaussian.weight
        if weight <= 0.0:
            continue
        lowest, highest = range_of(stats, slot, c, place)
        if cut < lowest:
            out.weight[1, c] = weight
            out.length[1] = c + 1
        elif cut >= highest:
            out.weight[0, c] = weight
            out.length[0] = c + 1
        else:
            deviation = out.deviation[c]
            # As in MOA, the density at the cut stands for the probability of values equal to it.
            equal = density(gaussian, deviation, cut) * weight
            if deviation > 0.0:
                less = normal_cdf((cut - gaussian.mean) / deviation) * weight - equal
            else:
                less = weight - equal if cut < gaussian.mean else 0.0
            out.weight[0, c] = less + equal
            out.weight[1, c] = max(0.0, weight - equal - less)
            out.length[0] = out.length[1] = c + 1


@inlined
def is_split(candidate: SplitCandidate) -> bool:
    """True if there is a split, even a split without gain."""
    return candidate.merit == candidate.merit  # False for NaN


@inlined
def _is_better(merit: float, best: SplitCandidate) -> bool:
    return merit > best.merit or not is_split(best)


@subkernel
def best_split(
    stats: Statistics,
    slot: int,
    attribute: int,
    leaf_entropy: float,
    binary_only: bool,
    scratch: BranchWeights,
) -> SplitCandidate:
    """Best split of an attribute; the first of several with the same merit.

    `leaf_entropy` is in bits. The merit is NaN if the attribute has no candidate.
    """
    place = attribute_place(stats, slot, attribute)
    if place >= 0:
        return _best_numeric_split(stats, slot, attribute, place, leaf_entropy, scratch)
    j = -1 - place
    best = SplitCandidate(np.nan, attribute, EACH_VALUE, 0.0, 0)
    values, is_whole = _sum_values(stats, slot, j, scratch)
    if not binary_only:
        _distribute_nominal(stats, slot, j, EACH_VALUE, 0, values, scratch)
        merit = information_gain(leaf_entropy, scratch, values)
        best = SplitCandidate(merit, attribute, EACH_VALUE, 0.0, values)
    for v in range(values):
        if is_whole:
            _distribute_equals(stats, slot, j, v, scratch)
        else:
            _distribute_nominal(stats, slot, j, EQUALS, v, 2, scratch)
        merit = information_gain(leaf_entropy, scratch, 2)
        if _is_better(merit, best):
            best = SplitCandidate(merit, attribute, EQUALS, float(v), 2)
    return best


@subkernel
def _best_numeric_split(
    stats: Statistics,
    slot: int,
    attribute: int,
    place: int,
    leaf_entropy: float,
    scratch: BranchWeights,
) -> SplitCandidate:
    best = SplitCandidate(np.nan, attribute, AT_MOST, 0.0, 0)
    low, high = np.inf, -np.inf
    for c in range(stats.score.shape[0]):
        lowest, highest = range_of(stats, slot, c, place)
        low, high = min(low, lowest), max(high, highest)
    if not low < high:
        return best
    _measure_deviations(stats, slot, place, scratch)
    previous_cut = low
    for cut_number in range(1, N_CUTS + 1):
        cut = (high - low) / (N_CUTS + 1.0) * cut_number + low
        if cut <= previous_cut or cut >= high:  # after rounding, the cut separates nothing new
            continue
        previous_cut = cut
        _distribute_numeric(stats, slot, place, cut, scratch)
        merit = information_gain(leaf_entropy, scratch, 2)
        if _is_better(merit, best):
            best = SplitCandidate(merit, attribute, AT_MOST, cut, 2)
    return best
