"""Routing of instances through the trees of a node pool (see `tree`), singly or several together.

Node numbers are unsigned here: Numba then adds no code for negative indices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from streameval.base.arrays import Codes, Floats, Integers
from streameval.compiled import lanes
from streameval.compiled.kernels import inlined
from streameval.learners.trees.splitting import EACH_VALUE, EQUALS
from streameval.learners.trees.tree import LEAF, Pool


@inlined
def route(pool: Pool, root: int, row: Floats) -> Any:
    """Last node on the path of an instance.

    This is a leaf, a branch for a nominal value that has not occurred, or a split node whose tested
    value is missing.
    """
    node = np.uint64(root)
    while pool.test[node] < LEAF:  # split nodes have smaller codes
        value = row[np.uint64(pool.attribute[node])]
        if value != value:  # NaN: missing
            break
        node = _child(pool, node, value, True)  # has_nominal: the test is read at each node
    return np.int64(node)


@inlined
def _child(pool: Pool, node: Any, value: float, has_nominal: bool) -> Any:
    """Child of a node for a value of its attribute.

    If `has_nominal` is False, no attribute of the stream is nominal, and the test is not read.
    """
    # Code without jumps, as the processor could not predict them. `branch` is the child's index
    # among the children of the node.
    branch = np.uint64(value > pool.operand[node])
    if has_nominal:
        test = pool.test[node]
        branch = np.uint64(value != pool.operand[node]) if test == EQUALS else branch
        # With a branch for each value, the value is the index of its branch. NaN stays in branch 0.
        selects_branch = (test == EACH_VALUE) & (value == value)
        branch = np.uint64(np.int64(value)) if selects_branch else branch
    return np.uint64(pool.first_child[node]) + branch


@inlined
def _has_nominal(pool: Pool) -> bool:
    return pool.stats.nominal.shape[0] > 0


@inlined
def route_together(pool: Pool, root: int, X: Floats, rows: Codes, start: Any, stop: Any) -> None:
    """Route the instances of events ``start:stop``; store their last nodes in ``pool.reached``.

    Each step waits for memory and for a comparison. Together, several instances wait at the same
    time. The result is wrong for an instance with missing values.
    """
    n, m = np.uint64(stop - start), np.uint64(X.shape[1])
    for i in range(n):
        pool.reached[i] = root
        pool.row_start[i] = np.uint64(rows[start + i]) * m
    if X.shape[1] == 0:
        return
    # A literal flag lets the compiler remove the branches of the other case.
    if _has_nominal(pool):
        _move_instances(pool, X, n, True)
    else:
        _move_instances(pool, X, n, False)


@inlined
def _move_instances(pool: Pool, X: Floats, n: Any, has_nominal: bool) -> None:
    """Move n instances from node to child, until all have reached a node without a test.

    Such a node is its own child, so the loop ends when no instance changes its node.
    """
    moved = np.uint64(1)
    while moved != 0:
        moved = np.uint64(0)
        for i in range(n):
            node = np.uint64(pool.reached[i])
            value = lanes.load_item(X, pool.row_start[i] + np.uint64(pool.attribute[node]))
            child = _child(pool, node, value, has_nominal)
            pool.reached[i] = child
            moved |= child ^ node  # not 0 if they differ


@inlined
def route_through_trees(
    pool: Pool, roots: Integers, row: Floats, complete: bool, nodes: Integers
) -> None:
    """Write to `nodes` (t,) the result of `route` for each of the t trees with these roots.

    As in `route_together`, the trees wait for memory at the same time. An instance that is not
    `complete` has missing values.
    """
    for i in range(np.uint64(roots.shape[0])):
        nodes[i] = roots[i] if complete else route(pool, roots[i], row)
    if not complete or row.shape[0] == 0:
        return
    if _has_nominal(pool):
        _move_through_trees(pool, row, nodes, True)
    else:
        _move_through_trees(pool, row, nodes, False)


@inlined
def _move_through_trees(pool: Pool, row: Floats, nodes: Integers, has_nominal: bool) -> None:
    """Move an instance in each tree from its node to a child, until no node has a test."""
    moved = np.uint64(1)
    while moved != 0:
        moved = np.uint64(0)
        for i in range(np.uint64(nodes.shape[0])):
            parent = np.uint64(nodes[i])
            value = row[np.uint64(pool.attribute[parent])]
            child = _child(pool, parent, value, has_nominal)
            nodes[i] = child
            moved |= child ^ parent
