"""How many trees answer together: they add up their votes, each divided by its sum."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled import java_random, lanes, memory
from streameval.compiled.bits import first_one
from streameval.compiled.kernels import inlined, part
from streameval.compiled.lanes import WIDTH, fill, where
from streameval.learners.bayes import scoreboard, scoring
from streameval.learners.bayes.gaussian_record import STALENESS, YOUTH
from streameval.learners.bayes.scoreboard import Scores
from streameval.learners.scores import write_scores
from streameval.learners.stretch import Answers
from streameval.learners.trees import routing, tree
from streameval.learners.trees.hoeffding_tree import MAJORITY, Options, answers_by_bayes, teach
from streameval.learners.trees.tree import LEAF, NONE, Pool

#: Rough shares that may be wrong by more are replaced by exact ones.
TOLERABLE = 0.05
#: More than what rounding can do to sums of shares.
ROUNDING = 1e-9
#: A class weight below that part of another is also less when rounding has been at both.
CLEARLY_LESS = 1.0 - 1e-6


class Ballot(NamedTuple):
    """What m members say of the instance at hand, k classes; m' is m, rounded up to lanes."""

    node: NDArray[np.int64]  # (m,) where it comes to in each tree
    copies: NDArray[np.int64]  # (m,) how often each is to learn it
    taught: NDArray[np.int64]  # (m,) first those that do
    scores: Scores  # what Naive Bayes says there
    by_bayes: NDArray[np.float64]  # (m',) 1 where that is the member's vote, or else 0
    classes: NDArray[np.float64]  # (k, m') the class weights there; elsewhere these are
    clear: NDArray[np.float64]  # (m',) the class of the highest vote; NONE if others are close
    weight: NDArray[np.float64]  # (m',) of each member's vote
    vote: NDArray[np.float64]  # (k,) one member's votes
    votes: NDArray[np.float64]  # (k,) the sum of all members' shares


def make_ballot(members: int, classes: int) -> Ballot:
    """Return the ballot of members whose votes count alike, unless `weight` is changed."""
    scores = scoreboard.make_scores(members, classes)
    room = len(scores.stale)
    return Ballot(
        node=np.zeros(members, dtype=np.int64),
        copies=np.zeros(members, dtype=np.int64),
        taught=np.zeros(members, dtype=np.int64),
        scores=scores,
        by_bayes=memory.aligned(np.zeros(room)),
        classes=memory.aligned(np.zeros(classes * room)).reshape(classes, room),
        clear=memory.aligned(np.zeros(room)),
        weight=memory.aligned(np.ones(room)),
        vote=np.zeros(classes),
        votes=np.zeros(classes),
    )


@inlined
def draw(
    ballot: Ballot, random: NDArray[np.int64], table: NDArray[np.float64], learning: bool
) -> int:
    """Draw how often each member is to learn the instance at hand; return how many do at all.

    None is to unless they are `learning`; nothing is drawn then.
    """
    n = 0
    for m in range(np.uint64(ballot.copies.shape[0])):
        copies = java_random.poisson(random, table) if learning else 0
        ballot.copies[m] = copies
        ballot.taught[np.uint64(n)] = m  # a sum: which of them do is nothing a processor can guess
        n += copies > 0
    return n


@inlined
def ask(
    pool: Pool,
    roots: NDArray[np.int64],
    ballot: Ballot,
    options: Options,
    row: NDArray[np.float64],
    whole: bool,
) -> None:
    """Bring an instance to a node of each member, and have Naive Bayes look at it there.

    Unless the member neither leaves its vote to Naive Bayes nor is to learn the instance.
    """
    routing.route_members(pool, roots, row, whole, ballot.node)
    useful = whole and options.leaf_prediction != MAJORITY
    for m in range(np.uint64(roots.shape[0])):
        node: Any = np.uint64(ballot.node[m])
        knows = (pool.test[node] == LEAF) & (not tree.knows_only_classes(pool, node))
        by_bayes = knows & answers_by_bayes(pool, node, options)
        scored = useful & knows & (by_bayes | (ballot.copies[m] > 0))
        for c in range(np.uint64(ballot.classes.shape[0])):
            ballot.classes[c, m] = pool.prior[node, c]
        if scored:
            scoreboard.score_classes(
                pool.stats, pool.slot[node], pool.prior[node], row, ballot.scores, m
            )
        ballot.by_bayes[m] = 1.0 if by_bayes else 0.0
        ballot.scores.stale[m] = _staleness(pool, node) if scored else np.inf
    for first in range(0, ballot.clear.shape[0], WIDTH):
        scoreboard.name_likeliest(pool.stats, ballot.scores, first)
        _name_clear(ballot, first)


@inlined
def _name_clear(ballot: Ballot, first: int) -> None:
    """Name the class of the highest vote of eight members, where that is clear."""
    best, second, answer = fill(0.0), fill(0.0), fill(float(NONE))
    at = np.uint64(first)
    for c in range(ballot.classes.shape[0]):
        weight = lanes.load(ballot.classes, at)
        higher = weight > best
        second = lanes.maximum(lanes.minimum(weight, best), second)
        best, answer = where(higher, weight, best), where(higher, fill(float(c)), answer)
        at += np.uint64(ballot.clear.shape[0])
    answer = where(second > best * CLEARLY_LESS, fill(float(NONE)), answer)
    by_bayes = lanes.load(ballot.by_bayes, first) > 0.0
    clear = where(by_bayes, lanes.load(ballot.scores.label, first), answer)
    lanes.store(ballot.clear, first, clear)


