"""Votes of ensembles of trees: the sum of the members' votes, each normalised."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import instructions, java_random, lanes
from streameval.compiled.instructions import first_one
from streameval.compiled.kernels import inlined, part
from streameval.compiled.lanes import WIDTH, fill, where
from streameval.learners.bayes import engine, exact
from streameval.learners.bayes.engine import Scores
from streameval.learners.predictions import NO_PREDICTION
from streameval.learners.stretch import Outputs, write_scores
from streameval.learners.trees import routing, tree
from streameval.learners.trees.hoeffding_tree import MAJORITY, Options, predicts_by_bayes, train
from streameval.learners.trees.tree import LEAF, NONE, Pool

#: Approximate probabilities with a larger error are replaced by exact ones.
TOLERABLE = 0.05
#: Exceeds the effect of rounding on sums of probabilities.
ROUNDING = 1e-9
#: A class weight below that part of another is smaller regardless of rounding.
CLEARLY_LESS = 1.0 - 1e-6


class Ballot(NamedTuple):
    """Votes of m members on the current instance, k classes; m' is m, rounded up to lanes."""

    node: Integers  # (m,) the node that it reaches in each tree
    copies: Integers  # (m,) how often each member learns it
    trained: Integers  # (m,) first the members that do
    scores: Scores  # of Naive Bayes in these nodes
    by_bayes: Floats  # (m',) 1 where Naive Bayes gives the member's vote, otherwise 0
    clear: Floats  # (m',) the class of the highest vote; NONE if others are close
    weight: Floats  # (m',) of each member's vote
    vote: Floats  # (k,) one member's votes
    votes: Floats  # (k,) the sum of all members' normalised votes


def make_ballot(members: int, classes: int) -> Ballot:
    """Return the ballot of members with equal votes, unless `weight` is changed."""
    scores = engine.make_scores(members, classes)
    room = len(scores.stale)
    return Ballot(
        node=np.zeros(members, dtype=np.int64),
        copies=np.zeros(members, dtype=np.int64),
        trained=np.zeros(members, dtype=np.int64),
        scores=scores,
        by_bayes=instructions.aligned(np.zeros(room)),
        clear=instructions.aligned(np.zeros(room)),
        weight=instructions.aligned(np.ones(room)),
        vote=np.zeros(classes),
        votes=np.zeros(classes),
    )


@inlined
def draw(ballot: Ballot, random: Integers, table: Floats, learning: bool) -> int:
    """Draw how often each member learns the current instance; return how many do at all.

    Nothing is drawn unless they are `learning`.
    """
    n = 0
    for m in range(np.uint64(ballot.copies.shape[0])):
        copies = java_random.poisson(random, table) if learning else 0
        ballot.copies[m] = copies
        ballot.trained[np.uint64(n)] = m  # a sum instead of a branch
        n += copies > 0
    return n


@inlined
def score_members(
    pool: Pool, roots: Integers, ballot: Ballot, options: Options, row: Floats, complete: bool
) -> None:
    """Route an instance to a node of each member, and compute the Naive Bayes scores there.

    There are no scores of members that neither vote by Naive Bayes nor learn the instance.
    """
    routing.route_members(pool, roots, row, complete, ballot.node)
    engine.forget(ballot.scores)
    likely = max(pool.majority[np.uint64(ballot.node[0])], 0)
    useful = complete and options.leaf_prediction != MAJORITY
    for m in range(np.uint64(roots.shape[0])):
        node: Any = np.uint64(ballot.node[m])
        observed = (pool.test[node] == LEAF) & (not tree.has_only_class_weights(pool, node))
        by_bayes = observed & predicts_by_bayes(pool, node, options)
        scored = useful & observed & (by_bayes | (ballot.copies[m] > 0))
        engine.weigh_classes(ballot.scores, m, pool.prior[node], by_bayes)
        if scored:
            likely = engine.score_classes(
                pool.stats, pool.slot[node], pool.prior[node], row, ballot.scores, m, likely
            )
        ballot.by_bayes[m] = 1.0 if by_bayes else 0.0
        ballot.scores.stale[m] = _staleness(pool, node) if scored else np.inf
    for first in range(0, ballot.clear.shape[0], WIDTH):
        engine.name_likeliest(pool.stats, ballot.scores, first)
        _name_clear(ballot, first)


