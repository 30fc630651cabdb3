"""The class with the highest vote of one model, from sums of logarithms; see the package."""

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
    summary_index,
    value_weight,
)
from streameval.learners.bayes.engine.terms import STALENESS, derive_terms_again
from streameval.learners.bayes.gaussian_record import (
    BLOCK,
    HEAD,
    INVERSE,
    LOG_PEAK,
    MAGNITUDE,
    MEAN,
)

#: If logarithmic scores differ by less than this number, the exact votes are compared. It covers
#: the error of `rough_log`, which is 3e-6 for about thirty attributes, up to 10,000 attributes, and
#: the similar error of `rough_exps`.
CLOSE_SCORES = 1e-3
#: A product is a normal double if the absolute logarithms of its factors sum to less than this
#: number. The smallest normal double is exp(-708). The difference leaves 50 for the proportion of
#: the class weight, and the rest for stale terms. Proportions below exp(-50), about 2e-22, are not
#: covered: the label can then differ from `exact`, for example if all exact votes are zero.
SAFE_LOGARITHM = 640.0
#: A product is exactly zero if its logarithm is below -745; stale terms add up to 5. The rounding
#: of denormal numbers can double a product at each factor, which `log_score` adds.
ZERO_LOGARITHM = 800.0
#: Up to this number of classes, all are scored at once, and none is skipped as negligible.
FEW_CLASSES = 16
#: A vote is negligible if its logarithm is smaller than the logarithm of another vote by this
#: number. Stale terms change the difference of logarithms by at most a few units.
NEGLIGIBLE_DIFFERENCE = 64.0
#: Number of blocks of attributes between two checks whether a class is impossible or negligible.
BLOCKS_PER_CHECK = 2
LOG_2 = math.log(2.0)


@inlined
def predict_label(stats: Statistics, slot: int, prior: Floats, row: Floats, complete: bool) -> int:
    """Class with the highest vote, the first of equal votes; 0 if all votes are zero.

    `prior` (k,) holds the class weights.
    """
    if complete:
        winner, is_certain = _find_likeliest(stats, slot, prior.shape[0], STALENESS)
        if is_certain:
            return winner
    return _label_after_update(stats, slot, prior, row, complete)


@inlined
def _label_after_update(
    stats: Statistics, slot: int, prior: Floats, row: Floats, complete: bool
) -> int:
    """Result of `predict_label`, from scores with updated terms, or else from exact votes."""
    if complete:
        _update_terms(stats, slot, prior)
        winner, is_certain = _find_likeliest(stats, slot, prior.shape[0], 0.0)
        if is_certain:
            return winner
    return exact.label(stats, slot, prior, row)


@subkernel
def _update_terms(stats: Statistics, slot: int, prior: Floats) -> None:
    """Derive stale terms again; `prior` (k,) holds the class weights."""
    for c in range(prior.shape[0]):
        record = record_of(stats, slot, c)
        derive_terms_again(stats.record, record, stats.n_blocks, stats.x, prior[c])


@inlined
def _find_likeliest(stats: Statistics, slot: int, k: int, staleness: float) -> tuple[int, bool]:
    """Class with the highest score, and whether it certainly has the highest vote.

    `staleness` bounds the relative error of scores and their terms.
    """
    ranking, gap = _EMPTY_RANKING, negligible_gap(stats)
    for c in range(k):
        floor = -np.inf if k <= FEW_CLASSES else ranking[0] - gap
        score, distance, is_certain = log_score(stats, slot, c, floor)
        ranking = _add_to_ranking(ranking, c, score, distance, is_certain, staleness)
    return _winner(stats, ranking, staleness)


#: The highest certain score so far, the second highest certain score, the highest score that is not
#: certain, and the distance and the class of the highest certain score.
_EMPTY_RANKING = (-np.inf, -np.inf, -np.inf, 0.0, 0)


@inlined
def _add_to_ranking(
    ranking: tuple[float, float, float, float, int],
    c: int,
    score: float,
    distance: float,
    is_certain: bool,
    staleness: float,
) -> tuple[float, float, float, float, int]:
    """Add a class, with the result of `log_score`, to the ranking."""
    best, second, best_uncertain, best_distance, winner = ranking
    score += staleness * distance  # upper bound of the score
    if not is_certain:
        return best, second, max(best_uncertain, score), best_distance, winner
    # Selections instead of branches: which class is ahead cannot be predicted by the processor.
    second = max(second, min(score, best))
    best_distance = distance if score > best else best_distance
    winner = c if score > best else winner
    return max(best, score), second, best_uncertain, best_distance, winner


