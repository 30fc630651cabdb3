"""Trees in a pool of nodes: leaves that learn, and splits; see `routing` for the way down.

A pool can hold one tree or many; a tree is the number of its root. Nothing here decides
when a leaf may split: that is the learner's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.kernels import inlined, part
from streameval.learners import bayes, class_statistics, splitting, subsets
from streameval.learners.class_statistics import Statistics
from streameval.learners.splitting import (
    AT_MOST,
    EACH_VALUE,
    Candidate,
    Suggestion,
)
from streameval.learners.subsets import ALL, Subsets
from streameval.streams.stream import Schema

NONE = -1
#: What ``Pool.test`` says of a leaf; of split nodes it says AT_MOST, EACH_VALUE or EQUALS.
LEAF = 3

#: Instances that are routed together.
TOGETHER = 16

#: Places in ``Pool.used``.
NODES, CHILDREN, SLOTS, FREE_SLOTS = 0, 1, 2, 3


class Pool(NamedTuple):
    """Nodes, the children of split nodes, and the statistics of leaves.

    What routing reads is as small as it can be: it is what waits for memory. From a node, an
    instance whose value of `attribute` is at most `threshold` goes to `first_child`, any other
    to the node after that. Leaves and nodes with other tests lead to themselves, whatever the
    value, so that the step is one for all nodes; such tests have an operand and a branch.

    Shapes: a nodes, d places for children, s slots, k classes.
    """

    attribute: NDArray[np.int32]  # (a,) attribute that is tested, 0 in a leaf
    threshold: NDArray[np.float64]  # (a,) +inf unless the test is AT_MOST
    first_child: NDArray[np.int32]  # (a,) the node itself unless the test is AT_MOST
    test: NDArray[np.uint8]  # (a,)
    operand: NDArray[np.float64]  # (a,) of the test EQUALS
    branch: NDArray[np.int64]  # (a,) of EQUALS, the first child; of EACH_VALUE, place in `child`
    places: NDArray[np.int64]  # (a,) places in `child`: the values of the attribute, or 0
    child: NDArray[np.int64]  # (d,) node, or NONE
    depth: NDArray[np.int64]  # (a,)
    prior: NDArray[np.float64]  # (a, k) class weights; frozen in a split node
    length: NDArray[np.int64]  # (a,) highest class that was added to, + 1
    majority: NDArray[np.int64]  # (a,) class of the highest weight, NONE in an empty leaf
    slot: NDArray[np.int64]  # (a,) statistics of a leaf
    fresh: NDArray[np.bool_]  # (a,) a leaf that has not learnt yet
    majority_correct: NDArray[np.float64]  # (a,) weight that the majority class got right
    bayes_correct: NDArray[np.float64]  # (a,) weight that Naive Bayes got right
    evaluated: NDArray[np.float64]  # (a,) weight at the last attempt to split
    since: NDArray[np.float64]  # (a,) weight since then, up to rounding
    stats: Statistics
    subsets: Subsets  # which attributes the leaves observe
    candidate: Candidate
    reached: NDArray[np.int32]  # (TOGETHER,) where `routing.route_together` is
    origin: NDArray[np.uint64]  # (TOGETHER,) scratch: where each instance begins
    free: NDArray[np.int64]  # (s,) stack of slots given back
    used: NDArray[np.int64]  # (4,) how much of each pool is in use


#: The fields of which each node has its own part.
NODE_FIELDS = (
    *("attribute", "threshold", "first_child", "test", "operand", "branch", "places"),
    *("depth", "prior", "length", "majority", "slot", "fresh", "majority_correct", "bayes_correct"),
    *("evaluated", "since"),
)


def widest_split(schema: Schema) -> int:
    """Return the largest number of branches that a split can have."""
    return max(2, int(schema.n_values.max(initial=0)))


def make(schema: Schema, nodes: int, children: int, slots: int, subsets: Subsets = ALL) -> Pool:
    """Return an empty pool of the given sizes."""
    k = max(schema.n_classes, 1)
    stats = class_statistics.make(schema, slots, subsets.observed)

    def whole() -> NDArray[np.int64]:
        return np.zeros(nodes, dtype=np.int64)

    def real() -> NDArray[np.float64]:
        return np.zeros(nodes)

    return Pool(
        attribute=np.zeros(nodes, dtype=np.int32),
        threshold=real(),
        first_child=np.zeros(nodes, dtype=np.int32),
        test=np.zeros(nodes, dtype=np.uint8),
        operand=real(),
        branch=whole(),
        places=whole(),
        depth=whole(),
        length=whole(),
        majority=whole(),
        slot=whole(),
        majority_correct=real(),
        bayes_correct=real(),
        evaluated=real(),
        since=real(),
        child=np.full(children, NONE, dtype=np.int64),
        prior=np.zeros((nodes, k)),
        fresh=np.ones(nodes, dtype=np.bool_),
        stats=stats,
        subsets=subsets,
        candidate=splitting.make_candidate(schema),
        reached=np.zeros(TOGETHER, dtype=np.int32),
        origin=np.zeros(TOGETHER, dtype=np.uint64),
        free=np.zeros(slots, dtype=np.int64),
        used=np.zeros(4, dtype=np.int64),
    )


def grown(pool: Pool, schema: Schema) -> Pool:
    """Return the same trees in pools of twice the size."""
    nodes, children, slots = len(pool.attribute), len(pool.child), len(pool.free)
    larger = make(schema, 2 * nodes, 2 * children, 2 * slots, pool.subsets)
    for name in NODE_FIELDS:
        getattr(larger, name)[:nodes] = getattr(pool, name)
    larger.child[:children] = pool.child
    larger.free[:slots] = pool.free
    larger.used[:] = pool.used
    return larger._replace(stats=class_statistics.grown(pool.stats, schema, slots, 2 * slots))


def used_bytes(pool: Pool) -> int:
    """Return the bytes of the nodes and slots in use."""
    nodes, slots = len(pool.attribute), len(pool.free)
    per_node = sum(getattr(pool, name).nbytes for name in NODE_FIELDS) // nodes
    per_slot = class_statistics.slot_bytes(pool.stats, slots)
    in_use = int(pool.used[SLOTS] - pool.used[FREE_SLOTS])
    return int(pool.used[NODES]) * per_node + in_use * per_slot + 8 * int(pool.used[CHILDREN])


def size(pool: Pool, root: int) -> dict[str, int]:
    """Return the numbers of nodes and leaves of a tree, and its depth in edges."""
    nodes, leaves, deepest = 0, 0, 0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        nodes += 1
        deepest = max(deepest, int(pool.depth[node]) - int(pool.depth[root]))
        if pool.test[node] == LEAF:
            leaves += 1
            continue
        waiting.extend(children(pool, node))
    return {"nodes": nodes, "leaves": leaves, "depth": deepest}


def total_size(pool: Pool, roots: NDArray[np.int64]) -> dict[str, int]:
    """Return the numbers of trees with these roots, and of their nodes and leaves together."""
    trees = [size(pool, int(root)) for root in roots]
    total = {name: sum(one[name] for one in trees) for name in ("nodes", "leaves")}
    return total | {"members": len(trees)}


def children(pool: Pool, split_node: int) -> list[int]:
    """Return the children of a split node; those of a binary split are neighbours."""
    binary = pool.first_child if pool.test[split_node] == AT_MOST else pool.branch
    first, places = int(binary[split_node]), int(pool.places[split_node])
    found = pool.child[first : first + places].tolist() if places else [first, first + 1]
    return [child for child in found if child != NONE]


@inlined
def has_room(pool: Pool, widest: int) -> bool:
    """Whether one more split and one more leaf are sure to fit."""
    return (
        pool.used[NODES] + widest + 1 <= pool.attribute.shape[0]
        and pool.used[CHILDREN] + widest <= pool.child.shape[0]
        and pool.used[SLOTS] - pool.used[FREE_SLOTS] + widest + 1 <= pool.free.shape[0]
    )


@part
def new_leaf(pool: Pool, depth: int) -> int:
    """Return a new leaf that knows nothing."""
    node = pool.used[NODES]
    pool.used[NODES] += 1
    pool.test[node] = LEAF
    _lead_to_itself(pool, node)
    pool.depth[node] = depth
    pool.length[node] = 0
    pool.majority[node] = NONE
    pool.prior[node] = 0.0
    if pool.used[FREE_SLOTS] > 0:
        pool.used[FREE_SLOTS] -= 1
        pool.slot[node] = pool.free[pool.used[FREE_SLOTS]]
    else:
        pool.slot[node] = pool.used[SLOTS]
        pool.used[SLOTS] += 1
    start_afresh(pool, node)
    return node


@inlined
def _lead_to_itself(pool: Pool, node: int) -> None:
    pool.attribute[node], pool.threshold[node], pool.first_child[node] = 0, np.inf, node


@part
def copy_node(pool: Pool, source: int, target: int) -> None:
    """Let `target` be what `source` is, which must not be used any more."""
    pool.attribute[target], pool.threshold[target] = pool.attribute[source], pool.threshold[source]
    itself = pool.first_child[source] == source
    pool.first_child[target] = target if itself else pool.first_child[source]
    pool.test[target], pool.operand[target] = pool.test[source], pool.operand[source]
    pool.branch[target], pool.places[target] = pool.branch[source], pool.places[source]
    pool.depth[target], pool.length[target] = pool.depth[source], pool.length[source]
    for c in range(pool.prior.shape[1]):
        pool.prior[target, c] = pool.prior[source, c]
    pool.majority[target], pool.slot[target] = pool.majority[source], pool.slot[source]
    pool.majority_correct[target] = pool.majority_correct[source]
    pool.bayes_correct[target] = pool.bayes_correct[source]
    pool.evaluated[target], pool.since[target] = pool.evaluated[source], pool.since[source]
    pool.fresh[target] = pool.fresh[source]


@part
def start_afresh(pool: Pool, node: int) -> None:
    """Make a leaf forget everything but its class weights."""
    class_statistics.clear(pool.stats, pool.slot[node])
    pool.fresh[node] = True
    pool.majority_correct[node] = pool.bayes_correct[node] = 0.0
    pool.evaluated[node] = weight_seen(pool, node)
    pool.since[node] = 0.0


@inlined
def weight_seen(pool: Pool, node: int) -> float:
    """Return the sum of the class weights of a node."""
    total = 0.0
    for c in range(pool.length[node]):
        total += pool.prior[node, c]
    return total


@inlined
def knows_only_classes(pool: Pool, leaf: int) -> bool:
    """Whether a leaf has observed no attribute."""
    return pool.fresh[leaf] or class_statistics.n_observed(pool.stats) == 0


@inlined
def bayes_label(pool: Pool, leaf: int, row: NDArray[np.float64], whole: bool) -> int:
    """Return a leaf's Naive Bayes answer; from its class weights while they are all it has."""
    slot, prior = pool.slot[leaf], pool.prior[leaf]
    if knows_only_classes(pool, leaf):
        return bayes.prior_label(prior)
    class_statistics.bring(pool.stats, slot, row)
    return bayes.label(pool.stats, slot, prior, row, whole)


