"""Move the trees of a pool to a new pool, without what none of them uses any more.

A tree or branch that is given up leaves its nodes and slots behind; a full pool is rid of
them here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.learners import class_statistics, tree
from streameval.learners.splitting import AT_MOST, EACH_VALUE
from streameval.learners.tree import CHILDREN, LEAF, NODES, NONE, SLOTS, Pool
from streameval.streams.stream import Schema


def repacked(pool: Pool, schema: Schema, nodes: NDArray[np.int64], spare: int) -> Pool:
    """Return a pool of these nodes alone, which become 0 .. n - 1.

    Parameters
    ----------
    pool : Pool
        Where the nodes are.
    schema : Schema
        That of the stream.
    nodes : ndarray of int64, shape (n,)
        The nodes to keep, in ascending order, whole trees as `reachable` gives them.
    spare : int
        Nodes, places for children and slots to be free, besides as many as are in use.
    """
    places = np.sort(_places(pool, nodes))
    slots = pool.slot[nodes[pool.test[nodes] == LEAF]]
    sizes = [2 * len(kept) + spare for kept in (nodes, places, slots)]
    new = tree.make(schema, sizes[0], sizes[1], sizes[2], pool.subsets)
    for name in tree.NODE_FIELDS:
        getattr(new, name)[: len(nodes)] = getattr(pool, name)[nodes]
    _renumber(new, pool, nodes, places)
    new.used[[NODES, CHILDREN, SLOTS]] = len(nodes), len(places), len(slots)
    stats = class_statistics.moved(pool.stats, schema, slots, len(pool.free), sizes[2])
    return new._replace(stats=stats)


def reachable(pool: Pool, roots: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the nodes of the trees with these roots, in ascending order."""
    live = np.zeros(len(pool.test), dtype=np.bool_)
    level = roots
    while len(level):
        live[level] = True
        test = pool.test[level]
        binary = level[(test != LEAF) & (test != EACH_VALUE)]
        first = np.where(
            pool.test[binary] == AT_MOST, pool.first_child[binary], pool.branch[binary]
        )
        children = pool.child[_places(pool, level)]
        level = np.concatenate((first, first + 1, children[children != NONE]))
    return np.flatnonzero(live)


def _places(pool: Pool, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places in ``pool.child`` of those of the nodes that have any."""
    wide = nodes[pool.test[nodes] == EACH_VALUE]
    count = pool.places[wide]
    start = np.repeat(pool.branch[wide] - (np.cumsum(count) - count), count)
    return start + np.arange(count.sum())


def _renumber(new: Pool, pool: Pool, nodes: NDArray[np.int64], places: NDArray[np.int64]) -> None:
    """Let the first nodes of a new pool refer to what they were copied with.

    All keep their order, so that siblings stay side by side.
    """
    moved = slice(len(nodes))
    test = new.test[moved]
    new.first_child[moved] = np.searchsorted(nodes, new.first_child[moved])
    new.branch[moved] = np.where(
        test == EACH_VALUE,
        np.searchsorted(places, new.branch[moved]),
        np.searchsorted(nodes, new.branch[moved]),
    )
    children = pool.child[places]
    new.child[: len(places)] = np.where(children == NONE, NONE, np.searchsorted(nodes, children))
    new.slot[moved][test == LEAF] = np.arange(np.count_nonzero(test == LEAF))