@inlined
def _winner(
    stats: Statistics, ranking: tuple[float, float, float, float, int], staleness: float
) -> tuple[int, bool]:
    """The best class of a ranking, and whether it certainly has the highest vote."""
    best, second, best_uncertain, best_distance, winner = ranking
    # If a vote is not certain, rounding can double it at each attribute.
    rival = max(second, best_uncertain + LOG_2 * stats.position.shape[0])
    # `best` is an upper bound, so its lower bound is smaller by twice the error. In each of the two
    # scores, a density adds staleness / 2 to the error, and the class weight adds staleness.
    margin = staleness * (2.0 * best_distance + stats.numeric.shape[0] + 2.0) + CLOSE_SCORES
    all_zero = best == -np.inf and best_uncertain == -np.inf
    return winner, best - rival > margin or all_zero


@inlined
def negligible_gap(stats: Statistics) -> float:
    """Smallest difference between a certain score and the score of a negligible class.

    The vote of a negligible class is smaller by a factor of at least 1e20. Rounding of denormal
    numbers can double it at each attribute.
    """
    return NEGLIGIBLE_DIFFERENCE + LOG_2 * stats.position.shape[0]


@inlined
def log_score(stats: Statistics, slot: int, c: int, floor: float) -> tuple[float, float, bool]:
    """Logarithm of a class's vote, `_distance` to the means, and whether the vote is certain.

    A vote is certain if multiplication would give the same vote. -inf stands for a vote of exactly
    zero, or for a score below `floor`, which is negligible. If a vote is not certain, each
    attribute can at most double it. +inf stands for a vote that may have any value.
    """
    record = record_of(stats, slot, c)
    if record == UNOBSERVED:
        return -np.inf, 0.0, True
    magnitude = lanes.load_item(stats.record, record + MAGNITUDE)
    if magnitude > SAFE_LOGARITHM:
        return np.inf, 0.0, False  # the product may overflow
    peak = lanes.load_item(stats.record, record + LOG_PEAK)
    # Beyond the first bound the vote is exactly zero, since peaks multiply to at most
    # exp(magnitude). Beyond the second bound the score is below `floor`.
    limit = min(magnitude + ZERO_LOGARITHM + LOG_2 * stats.position.shape[0], peak - floor)
    distance = _distance(stats, record, limit)
    if distance > limit:
        return -np.inf, 0.0, True
    log_nominal, product = 0.0, 1.0  # of the proportions of nominal values
    n = n_nominal(stats, slot)
    for i in range(np.uint64(n)):
        j = nominal_at(stats, slot, i)
        inverse = lanes.load_item(
            stats.record, summary_index(stats, record, INVERSE_TOTAL, np.int64(j))
        )
        product *= (value_weight(stats, record, np.int64(stats.value_index[j])) + 1.0) * inverse
        if product < 1e-140:  # long before it underflows: the next proportion may be small
            if product == 0.0:
                return -np.inf, 0.0, True
            log_nominal += rough_log(product)
            product = 1.0
    if n > 0:
        log_nominal += rough_log(product)
    score = peak - distance + log_nominal
    sum_of_logarithms = distance - log_nominal + magnitude  # absolute, without the class weight
    return score, distance, sum_of_logarithms < SAFE_LOGARITHM


@inlined
def _distance(stats: Statistics, record: int, limit: float) -> float:
    """Sum of (x - mean)²/(2·variance), or some number above `limit` if the sum is larger."""
    sums, start = fill(0.0), record + HEAD
    for block in range(stats.n_blocks):
        if block % BLOCKS_PER_CHECK == 0 and block > 0 and lanes.total(sums) > limit:
            break
        mean = lanes.load_at(stats.record, start + MEAN)
        difference = lanes.load_at(stats.x, block * WIDTH) - mean
        sums += difference * difference * lanes.load_at(stats.record, start + INVERSE)
        start += BLOCK
    return lanes.total(sums)
