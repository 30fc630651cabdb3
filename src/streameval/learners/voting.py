"""How many trees answer together: they add up their votes, each divided by its sum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.kernels import inlined, part
from streameval.learners import bayes, routing, tree
from streameval.learners.bayes import Scores
from streameval.learners.gaussian_record import STALENESS, YOUTH
from streameval.learners.hoeffding_tree import MAJORITY, Options, answers_by_bayes, teach
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
    """What m members say of the instance at hand, k classes."""

    node: NDArray[np.int64]  # (m,) where it comes to in each tree
    place: NDArray[np.int64]  # (m,) the child that it lacks there, or NONE
    scored: NDArray[np.bool_]  # (m,) whether `scores` holds what Naive Bayes says there
    scores: Scores
    label: NDArray[np.int64]  # (m,) what these say for certain; NONE if that is not known (yet)
    weight: NDArray[np.float64]  # (m,) of each member's vote
    vote: NDArray[np.float64]  # (k,) one member's votes
    votes: NDArray[np.float64]  # (k,) the sum of all members' shares


def make_ballot(members: int, classes: int) -> Ballot:
    """Return the ballot of members whose votes count alike, unless `weight` is changed."""
    return Ballot(
        node=np.zeros(members, dtype=np.int64),
        place=np.zeros(members, dtype=np.int64),
        scored=np.zeros(members, dtype=np.bool_),
        scores=bayes.make_scores(members, classes),
        label=np.full(members, NONE),
        weight=np.ones(members),
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
        ballot.scored[m] = useful and is_leaf and not tree.knows_only_classes(pool, node)
        ballot.label[m] = NONE
        if ballot.scored[m]:
            bayes.score_classes(
                pool.stats, pool.slot[node], pool.prior[node], row, ballot.scores, m
            )


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
        return _scored_label(pool, ballot, m) if ballot.scored[m] else NONE
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
    for m in range(ballot.node.shape[0]):
        error += (_add_shares(pool, ballot, m, options, row, rough) + ROUNDING) * ballot.weight[m]
    for c in range(1, votes.shape[0]):
        answer = c if votes[c] > votes[answer] else answer
    for c in range(votes.shape[0]):
        certain &= c == answer or votes[answer] - votes[c] > 2.0 * error
    return answer, certain


@inlined
def _add_shares(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: NDArray[np.float64], rough: bool
) -> float:
    """Add a member's votes, divided by their sum; return by how much a share may be wrong."""
    node, out, weight = ballot.node[m], ballot.vote, ballot.weight[m]
    if rough and ballot.scored[m] and answers_by_bayes(pool, node, options):
        stale = _staleness(pool, node)
        error = bayes.rough_shares(pool.stats, ballot.scores, m, stale, out)
        if error < TOLERABLE:
            for c in range(out.shape[0]):
                ballot.votes[c] += out[c] * weight
            return error
    node_votes(pool, node, options, row, out)
    total = 0.0
    for c in range(out.shape[0]):
        total += out[c]
    if total > 0.0:
        scale = 1.0 / total  # as in MOA: a quotient may differ in the last bit
        for c in range(out.shape[0]):
            ballot.votes[c] += out[c] * scale * weight
    return 0.0


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
    if ballot.scored[m]:
        found = _scored_label(pool, ballot, m)
        if found != NONE:
            return found
    return tree.bayes_label(pool, node, row, whole)


@inlined
def _scored_label(pool: Pool, ballot: Ballot, m: int) -> int:
    """Return what the kept scores of a member say for certain; NONE if that is nothing."""
    if ballot.label[m] == NONE:
        stale = _staleness(pool, ballot.node[m])
        found, certain = bayes.scored_label(pool.stats, ballot.scores, m, stale)
        if certain and ballot.scores.score[m, found] > -np.inf:
            ballot.label[m] = found
    return ballot.label[m]


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
    node = ballot.node[m]
    ballot.label[m] = NONE
    if pool.test[node] != LEAF or pool.fresh[node]:
        ballot.scored[m] = False
        ballot.node[m], ballot.place[m] = routing.route(pool, node, row)
    elif ballot.scored[m]:
        bayes.score_class(pool.stats, pool.slot[node], y, row, ballot.scores, m)
