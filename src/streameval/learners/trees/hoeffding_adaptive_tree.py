"""The Hoeffding adaptive tree: branches whose error rises are replaced.

This is the tree of MOA, which differs from the tree of the paper. In the paper, an alternate is a
tree that grows beside the branch that it may replace. In MOA, an alternate replaces the branch as
soon as it splits, regardless of its error. So their errors are compared only while the alternate is
a single leaf.
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
from streameval.learners.kernel_arguments import EventRange, Outputs, event_at, event_numbers
from streameval.learners.trees import alternates, routing, tree
from streameval.learners.trees.alternates import (
    ALTERNATES,
    DELTA,
    PRUNINGS,
    REPLACEMENTS,
    SWITCHES,
    Adaptation,
)
from streameval.learners.trees.hoeffding_tree import (
    ROOT,
    HoeffdingTree,
    Options,
    consider_split,
    leaf_bayes_class,
    predicts_by_bayes,
    write_leaf_scores,
)
from streameval.learners.trees.tree import GROUP_SIZE, LEAF, NODES, NONE, UNSEEN_BRANCH, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: Votes whose ratio is above this number may become equal in `_label_by_division`.
CLOSE_RATIO = 1.0 - 1e-14
#: Votes below this have a finite sum.
LARGEST_VOTE = 1e300
#: Table for the weights that leaves draw: Poisson numbers with mean 1.
WEIGHT_TABLE = java_random.poisson_table(1.0)


class _State(NamedTuple):
    pool: Pool
    adaptation: Adaptation
    schema: Schema


@dataclass(frozen=True)
class HoeffdingAdaptiveTree(HoeffdingTree):
    """Hoeffding tree that replaces branches whose error has risen, with MOA's predictions.

    Leaves learn each instance with a weight drawn from a Poisson distribution; as in MOA, a
    draw of 0 leaves the weight unchanged. If the tested value is missing, the prediction is
    class 0. If the tested value had not occurred when the node was split, the instance is not
    learnt. The other parameters are described at `HoeffdingTree`.

    The size of a run also counts alternates, replacements by alternates, switches (replacements
    by leaves that were clearly better), and prunings of alternates that were clearly worse.

    Parameters
    ----------
    own_draws : bool
        Whether the draws of a leaf depend on the seed of the run, and differ between leaves. In MOA
        all leaves draw the same numbers in every run.

    References
    ----------
    Bifet and Gavaldà (2009), Adaptive learning from evolving data streams.
    """

    own_draws: bool = False

    name: ClassVar[str] = "hoeffding_adaptive_tree"
    reference: ClassVar[str] = "Bifet and Gavaldà (2009)"

    def _start(self, schema: Schema, seed: int) -> Any:
        pool = super()._start(schema, seed).pool
        adaptation = alternates.make(len(pool.attribute), seed, self.own_draws)
        return _State(pool, adaptation, schema)

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        models = (state.pool, state.adaptation)
        return _run_events(*models, self._options(), events, outputs)

    def _grow(self, state: Any) -> Any:
        # Twice what an event needs: at most one split, and an alternate for each node of its path.
        largest_depth = int(state.pool.depth[: state.pool.counters[NODES]].max())
        return _repack(state, 2 * (tree.widest_split(state.schema) + largest_depth + 1))

    def _model_bytes(self, state: Any) -> int:
        nodes = _nodes(state)
        fields = alternates.node_fields(state.adaptation)
        per_node = sum(field.nbytes for field in fields) // len(state.adaptation.alternate)
        return tree.used_bytes(state.pool, nodes) + len(nodes) * per_node

    def _model_counts(self, state: Any) -> dict[str, int]:
        counts = state.adaptation.counts
        return super()._model_counts(state) | {
            "alternates": int(counts[ALTERNATES]),
            "replacements": int(counts[REPLACEMENTS]),
            "switches": int(counts[SWITCHES]),
            "prunings": int(counts[PRUNINGS]),
        }


def _nodes(state: _State) -> Integers:
    """Nodes of the tree and their alternates in ascending order, without replaced nodes."""
    nodes = tree.nodes_below(state.pool, ROOT)
    alternate = state.adaptation.alternate[nodes]
    return np.union1d(nodes, alternate[alternate != NONE])


def _repack(state: _State, spare: int) -> _State:
    """Copy of the tree with more room, without replaced nodes."""
    nodes = _nodes(state)
    pool = tree.repack(state.pool, state.schema, nodes, spare)
    adaptation = alternates.repack(state.adaptation, nodes, len(pool.attribute))
    return _State(pool, adaptation, state.schema)


@kernel
def _run_events(
    pool: Pool, adaptation: Adaptation, options: Options, events: EventRange, outputs: Outputs
) -> tuple[Any, int]:
    widest = pool.branch_weights.weight.shape[0]
    if pool.counters[NODES] == 0:
        tree.new_leaf(pool, 0)
    entry = events.entry
    # The events from `routed_from` to `routed_to` have been routed together.
    routed_from = routed_to = np.uint64(events.start)
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        row = events.X[t]
        if event == routed_to:
            routed_from = event
            routed_to = min(event + np.uint64(GROUP_SIZE), np.uint64(events.stop))
            routing.route_together(pool, 0, events.X, events.row, routed_from, routed_to)
        complete = engine.load_instance(pool.stats, row)
        node = routing.route(pool, pool.reached[event - routed_from] if complete else 0, row)
        # An event needs at most one split, and an alternate for each split node on its path.
        if not tree.has_room(pool, widest + pool.depth[node]):
            return np.int64(event), entry
        is_leaf = pool.test[node] == LEAF
        bayes_class = leaf_bayes_class(pool, node, row, complete, options) if is_leaf else NONE
        uses_bayes = is_leaf and predicts_by_bayes(pool, node, options)
        if is_leaf:
            predicted = _leaf_label(pool, adaptation, node, row, bayes_class, uses_bayes)
        else:
            predicted = max(pool.majority[node], 0)
        if op & PREDICT:
            # An instance without the tested value stays in a split node. MOA has no votes for it.
            is_missing = pool.test[node] < LEAF  # split nodes have smaller codes
            outputs.label[entry] = 0 if is_missing else predicted
            if outputs.scores.shape[0] > 0 and is_missing:
                outputs.scores[entry], outputs.scores[entry, 0] = 0.0, 1.0
            elif outputs.scores.shape[0] > 0:
                write_leaf_scores(
                    pool, node, uses_bayes, row, outputs.label[entry], outputs.scores[entry]
                )
            entry += 1
        if op & LEARN and w > 0.0:
            if pool.test[node] == UNSEEN_BRANCH:
                predicted = 0  # as in MOA, where the branch has no leaf that could predict
            y = events.y[t]
            if _learn(
                pool, adaptation, node, row, y, w, complete, bayes_class, predicted != y, options
            ):
                # Later events may have been routed into the replaced branch: route them again.
                routed_to = event + np.uint64(1)
    return events.stop, entry


@inlined
def _leaf_label(
    pool: Pool, adaptation: Adaptation, leaf: int, row: Floats, bayes_class: int, uses_bayes: bool
) -> int:
    """Class with the highest vote in a leaf.

    MOA divides votes by their sum and the square of the leaf's error. The highest vote and a vote
    close to it can have equal quotients, and then the first class of the two wins. If votes of
    Naive Bayes are close, they are in ``pool.stats.score``. Otherwise the numbers there may belong
    to another instance; at worst this leads to a division that is not needed.
    """
    predicted = bayes_class if uses_bayes else max(pool.majority[leaf], 0)
    if pool.is_new[leaf]:
        return predicted  # no error yet, so nothing is divided
    votes = pool.stats.score if uses_bayes else pool.prior[leaf]
    for c in range(predicted):
        is_close = CLOSE_RATIO * votes[predicted] <= votes[c] <= votes[predicted]
        if is_close or not votes[predicted] < LARGEST_VOTE:
            return _label_by_division(pool, adaptation, leaf, row, uses_bayes)
    return predicted


@subkernel
def _label_by_division(
    pool: Pool, adaptation: Adaptation, leaf: int, row: Floats, uses_bayes: bool
) -> int:
    """Class with the highest vote after the division that `_leaf_label` describes."""
    votes, k = pool.stats.score, pool.prior.shape[1]
    if uses_bayes:
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
    is_wrong: bool,
    options: Options,
) -> bool:
    """Train the nodes from the root to the node `last`; return True if a node was replaced.

    All nodes of the path make the same prediction; `is_wrong` tells whether it is an error.
    """
    is_leaf = pool.test[last] == LEAF
    is_split = pool.test[last] < LEAF  # split nodes have smaller codes; the tested value is missing
    last_split: Any = last if is_split else np.int64(adaptation.parent[last])
    n_listed = alternates.count_errors(adaptation, last_split, is_wrong)
    for i in range(n_listed - 1, -1, -1):  # from the root downwards
        node: Any = np.int64(adaptation.worklist[i])
        if _learn_at_split(pool, adaptation, node, row, y, w, complete, options):
            return True  # the nodes below do not exist any more
    if is_leaf:
        _learn_in_leaf(
            pool, adaptation, last, last, row, y, w, complete, bayes_class, is_wrong, options
        )
    return False


@inlined
def _learn_in_leaf(
    pool: Pool,
    adaptation: Adaptation,
    leaf: int,
    final_node: int,
    row: Floats,
    y: int,
    w: float,
    complete: bool,
    bayes_class: int,
    is_wrong: bool,
    options: Options,
) -> bool:
    """Train a leaf; return True if it was split or reset.

    `final_node` is the number of the leaf after a split or reset: its own number, or for an
    alternate, the number of the node that it replaces.
    """
    if pool.is_new[leaf]:
        alternates.start_draws(adaptation, leaf)
    drawn_weight = java_random.poisson(adaptation.random[leaf], WEIGHT_TABLE)
    binary_insert(adaptation.errors, leaf, is_wrong, DELTA)
    tree.learn(pool, leaf, row, y, w * max(drawn_weight, 1), complete, bayes_class)
    first_child = pool.counters[NODES]
    consider_split(pool, leaf, options)
    if pool.test[leaf] == LEAF and not pool.is_new[leaf]:
        return False
    alternates.set_parent(pool, adaptation, final_node, first_child)
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
    """Monitor a split node's error, and train its alternate; return True if it was replaced."""
    is_replaced = False
    if alternates.has_more_errors(adaptation, node):
        alternates.make_alternate(pool, adaptation, node)
    else:
        is_replaced = alternates.compare_with_alternate(adaptation, node)
    alternate: Any = np.int64(adaptation.alternate[node])
    if alternate == NONE:
        return False
    bayes_class = leaf_bayes_class(pool, alternate, row, complete, options)
    uses_bayes = predicts_by_bayes(pool, alternate, options)
    is_wrong = _leaf_label(pool, adaptation, alternate, row, bayes_class, uses_bayes) != y
    is_replaced |= _learn_in_leaf(
        pool, adaptation, alternate, node, row, y, w, complete, bayes_class, is_wrong, options
    )
    if is_replaced:
        alternates.replace_by_alternate(pool, adaptation, node)
    return is_replaced
