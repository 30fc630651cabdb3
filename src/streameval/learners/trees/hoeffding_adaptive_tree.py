"""The Hoeffding adaptive tree: branches whose error rises are replaced.

This is the tree of MOA, which differs from that of the paper. In the paper, an alternate is a tree
that grows beside the branch it may replace. In MOA, it replaces the branch as soon as it splits,
regardless of its error; the two are compared only while it is a single leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.detectors.binary_adwin import binary_insert, binary_mean, binary_reset
from streameval.learners.bayes import engine, exact
from streameval.learners.stretch import Outputs, Stretch, event_at, events_of
from streameval.learners.trees import alternates as adapting
from streameval.learners.trees import routing, tree
from streameval.learners.trees.alternates import BETTER, DELTA, MADE, PUT, WORSE, Adaptation
from streameval.learners.trees.hoeffding_tree import (
    ROOT,
    HoeffdingTree,
    Options,
    consider_split,
    leaf_bayes_class,
    predicts_by_bayes,
    write_leaf_scores,
)
from streameval.learners.trees.tree import LEAF, NODES, NONE, TOGETHER, UNSEEN_BRANCH, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: Votes whose ratio is above this may become equal when they are divided.
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
    """Hoeffding tree that replaces branches whose error has risen, with MOA's predictions.

    Leaves learn each instance with a weight drawn from a Poisson distribution; as in MOA, a
    draw of 0 leaves the weight unchanged. Where the tested value is missing, the prediction is
    class 0; a value that was not seen at the split is never learnt. The other parameters are
    those of `HoeffdingTree`.

    The size of a run also counts alternates, replacements by alternates, switches (replacements
    by leaves that were clearly better), and prunings of alternates that were clearly worse.

    Parameters
    ----------
    own_draws : bool
        Make the draws of a leaf depend on the seed of the run, and differ from those of other
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

    def _advance(self, state: Any, stretch: Stretch, outputs: Outputs) -> tuple[int, int]:
        models = (state.pool, state.adaptation)
        return _run_events(*models, self._options(), stretch, outputs)

    def _grow(self, state: Any) -> Any:
        deepest = int(state.pool.depth[: state.pool.used[NODES]].max())
        return _repacked(state, 2 * (tree.widest_split(state.schema) + deepest + 1))

    def _model_bytes(self, state: Any) -> int:
        nodes = _nodes(state)
        fields = adapting.node_fields(state.adaptation)
        per_node = sum(field.nbytes for field in fields) // len(state.adaptation.alternate)
        return tree.used_bytes(state.pool, nodes) + len(nodes) * per_node

    def _size(self, state: Any) -> dict[str, int]:
        happened = state.adaptation.happened
        return super()._size(state) | {
            "alternates": int(happened[MADE]),
            "replacements": int(happened[PUT]),
            "switches": int(happened[BETTER]),
            "prunings": int(happened[WORSE]),
        }


def _nodes(state: _State) -> Integers:
    """Nodes of the tree in ascending order, without replaced nodes."""
    nodes = tree.nodes_below(state.pool, ROOT)
    alternates = state.adaptation.alternate[nodes]
    return np.union1d(nodes, alternates[alternates != NONE])


def _repacked(state: _State, spare: int) -> _State:
    """Copy of the tree with more room, without replaced nodes."""
    nodes = _nodes(state)
    pool = tree.repack(state.pool, state.schema, nodes, spare)
    adaptation = adapting.repack(state.adaptation, nodes, len(pool.attribute))
    return _State(pool, adaptation, state.schema)


@kernel
def _run_events(
    pool: Pool, adaptation: Adaptation, options: Options, stretch: Stretch, outputs: Outputs
) -> tuple[Any, int]:
    widest = pool.candidate.weight.shape[0]
    if pool.used[NODES] == 0:
        tree.new_leaf(pool, 0)
    entry, routed, end = stretch.entry, np.uint64(stretch.start), np.uint64(stretch.start)
    for event in events_of(stretch):
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        if event == end:
            routed, end = event, min(event + np.uint64(TOGETHER), np.uint64(stretch.stop))
            routing.route_together(pool, 0, stretch.X, stretch.row, routed, end)
        complete = engine.load_instance(pool.stats, row)
        node = routing.route(pool, pool.reached[event - routed] if complete else 0, row)
        # One split, and an alternate for each split node on the path.
        if not tree.has_room(pool, widest + pool.depth[node]):
            return np.int64(event), entry
        is_leaf = pool.test[node] == LEAF
        bayes_class = leaf_bayes_class(pool, node, row, complete, options) if is_leaf else NONE
        by_bayes = is_leaf and predicts_by_bayes(pool, node, options)
        if is_leaf:
            predicted = _leaf_label(pool, adaptation, node, row, bayes_class, by_bayes)
        else:
            predicted = max(pool.majority[node], 0)
        if op & PREDICT:
            lost = pool.test[node] < LEAF  # without the tested value: MOA has no votes
            outputs.label[entry] = 0 if lost else predicted
            if outputs.scores.shape[0] > 0 and lost:
                outputs.scores[entry], outputs.scores[entry, 0] = 0.0, 1.0
            elif outputs.scores.shape[0] > 0:
                write_leaf_scores(
                    pool, node, by_bayes, row, outputs.label[entry], outputs.scores[entry]
                )
            entry += 1
        if op & LEARN and w > 0.0:
            if pool.test[node] == UNSEEN_BRANCH:
                predicted = 0  # the prediction that MOA's split nodes assume here
            y = stretch.y[t]
            if _learn(
                pool, adaptation, node, row, y, w, complete, bayes_class, predicted != y, options
            ):
                end = event + np.uint64(1)  # others may have been routed into the replaced branch
    return stretch.stop, entry


