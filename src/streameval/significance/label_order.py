"""A test of the order of labels, by how many equal the previous label."""

from __future__ import annotations

import math
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.seeds import generator
from streameval.significance.entities import by_entity, previous_of_entity
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

#: Up to as many labels the p-value for three classes and more is exact.
EXACT = 300
#: The number of repeats in a random order is taken as normal where its standard deviation, in
#: labels, is at least this.
NORMAL_FROM = 10.0
#: Random orders that are drawn where it is neither; fewer of very many labels.
DRAWS, FEWEST_DRAWS = 1999, 199
#: Labels to draw in all.
_WORK = 200_000_000


#: What the approximation is called.
NORMAL = "normal approximation"


class Labels(NamedTuple):
    """Class codes in their order, and the place of the label that each is compared with.

    By default this is the previous one. A place of -1 says that there is none. With entities, a
    label is compared with one of the same entity, and random orders are those within entities.
    """

    labels: Codes  # (n,)
    previous: Integers | None = None  # (n,)
    entity: Codes | None = None  # (n,)


def _test(evidence: Labels) -> SignificanceResult:
    """Test whether labels are in random order; the statistic is the number of repeats.

    The p-value is twice the smaller of the probabilities of as many repeats or more and of as many
    or fewer, at most 1; NaN where all labels are of one class. For two classes it is exact, and
    for more up to `EXACT` labels. Otherwise, and where labels are compared with others than the
    previous ones, it is simulated by `DRAWS` random orders, which are the same in every run.
    """
    labels, previous, entity = evidence
    if entity is not None:
        return _within_entities(labels, previous, entity)
    counts = np.bincount(labels)
    counts = counts[counts > 0]
    is_usual = previous is None
    before = np.arange(-1, len(labels) - 1) if previous is None else previous
    place = np.flatnonzero(before >= 0)
    before = before[place]
    repeats = int(np.count_nonzero(labels[place] == labels[before]))
    if len(counts) < 2:
        return SignificanceResult(repeats, float("nan"))
    if is_usual and len(labels) <= EXACT:
        chances = exact([int(count) for count in counts])
    elif is_usual and len(counts) == 2:
        chances = two_classes(int(counts[0]), int(counts[1]))
    elif is_usual and (spread := math.sqrt(moments(counts)[1])) >= NORMAL_FROM:
        off = max(abs(repeats - moments(counts)[0]) - 0.5, 0.0) / spread
        return SignificanceResult(
            repeats, math.erfc(off / math.sqrt(2.0)), details={"method": NORMAL}
        )
    else:
        return _simulated(labels, place, before, repeats)
    more, fewer = float(chances[repeats:].sum()), float(chances[: repeats + 1].sum())
    p_value = min(1.0, 2.0 * min(more, fewer))
    return SignificanceResult(repeats, p_value, details={"method": "exact"})


def _within_entities(labels: Codes, previous: Integers | None, entity: Codes) -> SignificanceResult:
    """Test whether labels are in random order within each entity."""
    is_usual = previous is None
    before = previous_of_entity(entity) if previous is None else previous
    place = np.flatnonzero(before >= 0)
    repeats = int(np.count_nonzero(labels[place] == labels[before[place]]))
    mean, variance = moments_by_group(entity, labels)
    if variance == 0.0:  # each entity has one class, or one label
        return SignificanceResult(repeats, float("nan"))
    if is_usual and (spread := math.sqrt(variance)) >= NORMAL_FROM:
        off = max(abs(repeats - mean) - 0.5, 0.0) / spread
        p_value = math.erfc(off / math.sqrt(2.0))
        return SignificanceResult(repeats, p_value, details={"method": NORMAL})
    return _simulated(labels, place, before[place], repeats, entity)


