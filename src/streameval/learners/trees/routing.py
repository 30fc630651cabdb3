"""Routing of instances through the trees of a pool, one at a time or several together."""

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

    This is a leaf, an unseen branch, or a split node whose tested value is missing.
    """
    node = np.uint64(root)
    while pool.test[node] < LEAF:
        value = row[np.uint64(pool.attribute[node])]
        if value != value:
            break
        node = _child(pool, node, value, True)
    return np.int64(node)


@inlined
def _child(pool: Pool, node: Any, value: float, mixed: bool) -> Any:
    """Child of a node for a value of its attribute; `mixed` if there are nominal attributes."""
    # Sums and selections instead of branches: the processor cannot predict the path.
    branch = np.uint64(value > pool.operand[node])
    if mixed:
        test = pool.test[node]
        branch = np.uint64(value != pool.operand[node]) if test == EQUALS else branch
        by_value = (test == EACH_VALUE) & (value == value)
        branch = np.uint64(np.int64(value)) if by_value else branch
    return np.uint64(pool.first_child[node]) + branch


@inlined
def _is_mixed(pool: Pool) -> bool:
    return pool.stats.nominal.shape[0] > 0


@inlined
def route_together(pool: Pool, root: int, X: Floats, rows: Codes, start: Any, stop: Any) -> None:
    """Write the nodes that the instances of events ``start:stop`` reach to ``pool.reached``.

    Each step waits for memory and for a comparison; several instances wait at the same time. The
    result is wrong for an instance with missing values.
    """
    n, attributes = np.uint64(stop - start), np.uint64(X.shape[1])
    for i in range(n):
        pool.reached[i] = root
        pool.origin[i] = np.uint64(rows[start + i]) * attributes
    if X.shape[1] == 0:
        return
    if _is_mixed(pool):
        _go_together(pool, X, n, True)
    else:
        _go_together(pool, X, n, False)


@inlined
def _go_together(pool: Pool, X: Floats, n: Any, mixed: bool) -> None:
    moved = np.uint64(1)
    while moved != 0:
        moved = np.uint64(0)
        for i in range(n):
            node = np.uint64(pool.reached[i])
            value = lanes.item(X, pool.origin[i] + np.uint64(pool.attribute[node]))
            child = _child(pool, node, value, mixed)
            pool.reached[i] = child
            moved |= child ^ node


@inlined
def route_members(pool: Pool, roots: Integers, row: Floats, complete: bool, node: Integers) -> None:
    """Write the result of `route` for each of the trees with these roots.

    As in `route_together`, the trees wait for memory at the same time.
    """
    for m in range(np.uint64(roots.shape[0])):
        node[m] = roots[m] if complete else route(pool, roots[m], row)
    if not complete or row.shape[0] == 0:
        return
    if _is_mixed(pool):
        _lead_members(pool, row, node, True)
    else:
        _lead_members(pool, row, node, False)


@inlined
def _lead_members(pool: Pool, row: Floats, node: Integers, mixed: bool) -> None:
    moved = np.uint64(1)
    while moved != 0:
        moved = np.uint64(0)
        for m in range(np.uint64(node.shape[0])):
            at = np.uint64(node[m])
            child = _child(pool, at, row[np.uint64(pool.attribute[at])], mixed)
            node[m] = child
            moved |= child ^ at
