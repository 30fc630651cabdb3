"""Regression and model trees in a pool of nodes: leaves that learn, split nodes, alternates.

A pool holds one tree or several. A split node whose errors rise gets an alternate tree, which
learns from the same instances and may replace the node. `model_tree` decides when.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.memory import MANY, check_room
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, open_inlined, subkernel
from streameval.learners.regression import search_trees
from streameval.learners.regression.search_trees import SearchTrees, Split
from streameval.streams.stream import Schema

NONE = search_trees.NONE
#: ``Pool.attribute`` of an option node: instances go to all of its children.
OPTION = -2
#: Columns of ``Pool.seen``; the first three are those of E-BSTs.
N, SUM, SQUARES, ERRORS = 0, 1, 2, 3
#: Places in ``RegressionPool.used``: nodes that have been used, the first free node, nodes in use,
#: alternate trees, children of option nodes except the first child of each.
TAKEN, FREE, HELD, ALTERNATES, OPTIONS = 0, 1, 2, 3, 4


class RegressionPool(NamedTuple):
    """Nodes, and for each tree the sums over all that it has learnt.

    Shapes: a nodes, t trees, m attributes, k attributes observed by a leaf. Free nodes are linked
    by ``parent``.
    """

    attribute: Integers  # (a,) attribute that is tested, NONE in a leaf
    cut: Floats  # (a,) values up to it go to the first child, others to the second
    child: Integers  # (a, 2); of an option node, the first one
    sibling: Integers  # (a,) the next child of an option node, or NONE
    parent: Integers  # (a,) NONE at the root of a tree and of an alternate
    alternate: Integers  # (a,) root of the alternate tree, or NONE
    original: Integers  # (a,) of the root of an alternate: the node that it may replace
    orphan: Flags  # (a,) True if it has replaced a node, after which MOA treats it as a root
    watched: Flags  # (a,) True if a rise of its errors is tested
    seen: Floats  # (a, 4) sums over the instances that have reached a node
    rise: Floats  # (a, 2) Page-Hinkley: the sum, and its minimum
    losses: Floats  # (a, 4) see `model_tree`
    evaluated: Floats  # (a,) weight at the last attempt to split
    observed: Integers  # (a, k) attributes in ascending order; NONE for further places
    values: Integers  # (a, k) the roots of their E-BSTs
    stored: Integers  # (a, k) the numbers of nodes of their E-BSTs
    weight: Floats  # (a, m + 1) of a leaf's perceptron; no columns without them
    fresh: Flags  # (a,) a leaf that has not learnt yet
    learnt: Floats  # (a,) weight that its perceptron has learnt
    root: Integers  # (t,)
    target: Floats  # (t, 3) sums of all targets
    inputs: Floats  # (t, m, 3) sums of all inputs; (t, 0, 3) without perceptrons
    random: Integers  # (t, 3) generators, see `java_random`
    scaled: Floats  # (m + 1,) scratch: the standardised instance
    numeric: Flags  # (m,)
    wanted: Flags  # (m,) scratch: attributes that are drawn
    used: Integers  # (5,)
    trees: SearchTrees


#: The fields with one entry per node.
NODE_FIELDS = (
    *(
        "attribute",
        "cut",
        "child",
        "sibling",
        "parent",
        "alternate",
        "original",
        "orphan",
        "watched",
    ),
    *("seen", "rise", "losses", "evaluated", "observed", "values", "stored", "weight", "fresh"),
    "learnt",
)


def make(
    schema: Schema, nodes: int, keys: list[int], observed: int, perceptrons: bool, stored: int
) -> RegressionPool:
    """Pool of trees without roots.

    Parameters
    ----------
    schema : Schema
        Schema of the stream.
    nodes, stored : int
        Room for nodes of the trees, and of E-BSTs.
    keys : list of int
        The seed of each tree.
    observed : int
        Number of attributes that a leaf observes.
    perceptrons : bool
        Whether leaves have perceptrons.
    """
    m, t = schema.n_attributes, len(keys)
    check_room(
        nodes * (160 + 8 * (m + 1) * perceptrons + 12 * observed) + 48 * stored,
        f"Trees with room for {nodes:,} nodes",
        MANY,
    )

    def whole(*shape: int) -> Integers:
        return np.full(shape, NONE, dtype=np.int64)

    return RegressionPool(
        attribute=whole(nodes),
        cut=np.zeros(nodes),
        child=whole(nodes, 2),
        sibling=whole(nodes),
        parent=whole(nodes),
        alternate=whole(nodes),
        original=whole(nodes),
        orphan=np.zeros(nodes, dtype=np.bool_),
        watched=np.zeros(nodes, dtype=np.bool_),
        seen=np.zeros((nodes, 4)),
        rise=np.zeros((nodes, 2)),
        losses=np.zeros((nodes, 4)),
        evaluated=np.zeros(nodes),
        observed=whole(nodes, observed),
        values=whole(nodes, observed),
        stored=np.zeros((nodes, observed), dtype=np.int64),
        weight=np.zeros((nodes, (m + 1) * perceptrons)),
        fresh=np.zeros(nodes, dtype=np.bool_),
        learnt=np.zeros(nodes),
        root=whole(t),
        target=np.zeros((t, 3)),
        inputs=np.zeros((t, m * perceptrons, 3)),
        random=np.array([java_random.java_random(key) for key in keys]),
        scaled=np.zeros(m + 1),
        numeric=schema.n_values == 0,
        wanted=np.zeros(m, dtype=np.bool_),
        used=np.array([0, NONE, 0, 0, 0]),
        trees=search_trees.make(stored),
    )


def grow(pool: RegressionPool, schema: Schema, need: int) -> RegressionPool:
    """Copy the trees to a pool of twice the size, if it is full; see `has_room`."""
    trees, nodes = pool.trees, len(pool.attribute)
    if _most_values(pool, need) > len(trees.cut):
        trees = search_trees.grow(trees)
    if _most_nodes(pool, need) <= nodes:
        return pool._replace(trees=trees)
    perceptrons, keys = pool.weight.shape[1] > 0, [0] * len(pool.root)
    larger = make(schema, 2 * nodes, keys, pool.observed.shape[1], perceptrons, 1)
    for name in NODE_FIELDS:
        getattr(larger, name)[:nodes] = getattr(pool, name)
    others = {name: getattr(pool, name) for name in ("root", "target", "inputs", "random", "used")}
    return larger._replace(trees=trees, **others)


def used_bytes(pool: RegressionPool) -> int:
    """Bytes of the nodes and of the E-BST nodes in use."""
    per_node = sum(getattr(pool, name).nbytes for name in NODE_FIELDS) // len(pool.attribute)
    return int(pool.used[HELD]) * per_node + search_trees.used_bytes(pool.trees)


def size(pool: RegressionPool, trees: int = 1) -> dict[str, int]:
    """Numbers of nodes and leaves of the first `trees` trees, and of all alternate trees."""
    nodes, leaves, level = 0, 0, pool.root[:trees]
    level = level[level != NONE]
    while len(level):
        nodes += len(level)
        inner = level[pool.attribute[level] != NONE]
        leaves += len(level) - len(inner)
        options = pool.attribute[inner] == OPTION
        level, more = pool.child[inner[~options]].ravel(), pool.child[inner[options], 0]
        while len(more):
            level, more = np.append(level, more), pool.sibling[more]
            more = more[more != NONE]
    return {"nodes": nodes, "leaves": leaves, "alternates": int(pool.used[ALTERNATES])}


@open_inlined
def _most_nodes(pool: RegressionPool, need: int) -> int:
    """Upper bound on the nodes after `need` trees and all alternates have learnt an instance."""
    return pool.used[HELD] + 3 * (need + pool.used[ALTERNATES])


@open_inlined
def _most_values(pool: RegressionPool, need: int) -> int:
    """Upper bound on the E-BST nodes after that instance."""
    new = pool.observed.shape[1] * (need + pool.used[ALTERNATES])
    return pool.trees.used[search_trees.HELD] + new


@inlined
def has_room(pool: RegressionPool, need: int) -> bool:
    """True if there is room for `need` trees and all alternates to learn an instance."""
    return (
        _most_nodes(pool, need) <= pool.attribute.shape[0]
        and _most_values(pool, need) <= pool.trees.cut.shape[0]
    )


@subkernel
def new_leaf(pool: RegressionPool, parent: int, original: int) -> int:
    """Add an empty leaf; return its number."""
    node = pool.used[FREE]
    if node == NONE:
        node = pool.used[TAKEN]
        pool.used[TAKEN] += 1
    else:
        pool.used[FREE] = pool.parent[node]
    pool.used[HELD] += 1
    pool.attribute[node] = pool.alternate[node] = NONE
    pool.parent[node], pool.original[node], pool.sibling[node] = parent, original, NONE
    pool.orphan[node], pool.watched[node], pool.fresh[node] = False, True, True
    pool.seen[node] = 0.0
    pool.weight[node] = 0.0
    pool.learnt[node] = pool.evaluated[node] = 0.0
    for place in range(pool.values.shape[1]):
        pool.values[node, place] = NONE
        pool.stored[node, place] = 0
    return node


@inlined
def child_of(pool: RegressionPool, node: int, row: Floats) -> int:
    """Child of a split node for an instance; the second child if the value is missing."""
    at: Any = np.uint64(node)
    side = 0 if row[np.uint64(pool.attribute[at])] <= pool.cut[at] else 1
    return pool.child[at, side]


@inlined
def leaf_of(pool: RegressionPool, node: int, row: Floats) -> int:
    """Leaf that an instance reaches from a node; alternates are ignored."""
    while pool.attribute[np.uint64(node)] != NONE:
        node = child_of(pool, node, row)
    return node


@subkernel
def _release_values(pool: RegressionPool, leaf: Any) -> None:
    for place in range(pool.values.shape[1]):
        search_trees.release(pool.trees, pool.values[leaf, place], pool.stored[leaf, place])
        pool.values[leaf, place] = NONE


@subkernel
def split(pool: RegressionPool, leaf: int, best: Split) -> None:
    """Turn a leaf into a split node with two leaves, which get copies of its perceptron."""
    _release_values(pool, leaf)
    pool.attribute[leaf], pool.cut[leaf] = best.attribute, best.cut
    pool.rise[leaf, 0], pool.rise[leaf, 1] = 0.0, np.inf
    for side in range(2):
        child = new_leaf(pool, leaf, NONE)
        pool.child[leaf, side] = child
        pool.watched[child] = pool.watched[leaf]
        if pool.weight.shape[1] > 0:
            pool.fresh[child] = False
            for j in range(pool.weight.shape[1]):
                pool.weight[child, j] = pool.weight[leaf, j]


@subkernel
def become_option(pool: RegressionPool, leaf: int) -> None:
    """Turn a leaf into an option node, whose children already exist."""
    _release_values(pool, leaf)
    pool.attribute[leaf] = OPTION
    pool.rise[leaf, 0], pool.rise[leaf, 1] = 0.0, np.inf


@subkernel
def discard(pool: RegressionPool, top: int) -> None:
    """Free a node and all nodes below it, including alternates."""
    pool.parent[top] = NONE
    waiting = np.int64(top)
    while waiting != NONE:
        node = waiting
        waiting = pool.parent[node]
        if pool.attribute[node] == NONE:
            _release_values(pool, node)
        else:
            for side in range(2):
                child = pool.child[node, side]
                while child != NONE:
                    pool.parent[child], waiting = waiting, np.int64(child)
                    child = pool.sibling[child]
                    pool.used[OPTIONS] -= child != NONE
            other = pool.alternate[node]
            if other != NONE:
                pool.used[ALTERNATES] -= 1
                pool.parent[other], waiting = waiting, np.int64(other)
        pool.parent[node] = pool.used[FREE]
        pool.used[FREE] = node
        pool.used[HELD] -= 1


@inlined
def _next(pool: RegressionPool, node: int) -> int:
    """Next sibling of a node, or NONE."""
    above = pool.parent[node]
    if pool.attribute[above] == OPTION:
        return pool.sibling[node]
    return pool.child[above, 1] if pool.child[above, 0] == node else NONE


@subkernel
def relink(pool: RegressionPool, node: int, replacement: int) -> None:
    """Replace a child of its parent by another node, or remove it."""
    above = pool.parent[node]
    if pool.attribute[above] != OPTION:
        pool.child[above, 0 if pool.child[above, 0] == node else 1] = replacement
        return
    following = pool.sibling[node]
    if replacement == NONE:
        pool.used[OPTIONS] -= 1
        replacement = following
    else:
        pool.sibling[replacement] = following
    if pool.child[above, 0] == node:
        pool.child[above, 0] = replacement
        return
    before = pool.child[above, 0]
    while pool.sibling[before] != node:
        before = pool.sibling[before]
    pool.sibling[before] = replacement


@subkernel
def watch(pool: RegressionPool, top: int, on: bool) -> None:
    """Switch change detection on or off in a node and all nodes below it.

    It stays off in nodes with an alternate, and below these.
    """
    node: Any = np.int64(top)
    while True:
        if not on or pool.alternate[node] == NONE:
            pool.watched[node] = on
            if on:
                pool.rise[node, 0], pool.rise[node, 1] = 0.0, np.inf
            if pool.attribute[node] != NONE:
                node = pool.child[node, 0]
                continue
        while node != top and _next(pool, node) == NONE:
            node = pool.parent[node]
        if node == top:
            return
        node = _next(pool, node)


@subkernel
def move_tree(pool: RegressionPool, source: int, target: int) -> None:
    """Replace tree `target` by tree `source`, which has no root afterwards."""
    if pool.root[target] != NONE:
        discard(pool, pool.root[target])
    pool.root[target], pool.root[source] = pool.root[source], NONE
    for i in range(3):
        pool.target[target, i] = pool.target[source, i]
        pool.random[target, i] = pool.random[source, i]


@subkernel
def restart_tree(pool: RegressionPool, number: int, key: int) -> None:
    """Discard a tree and restart it with a seed; only for trees without perceptrons."""
    if pool.root[number] != NONE:
        discard(pool, pool.root[number])
    pool.root[number] = NONE
    pool.target[number] = 0.0
    java_random.reseed(pool.random[number], key)


@subkernel
def put_in_place(pool: RegressionPool, tree: int, node: int, replacement: int) -> None:
    """Replace a node by another one; afterwards the node has no parent."""
    above = pool.parent[node]
    pool.parent[replacement], pool.original[replacement] = above, NONE
    if above == NONE:
        pool.root[tree] = replacement
    else:
        relink(pool, node, replacement)
    pool.parent[node] = NONE


@subkernel
def make_root(pool: RegressionPool, tree: int, node: int) -> None:
    """Make a node the root of its tree, and discard all nodes that are not below it."""
    above, old = pool.parent[node], pool.root[tree]
    if above != NONE:
        relink(pool, node, NONE)
    pool.root[tree] = node
    pool.parent[node] = pool.original[node] = NONE
    pool.orphan[node] = False
    discard(pool, old)
