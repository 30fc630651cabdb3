"""Extended binary search trees (E-BSTs): the values of an attribute with sums of the targets.

A node holds a value, the *cut*, and sums over the instances that reached the node with values up to
the cut. So an in-order walk gives the variances on both sides of each cut. Many trees share a pool.

References
----------
Ikonomovska, Gama, Džeroski (2011), Learning model trees from evolving data streams.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Codes, Floats, Integers
from streameval.compiled.kernels import inlined, subkernel

#: No node, or no attribute.
NONE = -1
# Columns of sums of targets.
N = 0  # sum of weights
SUM = 1  # sum of weighted targets
SQUARES = 2  # sum of weighted squares of targets
#: If a side of a split has a smaller weight, the split has merit 0. MOA's constant.
SMALLEST_SIDE = 5.0
#: The same limit for `variance_ratio`, as a fraction of the weight. MOA's constant.
SMALLEST_FRACTION = 0.05
# Places in `SearchTrees.counters`.
ALLOCATED = 0  # number of nodes that have ever been in use
FIRST_FREE = 1  # first node of the list of free nodes, or NONE
IN_USE = 2  # number of nodes in use
# Next step at a node of an in-order walk.
_ENTER = 0  # walk over the left side
_VISIT = 1  # process the node itself, then walk over the right side
_LEAVE = 2  # both sides are done


class SearchTrees(NamedTuple):
    """A pool of n nodes.

    Free nodes form a list, linked by ``parent``. A released tree enters the list with its root; the
    children of a node enter it when the node is reused.
    """

    cut: Floats  # (n,)
    sums: Floats  # (n, 3), sums over instances with values up to the cut
    children: Codes  # (n, 2), nodes of smaller and of larger values, or NONE
    parent: Codes  # (n,), NONE at a root
    counters: Integers  # (3,), counters of the pool
    right: Floats  # (3,), scratch: sums over the instances above a cut
    left: Floats  # (3,), scratch: sums over the instances up to the cut
    all_sums: Floats  # (3,), scratch: sums over both sides, with their rounding errors
    sides: Floats  # (2, 3), sums up to the best cut and above it, see `best_cut`


#: Values of `by_ratio` in `best_cut`.
BY_MERIT, BY_RATIO = False, True


class Split(NamedTuple):
    """A cut of an attribute."""

    attribute: int  # NONE if there is no cut
    merit: float  # reduction of variance, see `merit` and `variance_ratio`
    cut: float


def make(nodes: int) -> SearchTrees:
    """Empty pool."""
    return SearchTrees(
        cut=np.zeros(nodes),
        sums=np.zeros((nodes, 3)),
        children=np.zeros((nodes, 2), dtype=np.int32),
        parent=np.zeros(nodes, dtype=np.int32),
        counters=np.array([0, NONE, 0]),
        right=np.zeros(3),
        left=np.zeros(3),
        all_sums=np.zeros(3),
        sides=np.zeros((2, 3)),
    )


def grow(trees: SearchTrees) -> SearchTrees:
    """Copy the trees to a pool of twice the size."""
    nodes = len(trees.cut)
    larger = make(2 * nodes)
    for name in ("cut", "sums", "children", "parent"):
        getattr(larger, name)[:nodes] = getattr(trees, name)
    larger.counters[:] = trees.counters
    return larger


def used_bytes(trees: SearchTrees) -> int:
    """Bytes of the nodes in use."""
    arrays = (trees.cut, trees.sums, trees.children, trees.parent)
    return int(trees.counters[IN_USE]) * sum(array.itemsize * array[0].size for array in arrays)


@subkernel
def _new(trees: SearchTrees, parent: Any, value: float, y: float, w: float) -> int:
    """Add a node with an instance; return its number."""
    node = trees.counters[FIRST_FREE]
    if node == NONE:
        node = trees.counters[ALLOCATED]
        trees.counters[ALLOCATED] += 1
    else:
        # The children of a reused node become free nodes.
        next_free = np.int64(trees.parent[node])
        for side in range(2):
            child = trees.children[node, side]
            if child != NONE:
                trees.parent[child] = next_free
                next_free = child
        trees.counters[FIRST_FREE] = next_free
    trees.counters[IN_USE] += 1
    trees.cut[node], trees.parent[node] = value, parent
    trees.children[node, 0] = trees.children[node, 1] = NONE
    trees.sums[node, N], trees.sums[node, SUM] = w, w * y
    trees.sums[node, SQUARES] = w * y * y
    return node


@inlined
def add_to_sums(sums: Floats, y: float, w: float) -> None:
    """Add an instance to sums of weights, of targets, and of squared targets."""
    sums[N] += w
    sums[SUM] += w * y
    sums[SQUARES] += w * y * y


@inlined
def insert(trees: SearchTrees, root: int, value: float, y: float, w: float, is_full: bool) -> int:
    """Add an instance to the tree at `root`, or to a new tree if `root` is NONE; return its root.

    If the tree is full, it gets no new node. The instance is added to existing nodes only.
    """
    if root == NONE:
        return _new(trees, NONE, value, y, w)
    # Unsigned indices: the compiler adds no code for negative indices.
    node: Any = np.uint64(root)
    while True:
        side: Any = np.uint64(1)
        if value <= trees.cut[node]:
            side = np.uint64(0)
            trees.sums[node, N] += w
            trees.sums[node, SUM] += w * y
            trees.sums[node, SQUARES] += w * y * y
            if value == trees.cut[node]:
                return root
        child = trees.children[node, side]
        if child == NONE:
            if is_full:
                return root
            trees.children[node, side] = _new(trees, np.int64(node), value, y, w)
            return root
        node = np.uint64(child)


@inlined
def release(trees: SearchTrees, root: int, nodes: int) -> None:
    """Release a tree of `nodes` nodes. They are cleared when they are reused."""
    if root != NONE:
        trees.parent[root] = trees.counters[FIRST_FREE]
        trees.counters[FIRST_FREE] = root
        trees.counters[IN_USE] -= nodes


@inlined
def variance(n: float, total: float, squares: float, rounds_weight: bool) -> float:
    """Variance; if `rounds_weight`, the weight `n` is rounded down, as in MOA."""
    if rounds_weight:
        n = np.float64(np.int64(n))
    return (squares - total * total / n) / n


@inlined
def merit(left: Floats, right: Floats, rounds_weight: bool) -> float:
    """Reduction of variance by a split into parts with these sums; 0 if a part is small."""
    if not (left[N] >= SMALLEST_SIDE and right[N] >= SMALLEST_SIDE):
        return 0.0
    n = left[N] + right[N]
    reduction = variance(n, left[SUM] + right[SUM], left[SQUARES] + right[SQUARES], rounds_weight)
    reduction -= left[N] / n * variance(left[N], left[SUM], left[SQUARES], rounds_weight)
    reduction -= right[N] / n * variance(right[N], right[SUM], right[SQUARES], rounds_weight)
    return reduction


@inlined
def variance_ratio(total: Floats, left: Floats, right: Floats, moa: bool) -> float:
    """Reduction of variance, divided by the variance; 0 if a part has less than 5 % of the weight.

    In MOA the ratio is NaN if the variance is 0.
    """
    min_weight = SMALLEST_FRACTION * total[N]
    if not (left[N] >= min_weight and right[N] >= min_weight):
        return 0.0
    old_variance, new_variance = variance(total[N], total[SUM], total[SQUARES], False), 0.0
    n = left[N] + right[N]
    if left[N] > 0.0:
        new_variance += left[N] / n * variance(left[N], left[SUM], left[SQUARES], False)
    if right[N] > 0.0:
        new_variance += right[N] / n * variance(right[N], right[SUM], right[SQUARES], False)
    return 1.0 - new_variance / old_variance if moa or old_variance > 0.0 else 0.0


@inlined
def _move(source: Floats, target: Floats, sums: Any) -> None:
    for i in range(3):
        target[i] += sums[i]
        source[i] -= sums[i]


@subkernel
def best_cut(
    trees: SearchTrees, root: int, attribute: int, total: Floats, moa: bool, by_ratio: bool
) -> Split:
    """Best cut of a tree by `variance_ratio` or `merit`; the smallest among equally good cuts.

    `total` (3,) has the sums over all instances. The sums over both sides of the best cut are
    written to ``trees.sides``. Sums are added and subtracted again in the order of MOA's recursion,
    which determines their last bits.
    """
    left, right = trees.left, trees.right
    for i in range(3):
        left[i], right[i] = 0.0, total[i]
    best = Split(NONE, 0.0, 0.0)
    node, step = np.int64(root), _ENTER
    while root != NONE:
        # As in MOA, a search by merit skips a subtree if no instances remain on the right side.
        if step == _ENTER and (by_ratio or right[N] != 0.0):
            step = _VISIT
            if trees.children[node, 0] != NONE:
                node, step = np.int64(trees.children[node, 0]), _ENTER
                continue
        if step == _VISIT:
            _move(right, left, trees.sums[node])
            if by_ratio:
                for i in range(3):
                    trees.all_sums[i] = left[i] + right[i]
                merit_of_split = variance_ratio(trees.all_sums, left, right, moa)
            else:
                merit_of_split = merit(left, right, moa)
            if best.attribute == NONE or merit_of_split > best.merit:
                best = Split(attribute, merit_of_split, trees.cut[node])
                for i in range(3):
                    trees.sides[0, i], trees.sides[1, i] = left[i], right[i]
            step = _LEAVE
            if trees.children[node, 1] != NONE:
                node, step = np.int64(trees.children[node, 1]), _ENTER
                continue
        if step == _LEAVE:
            _move(left, right, trees.sums[node])
        if node == root:
            break
        parent = np.int64(trees.parent[node])
        step = _VISIT if trees.children[parent, 0] == node else _LEAVE
        node = parent
    return best
