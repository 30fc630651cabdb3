"""Votes of many models: the sum of their votes, each normalised, with a bound on its error."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import lanes
from streameval.compiled.kernels import inlined
from streameval.compiled.lanes import WIDTH, fill, where
from streameval.learners.bayes.class_statistics import NONE, Statistics
from streameval.learners.bayes.engine.scoreboard import (
    Scores,
    candidate,
    name_likeliest,
    write_probabilities,
)
from streameval.learners.bayes.exact import first_highest

#: Approximate probabilities with a larger error are replaced by exact ones.
TOLERABLE = 0.05
#: Exceeds the effect of rounding on sums of probabilities.
ROUNDING = 1e-9
#: A class weight below that part of another is smaller regardless of rounding.
CLEARLY_LESS = 1.0 - 1e-6


@inlined
def name_classes(stats: Statistics, scores: Scores) -> None:
    """Name each model's likeliest class, and the class of its highest vote, where certain."""
    for first in range(0, scores.staleness.shape[0], WIDTH):
        name_likeliest(stats, scores, first)
        _store_top_class(scores, first)


@inlined
def _store_top_class(scores: Scores, first: int) -> None:
    """Name the class of the highest vote of eight models, where it is clear."""
    best, second, winner = fill(0.0), fill(0.0), fill(float(NONE))
    models = np.uint64(scores.staleness.shape[0])
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        weight = lanes.load_at(scores.weight, c * models + np.uint64(first))
        higher = weight > best
        second = lanes.maximum(lanes.minimum(weight, best), second)
        best, winner = where(higher, weight, best), where(higher, fill(float(c)), winner)
    winner = where(second > best * CLEARLY_LESS, fill(float(NONE)), winner)
    by_bayes = lanes.load_at(scores.by_bayes, first) > 0.0
    top_class = where(by_bayes, lanes.load_at(scores.label, first), winner)
    lanes.store(scores.top_class, first, top_class)


@inlined
def common_class(scores: Scores, models: int) -> int:
    """Class that clearly has the highest vote in every model; NONE if there is none.

    It also has the highest sum of votes, so sums need not be computed.
    """
    winner, same = scores.top_class[0], True
    for first in range(0, scores.top_class.shape[0], WIDTH):
        no_model = lanes.count_from(float(first)) >= float(models)
        same &= lanes.in_all((lanes.load_at(scores.top_class, first) == winner) | no_model)
    return int(winner) if same else NONE


@inlined
def add_rough_votes(
    stats: Statistics, scores: Scores, weight: Floats, first: int, votes: Floats
) -> tuple[float, int]:
    """Add the votes of eight models to `votes` (k,), each times its `weight` (m',).

    Return the error of the sums, and as bits the models whose votes are left out: approximate
    ones could be wrong by more than `TOLERABLE`.
    """
    models = np.uint64(scores.staleness.shape[0])
    write_probabilities(stats, scores, first)
    total, by_bayes = fill(0.0), lanes.load_at(scores.by_bayes, first) > 0.0
    for i in range(np.uint64(scores.n_candidates[0])):
        at = candidate(scores, i) * models + np.uint64(first)
        total += lanes.load_at(scores.weight, at)
    error = where(by_bayes, lanes.load_at(scores.error, first), fill(0.0))
    known = error < TOLERABLE
    counts = known & (by_bayes | (total > 0.0))
    factor = where(counts, lanes.load_at(weight, first), fill(0.0))
    total = where(total > 0.0, total, fill(1.0))
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        at = c * models + np.uint64(first)
        probability = lanes.load_at(scores.weight, at) / total
        probability = where(by_bayes, lanes.load_at(scores.probability, at), probability)
        votes[c] += lanes.total(where(counts, probability, fill(0.0)) * factor)
    sum_of_errors = lanes.total((where(counts, error, fill(0.0)) + ROUNDING) * factor)
    return sum_of_errors, lanes.bits(by_bayes) & ~lanes.bits(known)


@inlined
def rough_winner(votes: Floats, error: float) -> tuple[int, bool]:
    """Class with the most votes, and whether this holds although each sum may be off by `error`."""
    winner, certain = first_highest(votes), True
    for c in range(votes.shape[0]):
        certain &= c == winner or votes[winner] - votes[c] > 2.0 * error
    return winner, certain