@inlined
def _name_clear(ballot: Ballot, first: int) -> None:
    """Write the class of the highest vote of eight members, where it is clear."""
    best, second, winner = fill(0.0), fill(0.0), fill(float(NONE))
    scores, models = ballot.scores, np.uint64(ballot.clear.shape[0])
    for i in range(np.uint64(scores.n_candidates[0])):
        c = engine.candidate(scores, i)
        weight = lanes.load(scores.weight, c * models + np.uint64(first))
        higher = weight > best
        second = lanes.maximum(lanes.minimum(weight, best), second)
        best, winner = where(higher, weight, best), where(higher, fill(float(c)), winner)
    winner = where(second > best * CLEARLY_LESS, fill(float(NONE)), winner)
    by_bayes = lanes.load(ballot.by_bayes, first) > 0.0
    clear = where(by_bayes, lanes.load(ballot.scores.label, first), winner)
    lanes.store(ballot.clear, first, clear)


@inlined
def _staleness(pool: Pool, node: int) -> float:
    """Return the bound on the relative error of the scores of a leaf."""
    at: Any = np.uint64(node)
    return engine.staleness(pool.prior[at, np.uint64(pool.majority[at])])


@inlined
def vote(pool: Pool, ballot: Ballot, options: Options, row: Floats, rough: bool) -> int:
    """Return the class with the most votes, the first of equals.

    Unless they may be `rough`, the exact votes are left in ``ballot.votes``.
    """
    if rough:
        winner = _common_class(ballot)
        if winner != NONE:
            return winner
        winner, certain = _tally(pool, ballot, options, row, True)
        if certain:
            return winner
    return _vote_closely(pool, ballot, options, row)


@inlined
def _common_class(ballot: Ballot) -> int:
    """Return the class with the clearly highest vote of every member; NONE if there is none.

    The sums of votes have the same maximum then, and are not computed.
    """
    winner, same = ballot.clear[0], True
    for first in range(0, ballot.clear.shape[0], WIDTH):
        no_member = lanes.count_from(float(first)) >= float(ballot.node.shape[0])
        same &= lanes.in_all((lanes.load(ballot.clear, first) == winner) | no_member)
    return int(winner) if same else NONE


@inlined
def write_prediction(
    pool: Pool,
    ballot: Ballot,
    options: Options,
    row: Floats,
    outputs: Outputs,
    at: int,
    abstains: bool,
) -> None:
    """Write the prediction of the ensemble, and its scores if they are requested.

    If it `abstains`, it makes no prediction while no member has votes.
    """
    exact = outputs.scores.shape[0] > 0
    outputs.label[at] = vote(pool, ballot, options, row, not exact)
    if exact:
        write_scores(ballot.votes, outputs.label[at], outputs.scores[at])
    if abstains and outputs.label[at] == 0 and _is_silent(pool, ballot, options, row):
        outputs.label[at] = NO_PREDICTION


