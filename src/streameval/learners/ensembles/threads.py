"""Ensembles on several threads: each thread runs some of the members.

Members learn independently of each other, but the votes of all decide on a prediction, and in about
one event of a hundred only exact votes tell the class: those of the models as they were then.
So threads run over a *piece* of some hundred events at a time. At its end they add up what they
know of the votes; for the predictions that remain in doubt, each derives the exact votes of its
members from the copies of what the piece has changed. All sums are taken in the order of the
members: predictions do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import java_random
from streameval.compiled.instructions import count_up, doze, look_at
from streameval.compiled.kernels import inlined, part
from streameval.learners.bayes import class_statistics
from streameval.learners.bayes.class_statistics import UNOBSERVED
from streameval.learners.ensembles import voting
from streameval.learners.ensembles.voting import Ballot
from streameval.learners.predictions import NO_PREDICTION
from streameval.learners.stretch import Outputs, Stretch, write_scores
from streameval.learners.trees import tree
from streameval.learners.trees.hoeffding_tree import Options
from streameval.learners.trees.tree import LEAF, NONE, UNSEEN_BRANCH, Pool

#: Most and fewest events of a piece, and most bytes that a thread keeps of one.
EVENTS, FEWEST, COPIED_BYTES = 512, 16, 1 << 23
#: Places in ``Share.arrivals``: how many threads have arrived, how often all have; lines apart.
ARRIVED, MEETINGS = 0, 8
#: Places in ``Share.piece``: its number, and how many predictions it has so far.
NUMBER, PREDICTIONS = 0, 1
#: How often a thread looks for the others before it sleeps: longer than a short sleep takes, or
#: else each would make the next one sleep.
PATIENCE = 1_000_000


class Share(NamedTuple):
    """What one of t threads does, with what all threads share.

    It runs n of the m members of the ensemble. Shapes: e events of a piece, k classes.
    """

    thread: int
    threads: int
    first: int  # its first member
    factor: int  # the jump over the draws for the members of the others
    summand: int

    arrivals: Integers  # (16,) shared, as all up to `exact`
    fits: Integers  # (2, t) events for which each has room, in turns
    common: Integers  # (2, t, e) class of all votes of a thread or NONE, in turns
    votes: Floats  # (2, t, e, k) or else approximate sums, in turns
    error: Floats  # (2, t, e) their errors
    exact: Floats  # (2, e, m, k) exact votes of predictions in doubt, in turns

    piece: Integers  # (2,)
    row: Integers  # (e,) the instance of each prediction
    open: Integers  # (2, e, 2) predictions in doubt that it writes, in turns: places in
    # `exact` and in the outputs
    n_open: Integers  # (2,) and how many
    node: Integers  # (e, n) that the instance reaches; NONE for an unseen branch
    unseen: Floats  # (e, n, k) the class weights of one, which it loses as a leaf
    source: Integers  # (e, n) see `voting.source_of`
    weight: Floats  # (e, n) of the member's vote
    mark: Integers  # (e, n) changes that had been made by then
    changes: Integers  # (n,) how often each member has learnt in the piece
    changed: Integers  # (n, e) the node that has learnt
    slot: Integers  # (n, e) its slot
    label: Integers  # (n, e) the class
    before: Floats  # (n, e) the weight of the class before
    begin: Integers  # (n, e) where the copy of its record begins, or UNOBSERVED
    prior: Floats  # (k,) scratch: class weights as they were
    records: Integers  # (k,) scratch: where the records of a slot began


def shares(members: int, threads: int, classes: int, record_bytes: int) -> list[Share]:
    """Return what each thread does, for an ensemble of so many members."""
    t, most = threads, -(-members // threads)
    bytes_of_event = record_bytes * most + 16 * members * classes
    e = int(np.clip(COPIED_BYTES // bytes_of_event, FEWEST, EVENTS))
    shared = (
        np.zeros(16, dtype=np.int64),
        np.zeros((2, t), dtype=np.int64),
        np.zeros((2, t, e), dtype=np.int64),
        np.zeros((2, t, e, classes)),
        np.zeros((2, t, e)),
        np.zeros((2, e, members, classes)),
    )
    bounds = [thread * members // t for thread in range(t + 1)]

    def share(thread: int) -> Share:
        first, n = bounds[thread], bounds[thread + 1] - bounds[thread]

        def by_event() -> Integers:
            return np.zeros((e, n), dtype=np.int64)

        def by_change() -> Integers:
            return np.zeros((n, e), dtype=np.int64)

        return Share(
            *(thread, t, first, *java_random.jump(2 * (members - n)), *shared),
            piece=np.zeros(2, dtype=np.int64),
            row=np.zeros(e, dtype=np.int64),
            open=np.zeros((2, e, 2), dtype=np.int64),
            n_open=np.zeros(2, dtype=np.int64),
            node=by_event(),
            unseen=np.zeros((e, n, classes)),
            source=by_event(),
            weight=np.zeros((e, n)),
            mark=by_event(),
            changes=np.zeros(n, dtype=np.int64),
            changed=by_change(),
            slot=by_change(),
            label=by_change(),
            before=np.zeros((n, e)),
            begin=by_change(),
            prior=np.zeros(classes),
            records=np.full(classes, UNOBSERVED),
        )

    return [share(thread) for thread in range(t)]


@inlined
def draw_weights(
    share: Share | None, ballot: Ballot, random: Integers, table: Floats, learning: bool
) -> int:
    """Draw the weights of a thread's members as `voting.draw`; skip those of the others."""
    trained = voting.draw(ballot, random, table, learning)
    if share is not None and learning:
        java_random.advance(random, share.factor, share.summand)
    return trained


