"""Extended binary search trees (E-BST): the values of an attribute with sums of the targets.

A node holds a value and the sums of all instances that reached it with that value or a smaller
one. So a walk in order gives the variances on both sides of each cut. Many trees share a pool.

References
----------
Ikonomovska, Gama, Džeroski (2011), Learning model trees from evolving data streams.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Codes, Floats, Integers
from streameval.compiled.kernels import inlined, subkernel

NONE = -1
#: Columns of sums: weights, weighted targets, weighted squares of targets.
N, SUM, SQUARES = 0, 1, 2
#: A side of a split has at least this weight, or the split has no merit.
SMALLEST_SIDE = 5.0
#: Places in ``SearchTrees.used``: nodes ever taken, the first free node, nodes in use.
TAKEN, FREE, HELD = 0, 1, 2
#: What comes next at a node in a walk: its left side, itself, the end of its right side.
_ENTER, _VISIT, _LEAVE = 0, 1, 2


class SearchTrees(NamedTuple):
    """A pool of n nodes. Free nodes are linked by ``above``, and have their trees below them."""

    cut: Floats  # (n,)
    sums: Floats  # (n, 3) of instances with values up to the cut
    below: Codes  # (n, 2) the nodes of smaller and of larger values, or NONE
    above: Codes  # (n,) or NONE at a root
    used: Integers  # (3,)
    right: Floats  # (3,) scratch: sums of the instances above a cut
    left: Floats  # (3,) scratch: the same up to the cut
    both: Floats  # (3,) scratch: the same on both sides
    sides: Floats  # (2, 3) sums up to the best cut and above it, see `best_split`


class Split(NamedTuple):
    """A cut of an attribute, and the reduction of variance; the attribute is NONE if none is."""

    attribute: int
    merit: float
    cut: float


def make(nodes: int) -> SearchTrees:
    """Empty pool."""
    return SearchTrees(
        np.zeros(nodes),
        np.zeros((nodes, 3)),
        np.zeros((nodes, 2), dtype=np.int32),
        np.zeros(nodes, dtype=np.int32),
        np.array([0, NONE, 0]),
        np.zeros(3),
        np.zeros(3),
        np.zeros(3),
        np.zeros((2, 3)),
    )


def grow(trees: SearchTrees) -> SearchTrees:
    """Copy the trees to a pool of twice the size."""
    nodes = len(trees.cut)
    larger = make(2 * nodes)
    for name in ("cut", "sums", "below", "above"):
        getattr(larger, name)[:nodes] = getattr(trees, name)
    larger.used[:] = trees.used
    return larger


def used_bytes(trees: SearchTrees) -> int:
    """Bytes of the nodes in use."""
    arrays = (trees.cut, trees.sums, trees.below, trees.above)
    return int(trees.used[HELD]) * sum(array.itemsize * array[0].size for array in arrays)


@subkernel
def _new(trees: SearchTrees, above: Any, value: float, y: float, w: float) -> int:
    node = trees.used[FREE]
    if node == NONE:
        node = trees.used[TAKEN]
        trees.used[TAKEN] += 1
    else:
        following = np.int64(trees.above[node])
        for side in range(2):
            child = trees.below[node, side]
            if child != NONE:
                trees.above[child] = following
                following = child
        trees.used[FREE] = following
    trees.used[HELD] += 1
    trees.cut[node], trees.above[node] = value, above
    trees.below[node, 0] = trees.below[node, 1] = NONE
    trees.sums[node, N], trees.sums[node, SUM] = w, w * y
    trees.sums[node, SQUARES] = w * y * y
    return node


@inlined
def insert_value(sums: Floats, y: float, w: float) -> None:
    """Add an instance to sums of weights, of targets, and of their squares."""
    sums[N] += w
    sums[SUM] += w * y
    sums[SQUARES] += w * y * y


@inlined
def insert(trees: SearchTrees, root: int, value: float, y: float, w: float, is_full: bool) -> int:
    """Add an instance to a tree, NONE for a new one, and return the tree's root.

    A tree that is full gets no new nodes: the instance counts only where it passes.
    """
    if root == NONE:
        return _new(trees, NONE, value, y, w)
    at: Any = np.uint64(root)
    while True:
        side: Any = np.uint64(1)
        if value <= trees.cut[at]:
            side = np.uint64(0)
            trees.sums[at, N] += w
            trees.sums[at, SUM] += w * y
            trees.sums[at, SQUARES] += w * y * y
            if value == trees.cut[at]:
                return root
        child = trees.below[at, side]
        if child == NONE:
            if is_full:
                return root
            trees.below[at, side] = _new(trees, np.int64(at), value, y, w)
            return root
        at = np.uint64(child)


@inlined
def release(trees: SearchTrees, root: int, nodes: int) -> None:
    """Release the nodes of a tree, which are cleared only when they are reused."""
    if root != NONE:
        trees.above[root] = trees.used[FREE]
        trees.used[FREE] = root
        trees.used[HELD] -= nodes


@inlined
def variance(n: float, total: float, squares: float, whole: bool) -> float:
    """Variance; `whole` rounds the weight down, as MOA does."""
    if whole:
        n = np.float64(np.int64(n))
    return (squares - total * total / n) / n


@inlined
def merit(left: Floats, right: Floats, whole: bool) -> float:
    """Reduction of variance by a split into parts with these sums; 0 if a part is small."""
    if not (left[N] >= SMALLEST_SIDE and right[N] >= SMALLEST_SIDE):
        return 0.0
    n = left[N] + right[N]
    reduction = variance(n, left[SUM] + right[SUM], left[SQUARES] + right[SQUARES], whole)
    reduction -= left[N] / n * variance(left[N], left[SUM], left[SQUARES], whole)
    reduction -= right[N] / n * variance(right[N], right[SUM], right[SQUARES], whole)
    return reduction


@inlined
def variance_ratio(total: Floats, left: Floats, right: Floats, moa: bool) -> float:
    """Reduction of variance, divided by the variance; 0 if a part is small.

    A small part has less than 5 % of the weight. In MOA the ratio is NaN if the variance is 0.
    """
    least = 0.05 * total[N]
    if not (left[N] >= least and right[N] >= least):
        return 0.0
    before, after = variance(total[N], total[SUM], total[SQUARES], False), 0.0
    n = left[N] + right[N]
    if left[N] > 0.0:
        after += left[N] / n * variance(left[N], left[SUM], left[SQUARES], False)
    if right[N] > 0.0:
        after += right[N] / n * variance(right[N], right[SUM], right[SQUARES], False)
    return 1.0 - after / before if moa or before > 0.0 else 0.0


@inlined
def _move(source: Floats, target: Floats, sums: Any) -> None:
    for i in range(3):
        target[i] += sums[i]
        source[i] -= sums[i]


@subkernel
def best_split(
    trees: SearchTrees, root: int, attribute: int, total: Floats, moa: bool, by_ratio: bool
) -> Split:
    """Best cut of a tree by `variance_ratio` or `merit`; among equals the smallest.

    `total` (3,) are the sums of all instances; ``trees.sides`` gets those of both sides. Sums are
    added and taken away again in the order of MOA's recursion, which decides about their last
    bits.
    """
    left, right = trees.left, trees.right
    for i in range(3):
        left[i], right[i] = 0.0, total[i]
    best = Split(NONE, 0.0, 0.0)
    node, step = np.int64(root), _ENTER
    while root != NONE:
        if step == _ENTER and (by_ratio or right[N] != 0.0):
            step = _VISIT
            if trees.below[node, 0] != NONE:
                node, step = np.int64(trees.below[node, 0]), _ENTER
                continue
        if step == _VISIT:
            _move(right, left, trees.sums[node])
            merit_of_split = 0.0
            if by_ratio:
                for i in range(3):
                    trees.both[i] = left[i] + right[i]
                merit_of_split = variance_ratio(trees.both, left, right, moa)
            else:
                merit_of_split = merit(left, right, moa)
            if best.attribute == NONE or merit_of_split > best.merit:
                best = Split(attribute, merit_of_split, trees.cut[node])
                for i in range(3):
                    trees.sides[0, i], trees.sides[1, i] = left[i], right[i]
            step = _LEAVE
            if trees.below[node, 1] != NONE:
                node, step = np.int64(trees.below[node, 1]), _ENTER
                continue
        if step == _LEAVE:
            _move(left, right, trees.sums[node])
        if node == root:
            break
        above = np.int64(trees.above[node])
        step = _VISIT if trees.below[above, 0] == node else _LEAVE
        node = above
    return best
