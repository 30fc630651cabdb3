"""Trees in a pool of nodes: leaves that learn, and split nodes. `routing` finds an instance's leaf.

A pool holds one tree or several, each identified by the number of its root node. The learner
decides when a leaf may split. Nodes and slots of removed trees and branches stay in the pool until
it is full; then `repack` leaves them out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.memory import MODEL_SIZE_ADVICE, check_room
from streameval.compiled.kernels import inlined, subkernel
from streameval.learners.bayes import class_statistics, engine, exact
from streameval.learners.bayes.class_statistics import Statistics
from streameval.learners.trees import splitting
from streameval.learners.trees.splitting import EACH_VALUE, BranchWeights, SplitCandidate
from streameval.learners.trees.subsets import ALL_ATTRIBUTES, Subsets
from streameval.streams.stream import Schema

NONE = -1
#: Values of ``Pool.test`` for nodes without a test. An unseen branch is the child for a nominal
#: value that has not occurred yet. Split nodes have AT_MOST, EACH_VALUE or EQUALS, all smaller.
LEAF, UNSEEN_BRANCH = 3, 4

#: Number of instances that are routed together, so that they wait for memory at the same time.
GROUP_SIZE = 16

#: Entries of ``Pool.counters``: numbers of nodes in use, of slots in use, and of free slots.
NODES, SLOTS, FREE_SLOTS = range(3)


class Pool(NamedTuple):
    """Nodes, and the statistics of leaves.

    The fields that routing reads are as small as possible, because routing waits for memory. The
    children of a node have consecutive numbers: one for each value, seen or not, if the test is
    EACH_VALUE, otherwise two. A node without a test is its own child for every value, so that
    routing needs no special case. An unseen branch has the class weights of its parent, and
    therefore the predictions of its parent.

    Shapes: a nodes, s slots, k classes.
    """

    attribute: Codes  # (a,) attribute that is tested, or 0
    operand: Floats  # (a,) the operand of the test, or +inf
    first_child: Codes  # (a,) or the node itself
    test: NDArray[np.uint8]  # (a,) see `LEAF`
    depth: Integers  # (a,)
    prior: Floats  # (a, k) class weights; constant in a split node
    length: Integers  # (a,) 1 + the highest class with a weight: the length of MOA's vector
    majority: Integers  # (a,) class of the highest weight, NONE in an empty leaf
    slot: Integers  # (a,) number of the statistics of a leaf
    is_new: Flags  # (a,) True for a leaf that has not learnt yet
    majority_correct: Floats  # (a,) weight that the majority class predicted correctly
    bayes_correct: Floats  # (a,) weight that Naive Bayes predicted correctly
    weight_at_attempt: Floats  # (a,) weight at the last attempt to split
    weight_since_attempt: Floats  # (a,) weight learnt since that attempt, up to rounding
    stats: Statistics
    subsets: Subsets  # which attributes the leaves observe
    branch_weights: BranchWeights
    reached: Codes  # (GROUP_SIZE,) nodes that `routing.route_together` has reached
    row_start: NDArray[np.uint64]  # (GROUP_SIZE,) scratch: place of each instance's row in flat X
    free: Integers  # (s,) stack of free slots
    counters: Integers  # (3,) see `NODES`


#: The fields with one entry per node.
NODE_FIELDS = (
    *("attribute", "operand", "first_child", "test", "depth", "prior", "length", "majority"),
    *("slot", "is_new", "majority_correct", "bayes_correct"),
    *("weight_at_attempt", "weight_since_attempt"),
)


def widest_split(schema: Schema) -> int:
    """Largest number of branches of a split."""
    return max(2, int(schema.n_values.max(initial=0)))


def make(
    schema: Schema,
    nodes: int,
    slots: int,
    subsets: Subsets = ALL_ATTRIBUTES,
    stats: Statistics | None = None,
) -> Pool:
    """Empty pool with room for `nodes` and `slots`; `stats`, if not None, must have `slots`."""
    k = max(schema.n_classes, 1)
    check_room(  # bytes of the class weights, which dominate with many classes
        8 * k * (nodes + widest_split(schema)),
        f"A tree with room for {nodes:,} nodes, for {k:,} classes and splits into up to "
        f"{widest_split(schema):,} branches,",
        MODEL_SIZE_ADVICE,
    )
    if stats is None:
        # Most leaves observe few classes; the records grow with the pool.
        stats = class_statistics.make(schema, slots, subsets.n_observed, records=2 * slots)

    def integers() -> Integers:
        return np.zeros(nodes, dtype=np.int64)

    def real() -> Floats:
        return np.zeros(nodes)

    return Pool(
        attribute=np.zeros(nodes, dtype=np.int32),
        operand=real(),
        first_child=np.zeros(nodes, dtype=np.int32),
        test=np.zeros(nodes, dtype=np.uint8),
        depth=integers(),
        length=integers(),
        majority=integers(),
        slot=integers(),
        majority_correct=real(),
        bayes_correct=real(),
        weight_at_attempt=real(),
        weight_since_attempt=real(),
        prior=np.zeros((nodes, k)),
        is_new=np.ones(nodes, dtype=np.bool_),
        stats=stats,
        subsets=subsets,
        branch_weights=splitting.make_branch_weights(schema),
        reached=np.zeros(GROUP_SIZE, dtype=np.int32),
        row_start=np.zeros(GROUP_SIZE, dtype=np.uint64),
        free=np.zeros(slots, dtype=np.int64),
        counters=np.zeros(3, dtype=np.int64),
    )


def used_bytes(pool: Pool, nodes: Integers) -> int:
    """Bytes of `nodes` and of their statistics."""
    per_node = sum(getattr(pool, name).nbytes for name in NODE_FIELDS) // len(pool.attribute)
    slots = pool.slot[nodes[pool.test[nodes] == LEAF]]
    return len(nodes) * per_node + class_statistics.used_bytes(pool.stats, slots)


def nodes_below(pool: Pool, roots: Integers) -> Integers:
    """Nodes of the trees with these roots, in ascending order."""
    levels, level = [], roots
    while len(level):
        levels.append(level)
        split = level[pool.test[level] < LEAF]  # split nodes have smaller codes
        n_children = np.full(len(split), 2)
        by_value = pool.test[split] == EACH_VALUE
        j = -1 - pool.stats.position[pool.attribute[split[by_value]]]  # numbers of nominals
        n_children[by_value] = np.diff(pool.stats.offset)[j]
        # The children of a node are first_child, first_child + 1, ...
        first = pool.first_child[split] - (np.cumsum(n_children) - n_children)
        level = np.repeat(first, n_children) + np.arange(n_children.sum())
    return np.sort(np.concatenate(levels))


@inlined
def has_room(pool: Pool, widest: int) -> bool:
    """True if there is certainly room for another split and leaf, with their records."""
    return min(_nodes_left(pool), class_statistics.room_left(pool.stats)) > widest


@inlined
def events_that_fit(pool: Pool, members: int, nodes_per_event: int) -> int:
    """Number of events for which the trees of an ensemble with `members` certainly have room.

    An event adds at most `nodes_per_event` nodes, and two records per member, as a member may have
    two trees.
    """
    record_events = class_statistics.room_left(pool.stats) // (2 * members)
    return min(_nodes_left(pool) // (nodes_per_event + 1), record_events)


@inlined
def _nodes_left(pool: Pool) -> int:
    """Number of further nodes, each with statistics, for which there is room."""
    nodes = pool.attribute.shape[0] - pool.counters[NODES]
    return min(nodes, pool.free.shape[0] - pool.counters[SLOTS] + pool.counters[FREE_SLOTS])


@subkernel
def new_leaf(pool: Pool, depth: int) -> int:
    """Add an empty leaf; return its number."""
    node = pool.counters[NODES]
    pool.counters[NODES] += 1
    make_leaf(pool, node, depth)
    return node


@subkernel
def make_leaf(pool: Pool, node: int, depth: int) -> None:
    """Turn an unused node into an empty leaf."""
    pool.test[node] = LEAF
    _make_own_child(pool, node)
    pool.depth[node] = depth
    pool.length[node] = 0
    pool.majority[node] = NONE
    pool.prior[node] = 0.0
    if pool.counters[FREE_SLOTS] > 0:
        pool.counters[FREE_SLOTS] -= 1
        pool.slot[node] = pool.free[pool.counters[FREE_SLOTS]]
    else:
        pool.slot[node] = pool.counters[SLOTS]
        pool.counters[SLOTS] += 1
    _reset_counts(pool, node)


@inlined
def _reset_counts(pool: Pool, node: int) -> None:
    """Reset the counts of a leaf whose slot is empty; its class weights stay."""
    pool.is_new[node] = True
    pool.majority_correct[node] = pool.bayes_correct[node] = 0.0
    pool.weight_at_attempt[node] = weight_seen(pool, node)
    pool.weight_since_attempt[node] = 0.0


@subkernel
def _free_slot(pool: Pool, slot: int) -> None:
    """Free a slot and its records."""
    class_statistics.clear(pool.stats, slot)
    pool.free[pool.counters[FREE_SLOTS]] = slot
    pool.counters[FREE_SLOTS] += 1


@inlined
def _make_own_child(pool: Pool, node: int) -> None:
    # No value is above +inf, so the branch is always 0.
    pool.attribute[node], pool.operand[node], pool.first_child[node] = 0, np.inf, node


@subkernel
def copy_node(pool: Pool, source: int, target: int) -> None:
    """Copy a node. The copy of a leaf takes over its slot: do not use the source afterwards."""
    pool.attribute[target], pool.operand[target] = pool.attribute[source], pool.operand[source]
    is_own_child = pool.first_child[source] == source
    pool.first_child[target] = target if is_own_child else pool.first_child[source]
    pool.test[target], pool.depth[target] = pool.test[source], pool.depth[source]
    pool.length[target] = pool.length[source]
    for c in range(pool.prior.shape[1]):
        pool.prior[target, c] = pool.prior[source, c]
    pool.majority[target], pool.slot[target] = pool.majority[source], pool.slot[source]
    pool.majority_correct[target] = pool.majority_correct[source]
    pool.bayes_correct[target] = pool.bayes_correct[source]
    pool.weight_at_attempt[target] = pool.weight_at_attempt[source]
    pool.weight_since_attempt[target] = pool.weight_since_attempt[source]
    pool.is_new[target] = pool.is_new[source]


@subkernel
def reset_leaf(pool: Pool, node: int) -> None:
    """Reset the statistics and the counts of a leaf; its class weights stay."""
    class_statistics.clear(pool.stats, pool.slot[node])
    _reset_counts(pool, node)


@inlined
def weight_seen(pool: Pool, node: int) -> float:
    """Sum of the class weights of a node."""
    total = 0.0
    for c in range(pool.length[node]):
        total += pool.prior[node, c]
    return total


@inlined
def has_only_class_weights(pool: Pool, leaf: int) -> bool:
    """True if a leaf has observed no attribute."""
    return pool.is_new[np.uint64(leaf)] or class_statistics.n_observed(pool.stats) == 0


@inlined
def bayes_label(pool: Pool, leaf: int, row: Floats, complete: bool) -> int:
    """Naive Bayes prediction of a leaf; only by class weights if it has no other statistics."""
    slot, prior = pool.slot[np.uint64(leaf)], pool.prior[np.uint64(leaf)]
    if has_only_class_weights(pool, leaf):
        return exact.prior_label(prior)
    engine.load_inputs(pool.stats, slot, row)
    return engine.predict_label(pool.stats, slot, prior, row, complete)


@inlined
def learn(
    pool: Pool, leaf: int, row: Floats, y: int, w: float, complete: bool, bayes_class: int
) -> None:
    """Train a leaf on an instance; `bayes_class` is its Naive Bayes prediction."""
    i: Any = np.uint64(leaf)
    c: Any = np.uint64(y)
    # Sums and selections instead of branches: the processor cannot predict which is correct.
    majority: Any = pool.majority[i]
    weight: Any = pool.prior[i, c] + w
    pool.majority_correct[i] += w * (majority == y)
    pool.bayes_correct[i] += w * (bayes_class == y)
    pool.prior[i, c] = weight
    pool.length[i] = max(pool.length[i], y + 1)
    highest = pool.prior[i, np.uint64(max(majority, 0))]
    # Of classes with equal weights, the first is the majority.
    is_ahead = (majority == NONE) | (weight > highest) | ((weight == highest) & (y < majority))
    pool.majority[i] = y if is_ahead else majority
    pool.is_new[i] = False
    pool.weight_since_attempt[i] += w
    slot: Any = pool.slot[i]
    engine.load_inputs(pool.stats, slot, row)
    engine.learn_instance(pool.stats, slot, y, w, row, complete, weight)
    engine.observe_extremes(pool.stats, slot, y)


@subkernel
def split(pool: Pool, leaf: int, best: SplitCandidate) -> None:
    """Turn a leaf into a split node with a leaf for each branch."""
    attribute, slot = best.attribute, pool.slot[leaf]
    test, threshold, branches = best.test, best.threshold, best.branches
    splitting.distribute_weights(
        pool.stats, slot, attribute, test, threshold, branches, pool.branch_weights
    )
    first, n_children = pool.counters[NODES], branches
    if test == EACH_VALUE:  # a branch also for each value that has not occurred
        j = -1 - pool.stats.position[attribute]  # number of the nominal attribute
        n_children = pool.stats.offset[j + 1] - pool.stats.offset[j]
    pool.counters[NODES] += n_children
    pool.test[leaf], pool.attribute[leaf] = test, attribute
    pool.operand[leaf], pool.first_child[leaf] = threshold, first
    _free_slot(pool, slot)
    for branch in range(n_children):
        if branch < branches:
            make_leaf(pool, first + branch, pool.depth[leaf] + 1)
            _set_class_weights(pool, first + branch, branch)
        else:
            _make_unseen_branch(pool, first + branch, leaf)


@subkernel
def _make_unseen_branch(pool: Pool, node: int, parent: int) -> None:
    """Make a node an unseen branch, which predicts like its parent until it becomes a leaf."""
    copy_node(pool, parent, node)
    _make_own_child(pool, node)
    pool.test[node] = UNSEEN_BRANCH
    pool.depth[node] += 1


@subkernel
def _set_class_weights(pool: Pool, node: int, branch: int) -> None:
    """Set the class weights of a new leaf to the estimates of the split for its branch."""
    pool.length[node] = pool.branch_weights.length[branch]
    for c in range(pool.length[node]):
        weight = pool.branch_weights.weight[branch, c]
        pool.prior[node, c] = weight
        if pool.majority[node] == NONE or weight > pool.prior[node, pool.majority[node]]:
            pool.majority[node] = c
    pool.weight_at_attempt[node] = weight_seen(pool, node)


def repack(pool: Pool, schema: Schema, nodes: Integers, spare: int) -> Pool:
    """Copy `nodes` to a new pool, in which they get the numbers 0 .. n - 1.

    Parameters
    ----------
    pool : Pool
        The pool of the nodes.
    schema : Schema
        Schema of the stream.
    nodes : ndarray of int64, shape (n,)
        The nodes to keep, in ascending order: complete trees, as `nodes_below` returns them. Their
        order does not change, so siblings still have consecutive numbers.
    spare : int
        The new pool has room for twice the nodes, slots and records in use, plus `spare`.
    """
    slots = pool.slot[nodes[pool.test[nodes] == LEAF]]
    n, n_slots = len(nodes), 2 * len(slots) + spare
    stats = class_statistics.move_slots(pool.stats, schema, slots, n_slots, spare)
    new = make(schema, 2 * n + spare, n_slots, pool.subsets, stats)
    for name in NODE_FIELDS:
        getattr(new, name)[:n] = getattr(pool, name)[nodes]
    new.first_child[:n] = np.searchsorted(nodes, new.first_child[:n])
    new.slot[:n][new.test[:n] == LEAF] = np.arange(len(slots))
    new.counters[[NODES, SLOTS]] = n, len(slots)
    return new
