"""Regression and model trees in a pool of nodes: leaves that learn, split nodes, alternates.

A pool holds one tree or several. A split node whose errors rise gets an alternate tree, which
learns from the same instances and may replace the node. `model_tree` decides when.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.memory import MODEL_SIZE_ADVICE, check_room
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, inlined_kernel, subkernel
from streameval.learners.regression import search_trees
from streameval.learners.regression.search_trees import SearchTrees, Split
from streameval.streams.stream import Schema

NONE = search_trees.NONE
#: `RegressionPool.attribute` of an option node: instances go to all of its children.
OPTION = -2
# Columns of `RegressionPool.sums`. The first three are the columns of `SearchTrees.sums`.
N = search_trees.N
SUM = search_trees.SUM
SQUARES = search_trees.SQUARES
ERRORS = 3  # sum of weighted absolute errors
# Places in `RegressionPool.counters`.
ALLOCATED = 0  # number of nodes that have ever been in use
FIRST_FREE = 1  # first node of the list of free nodes, or NONE
IN_USE = 2  # number of nodes in use
ALTERNATES = 3  # number of alternate trees
OPTIONS = 4  # number of children of option nodes, without the first child of each


class RegressionPool(NamedTuple):
    """Nodes, and for each tree the sums over all instances that it has learnt.

    Shapes: a nodes, t trees, m attributes, k attributes observed by a leaf. Free nodes are linked
    by ``parent``.
    """

    attribute: Integers  # (a,) attribute that is tested, NONE in a leaf
    cut: Floats  # (a,) values up to the cut go to the first child, others to the second
    child: Integers  # (a, 2) children; an option node has only its first child here
    sibling: Integers  # (a,) next child of the same option node, or NONE
    parent: Integers  # (a,) NONE at the root of a tree and of an alternate
    alternate: Integers  # (a,) root of the alternate tree, or NONE
    original: Integers  # (a,) node that the alternate tree with this root may replace, or NONE
    orphan: Flags  # (a,) True for an alternate tree that replaced a node; MOA treats it as a root
    watched: Flags  # (a,) whether a rise of its errors is tested
    sums: Floats  # (a, 4) sums of the targets that have reached a node, and of their errors
    rise: Floats  # (a, 2) Page-Hinkley test: the sum, and its minimum
    losses: Floats  # (a, 4) errors of a node and of its alternate tree, see `model_tree`
    attempt_weight: Floats  # (a,) weight at the last attempt to split
    observed: Integers  # (a, k) attributes in ascending order; NONE at unused places
    value_roots: Integers  # (a, k) the roots of their E-BSTs
    tree_sizes: Integers  # (a, k) the numbers of nodes of their E-BSTs
    weight: Floats  # (a, m + 1) weights of a leaf's perceptron; (a, 0) without perceptrons
    is_new: Flags  # (a,) whether it is a leaf that has not learnt yet
    learnt_weight: Floats  # (a,) weight that its perceptron has learnt
    root: Integers  # (t,)
    target: Floats  # (t, 3) sums of all targets
    inputs: Floats  # (t, m, 3) sums of all inputs; (t, 0, 3) without perceptrons
    random: Integers  # (t, 3) states of random number generators, see `java_random`
    scaled: Floats  # (m + 1,) scratch: the standardised instance, and the constant input
    numeric: Flags  # (m,)
    is_drawn: Flags  # (m,) scratch: whether an attribute is drawn
    counters: Integers  # (5,) counters of the pool
    trees: SearchTrees  # the E-BSTs of all leaves


#: The fields with one entry per node.
NODE_FIELDS = (
    "attribute",
    "cut",
    "child",
    "sibling",
    "parent",
    "alternate",
    "original",
    "orphan",
    "watched",
    "sums",
    "rise",
    "losses",
    "attempt_weight",
    "observed",
    "value_roots",
    "tree_sizes",
    "weight",
    "is_new",
    "learnt_weight",
)


def make(
    schema: Schema, nodes: int, seeds: list[int], observed: int, perceptrons: bool, value_nodes: int
) -> RegressionPool:
    """Pool of trees without roots.

    Parameters
    ----------
    schema : Schema
        Schema of the stream.
    nodes, value_nodes : int
        Capacity: number of nodes of the trees, and of E-BSTs.
    seeds : list of int
        The seed of each tree.
    observed : int
        Number of attributes that a leaf observes.
    perceptrons : bool
        Whether leaves have perceptrons.
    """
    m, t = schema.n_attributes, len(seeds)
    check_room(  # bytes of the fields of nodes and of E-BST nodes
        nodes * (163 + 8 * (m + 1) * perceptrons + 24 * observed) + 44 * value_nodes,
        f"Trees with room for {nodes:,} nodes",
        MODEL_SIZE_ADVICE,
    )

    def full_of_none(*shape: int) -> Integers:
        return np.full(shape, NONE, dtype=np.int64)

    return RegressionPool(
        attribute=full_of_none(nodes),
        cut=np.zeros(nodes),
        child=full_of_none(nodes, 2),
        sibling=full_of_none(nodes),
        parent=full_of_none(nodes),
        alternate=full_of_none(nodes),
        original=full_of_none(nodes),
        orphan=np.zeros(nodes, dtype=np.bool_),
        watched=np.zeros(nodes, dtype=np.bool_),
        sums=np.zeros((nodes, 4)),
        rise=np.zeros((nodes, 2)),
        losses=np.zeros((nodes, 4)),
        attempt_weight=np.zeros(nodes),
        observed=full_of_none(nodes, observed),
        value_roots=full_of_none(nodes, observed),
        tree_sizes=np.zeros((nodes, observed), dtype=np.int64),
        weight=np.zeros((nodes, (m + 1) * perceptrons)),
        is_new=np.zeros(nodes, dtype=np.bool_),
        learnt_weight=np.zeros(nodes),
        root=full_of_none(t),
        target=np.zeros((t, 3)),
        inputs=np.zeros((t, m * perceptrons, 3)),
        random=np.array([java_random.java_random(seed) for seed in seeds]),
        scaled=np.zeros(m + 1),
        numeric=schema.n_values == 0,
        is_drawn=np.zeros(m, dtype=np.bool_),
        counters=np.array([0, NONE, 0, 0, 0]),
        trees=search_trees.make(value_nodes),
    )


def grow(pool: RegressionPool, schema: Schema, n_trees: int) -> RegressionPool:
    """Copy the trees to a pool of twice the size, if the pool is full; see `has_room`."""
    trees, nodes = pool.trees, len(pool.attribute)
    if _value_nodes_needed(pool, n_trees) > len(trees.cut):
        trees = search_trees.grow(trees)
    if _nodes_needed(pool, n_trees) <= nodes:
        return pool._replace(trees=trees)
    perceptrons, seeds = pool.weight.shape[1] > 0, [0] * len(pool.root)
    # The generators and the E-BSTs of the new pool are replaced below.
    larger = make(schema, 2 * nodes, seeds, pool.observed.shape[1], perceptrons, value_nodes=1)
    for name in NODE_FIELDS:
        getattr(larger, name)[:nodes] = getattr(pool, name)
    others = {
        name: getattr(pool, name) for name in ("root", "target", "inputs", "random", "counters")
    }
    return larger._replace(trees=trees, **others)


def used_bytes(pool: RegressionPool) -> int:
    """Bytes of the nodes and of the E-BST nodes in use."""
    per_node = sum(getattr(pool, name).nbytes for name in NODE_FIELDS) // len(pool.attribute)
    return int(pool.counters[IN_USE]) * per_node + search_trees.used_bytes(pool.trees)


def size(pool: RegressionPool, n_trees: int = 1) -> dict[str, int]:
    """Nodes and leaves of the first `n_trees` trees, and number of all alternate trees."""
    nodes, leaves, level = 0, 0, pool.root[:n_trees]
    level = level[level != NONE]
    while len(level):  # level by level
        nodes += len(level)
        inner = level[pool.attribute[level] != NONE]
        leaves += len(level) - len(inner)
        is_option = pool.attribute[inner] == OPTION
        level, siblings = pool.child[inner[~is_option]].ravel(), pool.child[inner[is_option], 0]
        while len(siblings):
            level, siblings = np.append(level, siblings), pool.sibling[siblings]
            siblings = siblings[siblings != NONE]
    return {"nodes": nodes, "leaves": leaves, "alternates": int(pool.counters[ALTERNATES])}


@inlined_kernel
def _nodes_needed(pool: RegressionPool, n_trees: int) -> int:
    """Upper bound on the nodes after `n_trees` trees and all alternates have learnt an instance."""
    # Each of them can add two leaves by a split, and a root or an alternate tree.
    return pool.counters[IN_USE] + 3 * (n_trees + pool.counters[ALTERNATES])


@inlined_kernel
def _value_nodes_needed(pool: RegressionPool, n_trees: int) -> int:
    """Upper bound on the E-BST nodes then: a tree adds at most one per observed attribute."""
    new = pool.observed.shape[1] * (n_trees + pool.counters[ALTERNATES])
    return pool.trees.counters[search_trees.IN_USE] + new


@inlined
def has_room(pool: RegressionPool, n_trees: int) -> bool:
    """True if there is room for `n_trees` trees and all alternates to learn an instance."""
    return (
        _nodes_needed(pool, n_trees) <= pool.attribute.shape[0]
        and _value_nodes_needed(pool, n_trees) <= pool.trees.cut.shape[0]
    )


@subkernel
def new_leaf(pool: RegressionPool, parent: int, original: int) -> int:
    """Add an empty leaf; return its number."""
    node = pool.counters[FIRST_FREE]
    if node == NONE:
        node = pool.counters[ALLOCATED]
        pool.counters[ALLOCATED] += 1
    else:
        pool.counters[FIRST_FREE] = pool.parent[node]
    pool.counters[IN_USE] += 1
    pool.attribute[node] = pool.alternate[node] = NONE
    pool.parent[node], pool.original[node], pool.sibling[node] = parent, original, NONE
    pool.orphan[node], pool.watched[node], pool.is_new[node] = False, True, True
    pool.sums[node] = 0.0
    pool.weight[node] = 0.0
    pool.learnt_weight[node] = pool.attempt_weight[node] = 0.0
    for place in range(pool.value_roots.shape[1]):
        pool.value_roots[node, place] = NONE
        pool.tree_sizes[node, place] = 0
    return node


@inlined
def child_of(pool: RegressionPool, node: int, row: Floats) -> int:
    """Child of a split node for an instance; the second child if the value is missing."""
    # Unsigned indices: the compiler adds no code for negative indices.
    index: Any = np.uint64(node)
    side = 0 if row[np.uint64(pool.attribute[index])] <= pool.cut[index] else 1
    return pool.child[index, side]


@inlined
def leaf_of(pool: RegressionPool, node: int, row: Floats) -> int:
    """Leaf that an instance reaches from a node; alternates are ignored."""
    while pool.attribute[np.uint64(node)] != NONE:
        node = child_of(pool, node, row)
    return node


@subkernel
def _release_values(pool: RegressionPool, leaf: Any) -> None:
    for place in range(pool.value_roots.shape[1]):
        search_trees.release(
            pool.trees, pool.value_roots[leaf, place], pool.tree_sizes[leaf, place]
        )
        pool.value_roots[leaf, place] = NONE


@inlined
def _restart_test(pool: RegressionPool, node: int) -> None:
    """Restart the Page-Hinkley test of a node: no errors are summed, so there is no minimum yet."""
    pool.rise[node, 0], pool.rise[node, 1] = 0.0, np.inf


@subkernel
def split(pool: RegressionPool, leaf: int, best: Split) -> None:
    """Turn a leaf into a split node with two leaves that get copies of its perceptron."""
    _release_values(pool, leaf)
    pool.attribute[leaf], pool.cut[leaf] = best.attribute, best.cut
    _restart_test(pool, leaf)
    for side in range(2):
        child = new_leaf(pool, leaf, NONE)
        pool.child[leaf, side] = child
        pool.watched[child] = pool.watched[leaf]
        if pool.weight.shape[1] > 0:
            pool.is_new[child] = False
            for j in range(pool.weight.shape[1]):
                pool.weight[child, j] = pool.weight[leaf, j]


@subkernel
def become_option(pool: RegressionPool, leaf: int) -> None:
    """Turn a leaf into an option node. Its children already exist."""
    _release_values(pool, leaf)
    pool.attribute[leaf] = OPTION
    _restart_test(pool, leaf)


@subkernel
def discard(pool: RegressionPool, top: int) -> None:
    """Free a node and all nodes below it, including alternates."""
    # The nodes that are still to be freed are a stack, linked by `parent`.
    pool.parent[top] = NONE
    stack = np.int64(top)
    while stack != NONE:
        node = stack
        stack = pool.parent[node]
        if pool.attribute[node] == NONE:
            _release_values(pool, node)
        else:
            for side in range(2):
                child = pool.child[node, side]
                while child != NONE:
                    pool.parent[child], stack = stack, np.int64(child)
                    child = pool.sibling[child]
                    pool.counters[OPTIONS] -= child != NONE
            alternate = pool.alternate[node]
            if alternate != NONE:
                pool.counters[ALTERNATES] -= 1
                pool.parent[alternate], stack = stack, np.int64(alternate)
        pool.parent[node] = pool.counters[FIRST_FREE]
        pool.counters[FIRST_FREE] = node
        pool.counters[IN_USE] -= 1


@inlined
def _next_sibling(pool: RegressionPool, node: int) -> int:
    """Next sibling of a node, or NONE."""
    parent = pool.parent[node]
    if pool.attribute[parent] == OPTION:
        return pool.sibling[node]
    return pool.child[parent, 1] if pool.child[parent, 0] == node else NONE


@subkernel
def replace_child(pool: RegressionPool, node: int, replacement: int) -> None:
    """Replace `node` among the children of its parent; if `replacement` is NONE, remove it."""
    parent = pool.parent[node]
    if pool.attribute[parent] != OPTION:
        pool.child[parent, 0 if pool.child[parent, 0] == node else 1] = replacement
        return
    next_sibling = pool.sibling[node]
    if replacement == NONE:
        pool.counters[OPTIONS] -= 1
        replacement = next_sibling
    else:
        pool.sibling[replacement] = next_sibling
    if pool.child[parent, 0] == node:
        pool.child[parent, 0] = replacement
        return
    previous = pool.child[parent, 0]
    while pool.sibling[previous] != node:
        previous = pool.sibling[previous]
    pool.sibling[previous] = replacement


@subkernel
def watch(pool: RegressionPool, top: int, is_watched: bool) -> None:
    """Switch change detection on or off in a node and all nodes below it.

    It stays off in nodes with an alternate tree, and in the nodes below them.
    """
    node: Any = np.int64(top)
    while True:  # walk in preorder
        if not is_watched or pool.alternate[node] == NONE:
            pool.watched[node] = is_watched
            if is_watched:
                _restart_test(pool, node)
            if pool.attribute[node] != NONE:
                node = pool.child[node, 0]
                continue
        while node != top and _next_sibling(pool, node) == NONE:
            node = pool.parent[node]
        if node == top:
            return
        node = _next_sibling(pool, node)


@subkernel
def move_tree(pool: RegressionPool, source: int, destination: int) -> None:
    """Replace tree `destination` by tree `source`, which has no root afterwards.

    Only for trees without perceptrons, which have no sums of inputs.
    """
    if pool.root[destination] != NONE:
        discard(pool, pool.root[destination])
    pool.root[destination], pool.root[source] = pool.root[source], NONE
    for i in range(3):
        pool.target[destination, i] = pool.target[source, i]
        pool.random[destination, i] = pool.random[source, i]


@subkernel
def restart_tree(pool: RegressionPool, tree_id: int, seed: int) -> None:
    """Discard a tree and restart it with a seed; only for trees without perceptrons."""
    if pool.root[tree_id] != NONE:
        discard(pool, pool.root[tree_id])
    pool.root[tree_id] = NONE
    pool.target[tree_id] = 0.0
    java_random.reseed(pool.random[tree_id], seed)


@subkernel
def replace_node(pool: RegressionPool, tree_id: int, node: int, replacement: int) -> None:
    """Replace a node of a tree by another node; afterwards the first node has no parent."""
    parent = pool.parent[node]
    pool.parent[replacement], pool.original[replacement] = parent, NONE
    if parent == NONE:
        pool.root[tree_id] = replacement
    else:
        replace_child(pool, node, replacement)
    pool.parent[node] = NONE


@subkernel
def make_root(pool: RegressionPool, tree_id: int, node: int) -> None:
    """Make a node the root of its tree, and discard all nodes that are not below it."""
    parent, old_root = pool.parent[node], pool.root[tree_id]
    if parent != NONE:
        replace_child(pool, node, NONE)
    pool.root[tree_id] = node
    pool.parent[node] = pool.original[node] = NONE
    pool.orphan[node] = False
    discard(pool, old_root)
