"""The best split of a leaf: information gain over binary and multiway candidates.

Follows MOA's Hoeffding trees, whose predictions depend on the order of operations: which
candidate comes first, on which side an equal value falls, when a sum is taken.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.normal import normal_cdf
from streameval.learners.bayes.class_statistics import (
    TOP,
    TOTAL,
    Statistics,
    attribute_place,
    gaussian_of,
    range_of,
    record_of,
    sum_at,
    value_weight,
)
from streameval.learners.bayes.exact import density, standard_deviation, total_of
from streameval.streams.stream import Schema

#: Candidate cut points of a numeric attribute.
N_CUTS = 10
#: A branch counts only if it holds more than this part of the weight.
MINIMUM_BRANCH_FRACTION = 0.01
LOG_2 = math.log(2.0)
#: Up to that, whole numbers and their sums are exact.
LARGEST_WHOLE = 2.0**53

#: Tests: value <= threshold, one branch for each value, value == threshold.
AT_MOST, EACH_VALUE, EQUALS = 0, 1, 2


class Candidate(NamedTuple):
    """Scratch: the class distributions of the branches of a split, b branches, k classes."""

    weight: Floats  # (b, k)
    length: Integers  # (b,) highest class that was added to, + 1
    deviation: Floats  # (k,) standard deviations of the numeric attribute
    total: Floats  # (k,) weights of all values of the nominal attribute


class Suggestion(NamedTuple):
    """A split and its merit; NaN if there is none."""

    merit: float
    attribute: int
    test: int
    threshold: float
    branches: int


def make_candidate(schema: Schema) -> Candidate:
    """Scratch for the widest split that the schema allows."""
    branches = max(2, int(schema.n_values.max(initial=2)))
    k = max(schema.n_classes, 1)
    return Candidate(
        np.zeros((branches, k)), np.zeros(branches, dtype=np.int64), np.zeros(k), np.zeros(k)
    )


@inlined
def entropy(weights: Floats) -> float:
    """Entropy in bits of class weights (k,)."""
    value, total = 0.0, 0.0
    for w in weights:
        if w > 0.0:
            value -= w * (math.log(w) / LOG_2)
            total += w
    return (value + total * (math.log(total) / LOG_2)) / total if total > 0.0 else 0.0


@inlined
def information_gain(before: float, after: Candidate, branches: int) -> float:
    """Information gain in bits; -inf unless two branches have more than 1 % of the weight each."""
    total = 0.0
    for b in range(branches):
        total += total_of(after.weight[b])
    large = 0
    for b in range(branches):
        if total_of(after.weight[b]) / total > MINIMUM_BRANCH_FRACTION:
            large += 1
    if large < 2:
        return -np.inf
    remaining = 0.0
    for b in range(branches):
        remaining += total_of(after.weight[b]) * entropy(after.weight[b])
    return before - remaining / total


@subkernel
def distribute(
    stats: Statistics,
    slot: int,
    attribute: int,
    test: int,
    threshold: float,
    branches: int,
    out: Candidate,
) -> None:
    """Write the class distributions of the branches of a test on an attribute."""
    place = attribute_place(stats, slot, attribute)
    if place >= 0:
        _measure_deviations(stats, slot, place, out)
        _distribute_numeric(stats, slot, place, threshold, out)
    else:
        _distribute_nominal(stats, slot, -1 - place, test, int(threshold), branches, out)


@inlined
def _clear(out: Candidate, branches: int) -> None:
    for b in range(branches):
        out.length[b] = 0
        for c in range(out.weight.shape[1]):
            out.weight[b, c] = 0.0


@inlined
def _distribute_nominal(
    stats: Statistics, slot: int, j: int, test: int, value: int, branches: int, out: Candidate
) -> None:
    """Sum the weight of each class in each branch."""
    _clear(out, branches)
    for c in range(out.weight.shape[1]):
        record = record_of(stats, slot, c)
        if stats.record[sum_at(stats, record, TOTAL, j)] > 0.0:
            for v in range(int(stats.record[sum_at(stats, record, TOP, j)])):
                branch = v if test == EACH_VALUE else (0 if v == value else 1)
                out.weight[branch, c] += value_weight(stats, record, stats.offset[j] + v)
                out.length[branch] = c + 1


@inlined
def _sum_values(stats: Statistics, slot: int, j: int, out: Candidate) -> tuple[int, bool]:
    """Write the weight of each class to ``out.total``; return the highest value seen + 1.

    The second is whether all weights are whole numbers: sums of them are exact in any order.
    """
    values, whole = 0, True
    for c in range(out.total.shape[0]):
        record = record_of(stats, slot, c)
        top, total = int(stats.record[sum_at(stats, record, TOP, j)]), 0.0
        for v in range(top):
            weight = value_weight(stats, record, stats.offset[j] + v)
            whole &= weight == math.floor(weight)
            total += weight
        out.total[c] = total
        values, whole = max(values, top), whole and total < LARGEST_WHOLE
    return values, whole


@inlined
def _set_apart(stats: Statistics, slot: int, j: int, value: int, out: Candidate) -> None:
    """Write the weights of the test whether a nominal attribute has a value, if all are whole."""
    for c in range(out.total.shape[0]):
        out.weight[0, c] = value_weight(stats, record_of(stats, slot, c), stats.offset[j] + value)
        out.weight[1, c] = out.total[c] - out.weight[0, c]


@inlined
def _measure_deviations(stats: Statistics, slot: int, place: int, out: Candidate) -> None:
    for c in range(out.deviation.shape[0]):
        out.deviation[c] = standard_deviation(gaussian_of(stats, slot, c, place))


@inlined
def _distribute_numeric(
    stats: Statistics, slot: int, place: int, cut: float, out: Candidate
) -> None:
    """Estimate the weight of each class up to the cut, and above it.

    ``out.deviation`` must be that of the attribute.
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
            equal = density(gaussian, deviation, cut) * weight
            if deviation > 0.0:
                less = normal_cdf((cut - gaussian.mean) / deviation) * weight - equal
            else:
                less = weight - equal if cut < gaussian.mean else 0.0
            out.weight[0, c] = less + equal
            out.weight[1, c] = max(0.0, weight - equal - less)
            out.length[0] = out.length[1] = c + 1


