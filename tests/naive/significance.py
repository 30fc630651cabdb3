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


def repeats_in_all_orders(counts):
    """The probabilities of 0, 1, ... repeats, from a list of all orders."""
    labels = [label for label, count in enumerate(counts) for _ in range(count)]
    found = np.zeros(len(labels))
    for order in itertools.permutations(labels):
        found[sum(one == other for one, other in itertools.pairwise(order))] += 1
    return found / found.sum()
