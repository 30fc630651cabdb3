"""The way of instances down the trees of a pool, one at a time or many together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval import lanes
from streameval.kernels import inlined
from streameval.learners.splitting import AT_MOST, EQUALS
from streameval.learners.tree import LEAF, NONE, Pool


@inlined
def route(pool: Pool, root: int, row: NDArray[np.float64]) -> tuple[Any, Any]:
    """Return the last node on an instance's way down, and the place of the child it lacks.

    The place is NONE in a leaf, and in a split node where the tested value is missing.
    """
    node = np.uint64(root)
    while pool.test[node] != LEAF:
        value, test = row[np.uint64(pool.attribute[node])], pool.test[node]
        if value != value:
            break
        # Sums and not branches: which way an instance goes is nothing a processor can guess.
        if test == AT_MOST:
            node = np.uint64(pool.first_child[node]) + np.uint64(value > pool.threshold[node])
        elif test == EQUALS:
            node = np.uint64(pool.branch[node]) + np.uint64(value != pool.operand[node])
        else:
            place = np.uint64(pool.branch[node]) + np.uint64(value)
            if pool.child[place] == NONE:
                return np.int64(node), np.int64(place)
            node = np.uint64(pool.child[place])
    return np.int64(node), np.int64(NONE)


@inlined
def route_together(
    pool: Pool, root: int, X: NDArray[np.float64], rows: NDArray[np.int32], start: Any, stop: Any
) -> None:
    """Write to ``pool.reached`` how far the instances of events ``start:stop`` come together.

    An instance waits at every node for memory and for a comparison; many at a time do not wait
    for each other. From there `route` goes on. Of no use to an instance with missing values,
    which may have come too far.
    """
    n, attributes = np.uint64(stop - start), np.uint64(X.shape[1])
    for i in range(n):
        pool.reached[i] = root
        pool.origin[i] = np.uint64(rows[start + i]) * attributes
    moved = X.shape[1] > 0
    while moved:
        moved = False
        for i in range(n):
            node = np.uint64(pool.reached[i])
            value = lanes.item(X, pool.origin[i] + np.uint64(pool.attribute[node]))
            child = np.uint64(pool.first_child[node]) + np.uint64(value > pool.threshold[node])
            pool.reached[i] = child
            moved |= child != node


@inlined
def route_members(
    pool: Pool,
    roots: NDArray[np.int64],
    row: NDArray[np.float64],
    whole: bool,
    node: NDArray[np.int64],
    place: NDArray[np.int64],
) -> None:
    """Write what `route` returns for each of the trees with these roots.

    As in `route_together`, many on the way at a time do not wait for each other.
    """
    for m in range(np.uint64(roots.shape[0])):
        node[m] = roots[m]
    moved = whole and row.shape[0] > 0
    while moved:
        moved = False
        for m in range(np.uint64(roots.shape[0])):
            at = np.uint64(node[m])
            value = row[np.uint64(pool.attribute[at])]
            child = np.uint64(pool.first_child[at]) + np.uint64(value > pool.threshold[at])
            node[m] = child
            moved |= child != at
    for m in range(np.uint64(roots.shape[0])):
        node[m], place[m] = route(pool, node[m], row)
