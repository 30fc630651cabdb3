"""Test whether labels are in random order, by the number of labels that equal the previous one."""

from __future__ import annotations

import math
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.seeds import generator
from streameval.significance.entities import order_by_entity, previous_in_entity
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

#: Largest number of labels for which the p-value for three or more classes is exact.
MAX_EXACT = 300
#: Smallest standard deviation of the number of repeats for which the normal approximation is used.
MIN_NORMAL_SD = 10.0
#: Number of random orders in a simulation.
DRAWS = 1999
#: Number of random orders in the simulation of a very long series.
MIN_DRAWS = 199
#: Approximate number of labels that a simulation shuffles in all, to limit its time.
_SHUFFLED_LABELS = 200_000_000
#: Name of the approximation in the details of a result.
NORMAL = "normal approximation"


class Labels(NamedTuple):
    """Class codes in order of time, and the index of the label that each label is compared with.

    By default, a label is compared with the previous one. With entities, it is compared with the
    previous label of its entity, and random orders shuffle labels within entities.
    """

    labels: Codes  # (n,)
    previous: Integers | None = None  # (n,), -1 if a label is not compared
    entity: Codes | None = None  # (n,)


def _test(evidence: Labels) -> SignificanceResult:
    """Test whether labels are in random order; the statistic is the number of repeats.

    The p-value is twice the smaller tail probability of the number of repeats, at most 1. It is NaN
    if all labels have one class. It is exact for two classes, and for up to `MAX_EXACT` labels of
    more classes. Otherwise it is from the normal distribution if the standard deviation of the
    number of repeats is at least `MIN_NORMAL_SD`. In all other cases, and if `previous` is given,
    it is simulated by `DRAWS` random orders, which are the same in every run.
    """
    labels, previous, entity = evidence
    if entity is not None:
        return _within_entities(labels, previous, entity)
    counts = np.bincount(labels)
    counts = counts[counts > 0]
    all_adjacent = previous is None  # each label is compared with the label just before it
    earlier = np.arange(-1, len(labels) - 1) if previous is None else previous
    later = np.flatnonzero(earlier >= 0)
    earlier = earlier[later]
    repeats = int(np.count_nonzero(labels[later] == labels[earlier]))
    if len(counts) < 2:
        return SignificanceResult(repeats, float("nan"))
    if all_adjacent and len(labels) <= MAX_EXACT:
        probabilities = repeat_probabilities([int(count) for count in counts])
    elif all_adjacent and len(counts) == 2:  # fast for any length; exact up to rounding
        probabilities = repeat_probabilities_two_classes(int(counts[0]), int(counts[1]))
    elif all_adjacent and math.sqrt(repeat_moments(counts)[1]) >= MIN_NORMAL_SD:
        return _normal_test(repeats, *repeat_moments(counts))
    else:
        return _simulated_test(labels, later, earlier, repeats)
    upper_tail = float(probabilities[repeats:].sum())
    lower_tail = float(probabilities[: repeats + 1].sum())
    p_value = min(1.0, 2.0 * min(upper_tail, lower_tail))
    return SignificanceResult(repeats, p_value, details={"method": "exact"})


def _normal_test(repeats: int, mean: float, variance: float) -> SignificanceResult:
    """Two-sided test by the normal distribution, with a continuity correction of 1/2."""
    z = max(abs(repeats - mean) - 0.5, 0.0) / math.sqrt(variance)
    return SignificanceResult(repeats, math.erfc(z / math.sqrt(2.0)), details={"method": NORMAL})


def _within_entities(labels: Codes, previous: Integers | None, entity: Codes) -> SignificanceResult:
    """Test whether labels are in random order within each entity."""
    all_adjacent = previous is None  # adjacent among the labels of an entity
    earlier = previous_in_entity(entity) if previous is None else previous
    later = np.flatnonzero(earlier >= 0)
    earlier = earlier[later]
    repeats = int(np.count_nonzero(labels[later] == labels[earlier]))
    mean, variance = repeat_moments_by_group(entity, labels)
    if variance == 0.0:  # each entity has one class, or one label
        return SignificanceResult(repeats, float("nan"))
    if all_adjacent and math.sqrt(variance) >= MIN_NORMAL_SD:
        return _normal_test(repeats, mean, variance)
    return _simulated_test(labels, later, earlier, repeats, entity)


