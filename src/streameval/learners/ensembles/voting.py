"""Votes of ensembles of trees: the sum of the normalised votes of all members.

`exact_vote` is the definition. `vote` has the same result from the approximate votes of
`bayes.engine`, which have error bounds, wherever these decide.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import instructions, java_random
from streameval.compiled.instructions import first_one
from streameval.compiled.kernels import inlined, subkernel
from streameval.compiled.lanes import WIDTH
from streameval.learners.bayes import engine, exact
from streameval.learners.bayes.engine import ROUNDING, Scores
from streameval.learners.predictions import NO_PREDICTION
from streameval.learners.stretch import Outputs, write_scores
from streameval.learners.trees import routing, tree
from streameval.learners.trees.hoeffding_tree import MAJORITY, Options, predicts_by_bayes, train
from streameval.learners.trees.tree import LEAF, NONE, Pool


class Ballot(NamedTuple):
    """Votes of m members on the current instance, k classes; m' is m, rounded up to lanes."""

    node: Integers  # (m,) the node that the instance reaches in each tree
    copies: Integers  # (m,) number of times that each member learns it
    trained: Integers  # (m,) the members that learn it, at the front
    scores: Scores  # of Naive Bayes in these nodes
    weight: Floats  # (m',) of each member's vote
    vote: Floats  # (k,) one member's votes
    votes: Floats  # (k,) the sum of all members' normalised votes


def make_ballot(members: int, classes: int) -> Ballot:
    """Ballot of members with equal weights."""
    scores = engine.make_scores(members, classes)
    room = len(scores.staleness)
    return Ballot(
        node=np.zeros(members, dtype=np.int64),
        copies=np.zeros(members, dtype=np.int64),
        trained=np.zeros(members, dtype=np.int64),
        scores=scores,
        weight=instructions.aligned_copy(np.ones(room)),
        vote=np.zeros(classes),
        votes=np.zeros(classes),
    )


@inlined
def draw_copies(ballot: Ballot, random: Integers, table: Floats, learning: bool) -> int:
    """Draw how often each member learns the instance; return the number of members that do.

    Nothing is drawn unless `learning` is true.
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

    Scores are left out for members that neither vote by Naive Bayes nor learn the instance.
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
        ballot.scores.staleness[m] = _staleness(pool, node) if scored else np.inf
    engine.name_classes(pool.stats, ballot.scores)


@inlined
def _staleness(pool: Pool, node: int) -> float:
    """Bound on the relative error of the scores of a leaf."""
    at: Any = np.uint64(node)
    return engine.staleness(pool.prior[at, np.uint64(pool.majority[at])])


@subkernel
def exact_vote(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> int:
    """Class with the most votes, the first of equals; the votes are in ``ballot.votes``."""
    ballot.votes[:] = 0.0
    for m in range(ballot.node.shape[0]):
        _add_votes(pool, ballot, m, options, row)
    return exact.first_highest(ballot.votes)


@inlined
def vote(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> int:
    """Result of `exact_vote`, computed from approximate votes if these suffice."""
    winner = engine.common_class(ballot.scores, ballot.node.shape[0])
    if winner != NONE:
        return winner
    error = _sum_roughly(pool, ballot, options, row)
    winner, certain = engine.rough_winner(ballot.votes, error)
    return winner if certain else exact_vote(pool, ballot, options, row)


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
    if outputs.scores.shape[0] == 0:
        outputs.label[at] = vote(pool, ballot, options, row)
    else:
        outputs.label[at] = exact_vote(pool, ballot, options, row)
        write_scores(ballot.votes, outputs.label[at], outputs.scores[at])
    if abstains and outputs.label[at] == 0 and _is_silent(pool, ballot, options, row):
        outputs.label[at] = NO_PREDICTION


@subkernel
def _is_silent(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> bool:
    """True if no member has votes."""
    for m in range(ballot.node.shape[0]):
        _node_votes(pool, ballot.node[m], options, row, ballot.vote)
        if _scale_of(ballot.vote) >= 0.0:
            return False
    return True


@inlined
def _sum_roughly(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> float:
    """Sum the members' votes approximately in ``ballot.votes``; return the error of the sums."""
    ballot.votes[:] = 0.0
    error = 0.0
    for first in range(0, ballot.weight.shape[0], WIDTH):
        part_of_error, unknown = engine.add_rough_votes(
            pool.stats, ballot.scores, ballot.weight, first, ballot.votes
        )
        while unknown != 0:
            m = first + first_one(unknown)
            _add_votes(pool, ballot, m, options, row)
            part_of_error += ROUNDING * ballot.weight[m]
            unknown &= unknown - 1
        error += part_of_error
    return error


@inlined
def _add_votes(pool: Pool, ballot: Ballot, m: int, options: Options, row: Floats) -> None:
    """Add a member's normalised votes to ``ballot.votes``."""
    out = ballot.vote
    _node_votes(pool, ballot.node[m], options, row, out)
    scale = _scale_of(out)
    if scale >= 0.0:
        for c in range(out.shape[0]):
            ballot.votes[c] += out[c] * scale * ballot.weight[m]


@inlined
def _scale_of(votes: Floats) -> float:
    """Factor that normalises votes: 0 if their sum overflows, -1 without votes."""
    total = exact.total_of(votes)
    return 1.0 / total if total > 0.0 else -1.0  # as in MOA: a quotient may differ in the last bit


@inlined
def _node_votes(pool: Pool, node: int, options: Options, row: Floats, out: Floats) -> None:
    """Write the votes of a node: class weights, their proportions, or Naive Bayes products."""
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
    """Naive Bayes prediction in a member's leaf; NONE if not needed."""
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
    """Class that a member votes for."""
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

    Only the scores of that class have changed, unless the leaf has been split.
    """
    node, scores = ballot.node[m], ballot.scores
    if pool.test[node] != LEAF or pool.fresh[node]:
        scores.staleness[m], scores.label[m] = np.inf, NONE
        ballot.node[m] = routing.route(pool, node, row)
    elif scores.staleness[m] < np.inf:
        known = engine.score_class(pool.stats, pool.slot[node], y, scores, m)
        scores.staleness[m] = _staleness(pool, node) if known else np.inf
        engine.name_likeliest(pool.stats, scores, m // WIDTH * WIDTH)