@inlined
def choose_attributes(pool: Pool, leaf: int, tree: int) -> None:
    """Draw what a leaf is to observe, if it is about to learn for the first time."""
    if pool.fresh[leaf] and not class_statistics.observes_all(pool.stats):
        subsets.draw(pool.subsets, tree, pool.stats, pool.slot[leaf])


@inlined
def learn(
    pool: Pool, leaf: int, row: NDArray[np.float64], y: int, w: float, whole: bool, guess: int
) -> None:
    """Teach a leaf one instance; `guess` is its Naive Bayes answer to it."""
    if pool.majority[leaf] == y:
        pool.majority_correct[leaf] += w
    if guess == y:
        pool.bayes_correct[leaf] += w
    pool.prior[leaf, y] += w
    pool.length[leaf] = max(pool.length[leaf], y + 1)
    most, weight = pool.majority[leaf], pool.prior[leaf, y]
    lead = np.inf if most == NONE else weight - pool.prior[leaf, most]
    if lead > 0.0 or (lead == 0.0 and y < most):
        pool.majority[leaf] = y
    pool.fresh[leaf] = False
    pool.since[leaf] += w
    class_statistics.bring(pool.stats, pool.slot[leaf], row)
    class_statistics.observe(pool.stats, pool.slot[leaf], y, w, row, whole, weight)
    class_statistics.observe_extremes(pool.stats, pool.slot[leaf], y)


