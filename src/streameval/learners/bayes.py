"""Naive Bayes on class-conditional statistics.

Answers are MOA's, though MOA multiplies densities and this module adds logarithms. Two
things can tell these apart: products of densities that under- or overflow, and classes so
close that rounding decides. `label` notices both and then multiplies as MOA does.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from streameval.kernels import inlined, part
from streameval.learners.class_statistics import (
    EMPTY,
    REGULAR,
    Statistics,
    density,
    standard_deviation,
)

#: Logarithmic scores that differ by less are compared by the exact path. They carry the
#: rounding of single precision, 6e-8, of a sum of at most SAFE and of as many factors as
#: there are attributes.
CLOSE = 1e-3
#: exp(-708) is the smallest normal double; the prior takes up to 50 of that.
SAFE = 650.0
#: A product below exp(-760) is exactly zero, unless rounding among denormal numbers has held
#: it up: that can double it at each factor.
IMPOSSIBLE = 760.0
#: Attributes between two looks at whether a class has become impossible.
BLOCK = np.uint64(16)
LOG_2 = math.log(2.0)


@inlined
def _log_score(
    stats: Statistics, slot: int, c: int, row: NDArray[np.float64]
) -> tuple[float, bool]:
    """Return the logarithm of a class's vote, and whether multiplication would give that.

    -inf stands for a vote of exactly zero. Where multiplication would not, the vote is at
    most twice what the logarithm says for each attribute; +inf says that it may be anything.
    """
    if stats.kind[slot, c] != REGULAR:
        return (-np.inf, True) if stats.kind[slot, c] == EMPTY else (np.inf, False)
    magnitude = stats.magnitude[slot, c]
    if magnitude > SAFE:
        return np.inf, False  # a product of so many or so extreme densities may overflow
    impossible = magnitude + IMPOSSIBLE + LOG_2 * stats.position.shape[0]
    distance = _distance(stats, slot, c, impossible)
    if distance > impossible:
        return -np.inf, True
    chance, product = 0.0, 1.0
    for j in range(stats.nominal.shape[0]):
        v = stats.offset[j] + int(row[stats.nominal[j]])
        product *= (stats.counts[slot, c, v] + 1.0) * stats.share[slot, c, j]
        if product < 1e-140:
            if product == 0.0:
                return -np.inf, True
            chance += math.log(product)
            product = 1.0
    if product != 1.0:
        chance += math.log(product)
    score = stats.log_peak[slot, c] - distance + chance
    return score, distance - chance + magnitude < SAFE


@inlined
def _distance(stats: Statistics, slot: int, c: int, enough: float) -> float:
    """Return the sum of (x - mean)²/(2·variance), or some number above `enough`."""
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    width = np.uint64(stats.x.shape[0])
    base = np.uint64(slot * stats.score.shape[0] + c) * width
    mean, inverse, x = stats.mean, stats.inverse, stats.x
    distance = 0.0
    j = np.uint64(0)
    while j < width:
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        stop = min(j + BLOCK, width)
        while j < stop:
            i = base + j
            d0, d1 = x[j] - mean[i], x[j + one] - mean[i + one]
            d2, d3 = x[j + two] - mean[i + two], x[j + three] - mean[i + three]
            s0 += d0 * d0 * inverse[i]
            s1 += d1 * d1 * inverse[i + one]
            s2 += d2 * d2 * inverse[i + two]
            s3 += d3 * d3 * inverse[i + three]
            j += four
        distance += (s0 + s1) + (s2 + s3)
        if distance > enough:
            break
    return distance


@inlined
def label(
    stats: Statistics,
    slot: int,
    prior: NDArray[np.float64],
    row: NDArray[np.float64],
    whole: bool,
) -> int:
    """Return the class of the highest vote, the first of equals; 0 if all votes are zero.

    `prior` (k,) holds the class weights.
    """
    if not whole:
        return exact_label(stats, slot, prior, row)
    best, second, doubtful, answer = -np.inf, -np.inf, -np.inf, 0
    for c in range(prior.shape[0]):
        score, certain = _log_score(stats, slot, c, row)
        if not certain:
            doubtful = max(doubtful, score)
            continue
        # Selections: which class is ahead is nothing a processor can guess.
        second = max(second, min(score, best))
        answer = c if score > best else answer
        best = max(best, score)
    # Rounding among denormal numbers can double a product at each of its factors.
    doubtful += LOG_2 * stats.position.shape[0]
    if best - max(second, doubtful) > CLOSE:
        return answer
    if best == -np.inf and doubtful == -np.inf:
        return 0
    return exact_label(stats, slot, prior, row)


@part
def exact_label(
    stats: Statistics, slot: int, prior: NDArray[np.float64], row: NDArray[np.float64]
) -> int:
    """Return what `label` returns, by multiplying densities in the order of the attributes."""
    votes(stats, slot, prior, row, stats.score)
    best, answer = stats.score[0], 0
    for c in range(1, prior.shape[0]):
        if stats.score[c] > best:
            best, answer = stats.score[c], c
    return answer


@part
def votes(
    stats: Statistics,
    slot: int,
    prior: NDArray[np.float64],
    row: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Write the product of prior and densities of each class to `out` (k,), not normalised."""
    k, width = prior.shape[0], stats.x.shape[0]
    total = 0.0
    for c in range(k):
        total += prior[c]
    for c in range(k):
        vote = prior[c] / total if total > 0.0 else 0.0
        for attribute in range(row.shape[0]):
            value, place = row[attribute], stats.position[attribute]
            if value != value:
                continue
            if place >= 0:
                i = (slot * k + c) * width + place
                vote *= density(stats, i, standard_deviation(stats, i), value)
            else:
                j = -1 - place
                if stats.total[slot, c, j] > 0.0:
                    count = stats.counts[slot, c, stats.offset[j] + int(value)]
                    vote *= (count + 1.0) / (stats.total[slot, c, j] + stats.top[slot, c, j])
                else:
                    vote = vote * 0.0
        out[c] = vote
