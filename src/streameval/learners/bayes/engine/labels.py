"""The class with the highest vote of one model, by sums of logarithms; see the package."""

from __future__ import annotations

import math

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.approximate import rough_log
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import WIDTH, fill
from streameval.learners.bayes import exact
from streameval.learners.bayes.class_statistics import (
    INVERSE_TOTAL,
    UNOBSERVED,
    Statistics,
    n_nominal,
    nominal_at,
    record_of,
    sum_at,
    value_weight,
)
from streameval.learners.bayes.engine.terms import STALENESS, renew_terms
from streameval.learners.bayes.gaussian_record import (
    BLOCK,
    HEAD,
    INVERSE,
    LOG_PEAK,
    MAGNITUDE,
    MEAN,
)

#: Logarithmic scores that differ by less are compared by the exact path. They carry the error
#: of `rough_log`, 3e-6, once for some thirty attributes, and that of `rough_exps`.
CLOSE_SCORES = 1e-3
#: exp(-708) is the smallest normal double; the prior takes up to 50 of that, staleness the rest.
SAFE = 640.0
#: A product below exp(-745) is exactly zero, unless rounding among denormal numbers has held it
#: up, which can double it at each factor. Staleness takes up to 5 of that.
IMPOSSIBLE = 800.0
#: Up to this number of classes, all are scored at once, and none is skipped as negligible.
FEW_CLASSES = 16
#: A vote is negligible if its logarithm is so much smaller than that of another; staleness takes
#: a few of that.
NEGLIGIBLE = 64.0
#: Blocks of attributes between two checks whether a class has become impossible or negligible.
PATIENCE = 2
LOG_2 = math.log(2.0)


@inlined
def predict_label(stats: Statistics, slot: int, prior: Floats, row: Floats, complete: bool) -> int:
    """Class with the highest vote, the first of equals; 0 if all votes are zero.

    `prior` (k,) holds the class weights.
    """
    if complete:
        winner, certain = _likeliest(stats, slot, prior.shape[0], STALENESS)
        if certain:
            return winner
    return _label_closely(stats, slot, prior, row, complete)


@inlined
def _label_closely(stats: Statistics, slot: int, prior: Floats, row: Floats, complete: bool) -> int:
    """Result of `label`, from scores if they decide after an update, otherwise from the votes."""
    if complete:
        _refresh(stats, slot, prior)
        winner, certain = _likeliest(stats, slot, prior.shape[0], 0.0)
        if certain:
            return winner
    return exact.label(stats, slot, prior, row)


@subkernel
def _refresh(stats: Statistics, slot: int, prior: Floats) -> None:
    """Derive stale terms again; `prior` (k,) holds the class weights."""
    for c in range(prior.shape[0]):
        record = record_of(stats, slot, c)
        renew_terms(stats.record, record, stats.blocks, stats.x, prior[c])


@inlined
def _likeliest(stats: Statistics, slot: int, k: int, staleness: float) -> tuple[int, bool]:
    """Class with the highest score, and whether it certainly has the highest vote.

    `staleness` bounds the relative error of scores and their terms.
    """
    race, apart = _START, negligible(stats)
    for c in range(k):
        floor = -np.inf if k <= FEW_CLASSES else race[0] - apart
        score, distance, certain = log_score(stats, slot, c, floor)
        race = _enter(race, c, score, distance, certain, staleness)
    return _winner(stats, race, staleness)


#: The highest score so far, the second highest, the highest of those that are not certain, the
#: distance of the highest, and its class.
_START = (-np.inf, -np.inf, -np.inf, 0.0, 0)


@inlined
def _enter(
    race: tuple[float, float, float, float, int],
    c: int,
    score: float,
    distance: float,
    certain: bool,
    staleness: float,
) -> tuple[float, float, float, float, int]:
    """Add one more class, with the result of `log_score`, to the comparison."""
    best, second, doubtful, away, winner = race
    score += staleness * distance  # what it can be at most
    if not certain:
        return best, second, max(doubtful, score), away, winner
    # Selections instead of branches: which class is ahead cannot be predicted by the processor.
    second = max(second, min(score, best))
    away = distance if score > best else away
    winner = c if score > best else winner
    return max(best, score), second, doubtful, away, winner


@inlined
def _winner(
    stats: Statistics, race: tuple[float, float, float, float, int], staleness: float
) -> tuple[int, bool]:
    best, second, doubtful, away, winner = race
    # Rounding among denormal numbers can double a product at each of its factors.
    rival = max(second, doubtful + LOG_2 * stats.position.shape[0])
    margin = staleness * (2.0 * away + stats.numeric.shape[0] + 2.0) + CLOSE_SCORES
    return winner, best - rival > margin or (best == -np.inf and doubtful == -np.inf)


@inlined
def negligible(stats: Statistics) -> float:
    """Smallest difference between the score of a negligible class and that of a certain one.

    The vote of a negligible class is smaller by a factor of at least 1e20. Rounding of denormal
    numbers can double it at each attribute.
    """
    return NEGLIGIBLE + LOG_2 * stats.position.shape[0]


@inlined
def log_score(stats: Statistics, slot: int, c: int, floor: float) -> tuple[float, float, bool]:
    """Logarithm of a class's vote, its distance, and whether the vote is certain.

    A vote is certain if multiplication would give the same vote. -inf stands for a vote of exactly
    zero, and for a score below the `floor`, that of negligible classes. If a vote is not certain,
    each attribute can at most double it; +inf means that it may have any value.
    """
    record = record_of(stats, slot, c)
    if record == UNOBSERVED:
        return -np.inf, 0.0, True
    magnitude = lanes.item(stats.record, record + MAGNITUDE)
    if magnitude > SAFE:
        return np.inf, 0.0, False  # a product of so many or so extreme densities may overflow
    peak = lanes.item(stats.record, record + LOG_PEAK)
    enough = min(magnitude + IMPOSSIBLE + LOG_2 * stats.position.shape[0], peak - floor)
    distance = _distance(stats, record, enough)
    if distance > enough:
        return -np.inf, 0.0, True
    chance, product = 0.0, 1.0
    n = n_nominal(stats, slot)
    for i in range(np.uint64(n)):
        j = nominal_at(stats, slot, i)
        inverse = lanes.item(stats.record, sum_at(stats, record, INVERSE_TOTAL, np.int64(j)))
        product *= (value_weight(stats, record, np.int64(stats.place[j])) + 1.0) * inverse
        if product < 1e-140:
            if product == 0.0:
                return -np.inf, 0.0, True
            chance += rough_log(product)
            product = 1.0
    if n > 0:
        chance += rough_log(product)
    score = peak - distance + chance
    return score, distance, distance - chance + magnitude < SAFE


@inlined
def _distance(stats: Statistics, record: int, enough: float) -> float:
    """Sum of (x - mean)²/(2·variance), or some number above `enough` if the sum is larger."""
    sums, at = fill(0.0), record + HEAD
    for block in range(stats.blocks):
        if block % PATIENCE == 0 and block > 0 and lanes.total(sums) > enough:
            break
        difference = lanes.load_at(stats.x, block * WIDTH) - lanes.load_at(stats.record, at + MEAN)
        sums += difference * difference * lanes.load_at(stats.record, at + INVERSE)
        at += BLOCK
    return lanes.total(sums)
