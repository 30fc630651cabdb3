"""Votes of ensembles of trees: the sum of the normalised votes of all members.

`exact_vote` is the definition. `vote` has the same result. It uses the approximate votes of
`bayes.engine`, which have error bounds, and calls `exact_vote` only if these do not decide.
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
from streameval.learners.kernel_arguments import Outputs, write_scores
from streameval.learners.predictions import NO_PREDICTION
from streameval.learners.trees import routing, tree
from streameval.learners.trees.hoeffding_tree import MAJORITY, Options, predicts_by_bayes, train
from streameval.learners.trees.tree import LEAF, NONE, Pool


class Ballot(NamedTuple):
    """Votes of m members on the current instance, k classes.

    m' is m rounded up to a multiple of eight.
    """

    node: Integers  # (m,) the node that the instance reaches in each tree
    copies: Integers  # (m,) how often each member learns the instance, a Poisson number
    training_members: Integers  # (m,) numbers of the members that learn it, at the front
    scores: Scores  # of Naive Bayes in these nodes
    weight: Floats  # (m',) weight of each member's votes
    vote: Floats  # (k,) one member's votes
    votes: Floats  # (k,) the sum of all members' normalised votes


def make_ballot(members: int, classes: int) -> Ballot:
    """Ballot of members with equal weights."""
    scores = engine.make_scores(members, classes)
    n_lanes = len(scores.staleness)
    return Ballot(
        node=np.zeros(members, dtype=np.int64),
        copies=np.zeros(members, dtype=np.int64),
        training_members=np.zeros(members, dtype=np.int64),
        scores=scores,
        weight=instructions.aligned_copy(np.ones(n_lanes)),
        vote=np.zeros(classes),
        votes=np.zeros(classes),
    )


@inlined
def draw_copies(ballot: Ballot, random: Integers, table: Floats, learns: bool) -> int:
    """Draw how often each member learns the instance; return the number of members that learn it.

    Without `learns`, nothing is drawn, and no member learns.
    """
    n = 0
    for m in range(np.uint64(ballot.copies.shape[0])):
        copies = java_random.poisson(random, table) if learns else 0
        ballot.copies[m] = copies
        # Overwritten by the next member unless `n` grows; this avoids a branch.
        ballot.training_members[np.uint64(n)] = m
        n += copies > 0
    return n


@inlined
def score_members(
    pool: Pool, roots: Integers, ballot: Ballot, options: Options, row: Floats, complete: bool
) -> None:
    """Route an instance to a node of each member, and compute the Naive Bayes scores there.

    Scores are left out for members that neither vote by Naive Bayes nor learn the instance.
    """
    routing.route_through_trees(pool, roots, row, complete, ballot.node)
    engine.reset_candidates(ballot.scores)
    # A first guess, see `score_classes`; class 0 if the node has no majority (NONE).
    likely_class = max(pool.majority[np.uint64(ballot.node[0])], 0)
    may_score = complete and options.leaf_prediction != MAJORITY
    for m in range(np.uint64(roots.shape[0])):
        node: Any = np.uint64(ballot.node[m])
        # `&` and `|` instead of `and` and `or`: no branches.
        has_statistics = (pool.test[node] == LEAF) & (not tree.has_only_class_weights(pool, node))
        uses_bayes = has_statistics & predicts_by_bayes(pool, node, options)
        is_scored = may_score & has_statistics & (uses_bayes | (ballot.copies[m] > 0))
        engine.store_class_weights(ballot.scores, m, pool.prior[node], uses_bayes)
        if is_scored:
            likely_class = engine.score_classes(
                pool.stats, pool.slot[node], pool.prior[node], row, ballot.scores, m, likely_class
            )
        ballot.scores.staleness[m] = _staleness(pool, node) if is_scored else np.inf
    engine.find_top_classes(pool.stats, ballot.scores)


@inlined
def _staleness(pool: Pool, node: int) -> float:
    """Bound on the relative error of the scores of a leaf."""
    i: Any = np.uint64(node)
    return engine.staleness(pool.prior[i, np.uint64(pool.majority[i])])


@subkernel
def exact_vote(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> int:
    """Class with the most votes, the first of several; the votes are in ``ballot.votes``."""
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
    winner, is_certain = engine.rough_winner(ballot.votes, error)
    return winner if is_certain else exact_vote(pool, ballot, options, row)


@inlined
def write_prediction(
    pool: Pool,
    ballot: Ballot,
    options: Options,
    row: Floats,
    outputs: Outputs,
    entry: int,
    abstains: bool,
) -> None:
    """Write the prediction of the ensemble, and its scores if they are requested.

    With `abstains`, the ensemble makes no prediction while no member has votes.
    """
    if outputs.scores.shape[0] == 0:
        outputs.label[entry] = vote(pool, ballot, options, row)
    else:
        outputs.label[entry] = exact_vote(pool, ballot, options, row)
        write_scores(ballot.votes, outputs.label[entry], outputs.scores[entry])
    # Without votes the label is 0, so other labels need no check.
    if abstains and outputs.label[entry] == 0 and not _has_votes(pool, ballot, options, row):
        outputs.label[entry] = NO_PREDICTION


@subkernel
def _has_votes(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> bool:
    """True if a member has votes."""
    for m in range(ballot.node.shape[0]):
        _write_node_votes(pool, ballot.node[m], options, row, ballot.vote)
        if _scale_of(ballot.vote) >= 0.0:
            return True
    return False


@inlined
def _sum_roughly(pool: Pool, ballot: Ballot, options: Options, row: Floats) -> float:
    """Sum the members' votes approximately in ``ballot.votes``; return the error of the sums."""
    ballot.votes[:] = 0.0
    error = 0.0
    for first in range(0, ballot.weight.shape[0], WIDTH):
        error_of_eight, left_out = engine.add_rough_votes(
            pool.stats, ballot.scores, ballot.weight, first, ballot.votes
        )
        while left_out != 0:
            m = first + first_one(left_out)
            _add_votes(pool, ballot, m, options, row)
            error_of_eight += ROUNDING * ballot.weight[m]
            left_out &= left_out - 1  # clears the lowest bit that is 1
        error += error_of_eight
    return error