@inlined
def predict(
    share: Share | None,
    pool: Pool,
    ballot: Ballot,
    options: Options,
    row: Floats,
    t: int,
    outputs: Outputs,
    at: int,
    abstains: bool,
) -> None:
    """Write a prediction; as one of many threads keep what it needs."""
    if share is not None:
        _keep_votes(share, pool, ballot, options, row, t)
    else:
        voting.write_prediction(pool, ballot, options, row, outputs, at)
        if abstains and outputs.label[at] == 0 and voting.is_silent(pool, ballot, options, row):
            outputs.label[at] = NO_PREDICTION


@inlined
def _keep_votes(
    share: Share, pool: Pool, ballot: Ballot, options: Options, row: Floats, t: int
) -> None:
    """Keep what the prediction for instance `t` needs, approximately and exactly."""
    turn, p = np.uint64(share.piece[NUMBER] & 1), np.uint64(share.piece[PREDICTIONS])
    share.piece[PREDICTIONS] += 1
    share.row[p] = t
    mine, common = np.uint64(share.thread), voting.common_class(ballot)
    if common == NONE:
        share.error[turn, mine, p] = voting.sum_roughly(pool, ballot, options, row)
        for c in range(np.uint64(ballot.votes.shape[0])):
            share.votes[turn, mine, p, c] = ballot.votes[c]
    share.common[turn, mine, p] = common
    for m in range(np.uint64(ballot.node.shape[0])):
        share.node[p, m] = ballot.node[m]
        share.source[p, m] = voting.source_of(pool, ballot.node[m], options)
        share.weight[p, m] = ballot.weight[m]
        share.mark[p, m] = share.changes[m]
        if pool.test[np.uint64(ballot.node[m])] == UNSEEN_BRANCH:
            share.node[p, m] = NONE
            for c in range(np.uint64(ballot.votes.shape[0])):
                share.unseen[p, m, c] = pool.prior[np.uint64(ballot.node[m]), c]


@inlined
def keep_change(share: Share | None, pool: Pool, node: int, m: Any, y: int) -> None:
    """As one of many threads keep what a leaf changes by learning an instance of class `y`."""
    if share is not None:
        _keep_change(share, pool, node, m, y)


@inlined
def _keep_change(share: Share, pool: Pool, node: int, m: Any, y: int) -> None:
    at: Any = np.uint64(node)
    if pool.test[at] != LEAF:
        return
    member = np.uint64(m)
    n = np.uint64(share.changes[member])
    share.changes[member] += 1
    version = np.int64(m) * share.slot.shape[1] + np.int64(n)
    share.changed[member, n], share.slot[member, n] = node, pool.slot[at]
    share.label[member, n], share.before[member, n] = y, pool.prior[at, np.uint64(y)]
    share.begin[member, n] = class_statistics.keep(pool.stats, pool.slot[at], y, version)


@inlined
def next_events(
    share: Share | None,
    pool: Pool,
    ballot: Ballot,
    need: int,
    event: int,
    stretch: Stretch,
    outputs: Outputs,
    at: int,
    abstains: bool,
) -> int:
    """Return how many events follow without a look at the room; 0 where there is none.

    As one of many threads first end the piece before. `need` is the most nodes that an event can
    use, `at` the next free place of the outputs.
    """
    left = np.int64(stretch.stop) - np.int64(event)
    fits: Any = min(tree.events_that_fit(pool, ballot.node.shape[0], need), left)
    if share is not None:
        fits = _turn_over(share, pool, ballot, fits, event, stretch, outputs, at, abstains)
    return fits


@part
def _turn_over(
    share: Share,
    pool: Pool,
    ballot: Ballot,
    fits: Any,
    event: int,
    stretch: Stretch,
    outputs: Outputs,
    at: int,
    abstains: bool,
) -> int:
    """End a piece; return the events of the next one, for which `fits` is this thread's room."""
    if fits < min(FEWEST, stretch.stop - np.int64(event)):
        fits = 0  # short pieces would cost more than room
    turn, fits = share.piece[NUMBER] & 1, min(fits, share.row.shape[0])
    share.fits[turn, share.thread] = fits
    _meet(share)
    for thread in range(share.threads):
        fits = min(fits, share.fits[turn, thread])
    _settle(share, ballot, 1 - turn, outputs, abstains)
    _predict(share, pool, ballot, stretch, outputs, at - share.piece[PREDICTIONS], abstains)
    if fits == 0:
        _meet(share)
        _settle(share, ballot, turn, outputs, abstains)
    tree.give_back(pool)
    share.changes[:] = 0
    share.piece[NUMBER] += 1
    share.piece[PREDICTIONS] = 0
    return fits


