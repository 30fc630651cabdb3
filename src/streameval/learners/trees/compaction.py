"""Moving the trees of a pool to a new pool, without unused nodes and slots.

A tree or branch that is removed leaves its nodes and slots behind; they are dropped when the
pool is full.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.learners.bayes import class_statistics
from streameval.learners.trees import tree
from streameval.learners.trees.tree import LEAF, NODES, SLOTS, Pool
from streameval.streams.stream import Schema


def repacked(pool: Pool, schema: Schema, nodes: NDArray[np.int64], spare: int) -> Pool:
    """Return a pool of these nodes only, which become 0 .. n - 1.

    Parameters
    ----------
    pool : Pool
        The pool of the nodes.
    schema : Schema
        That of the stream.
    nodes : ndarray of int64, shape (n,)
        The nodes to keep, in ascending order, complete trees as `tree.below` gives them. They keep
        their order, so that siblings stay side by side.
    spare : int
        Number of free nodes and slots, in addition to as many as are in use.
    """
    slots = pool.slot[nodes[pool.test[nodes] == LEAF]]
    n_nodes, n_slots = (2 * len(kept) + spare for kept in (nodes, slots))
    new = tree.make(schema, n_nodes, n_slots, pool.subsets)
    for name in tree.NODE_FIELDS:
        getattr(new, name)[: len(nodes)] = getattr(pool, name)[nodes]
    moved, is_leaf = slice(len(nodes)), new.test[: len(nodes)] == LEAF
    new.first_child[moved] = np.searchsorted(nodes, new.first_child[moved])
    new.slot[moved][is_leaf] = np.arange(len(slots))
    new.used[[NODES, SLOTS]] = len(nodes), len(slots)
    stats = class_statistics.moved(pool.stats, schema, slots, len(pool.free), n_slots)
    return new._replace(stats=stats)
