"""Naive Bayes scores of one instance by many models, eight models at a time.

The scores serve all computations on the current instance: the likeliest class, the probability of
each class, and the same again after a model has learnt the instance.
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
    negligible,
)


class Scores(NamedTuple):
    """The scores of k classes by each of m models; m' is m rounded up to a multiple of `WIDTH`.

    They hold for the current instance only, and only if that is complete, see `load_instance`.
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
    by_bayes: Floats  # (m',) 1 where a model votes by its scores, 0 where by its class weights
    top_class: Floats  # (m',) the class of the highest vote, or NONE if others are close
    probability: Floats  # (k, m') nearly `exact.votes` divided by its sum
    error: Floats  # (m',) bound on the error of a probability, besides rounding
    weight: Floats  # (k, m') class weights, of models that vote by them; otherwise 0


@inlined
def _are_few(scores: Scores) -> bool:
    return scores.score.shape[0] <= FEW_CLASSES


@inlined
def candidate(scores: Scores, i: Any) -> Any:
    """Class of candidate number `i`."""
    return i if _are_few(scores) else np.uint64(scores.candidate[i])


def make_scores(models: int, classes: int) -> Scores:
    """Empty scores."""
    n_lanes = -(-models // WIDTH) * WIDTH

    def by_class(value: float = 0.0) -> Floats:
        return instructions.aligned_copy(np.full(classes * n_lanes, value)).reshape(
            classes, n_lanes
        )

    def all_equal(value: float) -> Floats:
        return instructions.aligned_copy(np.full(n_lanes, float(value)))

    return Scores(
        candidate=np.arange(classes),
        n_candidates=np.array([classes if classes <= FEW_CLASSES else 0]),
        is_candidate=np.full(classes, classes <= FEW_CLASSES),
        score=by_class(-np.inf),
        distance=by_class(),
        certain=by_class(1.0),
        staleness=all_equal(np.inf),
        label=all_equal(NONE),
        by_bayes=all_equal(0.0),
        top_class=all_equal(NONE),
        probability=by_class(),
        error=all_equal(np.inf),
        weight=by_class(),
    )


@inlined
def forget(scores: Scores) -> None:
    """Reset the candidates of the previous instance; few classes are overwritten instead."""
    if _are_few(scores):
        return
    width = np.uint64(scores.staleness.shape[0])
    for i in range(np.uint64(scores.n_candidates[0])):
        c = np.uint64(scores.candidate[i])
        scores.is_candidate[c] = False
        for at in range(c * width, (c + np.uint64(1)) * width, np.uint64(WIDTH)):
            lanes.store(scores.score, at, fill(-np.inf))
            lanes.store(scores.distance, at, fill(0.0))
            lanes.store(scores.certain, at, fill(1.0))
            lanes.store(scores.weight, at, fill(0.0))
    scores.n_candidates[0] = 0


@inlined
def _nominate(scores: Scores, c: int) -> None:
    if not (_are_few(scores) or scores.is_candidate[np.uint64(c)]):
        scores.is_candidate[np.uint64(c)] = True
        scores.candidate[np.uint64(scores.n_candidates[0])] = c
        scores.n_candidates[0] += 1


@inlined
def weigh_classes(scores: Scores, m: int, prior: Floats, by_bayes: bool) -> None:
    """Store the class weights of model `m`; they are its votes unless it votes `by_bayes`."""
    scores.by_bayes[m] = 1.0 if by_bayes else 0.0
    if not by_bayes or _are_few(scores):  # for few classes, copying is faster than a branch
        for c in range(np.uint64(prior.shape[0])):
            if _are_few(scores) or prior[c] > 0.0:
                _nominate(scores, c)
                scores.weight[c, np.uint64(m)] = prior[c]


@inlined
def score_classes(
    stats: Statistics, slot: int, prior: Floats, row: Floats, scores: Scores, m: int, likely: int
) -> Any:
    """Store the scores of all classes for model `m`, whose statistics are in a slot.

    With many classes `likely` is scored first: if its score is high, others are soon negligible.
    Return a likely class for the next model.
    """
    load_inputs(stats, slot, row)
    if not _are_few(scores):
        return _score_many(stats, slot, prior, scores, m, likely)
    for c in range(prior.shape[0]):
        if prior[c] > 0.0:  # other votes are zero
            _store_score(scores, c, m, log_score(stats, slot, c, -np.inf))
        else:
            _store_score(scores, c, m, (-np.inf, 0.0, True))
    return likely


@inlined
def _score_many(
    stats: Statistics, slot: int, prior: Floats, scores: Scores, m: int, likely: int
) -> int:
    """Store the scores that are not negligible; return the class of the highest certain score."""
    gap, best, winner = negligible(stats), -np.inf, likely
    for i in range(-1, prior.shape[0]):
        c = likely if i < 0 else i
        if i == likely or not prior[np.uint64(c)] > 0.0:
            continue
        scored = log_score(stats, slot, c, best - gap)
        score, _, certain = scored
        if score > -np.inf or not certain:
            _nominate(scores, c)
            _store_score(scores, c, m, scored)
        if certain and score > best:
            best, winner = score, c
    return winner


@inlined
def score_class(stats: Statistics, slot: int, c: int, scores: Scores, m: int) -> bool:
    """Update the score of one class for model `m`, whose slot was loaded last.

    Return False if it has become so low that negligible classes may no longer be negligible.
    """
    before = scores.score[np.uint64(c), np.uint64(m)]
    scored = log_score(stats, slot, c, -np.inf)
    _nominate(scores, c)
    _store_score(scores, c, m, scored)
    # A fall by up to 1 is small against the gap of `negligible`.
    return scored[0] >= before - 1.0 or _are_few(scores)


@inlined
def _store_score(scores: Scores, c: Any, m: Any, scored: tuple[float, float, bool]) -> None:
    at: Any = np.uint64(c)
    scores.score[at, np.uint64(m)], scores.distance[at, np.uint64(m)] = scored[0], scored[1]
    scores.certain[at, np.uint64(m)] = 1.0 if scored[2] else 0.0


@inlined
def name_likeliest(stats: Statistics, scores: Scores, first: int) -> None:
    """Store the likeliest class of eight models from `first` on; NONE where it is not certain.

    `predict_label` does the same for a single model.
    """
    staleness = lanes.load_at(scores.staleness, first)
    models = np.uint64(scores.staleness.shape[0])
    best, second, doubtful = fill(-np.inf), fill(-np.inf), fill(-np.inf)
    best_distance, winner = fill(0.0), fill(float(NONE))
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        at = c * models + np.uint64(first)
        distance = lanes.load_at(scores.distance, at)
        score = lanes.load_at(scores.score, at) + staleness * distance  # its upper bound
        certain = lanes.load_at(scores.certain, at) > 0.0
        doubtful = where(certain, doubtful, lanes.maximum(score, doubtful))
        score = where(certain, score, fill(-np.inf))
        higher = score > best
        second = lanes.maximum(lanes.minimum(score, best), second)
        best_distance = where(higher, distance, best_distance)
        winner = where(higher, fill(float(c)), winner)
        best = where(higher, score, best)
    # If a vote is not certain, rounding can double it at each attribute.
    rival = lanes.maximum(second, doubtful + LOG_2 * stats.position.shape[0])
    # `best` is an upper bound, too; densities and class weights add to the error of a score.
    n_numeric = stats.numeric.shape[0]
    margin = staleness * (2.0 * best_distance + (n_numeric + 2.0)) + CLOSE_SCORES
    clear = best - rival > margin
    lanes.store(scores.label, first, where(clear, winner, fill(float(NONE))))


@inlined
def write_probabilities(stats: Statistics, scores: Scores, first: int) -> None:
    """Write approximate probabilities of the candidates by eight models, with error bounds.

    The bound is infinite where a model's scores are not certain.
    """
    staleness = lanes.load_at(scores.staleness, first)
    models = np.uint64(scores.staleness.shape[0])
    best, best_distance, winner = fill(-np.inf), fill(0.0), fill(float(NONE))
    known = staleness < np.inf
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        at = c * models + np.uint64(first)
        score = lanes.load_at(scores.score, at)
        known &= lanes.load_at(scores.certain, at) > 0.0
        higher = score > best
        best_distance = where(higher, lanes.load_at(scores.distance, at), best_distance)
        best, winner = where(higher, score, best), where(higher, fill(float(c)), winner)
    known &= best > -np.inf  # false if all votes are zero
    # Weights are relative to the likeliest class. If the sum of all weights can be wrong by a
    # fraction E, a probability can be wrong by (E + E)/(1 - E): in its weight, and in the sum.
    total, excess = fill(1.0), fill(0.0)
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        at = c * models + np.uint64(first)
        others = where(winner == float(c), fill(0.0), fill(1.0))
        weight = rough_exps(lanes.load_at(scores.score, at) - best)
        distances = lanes.load_at(scores.distance, at) + best_distance
        slack = staleness * (distances + (stats.numeric.shape[0] + 2.0)) + 2.0 * CLOSE_SCORES
        known &= slack <= 1.0
        lanes.store(scores.probability, at, where(others > 0.0, weight, fill(1.0)))
        total += others * weight
        # exp(slack) - 1 <= slack + slack² for slack <= 1
        excess += others * weight * (slack + slack * slack)
    for i in range(np.uint64(scores.n_candidates[0])):
        at = candidate(scores, i) * models + np.uint64(first)
        lanes.store(scores.probability, at, lanes.load_at(scores.probability, at) / total)
    part = excess / total
    error = where(known & (part < 1.0), 2.0 * part / (1.0 - part), fill(np.inf))
    lanes.store(scores.error, first, error)