@part
def split(pool: Pool, leaf: int, best: Suggestion) -> None:
    """Turn a leaf into a split node with a leaf for each branch."""
    attribute, slot = best.attribute, pool.slot[leaf]
    splitting.distribute(
        pool.stats,
        slot,
        attribute,
        best.test,
        best.threshold,
        best.branches,
        pool.candidate,
    )
    pool.test[leaf], pool.attribute[leaf], pool.places[leaf] = best.test, attribute, 0
    if best.test == AT_MOST:
        pool.threshold[leaf], pool.first_child[leaf] = best.threshold, pool.used[NODES]
    else:
        pool.operand[leaf], pool.branch[leaf] = best.threshold, pool.used[NODES]
    pool.free[pool.used[FREE_SLOTS]] = slot
    pool.used[FREE_SLOTS] += 1
    if best.test == EACH_VALUE:  # with places for the values that have not been seen here yet
        j = -1 - pool.stats.position[attribute]
        pool.places[leaf] = pool.stats.offset[j + 1] - pool.stats.offset[j]
        pool.branch[leaf] = pool.used[CHILDREN]
        pool.used[CHILDREN] += pool.places[leaf]
        for place in range(pool.branch[leaf], pool.used[CHILDREN]):
            pool.child[place] = NONE
    for branch in range(best.branches):
        node = new_leaf(pool, pool.depth[leaf] + 1)
        if best.test == EACH_VALUE:
            pool.child[pool.branch[leaf] + branch] = node
        _inherit(pool, node, branch)


@part
def _inherit(pool: Pool, node: int, branch: int) -> None:
    """Give a new leaf the class weights that the split has estimated for it."""
    pool.length[node] = pool.candidate.length[branch]
    for c in range(pool.length[node]):
        weight = pool.candidate.weight[branch, c]
        pool.prior[node, c] = weight
        if pool.majority[node] == NONE or weight > pool.prior[node, pool.majority[node]]:
            pool.majority[node] = c
    pool.evaluated[node] = weight_seen(pool, node)
