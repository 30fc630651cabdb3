"""Trees that lose branches get their room back: nodes that nothing leads to are given up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.learners import tree
from streameval.learners.splitting import AT_MOST, EACH_VALUE, EQUALS
from streameval.learners.tree import CHILDREN, FREE_SLOTS, LEAF, NODES, NONE, SLOTS, Pool


def descendants(pool: Pool, root: int, alternate: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a node and all below it, alternates too; of a binary split one after the other.

    `alternate` (a,) says which node may one day take a node's place, or NONE.
    """
    found = [root]
    for node in found:  # which grows meanwhile
        if pool.test[node] != LEAF:
            found.extend(tree.children(pool, node))
        if alternate[node] != NONE:
            found.append(int(alternate[node]))
    return np.array(found)


def keep_only(pool: Pool, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give up all nodes but these (n,), which become 0 .. n - 1, and the slots of the others.

    Returns the new numbers (a,) of the old nodes, NONE for those given up.
    """
    n = len(nodes)
    number = np.full(len(pool.attribute), NONE, dtype=np.int64)
    number[nodes] = np.arange(n)
    for name in tree.NODE_FIELDS:
        field = getattr(pool, name)
        field[:n] = field[nodes]
    test = pool.test[:n]
    pool.first_child[:n] = np.where(test == AT_MOST, number[pool.first_child[:n]], np.arange(n))
    pool.branch[:n] = np.where(test == EQUALS, number[pool.branch[:n]], pool.branch[:n])
    _keep_children(pool, np.flatnonzero(test == EACH_VALUE), number)
    slots = np.setdiff1d(np.arange(pool.used[SLOTS]), pool.slot[:n][test == LEAF])
    pool.free[: len(slots)] = slots
    pool.used[NODES], pool.used[FREE_SLOTS] = n, len(slots)
    return number


def _keep_children(pool: Pool, split_nodes: NDArray[np.int64], number: NDArray[np.int64]) -> None:
    kept = pool.child.copy()
    end = 0
    for node in split_nodes:
        start, places = pool.branch[node], pool.places[node]
        places_of_node = pool.child[start : start + places]
        kept[end : end + places] = np.where(places_of_node == NONE, NONE, number[places_of_node])
        pool.branch[node] = end
        end += places
    pool.child[:] = kept
    pool.used[CHILDREN] = end


def is_roomy(pool: Pool, more: int) -> bool:
    """Whether with that many more nodes, places for children, and slots half would be free."""
    slots = pool.used[SLOTS] - pool.used[FREE_SLOTS]
    return all(
        2 * (used + more) <= size
        for used, size in (
            (pool.used[NODES], len(pool.attribute)),
            (pool.used[CHILDREN], len(pool.child)),
            (slots, len(pool.free)),
        )
    )
