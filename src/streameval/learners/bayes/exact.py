"""Gaussian Naive Bayes: the definition, operation for operation as in MOA.

The vote of a class is its proportion of the class weights, times the likelihood of each value that
is not missing, in the order of the attributes: the density of a Gaussian for a number, a corrected
proportion for a nominal value. The prediction is the class with the highest vote.

Learners predict through the `engine`, which is faster. The engine calls these functions if it
cannot be certain of their result, and also to learn values. Trees choose splits by the same
densities.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled.java_exp import java_exp
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import where
from streameval.learners.bayes.class_statistics import (
    Gaussian,
    Statistics,
    ValueCounts,
    counts_of,
    gaussian_of,
    n_observed,
    observed_attribute,
)


@inlined
def add_value(gaussian: Gaussian, value: Any, w: float) -> Gaussian:
    """Add a finite value of weight `w` to a Gaussian that is not empty (Welford's update)."""
    weight = gaussian.weight + w
    deviation = value - gaussian.mean
    mean = gaussian.mean + w * deviation / weight
    return Gaussian(weight, mean, gaussian.squares + w * deviation * (value - mean))


@inlined
def add_finite_value(gaussian: Gaussian, value: Any, w: float) -> Gaussian:
    """Add a value, unless it is missing or infinite; the first value becomes the mean."""
    is_finite = abs(value) < np.inf
    mean = where(gaussian.weight > 0.0, gaussian.mean, value)
    updated = add_value(Gaussian(gaussian.weight, mean, gaussian.squares), value, w)
    return Gaussian(
        where(is_finite, updated.weight, gaussian.weight),
        where(is_finite, updated.mean, gaussian.mean),
        where(is_finite, updated.squares, gaussian.squares),
    )


@inlined
def count_value(counts: ValueCounts, value: float, w: float) -> ValueCounts:
    """Counts of a nominal value after one more observation of it with weight `w`."""
    return ValueCounts(counts.weight + w, counts.total + w, max(counts.n_values, value + 1.0))


@inlined
def standard_deviation(gaussian: Gaussian) -> float:
    """Square root of the unbiased variance, without a lower bound; 0 up to weight 1."""
    if gaussian.weight > 1.0:
        return math.sqrt(gaussian.squares / (gaussian.weight - 1.0))
    return 0.0


@inlined
def density(gaussian: Gaussian, deviation: float, value: float) -> float:
    """Gaussian density at a value; a constant has density 1 at its mean and 0 elsewhere."""
    if gaussian.weight <= 0.0:
        return 0.0
    if deviation > 0.0:
        difference = value - gaussian.mean
        return (1.0 / (math.sqrt(2.0 * math.pi) * deviation)) * java_exp(
            -(difference * difference / (2.0 * deviation * deviation))
        )
    return 1.0 if value == gaussian.mean else 0.0


@inlined
def value_proportion(counts: ValueCounts) -> float:
    """Proportion of a value with Laplace's correction; 0 before the first observation."""
    return (counts.weight + 1.0) / (counts.total + counts.n_values) if counts.total > 0.0 else 0.0


@inlined
def likelihood(stats: Statistics, slot: int, c: int, place: int, value: float) -> float:
    """Likelihood of a value in class `c`; for `place` see `observed_attribute`."""
    if place >= 0:
        gaussian = gaussian_of(stats, slot, c, place)
        return density(gaussian, standard_deviation(gaussian), value)
    return value_proportion(counts_of(stats, slot, c, -1 - place, int(value)))


@inlined
def total_of(weights: Floats) -> float:
    """Sum of weights, added in their order."""
    total = 0.0
    for weight in weights:
        total += weight
    return total


@subkernel
def votes(stats: Statistics, slot: int, prior: Floats, row: Floats, out: Floats) -> None:
    """Write the vote of each class for an instance to `out` (k,), not normalised.

    `prior` (k,) holds the class weights of the model in a slot. Missing values are left out.
    """
    total = total_of(prior)
    for c in range(prior.shape[0]):
        out[c] = 0.0
        if prior[c] == 0.0:
            continue
        vote = prior[c] / total if total > 0.0 else 0.0
        for i in range(n_observed(stats)):
            attribute, place = observed_attribute(stats, slot, i)
            value = row[attribute]
            if value == value:
                vote *= likelihood(stats, slot, c, place, value)
        out[c] = vote


@inlined
def first_highest(votes: Floats) -> int:
    """Class with the highest vote, the first of equal votes; 0 if all votes are zero.

    As in MOA, a vote of NaN wins if it belongs to class 0, and loses otherwise.
    """
    winner = 0
    for c in range(1, votes.shape[0]):
        winner = c if votes[c] > votes[winner] else winner
    return winner


@subkernel
def label(stats: Statistics, slot: int, prior: Floats, row: Floats) -> int:
    """Class with the highest of the `votes`, which are left in ``stats.score``."""
    votes(stats, slot, prior, row, stats.score)
    return first_highest(stats.score)


@inlined
def prior_label(prior: Floats) -> int:
    """The result of `label` if no attribute has been observed: the highest class proportion.

    Division can make the proportions of different weights equal, so weights are not compared.
    """
    total, winner = total_of(prior), 0
    for c in range(1, prior.shape[0]):
        if prior[c] / total > prior[winner] / total:
            winner = c
    return winner