@inlined
def _leaf_label(
    pool: Pool, adaptation: Adaptation, leaf: int, row: Floats, bayes_class: int, by_bayes: bool
) -> int:
    """Class with the highest vote in a leaf.

    MOA divides votes by their sum and the square of the leaf's error. That can make the
    highest vote and an earlier one equal, but only where the two are adjacent numbers. Naive
    Bayes has computed such votes exactly, and has left them in `score`; if it was certain
    instead, `score` is of another instance, which does no harm.
    """
    predicted = bayes_class if by_bayes else max(pool.majority[leaf], 0)
    if pool.fresh[leaf]:
        return predicted  # no error yet, so nothing is divided
    votes = pool.stats.score if by_bayes else pool.prior[leaf]
    for c in range(predicted):
        is_close = NEARLY * votes[predicted] <= votes[c] <= votes[predicted]
        if is_close or not votes[predicted] < LARGE:
            return _closest_label(pool, adaptation, leaf, row, by_bayes)
    return predicted


@subkernel
def _closest_label(
    pool: Pool, adaptation: Adaptation, leaf: int, row: Floats, by_bayes: bool
) -> int:
    """Result of `_leaf_label`, computed by division."""
    votes, k = pool.stats.score, pool.prior.shape[1]
    if by_bayes:
        exact.votes(pool.stats, pool.slot[leaf], pool.prior[leaf], row, votes)
    else:
        for c in range(k):
            votes[c] = pool.prior[leaf, c]
    total = 0.0
    for c in range(k):
        total += votes[c]
    error = binary_mean(adaptation.errors, leaf)
    divisor = total * error * error
    if not divisor > 0.0:  # no instance yet, or no error
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
    row: Floats,
    y: int,
    w: float,
    complete: bool,
    bayes_class: int,
    wrong: bool,
    options: Options,
) -> bool:
    """Train the nodes from the root to the `last` one; return whether some were replaced.

    They share the prediction, so all are correct or all are wrong.
    """
    is_leaf = pool.test[last] == LEAF
    is_split = pool.test[last] < LEAF  # it lacks the tested value
    above: Any = last if is_split else np.int64(adaptation.parent[last])
    for i in range(adapting.count_errors(adaptation, above, wrong) - 1, -1, -1):
        node: Any = np.int64(adaptation.due[i])
        if _learn_at_split(pool, adaptation, node, row, y, w, complete, options):
            return True  # the nodes below are gone
    if is_leaf:
        _learn_in_leaf(
            pool, adaptation, last, last, row, y, w, complete, bayes_class, wrong, options
        )
    return False


@inlined
def _learn_in_leaf(
    pool: Pool,
    adaptation: Adaptation,
    leaf: int,
    place: int,
    row: Floats,
    y: int,
    w: float,
    complete: bool,
    bayes_class: int,
    wrong: bool,
    options: Options,
) -> bool:
    """Train a leaf; return whether it has become another node, to be put at `place`."""
    if pool.fresh[leaf]:
        adapting.start_draws(adaptation, leaf)
    times = java_random.poisson(adaptation.random[leaf], DRAWS)
    binary_insert(adaptation.errors, leaf, wrong, DELTA)
    tree.learn(pool, leaf, row, y, w * max(times, 1), complete, bayes_class)
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
    row: Floats,
    y: int,
    w: float,
    complete: bool,
    options: Options,
) -> bool:
    """Monitor a split node's error, train its alternate; return whether that replaced it."""
    replaced = False
    if adapting.has_more_errors(adaptation, node):
        adapting.make_alternate(pool, adaptation, node)
    else:
        replaced = adapting.compare_with_alternate(adaptation, node)
    alternate: Any = np.int64(adaptation.alternate[node])
    if alternate == NONE:
        return False
    bayes_class = leaf_bayes_class(pool, alternate, row, complete, options)
    by_bayes = predicts_by_bayes(pool, alternate, options)
    wrong = _leaf_label(pool, adaptation, alternate, row, bayes_class, by_bayes) != y
    replaced |= _learn_in_leaf(
        pool, adaptation, alternate, node, row, y, w, complete, bayes_class, wrong, options
    )
    if replaced:
        adapting.replace(pool, adaptation, node)
    return replaced