@inlined
def _add_votes(pool: Pool, ballot: Ballot, m: int, options: Options, row: Floats) -> None:
    """Add a member's normalised votes to ``ballot.votes``."""
    votes = ballot.vote
    _write_node_votes(pool, ballot.node[m], options, row, votes)
    scale = _scale_of(votes)
    if scale >= 0.0:
        for c in range(votes.shape[0]):
            ballot.votes[c] += votes[c] * scale * ballot.weight[m]


@inlined
def _scale_of(votes: Floats) -> float:
    """Factor that normalises votes: 0 if their sum overflows, -1 without votes."""
    total = exact.total_of(votes)
    # MOA multiplies by the reciprocal; a division may differ in the last bit.
    return 1.0 / total if total > 0.0 else -1.0


@inlined
def _write_node_votes(pool: Pool, node: int, options: Options, row: Floats, out: Floats) -> None:
    """Write the votes of a node.

    Votes are the products of Naive Bayes if the node predicts by it, otherwise class weights. Naive
    Bayes without attributes gives the proportions of the class weights.
    """
    i: Any = np.uint64(node)
    prior, total = pool.prior[i], 1.0
    if pool.test[i] == LEAF and predicts_by_bayes(pool, node, options):
        if not tree.has_only_class_weights(pool, node):
            exact.votes(pool.stats, pool.slot[i], prior, row, out)
            return
        total = exact.total_of(prior)
    for c in range(prior.shape[0]):
        out[c] = prior[c] / total if total > 0.0 else 0.0


@inlined
def member_bayes_class(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: Floats, complete: bool
) -> int:
    """Naive Bayes prediction in a member's leaf; NONE if leaves predict by the majority class."""
    node = ballot.node[m]
    if options.leaf_prediction == MAJORITY:
        return NONE
    if ballot.scores.label[m] >= 0.0:
        return int(ballot.scores.label[m])
    return tree.bayes_label(pool, node, row, complete)


@inlined
def member_label(
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
    bayes_class = member_bayes_class(pool, ballot, m, options, row, complete) if is_leaf else NONE
    train(pool, node, m, options, row, y, w, complete, bayes_class)


@inlined
def rescore(pool: Pool, ballot: Ballot, m: int, row: Floats, y: int) -> None:
    """Update the scores of a member that has learnt the current instance, of class `y`.

    Only the scores of that class have changed, unless the leaf has been split.
    """
    node, scores = ballot.node[m], ballot.scores
    # The leaf has been split, or a tested value is missing.
    if pool.test[node] != LEAF or pool.is_new[node]:
        scores.staleness[m], scores.label[m] = np.inf, NONE
        ballot.node[m] = routing.route(pool, node, row)
    elif scores.staleness[m] < np.inf:
        is_valid = engine.score_class(pool.stats, pool.slot[node], y, scores, m)
        scores.staleness[m] = _staleness(pool, node) if is_valid else np.inf
        first_of_eight = m // WIDTH * WIDTH
        engine.find_likeliest(pool.stats, scores, first_of_eight)
