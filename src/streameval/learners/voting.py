"""How many trees answer together: they add up their votes, each divided by its sum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval import lanes, memory
from streameval.kernels import inlined, part
from streameval.lanes import WIDTH, fill, where
from streameval.learners import bayes, routing, scoreboard, tree
from streameval.learners.gaussian_record import STALENESS, YOUTH
from streameval.learners.hoeffding_tree import MAJORITY, Options, answers_by_bayes, teach
from streameval.learners.scoreboard import Scores
from streameval.learners.scores import write_scores
from streameval.learners.stretch import Answers
from streameval.learners.tree import LEAF, NONE, Pool

#: Rough shares that may be wrong by more are replaced by exact ones.
TOLERABLE = 0.05
#: More than what rounding can do to sums of shares.
ROUNDING = 1e-9
#: A class weight below that part of another is also less when rounding has been at both.
CLEARLY_LESS = 1.0 - 1e-6


class Ballot(NamedTuple):
    """What m members say of the instance at hand, k classes; m' is m, rounded up to lanes."""

    node: NDArray[np.int64]  # (m,) where it comes to in each tree
    place: NDArray[np.int64]  # (m,) the child that it lacks there, or NONE
    scores: Scores  # what Naive Bayes says there
    by_bayes: NDArray[np.float64]  # (m',) 1 where that is the member's vote, or else 0
    weight: NDArray[np.float64]  # (m',) of each member's vote
    vote: NDArray[np.float64]  # (k,) one member's votes
    votes: NDArray[np.float64]  # (k,) the sum of all members' shares


def make_ballot(members: int, classes: int) -> Ballot:
    """Return the ballot of members whose votes count alike, unless `weight` is changed."""
    scores = scoreboard.make_scores(members, classes)
    room = len(scores.stale)
    return Ballot(
        node=np.zeros(members, dtype=np.int64),
        place=np.zeros(members, dtype=np.int64),
        scores=scores,
        by_bayes=memory.aligned(np.zeros(room)),
        weight=memory.aligned(np.ones(room)),
        vote=np.zeros(classes),
        votes=np.zeros(classes),
    )


@inlined
def ask(
    pool: Pool,
    roots: NDArray[np.int64],
    ballot: Ballot,
    options: Options,
    row: NDArray[np.float64],
    whole: bool,
) -> None:
    """Bring an instance to a node of each member, and have Naive Bayes look at it there."""
    routing.route_members(pool, roots, row, whole, ballot.node, ballot.place)
    useful = whole and options.leaf_prediction != MAJORITY
    for m in range(roots.shape[0]):
        node = ballot.node[m]
        is_leaf = pool.test[node] == LEAF
        scored = useful and is_leaf and not tree.knows_only_classes(pool, node)
        if scored:
            scoreboard.score_classes(
                pool.stats, pool.slot[node], pool.prior[node], row, ballot.scores, m
            )
        by_bayes = scored and answers_by_bayes(pool, node, options)
        ballot.by_bayes[m] = 1.0 if by_bayes else 0.0
        ballot.scores.stale[m] = _staleness(pool, node) if scored else np.inf
    for first in range(0, ballot.scores.stale.shape[0], WIDTH):
        scoreboard.name_likeliest(pool.stats, ballot.scores, first)


@inlined
def _staleness(pool: Pool, node: int) -> float:
    """Return by which part the scores of a leaf may be wrong."""
    return STALENESS if pool.prior[node, pool.majority[node]] > YOUTH else 0.0


@inlined
def vote(
    pool: Pool, ballot: Ballot, options: Options, row: NDArray[np.float64], rough: bool
) -> int:
    """Return the class of the highest share, the first of equals.

    Unless they may be `rough`, the exact shares are left in ``ballot.votes``.
    """
    if rough:
        answer = _common_answer(pool, ballot, options)
        if answer != NONE:
            return answer
        answer, certain = _tally(pool, ballot, options, row, True)
        if certain:
            return answer
    return _vote_closely(pool, ballot, options, row)


@inlined
def _common_answer(pool: Pool, ballot: Ballot, options: Options) -> int:
    """Return the class of which each member has clearly the highest share; NONE if there is none.

    Sums of the shares can say nothing else then. They are left to whoever needs them.
    """
    answer = _clear_answer(pool, ballot, 0, options)
    for m in range(1, ballot.node.shape[0]):
        if answer == NONE or _clear_answer(pool, ballot, m, options) != answer:
            return NONE
    return answer


@inlined
def _clear_answer(pool: Pool, ballot: Ballot, m: int, options: Options) -> int:
    """Return the class of a member's highest vote; NONE if there are others close to it."""
    node = ballot.node[m]
    if pool.test[node] == LEAF and answers_by_bayes(pool, node, options):
        return int(ballot.scores.label[m])
    answer, prior = pool.majority[node], pool.prior[node]
    if answer == NONE:
        return NONE
    for c in range(prior.shape[0]):
        if c != answer and prior[c] > prior[answer] * CLEARLY_LESS:
            return NONE
    return answer


@inlined
def write_answer(
    pool: Pool,
    ballot: Ballot,
    options: Options,
    row: NDArray[np.float64],
    answers: Answers,
    at: int,
) -> None:
    """Write what all members together answer, and their scores if these are asked for."""
    exact = answers.scores.shape[0] > 0
    answers.label[at] = vote(pool, ballot, options, row, not exact)
    if exact:
        write_scores(ballot.votes, answers.label[at], answers.scores[at])


