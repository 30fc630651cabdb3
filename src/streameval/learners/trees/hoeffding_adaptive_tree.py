"""The Hoeffding adaptive tree: branches that go wrong more often than before are replaced.

This is the tree of MOA, which is not quite that of the paper. There, an alternate is a tree
that grows beside the branch it may replace. Here, it replaces the branch as soon as it splits,
however good it is; only while it is a single leaf are the two compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, kernel, part
from streameval.detectors.binary_adwin import binary_insert, binary_mean, binary_reset
from streameval.learners.bayes import class_statistics, scoring
from streameval.learners.stretch import Answers, Stretch, event_at, events_of
from streameval.learners.trees import alternates as adapting
from streameval.learners.trees import compaction, routing, tree
from streameval.learners.trees.alternates import BETTER, DELTA, MADE, PUT, WORSE, Adaptation
from streameval.learners.trees.hoeffding_tree import (
    HoeffdingTree,
    Options,
    answers_by_bayes,
    consider_split,
    leaf_guess,
    write_leaf_scores,
)
from streameval.learners.trees.tree import LEAF, NODES, NONE, TOGETHER, UNBORN, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: Votes closer than this may become equal when they are divided; generously.
NEARLY = 1.0 - 1e-14
#: Votes below this have a finite sum.
LARGE = 1e300
#: How leaves draw their weights: Poisson numbers of mean 1.
DRAWS = java_random.poisson_table(1.0)


class _State(NamedTuple):
    pool: Pool
    adaptation: Adaptation
    schema: Schema


@dataclass(frozen=True)
class HoeffdingAdaptiveTree(HoeffdingTree):
    """Hoeffding tree that replaces branches whose error has risen, answering as MOA's.

    Leaves learn each instance with a weight drawn from a Poisson distribution, MOA's way:
    drawing 0 leaves the weight as it is. Where the tested value is missing, the answer is
    class 0; a value that was not seen at the split is never learnt. The other parameters are
    those of `HoeffdingTree`.

    The size of a run also counts the alternates that were made, the replacements by them, the
    switches, which are replacements by leaves that were clearly better, and the prunings of
    alternates that were clearly worse.

    Parameters
    ----------
    own_draws : bool
        Let the draws of a leaf depend on the seed of the run, and differ from those of other
        leaves. In MOA all leaves draw the same numbers in every run.

    References
    ----------
    Bifet and Gavaldà (2009), Adaptive learning from evolving data streams.
    """

    own_draws: bool = False

    name: ClassVar[str] = "hoeffding_adaptive_tree"
    reference: ClassVar[str] = "Bifet and Gavaldà (2009)"

    def _start(self, schema: Schema, seed: int) -> Any:
        pool = super()._start(schema, seed).pool
        return _State(pool, adapting.make(len(pool.attribute), seed, self.own_draws), schema)

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
        fields = adapting.node_fields(state.adaptation)
        per_node = sum(field.nbytes for field in fields) // nodes
        return tree.used_bytes(state.pool) + int(state.pool.used[NODES]) * per_node

    def _size(self, state: Any) -> dict[str, int]:
        happened = state.adaptation.happened
        return super()._size(state) | {
            "alternates": int(happened[MADE]),
            "replacements": int(happened[PUT]),
            "switches": int(happened[BETTER]),
            "prunings": int(happened[WORSE]),
        }


def _repacked(state: _State, spare: int) -> _State:
    """Return the same tree with more room, without the nodes that have been replaced."""
    nodes = tree.below(state.pool, np.zeros(1, dtype=np.int64))
    alternates = state.adaptation.alternate[nodes]
    nodes = np.union1d(nodes, alternates[alternates != NONE])
    pool = compaction.repacked(state.pool, state.schema, nodes, spare)
    adaptation = adapting.repacked(state.adaptation, nodes, len(pool.attribute))
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
    at, routed, end = stretch.at, np.uint64(stretch.start), np.uint64(stretch.start)
    for event in events_of(stretch):
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        if event == end:
            routed, end = event, min(event + np.uint64(TOGETHER), np.uint64(stretch.stop))
            routing.route_together(pool, 0, stretch.X, stretch.row, routed, end)
        whole = class_statistics.load(pool.stats, row)
        node = routing.route(pool, pool.reached[event - routed] if whole else 0, row)
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
            lost = pool.test[node] < LEAF  # without the tested value: MOA has no votes
            answers.label[at] = 0 if lost else answer
            if answers.scores.shape[0] > 0 and lost:
                answers.scores[at], answers.scores[at, 0] = 0.0, 1.0
            elif answers.scores.shape[0] > 0:
                write_leaf_scores(pool, node, by_bayes, row, answers.label[at], answers.scores[at])
            at += 1
        if op & LEARN and w > 0.0:
            if pool.test[node] == UNBORN:
                answer = 0  # which is what MOA's split nodes hold against themselves here
            y = stretch.y[t]
            if _learn(pool, adaptation, node, row, y, w, whole, guess, answer != y, options):
                end = event + np.uint64(1)  # others may have been routed into what was replaced
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
        scoring.votes(pool.stats, pool.slot[leaf], pool.prior[leaf], row, votes)
    else:
        for c in range(k):
            votes[c] = pool.prior[leaf, c]
    total = 0.0
    for c in range(k):
        total += votes[c]
    error = binary_mean(adaptation.errors, leaf)
    divisor = total * error * error
    if not divisor > 0.0:  # no instance yet, or none that was wrong
        divisor = 1.0
    best = 0
    for c in range(1, k):
        if votes[c] / divisor > votes[best] / divisor:
            best = c
    return best


@inlined
def _learn(
    pool: Pool,
    adaptation: Adaptation,
    last: int,
    row: NDArray[np.float64],
    y: int,
    w: float,
    whole: bool,
    guess: int,
    wrong: bool,
    options: Options,
) -> bool:
    """Teach the nodes from the root to the `last` one; return whether some were replaced.

    They are all right or wrong together.
    """
    is_leaf = pool.test[last] == LEAF
    is_split = pool.test[last] < LEAF  # it lacks the tested value
    above: Any = last if is_split else np.int64(adaptation.parent[last])
    for i in range(adapting.count_errors(adaptation, above, wrong) - 1, -1, -1):
        node: Any = np.int64(adaptation.due[i])
        if _learn_at_split(pool, adaptation, node, row, y, w, whole, options):
            return True  # what is below is gone
    if is_leaf:
        _learn_in_leaf(pool, adaptation, last, last, row, y, w, whole, guess, wrong, options)
    return False


@inlined
def _learn_in_leaf(
    pool: Pool,
    adaptation: Adaptation,
    leaf: int,
    place: int,
    row: NDArray[np.float64],
    y: int,
    w: float,
    whole: bool,
    guess: int,
    wrong: bool,
    options: Options,
) -> bool:
    """Teach a leaf; return whether another node has come of it, to be put at `place`."""
    if pool.fresh[leaf]:
        adapting.start_draws(adaptation, leaf)
    times = java_random.poisson(adaptation.random[leaf], DRAWS)
    binary_insert(adaptation.errors, leaf, wrong, DELTA)
    tree.learn(pool, leaf, row, y, w * max(times, 1), whole, guess)
    nodes = pool.used[NODES]
    consider_split(pool, leaf, options)
    if pool.test[leaf] == LEAF and not pool.fresh[leaf]:
        return False
    adapting.adopt(pool, adaptation, place, nodes)
    binary_reset(adaptation.errors, leaf)
    return True


@inlined
def _learn_at_split(
    pool: Pool,
    adaptation: Adaptation,
    node: int,
    row: NDArray[np.float64],
    y: int,
    w: float,
    whole: bool,
    options: Options,
) -> bool:
    """Watch the error of a split node, teach its alternate; return whether that replaced it."""
    replaced = False
    if adapting.has_more_errors(adaptation, node):
        adapting.make_alternate(pool, adaptation, node)
    else:
        replaced = adapting.compare(adaptation, node)
    alternate: Any = np.int64(adaptation.alternate[node])
    if alternate == NONE:
        return False
    guess = leaf_guess(pool, alternate, row, whole, options)
    by_bayes = answers_by_bayes(pool, alternate, options)
    wrong = _leaf_label(pool, adaptation, alternate, row, guess, by_bayes) != y
    replaced |= _learn_in_leaf(
        pool, adaptation, alternate, node, row, y, w, whole, guess, wrong, options
    )
    if replaced:
        adapting.replace(pool, adaptation, node)
    return replaced