@inlined
def _meet(share: Share) -> None:
    """Wait until all threads have arrived."""
    met, looks = look_at(share.arrivals, MEETINGS), 0
    if count_up(share.arrivals, ARRIVED) == share.threads - 1:
        share.arrivals[ARRIVED] = 0
        count_up(share.arrivals, MEETINGS)
        return
    while look_at(share.arrivals, MEETINGS) == met:
        looks += 1
        if looks > PATIENCE:
            doze()


@inlined
def _predict(
    share: Share,
    pool: Pool,
    ballot: Ballot,
    stretch: Stretch,
    outputs: Outputs,
    start: int,
    abstains: bool,
) -> None:
    """Write a thread's part of the predictions of a piece, from `start` on.

    For those in doubt it writes the exact votes of its members; `_settle` does the rest.
    """
    n, turn, n_open = share.piece[PREDICTIONS], share.piece[NUMBER] & 1, 0
    first, end = n * share.thread // share.threads, n * (share.thread + 1) // share.threads
    exact, mine = outputs.scores.shape[0] > 0, 0
    for p in range(n):
        winner, certain = _winner(share, turn, p, ballot.votes)
        if exact or not certain or (abstains and winner == 0):
            _write_exact_votes(share, pool, ballot, turn, n_open, p, stretch.X[share.row[p]])
            if first <= p < end:
                share.open[turn, mine, 0], share.open[turn, mine, 1] = n_open, start + p
                mine += 1
            n_open += 1
        elif first <= p < end:
            outputs.label[start + p] = winner
    share.n_open[turn] = mine


@inlined
def _settle(share: Share, ballot: Ballot, turn: int, outputs: Outputs, abstains: bool) -> None:
    """Write a thread's part of the predictions of a piece that were in doubt."""
    votes = ballot.votes
    for i in range(share.n_open[turn]):
        votes[:] = 0.0
        for m in range(share.exact.shape[2]):
            for c in range(votes.shape[0]):
                votes[c] += share.exact[turn, share.open[turn, i, 0], m, c]
        winner, _ = voting.winner_of(votes, 0.0)
        at = share.open[turn, i, 1]
        if outputs.scores.shape[0] > 0:
            write_scores(votes, winner, outputs.scores[at])
        is_silent = abstains and votes[winner] == 0.0
        outputs.label[at] = NO_PREDICTION if is_silent else winner
    share.n_open[turn] = 0


@inlined
def _winner(share: Share, turn: int, p: int, votes: Floats) -> tuple[int, bool]:
    """Return the class that all members together vote for, and whether it is certain."""
    common, same, error = share.common[turn, 0, p], True, 0.0
    for thread in range(1, share.threads):
        same &= share.common[turn, thread, p] == common
    if same and common != NONE:
        return common, True
    votes[:] = 0.0
    for thread in range(share.threads):
        if share.common[turn, thread, p] == NONE:
            error += share.error[turn, thread, p]
            for c in range(votes.shape[0]):
                votes[c] += share.votes[turn, thread, p, c]
    winner, certain = voting.winner_of(votes, error)
    for thread in range(share.threads):  # whose members all vote for one class
        certain &= share.common[turn, thread, p] in (NONE, winner)
    return winner, certain


@part
def _write_exact_votes(
    share: Share, pool: Pool, ballot: Ballot, turn: int, place: int, p: int, row: Floats
) -> None:
    """Write the exact votes of a thread's members for prediction `p` of the piece."""
    for m in range(ballot.node.shape[0]):
        _go_back(share, pool, p, m)
        source = share.source[p, m]
        voting.write_votes(pool.stats, source, share.records, share.prior, row, ballot.vote)
        scale = voting.scale_of(ballot.vote)
        for c in range(ballot.vote.shape[0]):
            vote = ballot.vote[c] * scale * share.weight[p, m]
            share.exact[turn, place, share.first + m, c] = vote if scale >= 0.0 else 0.0


@inlined
def _go_back(share: Share, pool: Pool, p: int, m: int) -> None:
    """Write the class weights and records that a member had at prediction `p` of the piece."""
    node, source = share.node[p, m], share.source[p, m]
    for c in range(share.prior.shape[0]):
        share.prior[c] = share.unseen[p, m, c] if node == NONE else pool.prior[node, c]
        if source >= 0:
            share.records[c] = class_statistics.record_of(pool.stats, source, c)
    for i in range(share.changes[m] - 1, share.mark[p, m] - 1, -1):
        c = share.label[m, i]
        if share.changed[m, i] == node:
            share.prior[c] = share.before[m, i]
        if share.slot[m, i] == source:
            share.records[c] = share.begin[m, i]
