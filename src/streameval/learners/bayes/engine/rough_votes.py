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
    find_likeliest,
    write_probabilities,
)
from streameval.learners.bayes.exact import first_highest

#: Largest error of approximate votes that are used; votes with a larger error are computed exactly.
LARGEST_ERROR = 0.05
#: Bound on the effect of rounding on sums of probabilities.
ROUNDING = 1e-9
#: If the ratio of two class weights is below this number, they differ by more than rounding.
CLEAR_RATIO = 1.0 - 1e-6


@inlined
def find_top_classes(stats: Statistics, scores: Scores) -> None:
    """Store each model's likeliest class, and the class of its highest vote, if certain.

    The two can differ if a model votes by its class weights.
    """
    for first in range(0, scores.staleness.shape[0], WIDTH):
        find_likeliest(stats, scores, first)
        _store_top_class(scores, first)


@inlined
def _store_top_class(scores: Scores, first: int) -> None:
    """Store the class of the highest vote of eight models from `first` on; NONE if not clear."""
    best, second, winner = fill(0.0), fill(0.0), fill(float(NONE))
    n_lanes = np.uint64(scores.staleness.shape[0])
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        weight = lanes.load_at(scores.weight, c * n_lanes + np.uint64(first))
        is_higher = weight > best
        second = lanes.maximum(lanes.minimum(weight, best), second)
        best, winner = where(is_higher, weight, best), where(is_higher, fill(float(c)), winner)
    winner = where(second > best * CLEAR_RATIO, fill(float(NONE)), winner)
    uses_bayes = lanes.load_at(scores.uses_bayes, first) > 0.0
    top_class = where(uses_bayes, lanes.load_at(scores.label, first), winner)
    lanes.store(scores.top_class, first, top_class)


@inlined
def common_class(scores: Scores, n_models: int) -> int:
    """Class that clearly has the highest vote in every model; NONE if models differ.

    It also has the highest sum of votes, so sums need not be computed.
    """
    winner, is_common = scores.top_class[0], True
    for first in range(0, scores.top_class.shape[0], WIDTH):
        is_unused = lanes.count_from(float(first)) >= float(n_models)  # a lane without a model
        is_common &= lanes.all_true((lanes.load_at(scores.top_class, first) == winner) | is_unused)
    return int(winner) if is_common else NONE


@inlined
def add_rough_votes(
    stats: Statistics, scores: Scores, weight: Floats, first: int, votes: Floats
) -> tuple[float, int]:
    """Add the votes of eight models from `first` on, times their `weight` (m',), to `votes` (k,).

    Return the error of the sums, and as bits the models whose votes are left out, since their
    error could exceed `LARGEST_ERROR`.
    """
    n_lanes = np.uint64(scores.staleness.shape[0])
    write_probabilities(stats, scores, first)
    total, uses_bayes = fill(0.0), lanes.load_at(scores.uses_bayes, first) > 0.0
    for i in range(np.uint64(scores.n_candidates[0])):
        place = candidate(scores, i) * n_lanes + np.uint64(first)
        total += lanes.load_at(scores.weight, place)
    error = where(uses_bayes, lanes.load_at(scores.error, first), fill(0.0))
    is_accurate = error < LARGEST_ERROR
    is_added = is_accurate & (uses_bayes | (total > 0.0))
    factor = where(is_added, lanes.load_at(weight, first), fill(0.0))
    total = where(total > 0.0, total, fill(1.0))
    for i in range(np.uint64(scores.n_candidates[0])):
        c = candidate(scores, i)
        place = c * n_lanes + np.uint64(first)
        probability = lanes.load_at(scores.weight, place) / total
        probability = where(uses_bayes, lanes.load_at(scores.probability, place), probability)
        votes[c] += lanes.total(where(is_added, probability, fill(0.0)) * factor)
    sum_of_errors = lanes.total((where(is_added, error, fill(0.0)) + ROUNDING) * factor)
    return sum_of_errors, lanes.bit_mask(uses_bayes) & ~lanes.bit_mask(is_accurate)


@inlined
def rough_winner(votes: Floats, error: float) -> tuple[int, bool]:
    """Class with the most votes, and whether this is certain if each sum is within `error`."""
    winner, is_certain = first_highest(votes), True
    for c in range(votes.shape[0]):
        is_certain &= c == winner or votes[winner] - votes[c] > 2.0 * error
    return winner, is_certain
