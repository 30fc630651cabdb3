"""The Hoeffding adaptive tree: branches that go wrong more often than before are replaced.

This is the tree of MOA, which is not quite that of the paper. There, an alternate is a tree
that grows beside the branch it may replace. Here, it replaces the branch as soon as it splits,
however good it is; only while it is a single leaf are the two compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval import rng
from streameval.detectors.adwin import (
    WIDTH,
    AdwinState,
    adwin_copy,
    adwin_insert,
    adwin_mean,
    adwin_reset,
    adwin_start,
)
from streameval.kernels import inlined, kernel, part
from streameval.learners import bayes, class_statistics, repacking, tree
from streameval.learners.hoeffding_tree import (
    HoeffdingTree,
    Options,
    answers_by_bayes,
    consider_split,
    leaf_guess,
    write_leaf_scores,
)
from streameval.learners.stretch import Answers, Stretch, event_at, events_of
from streameval.learners.tree import LEAF, NODES, NONE, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: ADWIN's confidence parameter.
DELTA = 0.002
#: A node and its alternate are compared when both windows are longer than this.
SHORTEST_COMPARISON = 300
#: Confidence parameter of that comparison.
COMPARISON_DELTA = 0.05
#: Every node draws from a generator of its own that starts with this seed.
SEED = 1
#: Votes closer than this may become equal when they are divided; generously.
NEARLY = 1.0 - 1e-14
#: Votes below this have a finite sum.
LARGE = 1e300


class Adaptation(NamedTuple):
    """What an adaptive tree keeps of each of `a` nodes, besides what is in the pool."""

    alternate: NDArray[np.int64]  # (a,) leaf that may replace a split node, or NONE
    random: NDArray[np.int64]  # (a, 3) generator of a leaf's weights
    errors: AdwinState  # of a ADWINs: how often the tree below a node has been wrong


class _State(NamedTuple):
    pool: Pool
    adaptation: Adaptation
    schema: Schema


@dataclass(frozen=True)
class HoeffdingAdaptiveTree(HoeffdingTree):
    """Hoeffding tree that replaces branches whose error has risen, answering as MOA's.

    The parameters are those of `HoeffdingTree`. Leaves learn each instance with a weight
    drawn from a Poisson distribution, MOA's way: drawing 0 leaves the weight as it is. The
    draws do not depend on the seed of a run. Where the tested value is missing, the
    answer is class 0; a value that was not seen at the split is never learnt.

    References
    ----------
    Bifet and Gavaldà (2009), Adaptive learning from evolving data streams.
    """

    name: ClassVar[str] = "hoeffding_adaptive_tree"
    reference: ClassVar[str] = "Bifet and Gavaldà (2009)"

    def _start(self, schema: Schema, seed: int) -> Any:
        pool = super()._start(schema, seed).pool
        return _State(pool, _make(len(pool.attribute)), schema)

    def _advance(self, state: Any, stretch: Stretch, answers: Answers) -> tuple[int, int]:
        models = (state.pool, state.adaptation)
        reached: tuple[int, int] = _play(*models, self._options(), stretch, answers)
        return reached

    def _grow(self, state: Any) -> Any:
        deepest = int(state.pool.depth[: state.pool.used[NODES]].max())
        return _repacked(state, 2 * (tree.widest_split(state.schema) + deepest + 1))

    def _model_bytes(self, state: Any) -> int:
        state = _repacked(state, 1)
        nodes = len(state.adaptation.alternate)
        per_node = sum(field.nbytes for field in _fields(state.adaptation)) // nodes
        return tree.used_bytes(state.pool) + int(state.pool.used[NODES]) * per_node


def _make(nodes: int) -> Adaptation:
    random = np.tile(rng.java_random(SEED), (nodes, 1))
    return Adaptation(np.full(nodes, NONE, dtype=np.int64), random, adwin_start(nodes))


def _fields(adaptation: Adaptation) -> tuple[NDArray[Any], ...]:
    return (adaptation.alternate, adaptation.random, *adaptation.errors)


def _repacked(state: _State, spare: int) -> _State:
    """Return the same tree with more room, without the nodes that have been replaced."""
    old = state.adaptation
    nodes = repacking.reachable(state.pool, np.zeros(1, dtype=np.int64))
    alternates = old.alternate[nodes]
    nodes = np.union1d(nodes, alternates[alternates != NONE])
    pool = repacking.repacked(state.pool, state.schema, nodes, spare)
    adaptation, n = _make(len(pool.attribute)), len(nodes)
    for field, source in zip(_fields(adaptation), _fields(old), strict=True):
        field[:n] = source[nodes]
    alternate = adaptation.alternate[:n]
    alternate[:] = np.where(alternate == NONE, NONE, np.searchsorted(nodes, alternate))
    return _State(pool, adaptation, state.schema)


@kernel
def _play(
    pool: Pool,
    adaptation: Adaptation,
    options: Options,
    stretch: Stretch,
    answers: Answers,
) -> tuple[Any, int]:
    widest = pool.candidate.weight.shape[0]
    if pool.used[NODES] == 0:
        tree.new_leaf(pool, 0)
    at = stretch.at
    for event in events_of(stretch):
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        whole = class_statistics.load(pool.stats, row)
        node, place = tree.route(pool, 0, row)
        # One split, and an alternate for each split node on the way.
        if not tree.has_room(pool, widest + pool.depth[node]):
            return np.int64(event), at
        is_leaf = pool.test[node] == LEAF
        guess = leaf_guess(pool, node, row, whole, options) if is_leaf else NONE
        by_bayes = is_leaf and answers_by_bayes(pool, node, options)
        if is_leaf:
            answer = _leaf_label(pool, adaptation, node, row, guess, by_bayes)
        else:
            answer = max(pool.majority[node], 0)
        if op & PREDICT:
            lost = not is_leaf and place == NONE  # without the tested value: MOA has no votes
            answers.label[at] = 0 if lost else answer
            if answers.scores.shape[0] > 0 and lost:
                answers.scores[at], answers.scores[at, 0] = 0.0, 1.0
            elif answers.scores.shape[0] > 0:
                write_leaf_scores(pool, node, by_bayes, row, answers.label[at], answers.scores[at])
            at += 1
        if op & LEARN and w > 0.0:
            if place != NONE:
                answer = 0  # which is what MOA's split nodes hold against themselves here
            _learn(pool, adaptation, node, row, stretch.y[t], w, whole, guess, answer, options)
    return stretch.stop, at


@inlined
def _leaf_label(
    pool: Pool,
    adaptation: Adaptation,
    leaf: int,
    row: NDArray[np.float64],
    guess: int,
    by_bayes: bool,
) -> int:
    """Return the class of a leaf's highest vote.

    MOA divides votes by their sum and the square of the leaf's error. That can make equals of
    the highest vote and one before it, but only where the two are next to each other. Naive
    Bayes has looked at such votes closely, and has left them in `score`; if instead it was
    certain, what is there is of another instance, and does no harm.
    """
    answer = guess if by_bayes else max(pool.majority[leaf], 0)
    if pool.fresh[leaf]:
        return answer  # no error yet, so nothing is divided
    votes = pool.stats.score if by_bayes else pool.prior[leaf]
    for c in range(answer):
        is_close = NEARLY * votes[answer] <= votes[c] <= votes[answer]
        if is_close or not votes[answer] < LARGE:
            return _closest_label(pool, adaptation, leaf, row, by_bayes)
    return answer


@part
def _closest_label(
    pool: Pool, adaptation: Adaptation, leaf: int, row: NDArray[np.float64], by_bayes: bool
) -> int:
    """Return what `_leaf_label` returns, by dividing."""
    votes, k = pool.stats.score, pool.prior.shape[1]
    if by_bayes:
        bayes.votes(pool.stats, pool.slot[leaf], pool.prior[leaf], row, votes)
    else:
        for c in range(k):
            votes[c] = pool.prior[leaf, c]
    total = 0.0
    for c in range(k):
        total += votes[c]
    error = adwin_mean(adaptation.errors, leaf)
    divisor = total * error * error
    if not divisor > 0.0:  # no instance yet, or none that was wrong
        divisor = 1.0
    best = 0
    for c in range(1, k):
        if votes[c] / divisor > votes[best] / divisor:
            best = c
    return best


@part
def _learn(
    pool: Pool,
    adaptation: Adaptation,
    last: int,
    row: NDArray[np.float64],
    y: int,
    w: float,
    whole: bool,
    guess: int,
    answer: int,
    options: Options,
) -> None:
    """Teach the nodes from the root to the `last` one, whose answer is that of them all."""
    node = 0
    while pool.test[node] != LEAF:
        if _learn_at_split(pool, adaptation, node, row, y, w, whole, answer, options):
            return  # what is below has been replaced
        if node == last:
            return
        node = tree.child_of(pool, node, row[pool.attribute[node]])
    _learn_in_leaf(pool, adaptation, node, row, y, w, whole, guess, answer, options)


@part
def _learn_in_leaf(
    pool: Pool,
    adaptation: Adaptation,
    leaf: int,
    row: NDArray[np.float64],
    y: int,
    w: float,
    whole: bool,
    guess: int,
    answer: int,
    options: Options,
) -> bool:
    """Teach a leaf; return whether another node has come of it."""
    times = rng.poisson(adaptation.random[leaf], 1.0)
    adwin_insert(adaptation.errors, leaf, 1.0 if answer != y else 0.0, DELTA)
    tree.learn(pool, leaf, row, y, w * max(times, 1), whole, guess)
    consider_split(pool, leaf, options)
    if pool.test[leaf] == LEAF and not pool.fresh[leaf]:
        return False
    adwin_reset(adaptation.errors, leaf)
    rng.reseed(adaptation.random[leaf], SEED)
    return True


@part
def _learn_at_split(
    pool: Pool,
    adaptation: Adaptation,
    node: int,
    row: NDArray[np.float64],
    y: int,
    w: float,
    whole: bool,
    answer: int,
    options: Options,
) -> bool:
    """Watch the error of a split node, teach its alternate; return whether that replaced it."""
    errors, alternate = adaptation.errors, adaptation.alternate[node]
    before = adwin_mean(errors, node)
    changed = adwin_insert(errors, node, 1.0 if answer != y else 0.0, DELTA)
    replaced = False
    if changed and before <= adwin_mean(errors, node):
        alternate = adaptation.alternate[node] = tree.new_leaf(pool, pool.depth[node])
    elif alternate != NONE:
        lead = _clear_lead(errors, alternate, node)
        replaced = lead > 0
        if lead < 0:
            alternate = adaptation.alternate[node] = NONE
    if alternate == NONE:
        return False
    guess = leaf_guess(pool, alternate, row, whole, options)
    by_bayes = answers_by_bayes(pool, alternate, options)
    own = _leaf_label(pool, adaptation, alternate, row, guess, by_bayes)
    replaced |= _learn_in_leaf(pool, adaptation, alternate, row, y, w, whole, guess, own, options)
    if replaced:
        _replace(pool, adaptation, node, alternate)
    return replaced


@part
def _clear_lead(errors: AdwinState, alternate: int, node: int) -> int:
    """Return 1 if the alternate is clearly better than the node, -1 if clearly worse, or 0."""
    widths = errors.counts[node, WIDTH], errors.counts[alternate, WIDTH]
    if min(widths) <= SHORTEST_COMPARISON:
        return 0
    error, other = adwin_mean(errors, node), adwin_mean(errors, alternate)
    inverse = 1.0 / widths[1] + 1.0 / widths[0]
    bound = math.sqrt(2.0 * error * (1.0 - error) * math.log(2.0 / COMPARISON_DELTA) * inverse)
    if bound < error - other:
        return 1
    return -1 if bound < other - error else 0


@part
def _replace(pool: Pool, adaptation: Adaptation, node: int, alternate: int) -> None:
    """Put the alternate in the place of a node, which is how its parent knows it already."""
    tree.copy_node(pool, alternate, node)
    adwin_copy(adaptation.errors, alternate, node)
    adaptation.random[node, rng.SEED] = adaptation.random[alternate, rng.SEED]
    adaptation.alternate[node] = NONE
