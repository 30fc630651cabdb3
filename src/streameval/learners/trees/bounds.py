"""An upper bound on the lead of the best split, from approximate gains.

Most attempts to split fail, because no split leads by more than the Hoeffding bound. Approximate
gains are enough to show this. Only if they do not, the exact gains of `splitting` are computed.
"""

from __future__ import annotations

import math

import numpy as np

from streameval.compiled import lanes
from streameval.compiled.approximate import rough_logs, rough_normal_cdfs
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import WIDTH, Lanes, fill, where
from streameval.learners.bayes.class_statistics import (
    Statistics,
    gaussian_of,
    n_observed,
    observed_attribute,
    range_of,
)
from streameval.learners.trees import splitting
from streameval.learners.trees.splitting import MINIMUM_BRANCH_FRACTION, N_CUTS, BranchWeights

#: Generous bound on the error of approximate gains, in bits. If the errors of probabilities are at
#: most e, the errors of entropies are at most 4 e log(1/e) + 2 e log(k) nats. With
#: `approximate.CDF_ERROR`, this is 1.2e-4 for k = 10 classes, and 1.7e-4 for a million.
GAIN_ERROR = 5e-4
#: Bound on the error of the approximate proportion of a branch.
FRACTION_ERROR = 1e-5
#: Smallest range of values, relative to their magnitude, in which the cuts certainly differ.
MIN_RELATIVE_RANGE = 1e-9
#: If a density is higher, rounding in the exact gains matters, so approximate gains do not decide.
LARGEST_DENSITY = 1e6
#: Number that replaces 0 in x log(x), whose logarithm is finite.
TINY = 1e-300
#: The numbers 1, 2, ... of the candidate cuts. They fill whole `lanes`, vectors of WIDTH numbers;
#: those above N_CUTS are ignored.
CUT_NUMBERS = np.arange(1.0, 2 * WIDTH + 1)


@subkernel
def largest_lead(
    stats: Statistics,
    slot: int,
    leaf_entropy: float,
    required_lead: float,
    binary_only: bool,
    scratch: BranchWeights,
) -> float:
    """Upper bound, in bits, on the difference in gain between the best and the second best split.

    The search stops as soon as the bound is below `required_lead`. The bound is infinite if
    approximate gains cannot decide.
    """
    # Bounds on the highest gain, and a lower bound on the second highest.
    best_upper, best_lower, second_lower = -np.inf, -np.inf, -np.inf
    for i in range(n_observed(stats)):
        attribute, place = observed_attribute(stats, slot, i)
        if place >= 0:
            lower, upper = _gain_bounds(stats, slot, place, leaf_entropy)
        else:
            best = splitting.best_split(stats, slot, attribute, leaf_entropy, binary_only, scratch)
            lower = upper = best.merit if splitting.is_split(best) else -np.inf
        best_upper = max(best_upper, upper)
        second_lower = max(second_lower, min(best_lower, lower))
        best_lower = max(best_lower, lower)
        if leaf_entropy - second_lower < required_lead:  # no gain exceeds the entropy
            return leaf_entropy - second_lower
    return best_upper - second_lower if second_lower > -np.inf else np.inf


@inlined
def _gain_bounds(
    stats: Statistics, slot: int, place: int, leaf_entropy: float
) -> tuple[float, float]:
    """Lower and upper bound on the highest gain of a numeric attribute; -inf without a split."""
    low, high, total = np.inf, -np.inf, 0.0
    for c in range(stats.score.shape[0]):
        lowest, highest = range_of(stats, slot, c, place)
        low, high = min(low, lowest), max(high, highest)
        total += gaussian_of(stats, slot, c, place).weight
    if not low < high:
        return -np.inf, -np.inf
    if not high - low > MIN_RELATIVE_RANGE * (abs(low) + abs(high)):
        return -np.inf, np.inf  # nothing is certain
    best_lower, best_upper = fill(-np.inf), fill(-np.inf)
    for start in range(0, N_CUTS, WIDTH):
        number = lanes.load_at(CUT_NUMBERS, start)
        cut = (high - low) / (N_CUTS + 1.0) * number + low
        left, remaining, is_certain = _remaining_entropy(stats, slot, place, cut, 1.0 / total)
        if not is_certain:
            return -np.inf, np.inf
        gain = leaf_entropy - remaining * (1.0 / splitting.LOG_2)
        smaller = lanes.minimum(left, 1.0 - left)
        is_cut = number <= N_CUTS
        is_valid = is_cut & (smaller > MINIMUM_BRANCH_FRACTION + FRACTION_ERROR)
        may_be_valid = is_cut & (smaller > MINIMUM_BRANCH_FRACTION - FRACTION_ERROR)
        lower = where(is_valid, gain - GAIN_ERROR, fill(-np.inf))
        upper = where(may_be_valid, gain + GAIN_ERROR, fill(-np.inf))
        best_lower, best_upper = lanes.maximum(best_lower, lower), lanes.maximum(best_upper, upper)
    return lanes.highest(best_lower), lanes.highest(best_upper)


@inlined
def _remaining_entropy(
    stats: Statistics, slot: int, place: int, cut: Lanes, scale: float
) -> tuple[Lanes, Lanes, bool]:
    """Proportion of the weight up to each cut, and the remaining entropy in nats.

    The last result is False if these may be wrong. `scale` is 1 / the sum of the weights.
    """
    left, right, remaining, is_certain = fill(0.0), fill(0.0), fill(0.0), True
    for c in range(stats.score.shape[0]):
        weight, mean, squares = gaussian_of(stats, slot, c, place)
        if weight > 0.0:
            low, high = range_of(stats, slot, c, place)
            # Infinite or NaN if all values are equal; then `low` and `high` decide. If values
            # differ, but their weights sum to at most one, MOA's deviation is 0: uncertain.
            inverse_sd = math.sqrt((weight - 1.0) / squares)
            is_certain &= low == high or (weight > 1.0 and inverse_sd < LARGEST_DENSITY)
            up_to_cut = rough_normal_cdfs((cut - mean) * inverse_sd)
            up_to_cut = where(cut < low, fill(0.0), where(cut >= high, fill(1.0), up_to_cut))
            fraction = weight * scale
            less, more = fraction * up_to_cut, fraction * (1.0 - up_to_cut)
            remaining += _entropy_term(less) + _entropy_term(more)
            left, right = left + less, right + more
    return left, remaining - _entropy_term(left) - _entropy_term(right), is_certain


@inlined
def _entropy_term(fraction: Lanes) -> Lanes:
    """-x log(x), and 0 for x = 0."""
    return fraction * (0.0 - rough_logs(lanes.maximum(fraction, fill(TINY))))
