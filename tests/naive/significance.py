"""Significance tests, written as their definitions are."""

from __future__ import annotations

import itertools
import math

import numpy as np


def kappa_z(true, predicted):
    """z and p-value of kappa, from the lists of labels."""
    n = len(true)
    p0 = sum(y == a for y, a in zip(true, predicted, strict=True)) / n
    # Each prediction beside each true label: what chance does on average.
    chance = sum(y == a for y in true for a in predicted) / n**2
    if chance in (0, 1):
        return math.nan, math.nan
    kappa = (p0 - chance) / (1 - chance)
    z = kappa / math.sqrt(chance / (n * (1 - chance)))
    return z, 0.5 * math.erfc(z / math.sqrt(2))


def p_value_of_repeats(labels, previous):
    """Twice the smaller tail of the number of repeats, from a list of all orders."""

    def repeats(order):
        return sum(order[i] == order[j] for i, j in enumerate(previous) if j >= 0)

    observed, seen = repeats(list(labels)), [repeats(o) for o in itertools.permutations(labels)]
    more, fewer = (sum(r >= observed for r in seen), sum(r <= observed for r in seen))
    return min(1.0, 2.0 * min(more, fewer) / len(seen))


def p_value_within_entities(labels, entities):
    """The same of repeats of an entity's previous label, from all orders within entities."""
    names = sorted(set(entities))
    by_entity = [
        [y for y, of in zip(labels, entities, strict=True) if of == name] for name in names
    ]

    def repeats(orders):
        return sum(a == b for order in orders for a, b in itertools.pairwise(order))

    seen = [
        repeats(orders) for orders in itertools.product(*map(itertools.permutations, by_entity))
    ]
    more, fewer = (
        sum(r >= repeats(by_entity) for r in seen),
        sum(r <= repeats(by_entity) for r in seen),
    )
    return repeats(by_entity), min(1.0, 2.0 * min(more, fewer) / len(seen))


def repeats_in_all_orders(counts):
    """The probabilities of 0, 1, ... repeats, from a list of all orders."""
    labels = [label for label, count in enumerate(counts) for _ in range(count)]
    proportions = np.zeros(len(labels))
    for order in itertools.permutations(labels):
        proportions[sum(a == b for a, b in itertools.pairwise(order))] += 1
    return proportions / proportions.sum()


def signed_ranks(differences):
    """Rank sums of positive and negative differences, and Wilcoxon's p-value over all signs."""
    kept = [d for d in differences if d != 0]
    sizes = sorted(abs(d) for d in kept)
    ranks = [np.mean([i + 1 for i, size in enumerate(sizes) if size == abs(d)]) for d in kept]
    positive = sum(rank for rank, d in zip(ranks, kept, strict=True) if d > 0)
    negative = sum(ranks) - positive
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign > 0)
        for signs in itertools.product((-1, 1), repeat=len(ranks))
    ]
    low = np.mean([total <= min(positive, negative) for total in sums])
    return positive, negative, min(1.0, 2 * float(low))


def sign_flips(differences):
    """The p-value of the mean over all flips of signs."""
    means = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    return np.mean([mean >= abs(sum(differences)) for mean in means])


def mean_ranks(scores):
    """Mean rank of each learner; equal learners share their ranks."""
    ranks = [
        [1 + sum(other > value for other in row) + (row.count(value) - 1) / 2 for value in row]
        for row in scores
    ]
    return [sum(column) / len(scores) for column in zip(*ranks, strict=True)]


def bounded_mean(values: list[float], confidence: float = 0.95) -> tuple[float, float]:
    """The interval of Learned-Miller and Thomas, by the package's own random quantiles."""
    import numpy as np

    from streameval.base.seeds import generator

    n, level = len(values), (1 + confidence) / 2
    quantiles = generator("bounded mean", n).random((10_000, n)).tolist()

    def upper(x: list[float]) -> float:
        steps = [*sorted(x), 1.0]
        largest = []
        for row in quantiles:
            mean = 1.0
            for i, u in enumerate(sorted(row)):
                mean -= u * (steps[i + 1] - steps[i])
            largest.append(mean)
        return float(np.quantile(largest, level, method="higher"))

    mean = sum(values) / n
    return min(1 - upper([1 - x for x in values]), mean), max(upper(values), mean)


def holm(p_values):
    """Adjusted p-values by closed testing: the largest of all sets of hypotheses with this one."""
    tests = range(len(p_values))
    sets = [s for size in range(1, len(p_values) + 1) for s in itertools.combinations(tests, size)]
    return [
        min(1.0, max(len(s) * min(p_values[j] for j in s) for s in sets if i in s)) for i in tests
    ]


def pair_means(differences):
    """The means of all pairs of differences, each with itself too, in increasing order."""
    n = len(differences)
    return sorted((differences[i] + differences[j]) / 2 for i in range(n) for j in range(i, n))


def regions(weights, differences, rope):
    """Probabilities of a mean of two differences below, within and above the rope."""
    counts = [0.0, 0.0, 0.0]
    for w, a in zip(weights, differences, strict=True):
        for v, b in zip(weights, differences, strict=True):
            mean = (a + b) / 2
            counts[0 if mean < -rope else 2 if mean > rope else 1] += w * v
    return counts
