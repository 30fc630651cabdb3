"""Naive Bayes scores of one instance by many models, eight models at a time.

The scores serve all computations on the current instance: the likeliest class, the probability of
each class, and the same again after a model has learnt the instance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled import instructions, lanes
from streameval.compiled.approximate import rough_exps
from streameval.compiled.kernels import inlined
from streameval.compiled.lanes import WIDTH, fill, where
from streameval.learners.bayes import class_statistics, scoring
from streameval.learners.bayes.class_statistics import NONE, Statistics
from streameval.learners.bayes.scoring import CLOSE, LOG_2


class Scores(NamedTuple):
    """The scores of k classes by each of m models, in m' >= m lanes.

    They hold for the current instance only, and only if that is complete, see
    `class_statistics.load`.
    """

    score: NDArray[np.float64]  # (k, m')
    distance: NDArray[np.float64]  # (k, m')
    certain: NDArray[np.float64]  # (k, m') 1 or 0
    stale: NDArray[np.float64]  # (m',) relative error of scores and terms; inf: no scores
    label: NDArray[np.float64]  # (m',) the likeliest class, or NONE if that is not certain
    probability: NDArray[np.float64]  # (k, m') nearly `scoring.votes` divided by its sum
    error: NDArray[np.float64]  # (m',) bound on the error of a probability, besides rounding


def make_scores(models: int, classes: int) -> Scores:
    """Return room for scores."""
    room = -(-models // WIDTH) * WIDTH

    def by_class() -> NDArray[np.float64]:
        return instructions.aligned(np.zeros(classes * room)).reshape(classes, room)

    def all_equal(value: float) -> NDArray[np.float64]:
        return instructions.aligned(np.full(room, float(value)))

    return Scores(
        score=by_class(),
        distance=by_class(),
        certain=by_class(),
        stale=all_equal(np.inf),
        label=all_equal(NONE),
        probability=by_class(),
        error=all_equal(np.inf),
    )


@inlined
def score_classes(
    stats: Statistics,
    slot: int,
    prior: NDArray[np.float64],
    row: NDArray[np.float64],
    scores: Scores,
    m: int,
) -> None:
    """Store the scores of all classes by model `m`, which is that of a slot."""
    class_statistics.fetch(stats, slot, row)
    for c in range(prior.shape[0]):
        if prior[c] > 0.0:  # other votes are zero
            _keep(scores, c, m, scoring.log_score(stats, slot, c))
        else:
            _keep(scores, c, m, (-np.inf, 0.0, True))


@inlined
def score_class(
    stats: Statistics, slot: int, c: int, row: NDArray[np.float64], scores: Scores, m: int
) -> None:
    """Store the score of one class by model `m`, which is that of a slot."""
    class_statistics.fetch(stats, slot, row)
    _keep(scores, c, m, scoring.log_score(stats, slot, c))


@inlined
def _keep(scores: Scores, c: int, m: int, found: tuple[float, float, bool]) -> None:
    scores.score[c, m], scores.distance[c, m] = found[0], found[1]
    scores.certain[c, m] = 1.0 if found[2] else 0.0


@inlined
def name_likeliest(stats: Statistics, scores: Scores, first: int) -> None:
    """Name the likeliest class of eight models from `first` on, as `scoring.label` does of one."""
    stale, at = lanes.load(scores.stale, first), np.uint64(first)
    best, second, doubtful = fill(-np.inf), fill(-np.inf), fill(-np.inf)
    away, winner = fill(0.0), fill(float(NONE))
    for c in range(scores.score.shape[0]):
        distance = lanes.load(scores.distance, at)
        score = lanes.load(scores.score, at) + stale * distance  # what it can be at most
        certain = lanes.load(scores.certain, at) > 0.0
        doubtful = where(certain, doubtful, lanes.maximum(score, doubtful))
        score = where(certain, score, fill(-np.inf))
        higher = score > best
        second = lanes.maximum(lanes.minimum(score, best), second)
        away, winner = where(higher, distance, away), where(higher, fill(float(c)), winner)
        best = where(higher, score, best)
        at += np.uint64(scores.stale.shape[0])
    rival = lanes.maximum(second, doubtful + LOG_2 * stats.position.shape[0])
    margin = stale * (2.0 * away + (stats.numeric.shape[0] + 2.0)) + CLOSE
    clear = best - rival > margin
    lanes.store(scores.label, first, where(clear, winner, fill(float(NONE))))


@inlined
def write_probabilities(stats: Statistics, scores: Scores, first: int) -> None:
    """Write approximate probabilities of all classes by eight models, and their errors.

    The error is infinite where nothing is certain.
    """
    stale, models = lanes.load(scores.stale, first), np.uint64(scores.stale.shape[0])
    best, away, winner = fill(-np.inf), fill(0.0), fill(float(NONE))
    known, at = stale < np.inf, np.uint64(first)
    for c in range(scores.score.shape[0]):
        score = lanes.load(scores.score, at)
        known &= lanes.load(scores.certain, at) > 0.0
        higher = score > best
        away = where(higher, lanes.load(scores.distance, at), away)
        best, winner = where(higher, score, best), where(higher, fill(float(c)), winner)
        at += models
    known &= best > -np.inf  # or all votes are zero
    # Weigh classes against the likeliest one. If all weights together can be wrong by the part
    # E of their sum, a probability can be wrong by (E + E)/(1 - E): in its weight, and in the sum.
    total, excess, at = fill(1.0), fill(0.0), np.uint64(first)
    for c in range(scores.score.shape[0]):
        others = where(winner == float(c), fill(0.0), fill(1.0))
        weight = rough_exps(lanes.load(scores.score, at) - best)
        apart = lanes.load(scores.distance, at) + away
        slack = stale * (apart + (stats.numeric.shape[0] + 2.0)) + 2.0 * CLOSE
        known &= slack <= 1.0
        lanes.store(scores.probability, at, where(others > 0.0, weight, fill(1.0)))
        total += others * weight
        excess += others * weight * (slack + slack * slack)  # at least exp(slack) - 1 of it
        at += models
    at = np.uint64(first)
    for _ in range(scores.score.shape[0]):
        lanes.store(scores.probability, at, lanes.load(scores.probability, at) / total)
        at += models
    part = excess / total
    error = where(known & (part < 1.0), 2.0 * part / (1.0 - part), fill(np.inf))
    lanes.store(scores.error, first, error)