@inlined
def exists(suggestion: Suggestion) -> bool:
    """True if there is a split, even one without gain."""
    return suggestion.merit == suggestion.merit


@inlined
def _is_better(merit: float, best: Suggestion) -> bool:
    return merit > best.merit or not exists(best)


@subkernel
def suggest(
    stats: Statistics,
    slot: int,
    attribute: int,
    before: float,
    binary_only: bool,
    scratch: Candidate,
) -> Suggestion:
    """Best split of an attribute, the first of equals.

    `before` is the entropy of the leaf in bits; the merit is NaN if the attribute has no
    candidate.
    """
    place = attribute_place(stats, slot, attribute)
    if place >= 0:
        return _suggest_numeric(stats, slot, attribute, place, before, scratch)
    best = Suggestion(np.nan, attribute, EACH_VALUE, 0.0, 0)
    values, whole = _sum_values(stats, slot, -1 - place, scratch)
    if not binary_only:
        _distribute_nominal(stats, slot, -1 - place, EACH_VALUE, 0, values, scratch)
        merit = information_gain(before, scratch, values)
        best = Suggestion(merit, attribute, EACH_VALUE, 0.0, values)
    for v in range(values):
        if whole:
            _set_apart(stats, slot, -1 - place, v, scratch)
        else:
            _distribute_nominal(stats, slot, -1 - place, EQUALS, v, 2, scratch)
        merit = information_gain(before, scratch, 2)
        if _is_better(merit, best):
            best = Suggestion(merit, attribute, EQUALS, float(v), 2)
    return best


@subkernel
def _suggest_numeric(
    stats: Statistics, slot: int, attribute: int, place: int, before: float, scratch: Candidate
) -> Suggestion:
    best = Suggestion(np.nan, attribute, AT_MOST, 0.0, 0)
    low, high = np.inf, -np.inf
    for c in range(stats.score.shape[0]):
        lowest, highest = range_of(stats, slot, c, place)
        low, high = min(low, lowest), max(high, highest)
    if not low < high:
        return best
    _measure_deviations(stats, slot, place, scratch)
    last = low
    for cut_number in range(1, N_CUTS + 1):
        cut = (high - low) / (N_CUTS + 1.0) * cut_number + low
        if cut <= last or cut >= high:
            continue
        last = cut
        _distribute_numeric(stats, slot, place, cut, scratch)
        merit = information_gain(before, scratch, 2)
        if _is_better(merit, best):
            best = Suggestion(merit, attribute, AT_MOST, cut, 2)
    return best