def _simulated_test(
    labels: Codes,
    later: Integers,
    earlier: Integers,
    repeats: int,
    entity: Codes | None = None,
) -> SignificanceResult:
    """Two-sided test by random orders; labels[later] are compared with labels[earlier]."""
    n_draws = max(MIN_DRAWS, min(DRAWS, _SHUFFLED_LABELS // len(labels)))
    # The key of the random numbers must stay as it is: other keys give other p-values.
    rng, shuffled = generator("check", "orders"), labels.copy()
    by_entity = None if entity is None else order_by_entity(entity)
    repeats_of_draws = np.empty(n_draws, dtype=np.int64)
    for draw in range(n_draws):
        if by_entity is None or entity is None:
            rng.shuffle(shuffled)
        else:
            shuffled[by_entity] = labels[np.lexsort((rng.random(len(labels)), entity))]
        repeats_of_draws[draw] = np.count_nonzero(shuffled[later] == shuffled[earlier])
    tails = (
        np.count_nonzero(repeats_of_draws >= repeats),
        np.count_nonzero(repeats_of_draws <= repeats),
    )
    p_value = min(1.0, 2.0 * (min(tails) + 1) / (n_draws + 1))
    # The p-value is 2 q, for a tail probability q with the variance q (1 - q) / n_draws.
    error = float(np.sqrt(p_value * (2.0 - p_value) / n_draws))
    return SignificanceResult(repeats, p_value, error, {"method": f"{n_draws:,} random orders"})


def repeat_moments(counts: Integers) -> tuple[float, float]:
    """Mean and variance of the number of repeats in a random order (Mood, 1940).

    Parameters
    ----------
    counts : ndarray of int
        Number of labels of each class; their sum is at least two.
    """
    class_counts = counts.astype(np.float64)
    mean, variance = _moments(class_counts.sum(), (class_counts**2).sum(), (class_counts**3).sum())
    return float(mean), float(variance)


def repeat_moments_by_group(groups: Codes | Integers, labels: NDArray[Any]) -> tuple[float, float]:
    """Mean and variance of the number of repeats if the order is random within each group.

    Parameters
    ----------
    groups, labels : ndarray of int, shape (n,)
        The group of each label, and its class code, from 0.
    """
    k = int(labels.max()) + 1
    pair_codes, counts_of_pairs = np.unique(groups * k + labels, return_counts=True)
    group, counts = pair_codes // k, counts_of_pairs.astype(np.float64)
    n, squares, cubes = (np.bincount(group, counts**power) for power in (1, 2, 3))
    has_repeats = n > 1
    mean, variance = _moments(n[has_repeats], squares[has_repeats], cubes[has_repeats])
    return float(mean.sum()), float(variance.sum())


def _moments(n: Any, squares: Any, cubes: Any) -> tuple[Any, Any]:
    """Mean and variance from the sums of the powers of class counts; see `repeat_moments`."""
    variance = squares * (squares + n * (n + 1.0)) - 2.0 * n * cubes - n**3
    return squares / n - 1.0, np.maximum(variance / (n**2 * (n - 1.0)), 0.0)


def repeat_probabilities_two_classes(a: int, b: int) -> Floats:
    """Probabilities of 0, 1, ... repeats among `a` labels of one class and `b` of another."""
    log_orders = _log_choose(a + b, np.array([a]))

    def proportion(runs_a: Integers, runs_b: Integers) -> Floats:
        """Proportion of the orders that start with a given class and have these numbers of runs."""
        log_cuts = _log_choose(a - 1, runs_a - 1) + _log_choose(b - 1, runs_b - 1)
        return np.exp(log_cuts - log_orders)

    # The runs of two classes alternate: their numbers are equal, or differ by 1.
    runs = np.arange(2, a + b + 1)
    half = runs // 2
    even = 2.0 * proportion(half, half)
    odd = proportion(half, half + 1) + proportion(half + 1, half)
    probabilities = np.zeros(a + b)
    probabilities[a + b - runs] = np.where(runs % 2 == 0, even, odd)
    return probabilities


def _log_choose(n: int, k: Integers) -> Floats:
    """Logarithm of the binomial coefficient; -inf unless 0 <= k <= n."""
    from scipy.special import gammaln  # here, as small samples do not need it

    is_valid = (k >= 0) & (k <= n)
    valid_k = np.where(is_valid, k, 0)
    value = gammaln(n + 1) - gammaln(valid_k + 1) - gammaln(n - valid_k + 1)
    return np.where(is_valid, value, -np.inf)


def repeat_probabilities(counts: list[int]) -> Floats:
    """Probabilities of 0, 1, ... repeats for any number of classes.

    A class of n labels is cut into j blocks in C(n - 1, j - 1) ways. Multinomial coefficients count
    the ways to put the blocks of all classes in a row. In a row, blocks of one class may be
    neighbours. So an order with r repeats is counted C(r, t) times among the rows with t repeats
    inside blocks. Inclusion-exclusion corrects this. All numbers are integers, so the result is
    exact.
    """
    rows = [1]  # number of rows by the number of blocks
    for n in counts:
        cuts = [0, *(comb(n - 1, j - 1) for j in range(1, n + 1))]
        longer_rows = [0] * (len(rows) + n)
        for i, row_count in enumerate(rows):
            for j, cut_count in enumerate(cuts):
                longer_rows[i + j] += row_count * cut_count * comb(i + j, j)
        rows = longer_rows
    n = sum(counts)
    rows_by_repeats = [rows[n - t] for t in range(n)]  # index: repeats inside blocks
    orders = (
        sum((-1) ** (t - r) * comb(t, r) * rows_by_repeats[t] for t in range(r, n))
        for r in range(n)
    )
    return np.array([order_count / rows_by_repeats[0] for order_count in orders])


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
