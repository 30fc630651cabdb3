"""Naive Bayes scores of one instance by many models, eight models at a time.

All computations on the current instance use the scores: the likeliest class and the probability of
each class, before and after a model has learnt the instance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Flags, Floats, Integers
from streameval.compiled import instructions, lanes
from streameval.compiled.approximate import rough_exps
from streameval.compiled.kernels import inlined
from streameval.compiled.lanes import WIDTH, fill, where
from streameval.learners.bayes.class_statistics import NONE, Statistics
from streameval.learners.bayes.engine.instance import load_inputs
from streameval.learners.bayes.engine.labels import (
    CLOSE_SCORES,
    FEW_CLASSES,
    LOG_2,
    log_score,
    negligible_gap,
)


class Scores(NamedTuple):
    """The scores of k classes by each of m models; m' is m rounded up to a multiple of `WIDTH`.

    Scores are valid only for the current instance, if it is complete; see `load_instance`.
    With many classes, most votes are zero or negligible. So only candidate classes are considered;
    the others have score -inf and weight 0. With at most `FEW_CLASSES`, all are candidates.
    """

    candidate: Integers  # (k,) the candidates, at the front
    n_candidates: Integers  # (1,)
    is_candidate: Flags  # (k,)

    score: Floats  # (k, m') logarithms of votes
    distance: Floats  # (k, m') part of the score: sum of scaled squared distances from means
    certain: Floats  # (k, m') 1 or 0, see `log_score`
    staleness: Floats  # (m',) bound on the relative error of terms of scores; inf: no scores
    label: Floats  # (m',) the likeliest class, or NONE if that is not certain
    uses_bayes: Floats  # (m',) 1 for a model that votes by its scores, 0 by its class weights
    top_class: Floats  # (m',) the class of the highest vote, or NONE if other votes are close
    probability: Floats  # (k, m') approximation of normalised `exact.votes`
    error: Floats  # (m',) bound on the error of a probability, without rounding
    weight: Floats  # (k, m') class weights of models that vote by them; otherwise 0


@inlined
def _has_few_classes(scores: Scores) -> bool:
    return scores.score.shape[0] <= FEW_CLASSES


@inlined
def candidate(scores: Scores, i: Any) -> Any:
    """Class of candidate number `i`."""
    return i if _has_few_classes(scores) else np.uint64(scores.candidate[i])


def make_scores(n_models: int, n_classes: int) -> Scores:
    """Scores before the first instance."""
    n_lanes = -(-n_models // WIDTH) * WIDTH

    def by_class(value: float = 0.0) -> Floats:
        return instructions.aligned_copy(np.full(n_classes * n_lanes, value)).reshape(
            n_classes, n_lanes
        )

    def by_model(value: float) -> Floats:
        return instructions.aligned_copy(np.full(n_lanes, float(value)))

    return Scores(
        candidate=np.arange(n_classes),
        n_candidates=np.array([n_classes if n_classes <= FEW_CLASSES else 0]),
        is_candidate=np.full(n_classes, n_classes <= FEW_CLASSES),
        score=by_class(-np.inf),
        distance=by_class(),
        certain=by_class(1.0),
        staleness=by_model(np.inf),
        label=by_model(NONE),
        uses_bayes=by_model(0.0),
        top_class=by_model(NONE),
        probability=by_class(),
        error=by_model(np.inf),
        weight=by_class(),
    )


@inlined
def reset_candidates(scores: Scores) -> None:
    """Reset the candidates of the previous instance; with few classes, all are overwritten."""
    if _has_few_classes(scores):
        return
    n_lanes = np.uint64(scores.staleness.shape[0])
    for i in range(np.uint64(scores.n_candidates[0])):
        c = np.uint64(scores.candidate[i])
        scores.is_candidate[c] = False
        for place in range(c * n_lanes, (c + np.uint64(1)) * n_lanes, np.uint64(WIDTH)):
            lanes.store(scores.score, place, fill(-np.inf))
            lanes.store(scores.distance, place, fill(0.0))
            lanes.store(scores.certain, place, fill(1.0))
            lanes.store(scores.weight, place, fill(0.0))
    scores.n_candidates[0] = 0


@inlined
def _add_candidate(scores: Scores, c: int) -> None:
    if not (_has_few_classes(scores) or scores.is_candidate[np.uint64(c)]):
        scores.is_candidate[np.uint64(c)] = True
        scores.candidate[np.uint64(scores.n_candidates[0])] = c
        scores.n_candidates[0] += 1


@inlined
def store_class_weights(scores: Scores, m: int, prior: Floats, uses_bayes: bool) -> None:
    """Store the class weights of model `m`; they are its votes unless it `uses_bayes`."""
    scores.uses_bayes[m] = 1.0 if uses_bayes else 0.0
    if not uses_bayes or _has_few_classes(
        scores
    ):  # for few classes, copying is faster than a branch
        for c in range(np.uint64(prior.shape[0])):
            if _has_few_classes(scores) or prior[c] > 0.0:
                _add_candidate(scores, c)
                scores.weight[c, np.uint64(m)] = prior[c]


@inlined
def score_classes(
    stats: Statistics,
    slot: int,
    prior: Floats,
    row: Floats,
    scores: Scores,
    m: int,
    likely_class: int,
) -> Any:
    """Store the scores of all classes for model `m`, whose statistics are in a slot.

    With many classes `likely_class` is scored first: if its score is high, other classes are soon
    negligible. Return a likely class for the next model.
    """
    load_inputs(stats, slot, row)
    if not _has_few_classes(scores):
        return _score_many(stats, slot, prior, scores, m, likely_class)
    for c in range(prior.shape[0]):
        if prior[c] > 0.0:  # other votes are zero
            _store_score(scores, c, m, log_score(stats, slot, c, -np.inf))
        else:
            _store_score(scores, c, m, (-np.inf, 0.0, True))
    return likely_class


@inlined
def _score_many(
    stats: Statistics, slot: int, prior: Floats, scores: Scores, m: int, likely_class: int
) -> int:
    """Store the scores that are not negligible; return the class of the highest certain score."""
    gap, best, winner = negligible_gap(stats), -np.inf, likely_class
    for i in range(-1, prior.shape[0]):  # -1 stands for `likely_class`, which is first
        c = likely_class if i < 0 else i
        if i == likely_class or not prior[np.uint64(c)] > 0.0:
            continue
        result = log_score(stats, slot, c, best - gap)
        score, _, is_certain = result
        if score > -np.inf or not is_certain:
            _add_candidate(scores, c)
            _store_score(scores, c, m, result)
        if is_certain and score > best:
            best, winner = score, c
    return winner


@inlined
def score_class(stats: Statistics, slot: int, c: int, scores: Scores, m: int) -> bool:
    """Update the score of one class for model `m`, whose slot was loaded last.

    Return False if the score has fallen so far that other classes may no longer be negligible.
    """
    previous_score = scores.score[np.uint64(c), np.uint64(m)]
    result = log_score(stats, slot, c, -np.inf)
    _add_candidate(scores, c)
    _store_score(scores, c, m, result)
    # A fall by at most 1 is small compared with `negligible_gap`.
    return result[0] >= previous_score - 1.0 or _has_few_classes(scores)


@inlined
def _store_score(scores: Scores, c: Any, m: Any, result: tuple[float, float, bool]) -> None:
    """Store the result of `log_score` for a class and a model."""
    score, distance, is_certain = result
    i: Any = np.uint64(c)
    scores.score[i, np.uint64(m)], scores.distance[i, np.uint64(m)] = score, distance
    scores.certain[i, np.uint64(m)] = 1.0 if is_certain else 0.0


@inlined
def find_likeliest(stats: Statistics, scores: Scores, first: int) -> None:
    """Store the likeliest class of eight models from `first` on; NONE if it is not certain.

    `predict_label` does the same for a single model.
    """
    staleness = lanes.load_at(scores.staleness, first)
    n_lanes = np.uint64(scores.staleness.shape[0])
    best, second, best_uncertain = fill(-np.inf), fill(-np.inf), fill(-np.inf)
    best_distance, winner = fill(0.0), fill(float(NONE))
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        place = c * n_lanes + np.uint64(first)
        distance = lanes.load_at(scores.distance, place)
        score = lanes.load_at(scores.score, place) + staleness * distance  # its upper bound
        is_certain = lanes.load_at(scores.certain, place) > 0.0
        best_uncertain = where(is_certain, best_uncertain, lanes.maximum(score, best_uncertain))
        score = where(is_certain, score, fill(-np.inf))
        is_higher = score > best
        second = lanes.maximum(lanes.minimum(score, best), second)
        best_distance = where(is_higher, distance, best_distance)
        winner = where(is_higher, fill(float(c)), winner)
        best = where(is_higher, score, best)
    # If a vote is not certain, rounding can double it at each attribute.
    rival = lanes.maximum(second, best_uncertain + LOG_2 * stats.position.shape[0])
    # See `labels._winner`.
    n_numeric = stats.numeric.shape[0]
    margin = staleness * (2.0 * best_distance + (n_numeric + 2.0)) + CLOSE_SCORES
    is_clear = best - rival > margin
    lanes.store(scores.label, first, where(is_clear, winner, fill(float(NONE))))


@inlined
def write_probabilities(stats: Statistics, scores: Scores, first: int) -> None:
    """Write approximate probabilities of the candidates by eight models, with error bounds.

    The bound is infinite if a model's scores are not certain.
    """
    staleness = lanes.load_at(scores.staleness, first)
    n_lanes = np.uint64(scores.staleness.shape[0])
    best, best_distance, winner = fill(-np.inf), fill(0.0), fill(float(NONE))
    is_certain = staleness < np.inf
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        place = c * n_lanes + np.uint64(first)
        score = lanes.load_at(scores.score, place)
        is_certain &= lanes.load_at(scores.certain, place) > 0.0
        is_higher = score > best
        best_distance = where(is_higher, lanes.load_at(scores.distance, place), best_distance)
        best, winner = where(is_higher, score, best), where(is_higher, fill(float(c)), winner)
    is_certain &= best > -np.inf  # False if all votes are zero
    # Weights are relative to the likeliest class, whose weight is 1. If the sum of all weights can
    # be wrong by a fraction E, a probability can be wrong by (E + E)/(1 - E): in its weight, and in
    # the sum.
    total, total_error = fill(1.0), fill(0.0)
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        place = c * n_lanes + np.uint64(first)
        is_other = where(winner == float(c), fill(0.0), fill(1.0))
        weight = rough_exps(lanes.load_at(scores.score, place) - best)
        distances = lanes.load_at(scores.distance, place) + best_distance
        # As in `find_likeliest`; `rough_exps` adds the second CLOSE_SCORES.
        log_error = staleness * (distances + (stats.numeric.shape[0] + 2.0)) + 2.0 * CLOSE_SCORES
        is_certain &= log_error <= 1.0
        lanes.store(scores.probability, place, where(is_other > 0.0, weight, fill(1.0)))
        total += is_other * weight
        # exp(x) - 1 <= x + x² for x <= 1
        total_error += is_other * weight * (log_error + log_error * log_error)
    for i in range(np.uint64(scores.n_candidates[0])):
        place = candidate(scores, i) * n_lanes + np.uint64(first)
        lanes.store(scores.probability, place, lanes.load_at(scores.probability, place) / total)
    fraction = total_error / total
    is_bounded = is_certain & (fraction < 1.0)
    error = where(is_bounded, 2.0 * fraction / (1.0 - fraction), fill(np.inf))
    lanes.store(scores.error, first, error)