@inlined
def _staleness(pool: Pool, node: int) -> float:
    """Return by which part the scores of a leaf may be wrong."""
    at: Any = np.uint64(node)
    return STALENESS if pool.prior[at, np.uint64(pool.majority[at])] > YOUTH else 0.0


@inlined
def vote(
    pool: Pool, ballot: Ballot, options: Options, row: NDArray[np.float64], rough: bool
) -> int:
    """Return the class of the highest share, the first of equals.

    Unless they may be `rough`, the exact shares are left in ``ballot.votes``.
    """
    if rough:
        answer = _common_answer(ballot)
        if answer != NONE:
            return answer
        answer, certain = _tally(pool, ballot, options, row, True)
        if certain:
            return answer
    return _vote_closely(pool, ballot, options, row)


@inlined
def _common_answer(ballot: Ballot) -> int:
    """Return the class of which each member has clearly the highest share; NONE if there is none.

    Sums of the shares can say nothing else then. They are left to whoever needs them.
    """
    answer, same = ballot.clear[0], True
    for first in range(0, ballot.clear.shape[0], WIDTH):
        no_member = lanes.count_from(float(first)) >= float(ballot.node.shape[0])
        same &= lanes.in_all((lanes.load(ballot.clear, first) == answer) | no_member)
    return int(answer) if same else NONE


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
        for first in range(0, ballot.clear.shape[0], WIDTH):
            error += _add_rough_shares(pool, ballot, first, options, row)
    else:
        for m in range(ballot.node.shape[0]):
            error += _add_shares(pool, ballot, m, options, row)
    for c in range(1, votes.shape[0]):
        answer = c if votes[c] > votes[answer] else answer
    for c in range(votes.shape[0]):
        certain &= c == answer or votes[answer] - votes[c] > 2.0 * error
    return answer, certain


@inlined
def _add_rough_shares(
    pool: Pool, ballot: Ballot, first: int, options: Options, row: NDArray[np.float64]
) -> float:
    """Add the shares of eight members, those of Naive Bayes as nearly as they are known.

    Return the error of the sums.
    """
    scores, at, step = ballot.scores, np.uint64(first), np.uint64(ballot.clear.shape[0])
    scoreboard.share_out(pool.stats, scores, first)
    total, by_bayes = fill(0.0), lanes.load(ballot.by_bayes, first) > 0.0
    for _ in range(ballot.classes.shape[0]):
        total += lanes.load(ballot.classes, at)
        at += step
    error = where(by_bayes, lanes.load(scores.error, first), fill(0.0))
    known = error < TOLERABLE
    counts = known & (by_bayes | (total > 0.0))
    weight = where(counts, lanes.load(ballot.weight, first), fill(0.0))
    total, at = where(total > 0.0, total, fill(1.0)), np.uint64(first)
    for c in range(ballot.classes.shape[0]):
        share = lanes.load(ballot.classes, at) / total
        share = where(by_bayes, lanes.load(scores.share, at), share)
        ballot.votes[c] += lanes.total(where(counts, share, fill(0.0)) * weight)
        at += step
    sum_of_errors = lanes.total((where(counts, error, fill(0.0)) + ROUNDING) * weight)
    unknown = lanes.bits(by_bayes) & ~lanes.bits(known)
    while unknown != 0:
        m = first + first_one(unknown)
        sum_of_errors += _add_shares(pool, ballot, m, options, row)
        unknown &= unknown - 1
    return sum_of_errors


@inlined
def _add_shares(
    pool: Pool, ballot: Ballot, m: int, options: Options, row: NDArray[np.float64]
) -> float:
    """Add a member's votes, divided by their sum; return what rounding can do to them."""
    out = ballot.vote
    node_votes(pool, ballot.node[m], options, row, out)
    total = 0.0
    for c in range(out.shape[0]):
        total += out[c]
    if total > 0.0:
        scale = 1.0 / total  # as in MOA: a quotient may differ in the last bit
        for c in range(out.shape[0]):
            ballot.votes[c] += out[c] * scale * ballot.weight[m]
    return ROUNDING * ballot.weight[m]


@inlined
def node_votes(
    pool: Pool, node: int, options: Options, row: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Write a node's votes: class weights, in a fresh leaf their shares, or products."""
    prior = pool.prior[node]
    by_bayes = pool.test[node] == LEAF and answers_by_bayes(pool, node, options)
    if by_bayes and not tree.knows_only_classes(pool, node):
        scoring.votes(pool.stats, pool.slot[node], prior, row, out)
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
    node = ballot.node[m]
    is_leaf = pool.test[np.uint64(node)] == LEAF
    known = guess(pool, ballot, m, options, row, whole) if is_leaf else NONE
    teach(pool, node, m, options, row, y, w, whole, known)


@inlined
def look_again(pool: Pool, ballot: Ballot, m: int, row: NDArray[np.float64], y: int) -> None:
    """Note that a member has learnt the instance at hand, of class `y`.

    Only the scores of that class have changed; unless its leaf has been split.
    """
    node, scores = ballot.node[m], ballot.scores
    if pool.test[node] != LEAF or pool.fresh[node]:
        scores.stale[m], scores.label[m] = np.inf, NONE
        ballot.node[m] = routing.route(pool, node, row)
    elif scores.stale[m] < np.inf:
        scoreboard.score_class(pool.stats, pool.slot[node], y, row, scores, m)
        scores.stale[m] = _staleness(pool, node)
        scoreboard.name_likeliest(pool.stats, scores, m // WIDTH * WIDTH)