def _simulated(
    labels: Codes,
    place: Integers,
    before: Integers,
    repeats: int,
    entity: Codes | None = None,
) -> SignificanceResult:
    number = max(FEWEST_DRAWS, min(DRAWS, _WORK // len(labels)))
    draws, order = generator("check", "orders"), labels.copy()
    at = None if entity is None else by_entity(entity)
    found = np.empty(number, dtype=np.int64)
    for draw in range(number):
        if at is None or entity is None:
            draws.shuffle(order)
        else:
            order[at] = labels[np.lexsort((draws.random(len(labels)), entity))]
        found[draw] = np.count_nonzero(order[place] == order[before])
    tails = np.count_nonzero(found >= repeats), np.count_nonzero(found <= repeats)
    p_value = min(1.0, 2.0 * (min(tails) + 1) / (number + 1))
    error = float(np.sqrt(p_value * max(2.0 - p_value, 0.0) / number))
    return SignificanceResult(repeats, p_value, error, {"method": f"{number:,} random orders"})


def moments(counts: Integers) -> tuple[float, float]:
    """Return mean and variance of the number of repeats in a random order (Mood, 1940).

    Parameters
    ----------
    counts : ndarray of int
        How often each class occurs; at least two labels in all.
    """
    k = counts.astype(np.float64)
    mean, variance = _moments(k.sum(), (k**2).sum(), (k**3).sum())
    return float(mean), float(variance)


def moments_by_group(groups: Codes | Integers, labels: NDArray[Any]) -> tuple[float, float]:
    """Return mean and variance of the number of repeats if the order is random in each group.

    Parameters
    ----------
    groups, labels : ndarray of int, shape (n,)
        The group of each label, and its class code, from 0.
    """
    k = int(labels.max()) + 1
    found, times = np.unique(groups * k + labels, return_counts=True)
    group, counts = found // k, times.astype(np.float64)
    n, squares, cubes = (np.bincount(group, counts**power) for power in (1, 2, 3))
    several = n > 1
    mean, variance = _moments(n[several], squares[several], cubes[several])
    return float(mean.sum()), float(variance.sum())


def _moments(n: Any, squares: Any, cubes: Any) -> tuple[Any, Any]:
    """Return mean and variance, given sums of powers of the counts of classes; see `moments`."""
    variance = squares * (squares + n * (n + 1.0)) - 2.0 * n * cubes - n**3
    return squares / n - 1.0, np.maximum(variance / (n**2 * (n - 1.0)), 0.0)


def two_classes(a: int, b: int) -> Floats:
    """Return the probabilities of 0, 1, ... repeats among `a` labels of one class and `b`."""
    runs = np.arange(2, a + b + 1)
    half = runs // 2

    def ways(runs_a: Integers, runs_b: Integers) -> Floats:
        return np.exp(_log_choose(a - 1, runs_a - 1) + _log_choose(b - 1, runs_b - 1) - total)

    total = _log_choose(a + b, np.array([a]))
    even = 2.0 * ways(half, half)
    odd = ways(half, half + 1) + ways(half + 1, half)
    chances = np.zeros(a + b)
    chances[a + b - runs] = np.where(runs % 2 == 0, even, odd)
    return chances


def _log_choose(n: int, k: Integers) -> Floats:
    from scipy.special import gammaln  # which small samples do not need

    inside = (k >= 0) & (k <= n)
    m = np.where(inside, k, 0)
    value = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
    return np.where(inside, value, -np.inf)


def exact(counts: list[int]) -> Floats:
    """Return the probabilities of 0, 1, ... repeats for any number of classes.

    A class of n labels is cut into j blocks in C(n - 1, j - 1) ways, and the blocks of all classes
    are put in a row in as many ways as multinomial coefficients say. Blocks of one class may stand
    side by side there, so that an order with r repeats is counted C(r, t) times with t of its
    repeats inside blocks; inclusion and exclusion mends that. All numbers are whole.
    """
    rows = [1]  # by the number of blocks
    for n in counts:
        cut = [0, *(comb(n - 1, j - 1) for j in range(1, n + 1))]
        longer = [0] * (len(rows) + n)
        for i, one in enumerate(rows):
            for j, other in enumerate(cut):
                longer[i + j] += one * other * comb(i + j, j)
        rows = longer
    n = sum(counts)
    inside = [rows[n - t] for t in range(n)]  # t repeats are inside blocks
    orders = (sum((-1) ** (t - r) * comb(t, r) * inside[t] for t in range(r, n)) for r in range(n))
    return np.array([number / inside[0] for number in orders])


TEST = SignificanceTest(
    name="label_order",
    title="Test of the order of labels",
    null="all orders of these labels are equally likely, whatever the proportions of the classes",
    estimand="the probability that a label equals the previous one",
    assumptions="none: for two classes it is the runs test of Wald and Wolfowitz in its exact form",
    reference="Wald, Wolfowitz (1940); mean and variance for any number of classes: Mood (1940)",
    evidence=Labels,
    function=_test,
)