@part
def _vote_closely(pool: Pool, ballot: Ballot, options: Options, row: NDArray[np.float64]) -> int:
    return _tally(pool, ballot, options, row, False)[0]


@inlined
def _tally(
    pool: Pool, ballot: Ballot, options: Options, row: NDArray[np.float64], rough: bool
) -> tuple[int, bool]:
    """Add up the members' shares; return the class of the highest, and if exact ones agree."""
    votes, error, answer, certain = ballot.votes, 0.0, 0, True
    votes[:] = 0.0
    if rough:
        for first in range(0, ballot.scores.stale.shape[0], WIDTH):
            error += _add_rough_shares(pool, ballot, first)
    for m in range(ballot.node.shape[0]):
        if not rough or ballot.by_bayes[m] == 0.0 or not ballot.scores.error[m] < TOLERABLE:
            _add_shares(pool, ballot, m, options, row)
            error += ROUNDING * ballot.weight[m]
    for c in range(1, votes.shape[0]):
        answer = c if votes[c] > votes[answer] else answer
    for c in range(votes.shape[0]):
        certain &= c == answer or votes[answer] - votes[c] > 2.0 * error
    return answer, certain


@inlined
def _add_rough_shares(pool: Pool, ballot: Ballot, first: int) -> float:
    """Add what eight members say by Naive Bayes, where that is nearly known; return the error."""
    scores, at = ballot.scores, np.uint64(first)
    scoreboard.share_out(pool.stats, scores, first)
    error = lanes.load(scores.error, first)
    counts = (error < TOLERABLE) & (lanes.load(ballot.by_bayes, first) > 0.0)
    weight = where(counts, lanes.load(ballot.weight, first), fill(0.0))
    for c in range(ballot.votes.shape[0]):
        share = where(counts, lanes.load(scores.share, at), fill(0.0))
        ballot.votes[c] += lanes.total(share * weight)
        at += np.uint64(scores.stale.shape[0])
    return lanes.total((where(counts, error, fill(0.0)) + ROUNDING) * weight)


@inlined
def _add_shares(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: NDArray[np.float64]
) -> None:
    """Add a member's votes, divided by their sum."""
    out = ballot.vote
    node_votes(pool, ballot.node[m], options, row, out)
    total = 0.0
    for c in range(out.shape[0]):
        total += out[c]
    if total > 0.0:
        scale = 1.0 / total  # as in MOA: a quotient may differ in the last bit
        for c in range(out.shape[0]):
            ballot.votes[c] += out[c] * scale * ballot.weight[m]


@inlined
def node_votes(
    pool: Pool, node: int, options: Options, row: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Write a node's votes: class weights, in a fresh leaf their shares, or products."""
    prior = pool.prior[node]
    by_bayes = pool.test[node] == LEAF and answers_by_bayes(pool, node, options)
    if by_bayes and not tree.knows_only_classes(pool, node):
        bayes.votes(pool.stats, pool.slot[node], prior, row, out)
        return
    total = tree.weight_seen(pool, node) if by_bayes else 1.0
    for c in range(prior.shape[0]):
        out[c] = prior[c] / total if total > 0.0 else 0.0


@inlined
def guess(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: NDArray[np.float64], whole: bool
) -> int:
    """Return what Naive Bayes answers in a member's leaf; NONE if it does not matter."""
    node = ballot.node[m]
    if options.leaf_prediction == MAJORITY:
        return NONE
    if ballot.scores.label[m] >= 0.0:
        return int(ballot.scores.label[m])
    return tree.bayes_label(pool, node, row, whole)


@inlined
def answer_of(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: NDArray[np.float64], whole: bool
) -> int:
    """Return the class that a member votes for."""
    node = ballot.node[m]
    if pool.test[node] == LEAF and answers_by_bayes(pool, node, options):
        return guess(pool, ballot, m, options, row, whole)
    return max(pool.majority[node], 0)


@inlined
def teach_member(
    pool: Pool,
    ballot: Ballot,
    m: int,
    options: Options,
    row: NDArray[np.float64],
    y: int,
    w: float,
    whole: bool,
) -> None:
    """Teach a member the instance at hand."""
    node, place = ballot.node[m], ballot.place[m]
    known = guess(pool, ballot, m, options, row, whole) if pool.test[node] == LEAF else NONE
    teach(pool, node, place, m, options, row, y, w, whole, known)


@inlined
def look_again(pool: Pool, ballot: Ballot, m: int, row: NDArray[np.float64], y: int) -> None:
    """Note that a member has learnt the instance at hand, of class `y`.

    Only the scores of that class have changed; unless its leaf has been split.
    """
    node, scores = ballot.node[m], ballot.scores
    if pool.test[node] != LEAF or pool.fresh[node]:
        scores.stale[m], scores.label[m] = np.inf, NONE
        ballot.node[m], ballot.place[m] = routing.route(pool, node, row)
    elif scores.stale[m] < np.inf:
        scoreboard.score_class(pool.stats, pool.slot[node], y, row, scores, m)
        scores.stale[m] = _staleness(pool, node)
        scoreboard.name_likeliest(pool.stats, scores, m // WIDTH * WIDTH)