@part
def _vote_closely(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> int:
    return _tally(pool, ballot, options, row, False)[0]


@part
def _is_silent(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> bool:
    """Return whether no member has votes."""
    for m in range(ballot.node.shape[0]):
        _node_votes(pool, ballot.node[m], options, row, ballot.vote)
        if _scale_of(ballot.vote) >= 0.0:
            return False
    return True


@inlined
def _tally(
    pool: Pool, ballot: Ballot, options: Options, row: Floats, rough: bool
) -> tuple[int, bool]:
    """Sum the members' votes; return the class of the most, and whether exact sums agree."""
    if rough:
        error = _sum_roughly(pool, ballot, options, row)
    else:
        ballot.votes[:] = 0.0
        error = 0.0
        for m in range(ballot.node.shape[0]):
            error += _add_votes(pool, ballot, m, options, row)
    return _winner_of(ballot.votes, error)


@inlined
def _sum_roughly(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> float:
    """Sum the members' votes approximately in ``ballot.votes``; return the error of the sums."""
    ballot.votes[:] = 0.0
    error = 0.0
    for first in range(0, ballot.clear.shape[0], WIDTH):
        error += _add_rough_votes(pool, ballot, first, options, row)
    return error


@inlined
def _winner_of(votes: Floats, error: float) -> tuple[int, bool]:
    """Return the class of the most votes, and whether that is so despite an error of each sum."""
    winner, certain = 0, True
    for c in range(1, votes.shape[0]):
        winner = c if votes[c] > votes[winner] else winner
    for c in range(votes.shape[0]):
        certain &= c == winner or votes[winner] - votes[c] > 2.0 * error
    return winner, certain


@inlined
def _add_rough_votes(
    pool: Pool, ballot: Ballot, first: int, options: Options, row: Floats
) -> float:
    """Add the votes of eight members, those of Naive Bayes approximately.

    Return the error of the sums.
    """
    scores, models = ballot.scores, np.uint64(ballot.clear.shape[0])
    engine.write_probabilities(pool.stats, scores, first)
    total, by_bayes = fill(0.0), lanes.load(ballot.by_bayes, first) > 0.0
    for i in range(np.uint64(scores.n_candidates[0])):
        at = engine.candidate(scores, i) * models + np.uint64(first)
        total += lanes.load(scores.weight, at)
    error = where(by_bayes, lanes.load(scores.error, first), fill(0.0))
    known = error < TOLERABLE
    counts = known & (by_bayes | (total > 0.0))
    weight = where(counts, lanes.load(ballot.weight, first), fill(0.0))
    total = where(total > 0.0, total, fill(1.0))
    for i in range(np.uint64(scores.n_candidates[0])):
        c = engine.candidate(scores, i)
        at = c * models + np.uint64(first)
        probability = lanes.load(scores.weight, at) / total
        probability = where(by_bayes, lanes.load(scores.probability, at), probability)
        ballot.votes[c] += lanes.total(where(counts, probability, fill(0.0)) * weight)
    sum_of_errors = lanes.total((where(counts, error, fill(0.0)) + ROUNDING) * weight)
    unknown = lanes.bits(by_bayes) & ~lanes.bits(known)
    while unknown != 0:
        m = first + first_one(unknown)
        sum_of_errors += _add_votes(pool, ballot, m, options, row)
        unknown &= unknown - 1
    return sum_of_errors


@inlined
def _add_votes(pool: Pool, ballot: Ballot, m: int, options: Options, row: Floats) -> float:
    """Add a member's normalised votes; return a bound on their rounding error."""
    out = ballot.vote
    _node_votes(pool, ballot.node[m], options, row, out)
    scale = _scale_of(out)
    if scale >= 0.0:
        for c in range(out.shape[0]):
            ballot.votes[c] += out[c] * scale * ballot.weight[m]
    return ROUNDING * ballot.weight[m]


@inlined
def _scale_of(votes: Floats) -> float:
    """Return the factor that normalises votes: 0 where they overflow, -1 where there are none."""
    total = exact.total_of(votes)
    return 1.0 / total if total > 0.0 else -1.0  # as in MOA: a quotient may differ in the last bit


@inlined
def _node_votes(pool: Pool, node: int, options: Options, row: Floats, out: Floats) -> None:
    """Write a node's votes: class weights, in a fresh leaf their proportions, or products."""
    at: Any = np.uint64(node)
    prior, total = pool.prior[at], 1.0
    if pool.test[at] == LEAF and predicts_by_bayes(pool, node, options):
        if not tree.has_only_class_weights(pool, node):
            exact.votes(pool.stats, pool.slot[at], prior, row, out)
            return
        total = exact.total_of(prior)
    for c in range(prior.shape[0]):
        out[c] = prior[c] / total if total > 0.0 else 0.0


@inlined
def member_bayes_class(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: Floats, complete: bool
) -> int:
    """Return the class that Naive Bayes predicts in a member's leaf; NONE if not needed."""
    node = ballot.node[m]
    if options.leaf_prediction == MAJORITY:
        return NONE
    if ballot.scores.label[m] >= 0.0:
        return int(ballot.scores.label[m])
    return tree.bayes_label(pool, node, row, complete)


@inlined
def label_of(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: Floats, complete: bool
) -> int:
    """Return the class that a member votes for."""
    node = ballot.node[m]
    if pool.test[node] == LEAF and predicts_by_bayes(pool, node, options):
        return member_bayes_class(pool, ballot, m, options, row, complete)
    return max(pool.majority[node], 0)


@inlined
def train_member(
    pool: Pool,
    ballot: Ballot,
    m: int,
    options: Options,
    row: Floats,
    y: int,
    w: float,
    complete: bool,
) -> None:
    """Train a member on the current instance."""
    node = ballot.node[m]
    is_leaf = pool.test[np.uint64(node)] == LEAF
    known = member_bayes_class(pool, ballot, m, options, row, complete) if is_leaf else NONE
    train(pool, node, m, options, row, y, w, complete, known)


@inlined
def rescore(pool: Pool, ballot: Ballot, m: int, row: Floats, y: int) -> None:
    """Update the scores of a member that has learnt the current instance, of class `y`.

    Only the scores of that class have changed, unless its leaf has been split.
    """
    node, scores = ballot.node[m], ballot.scores
    if pool.test[node] != LEAF or pool.fresh[node]:
        scores.stale[m], scores.label[m] = np.inf, NONE
        ballot.node[m] = routing.route(pool, node, row)
    elif scores.stale[m] < np.inf:
        known = engine.score_class(pool.stats, pool.slot[node], y, scores, m)
        scores.stale[m] = _staleness(pool, node) if known else np.inf
        engine.name_likeliest(pool.stats, scores, m // WIDTH * WIDTH)
