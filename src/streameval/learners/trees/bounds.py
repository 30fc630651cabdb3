"""An upper bound on the lead of the best split, which shows most of the time that none is due.

Most attempts to split fail, because no split leads by more than the Hoeffding bound. Approximate
gains show this; only a successful attempt needs the exact gains of `splitting`.
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
    observed,
    range_of,
)
from streameval.learners.trees import splitting
from streameval.learners.trees.splitting import MINIMUM_BRANCH_FRACTION, N_CUTS, Candidate

#: Bound on the error of approximate gains, in bits. Where probabilities are wrong by
#: e, entropies are by at most 4 e log(1/e) + 2 e log(k) nats, here 1.2e-4.
ERROR = 5e-4
#: Bound on the error of the approximate proportion of a branch.
FRACTION_ERROR = 1e-5
#: Least relative distance of cuts at which their number is certain.
APART = 1e-9
#: Where densities are higher, rounding in the exact gains matters.
HIGHEST_DENSITY = 1e6
#: Stands for 0 in logarithms that are multiplied by 0.
TINY = 1e-300
#: Numbers of the cuts, and of some that do not count, in lanes.
CUTS = np.arange(1.0, 2 * WIDTH + 1)


@subkernel
def largest_lead(
    stats: Statistics,
    slot: int,
    before: float,
    enough: float,
    binary_only: bool,
    scratch: Candidate,
) -> float:
    """Upper bound, in bits, on the difference in gain between the best and the second best split.

    `before` is the entropy of the leaf. A bound below `enough` need not be the
    smallest one. The bound is infinite where approximate gains cannot decide.
    """
    most, least, second = -np.inf, -np.inf, -np.inf
    for i in range(n_observed(stats)):
        attribute, place = observed(stats, slot, i)
        if place >= 0:
            low, high = _gain_between(stats, slot, place, before)
        else:
            suggestion = splitting.suggest(stats, slot, attribute, before, binary_only, scratch)
            low = high = suggestion.merit if splitting.exists(suggestion) else -np.inf
        most = max(most, high)
        second = max(second, min(least, low))
        least = max(least, low)
        if before - second < enough:  # no gain exceeds the entropy
            return before - second
    return most - second if second > -np.inf else np.inf


@inlined
def _gain_between(stats: Statistics, slot: int, place: int, before: float) -> tuple[float, float]:
    """Bounds on the highest gain of a numeric attribute; -inf if there is no split."""
    low, high, total = np.inf, -np.inf, 0.0
    for c in range(stats.score.shape[0]):
        lowest, highest = range_of(stats, slot, c, place)
        low, high = min(low, lowest), max(high, highest)
        total += gaussian_of(stats, slot, c, place).weight
    if not low < high:
        return -np.inf, -np.inf
    if not high - low > APART * (abs(low) + abs(high)):
        return -np.inf, np.inf
    at_least, at_most = fill(-np.inf), fill(-np.inf)
    for start in range(0, N_CUTS, WIDTH):
        number = lanes.load_at(CUTS, start)
        cut = (high - low) / (N_CUTS + 1.0) * number + low
        left, after, clear = _disorder(stats, slot, place, cut, 1.0 / total)
        if not clear:
            return -np.inf, np.inf
        gain = before - after * (1.0 / splitting.LOG_2)
        smaller = lanes.minimum(left, 1.0 - left)
        counts = number <= N_CUTS
        surely = counts & (smaller > MINIMUM_BRANCH_FRACTION + FRACTION_ERROR)
        perhaps = counts & (smaller > MINIMUM_BRANCH_FRACTION - FRACTION_ERROR)
        at_least = lanes.maximum(at_least, where(surely, gain - ERROR, fill(-np.inf)))
        at_most = lanes.maximum(at_most, where(perhaps, gain + ERROR, fill(-np.inf)))
    return lanes.highest(at_least), lanes.highest(at_most)


@inlined
def _disorder(
    stats: Statistics, slot: int, place: int, cut: Lanes, scale: float
) -> tuple[Lanes, Lanes, bool]:
    """Proportion of the weight up to each cut, and the remaining entropy in nats.

    The last is false where they are not certain. Weights times `scale` sum up to one.
    """
    left, right, after, clear = fill(0.0), fill(0.0), fill(0.0), True
    for c in range(stats.score.shape[0]):
        weight, mean, squares = gaussian_of(stats, slot, c, place)
        if weight > 0.0:
            low, high = range_of(stats, slot, c, place)
            # Not a number where all values are the same: `low` and `high` decide then. Of values
            # that differ and weigh no more than one together, MOA takes the deviation for 0.
            precision = math.sqrt((weight - 1.0) / squares)
            clear &= low == high or (weight > 1.0 and precision < HIGHEST_DENSITY)
            below = rough_normal_cdfs((cut - mean) * precision)
            below = where(cut < low, fill(0.0), where(cut >= high, fill(1.0), below))
            fraction = weight * scale
            less, more = fraction * below, fraction * (1.0 - below)
            after += _part(less) + _part(more)
            left, right = left + less, right + more
    return left, after - _part(left) - _part(right), clear


@inlined
def _part(fraction: Lanes) -> Lanes:
    """-x log(x), and 0 for x = 0."""
    return fraction * (0.0 - rough_logs(lanes.maximum(fraction, fill(TINY))))
