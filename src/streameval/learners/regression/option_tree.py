"""Training and prediction of option trees; `orto` lists differences to MOA."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from streameval.base.arrays import Floats, Integers
from streameval.compiled.kernels import inlined, subkernel
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.model_tree import (
    ROUNDING,
    ModelTreeOptions,
    alternate_wins,
    begin_alternate,
    drop_alternate,
    is_due,
    leaf_value,
    learn_in_leaf,
    observe,
    rises,
    standardise,
    standardised,
)
from streameval.learners.regression.search_trees import Split
from streameval.learners.regression.tree import (
    ERRORS,
    NONE,
    OPTION,
    OPTIONS,
    SQUARES,
    N,
    RegressionPool,
)

#: What is to do with a node, in ``Ways.todo``: all, or what comes after its alternate tree.
_ENTER, _RESUME = 0, 1
#: Places in ``Ways.used``: things to do, options made, a root to discard or NONE.
_TODO, _MADE, _OLD = 0, 1, 2


class Parameters(NamedTuple):
    """The parameters that `FimtDD` lacks."""

    max_trees: int
    max_level: int
    option_decay: float


class Ways(NamedTuple):
    """Branches that an instance still has to follow, and the candidate splits of a leaf.

    Shapes: a nodes, k attributes.
    """

    todo: Integers  # (a, 4) node, what to do, whether it may grow, whether in an alternate
    before: Floats  # (a,) its prediction, or the weight of its prediction
    attribute: Integers  # (k,) suggestions, by ascending merit
    merit: Floats  # (k,)
    cut: Floats  # (k,)
    used: Integers  # (3,)


@inlined
def _push(ways: Ways, node: int, todo: int, grow: Any, in_alternate: Any, before: float) -> None:
    place = ways.used[_TODO]
    ways.todo[place, 0], ways.todo[place, 1] = node, todo
    ways.todo[place, 2], ways.todo[place, 3] = grow, in_alternate
    ways.before[place] = before
    ways.used[_TODO] = place + 1


@subkernel
def value(
    pool: RegressionPool, ways: Ways, node: int, row: Floats, options: ModelTreeOptions
) -> float:
    """Prediction of a node: for an option node the mean over its children, which is 0 in MOA."""
    bottom, total = ways.used[_TODO], 0.0
    _push(ways, node, _ENTER, False, False, 1.0)
    while ways.used[_TODO] > bottom:
        ways.used[_TODO] -= 1
        place = ways.used[_TODO]
        node, weight = ways.todo[place, 0], ways.before[place]
        while pool.attribute[node] >= 0:
            node = tree.child_of(pool, node, row)
        if pool.attribute[node] == NONE:
            total += weight * leaf_value(pool, 0, node, options)
        elif not options.moa:
            child, children = pool.child[node, 0], 0
            while child != NONE:
                child, children = pool.sibling[child], children + 1
            child = pool.child[node, 0]
            while child != NONE:
                _push(ways, child, _ENTER, False, False, weight / children)
                child = pool.sibling[child]
    return total


@subkernel
def learn(
    pool: RegressionPool,
    ways: Ways,
    row: Floats,
    y: float,
    w: float,
    options: ModelTreeOptions,
    parameters: Parameters,
) -> None:
    """Train an option tree on an instance."""
    if pool.root[0] == NONE:
        pool.root[0] = tree.new_leaf(pool, NONE, NONE)
    observe(pool, 0, row, y, w)
    standardise(pool, 0, row, options)
    root = pool.root[0]
    before = value(pool, ways, root, row, options)
    error = abs(standardised(pool, 0, y, options) - standardised(pool, 0, before, options))
    if options.moa and pool.attribute[root] == OPTION:
        _enter_options(pool, ways, root, row, y, before, True, False, options)
    else:
        _push(ways, root, _ENTER, True, False, before)
    while ways.used[_TODO] > 0:
        ways.used[_TODO] -= 1
        node, todo, grow, in_alternate = ways.todo[ways.used[_TODO]]
        before = ways.before[ways.used[_TODO]]
        if pool.attribute[node] == NONE:
            learn_in_leaf(pool, 0, node, row, y, w, options)
            if grow and is_due(pool, node, options):
                _attempt_split(pool, ways, node, options, parameters)
        else:
            _pass(pool, ways, node, todo, grow, in_alternate, row, y, w, before, error, options)
    if ways.used[_OLD] != NONE:
        tree.discard(pool, ways.used[_OLD])
        ways.used[_OLD] = NONE


@subkernel
def _pass(
    pool: RegressionPool,
    ways: Ways,
    node: int,
    todo: int,
    grow: int,
    in_alternate: int,
    row: Floats,
    y: float,
    w: float,
    before: float,
    error: float,
    options: ModelTreeOptions,
) -> None:
    """Route an instance through a split or option node; push the nodes that follow."""
    if todo == _ENTER:
        pool.seen[node, N] += w
        pool.seen[node, ERRORS] += w * error
        if not in_alternate and pool.alternate[node] != NONE:
            reached = _compare(pool, ways, node, row, y, w, before, grow, options)
            if reached != node:
                if pool.attribute[reached] >= 0:
                    reached = tree.child_of(pool, reached, row)
                _push(ways, reached, _ENTER, grow, False, before)
                return
            if pool.alternate[node] != NONE:
                _push(ways, node, _RESUME, False, False, before)
                _push(ways, pool.alternate[node], _ENTER, True, True, before)
                return
    if pool.watched[node] and not in_alternate and rises(pool, node, error, options):
        begin_alternate(pool, node)
    if pool.attribute[node] == OPTION:
        _enter_options(pool, ways, node, row, y, before, grow, in_alternate, options)
    else:
        _push(ways, tree.child_of(pool, node, row), _ENTER, grow, in_alternate, before)


@subkernel
def _enter_options(
    pool: RegressionPool,
    ways: Ways,
    node: int,
    row: Floats,
    y: float,
    before: float,
    grow: int,
    in_alternate: int,
    options: ModelTreeOptions,
) -> None:
    """Push all children of an option node, the first one on top."""
    if options.moa and pool.watched[node]:
        off = abs(before - y)
        pool.seen[node, ERRORS] += off
        rise, mean = pool.rise[node], pool.seen[node, ERRORS] / pool.seen[node, N]
        rise[0] += off - mean + options.change_tolerance
        rise[1] = min(rise[1], rise[0])
        if rise[0] - rise[1] > options.change_threshold:
            begin_alternate(pool, node)
    first, child = ways.used[_TODO], pool.child[node, 0]
    may_grow = grow and pool.alternate[node] == NONE
    while child != NONE:
        predicted = value(pool, ways, child, row, options)
        _push(ways, child, _ENTER, may_grow, in_alternate, predicted)
        child = pool.sibling[child]
    last = ways.used[_TODO] - 1
    while first < last:
        for i in range(4):
            ways.todo[first, i], ways.todo[last, i] = ways.todo[last, i], ways.todo[first, i]
        ways.before[first], ways.before[last] = ways.before[last], ways.before[first]
        first, last = first + 1, last - 1


@subkernel
def _compare(
    pool: RegressionPool,
    ways: Ways,
    node: int,
    row: Floats,
    y: float,
    w: float,
    before: float,
    grow: int,
    options: ModelTreeOptions,
) -> int:
    """Compare the alternate tree of a node with the tree; see `model_tree`."""
    other = pool.alternate[node]
    of_other = y - value(pool, ways, other, row, options)
    if not alternate_wins(pool, node, y - before, of_other, w, grow, options):
        return node
    drop_alternate(pool, node)
    is_root = pool.parent[node] == NONE
    tree.put_in_place(pool, 0, node, other)
    tree.discard(pool, node)
    pool.orphan[other] = options.moa and not is_root
    if grow or is_root:
        tree.watch(pool, other, True)
    return other


@subkernel
def _level(pool: RegressionPool, node: int) -> int:
    """Number of splits above a node, including those above the node that its tree may replace."""
    level = 0
    while True:
        above = NONE if pool.orphan[node] else pool.parent[node]
        if above == NONE:
            above = pool.original[node]
            if above == NONE:
                return level
        elif pool.attribute[node] != OPTION:
            level += 1
        node = above


@subkernel
def _suggest(pool: RegressionPool, ways: Ways, leaf: int, options: ModelTreeOptions) -> int:
    """Sort the best splits of all attributes by merit, and return how many there are."""
    suggestions = 0
    for place in range(pool.observed.shape[1]):
        j, root = pool.observed[leaf, place], pool.values[leaf, place]
        if root == NONE:
            continue
        split = search_trees.best_split(pool.trees, root, j, pool.seen[leaf], options.moa, False)
        at = suggestions
        while at > 0 and ways.merit[at - 1] > split.merit:
            ways.merit[at], ways.cut[at] = ways.merit[at - 1], ways.cut[at - 1]
            ways.attribute[at] = ways.attribute[at - 1]
            at -= 1
        ways.merit[at], ways.cut[at], ways.attribute[at] = split.merit, split.cut, j
        suggestions += 1
    return suggestions


@subkernel
def _attempt_split(
    pool: RegressionPool, ways: Ways, leaf: int, options: ModelTreeOptions, parameters: Parameters
) -> None:
    """Split a leaf, or make it an option node of splits that are about as good."""
    count = _suggest(pool, ways, leaf, options)
    if count == 0:
        return
    best, seen = ways.merit[count - 1], pool.seen[leaf]
    if not options.moa and not best > ROUNDING * seen[SQUARES] / seen[N]:
        return
    # The accepted splits are `first`, ..., `count` - 1.
    first, level = count - 1, _level(pool, leaf)
    trees = ways.used[_MADE] if options.moa else 1 + pool.used[OPTIONS]
    if count > 1:
        bound = math.sqrt(options.confidence / (2.0 * seen[N]))
        if not ways.merit[count - 2] / best < 1.0 - bound:
            if trees < parameters.max_trees and level <= parameters.max_level:
                while first > 0 and ways.merit[first - 1] / best >= 1.0 - bound:
                    first -= 1
                if not best / best >= 1.0 - bound:
                    return
            elif bound < options.tie_threshold:
                first = 0 if options.moa else count - 1
                count = first + 1
            else:
                return
    accepted = count - first
    limit = accepted * parameters.option_decay**level
    if accepted == 1 or limit < 2.0 or parameters.max_trees - trees <= 1:
        chosen = first if options.moa else count - 1
        _split(pool, ways, leaf, chosen, options)
    else:
        _make_options(pool, ways, leaf, first, count, limit, options, parameters)


@inlined
def _split(
    pool: RegressionPool, ways: Ways, leaf: int, chosen: int, options: ModelTreeOptions
) -> None:
    if options.moa:
        _take_root(pool, ways, leaf)
    split = Split(ways.attribute[chosen], ways.merit[chosen], ways.cut[chosen])
    tree.split(pool, leaf, split)
    if options.moa:
        _forget(pool, leaf)


@subkernel
def _forget(pool: RegressionPool, node: int) -> None:
    """Clear the sums of a split node and the perceptrons of its leaves, as in MOA."""
    pool.seen[node] = 0.0
    pool.watched[node] = True
    for side in range(2):
        child = pool.child[node, side]
        pool.fresh[child] = pool.watched[child] = True
        pool.weight[child] = 0.0


@subkernel
def _take_root(pool: RegressionPool, ways: Ways, leaf: int) -> None:
    """Make a leaf that MOA takes for the root to be the root; the old tree goes at the end."""
    if pool.original[leaf] != NONE:
        drop_alternate(pool, pool.original[leaf])
    elif not pool.orphan[leaf]:
        return
    else:
        tree.relink(pool, leaf, NONE)
    old = pool.root[0]
    if ways.used[_OLD] == NONE:
        ways.used[_OLD] = old
    else:
        tree.discard(pool, old)
    pool.root[0] = leaf
    pool.parent[leaf] = pool.original[leaf] = NONE
    pool.orphan[leaf] = False


@subkernel
def _make_options(
    pool: RegressionPool,
    ways: Ways,
    leaf: int,
    first: int,
    count: int,
    limit: float,
    options: ModelTreeOptions,
    parameters: Parameters,
) -> None:
    """Make a leaf an option node with a split for each of the accepted suggestions."""
    if options.moa:
        _take_root(pool, ways, leaf)
    last = NONE
    for i in range(count - first):
        trees = ways.used[_MADE] if options.moa else 1 + pool.used[OPTIONS]
        if i > limit or parameters.max_trees - trees <= 0:
            break
        chosen = first + i if options.moa else count - 1 - i
        node = tree.new_leaf(pool, leaf, NONE)
        pool.fresh[node], pool.watched[node] = pool.fresh[leaf], pool.watched[leaf]
        for k in range(4):
            pool.seen[node, k] = pool.seen[leaf, k]
        for k in range(pool.weight.shape[1]):
            pool.weight[node, k] = pool.weight[leaf, k]
        split = Split(ways.attribute[chosen], ways.merit[chosen], ways.cut[chosen])
        tree.split(pool, node, split)
        if options.moa:
            _forget(pool, node)
        if last == NONE:
            pool.child[leaf, 0], pool.child[leaf, 1] = node, NONE
        else:
            pool.sibling[last] = node
            pool.used[OPTIONS] += 1
        ways.used[_MADE] += 1
        last = node
    tree.become_option(pool, leaf)
    if options.moa:
        pool.seen[leaf] = 0.0
        pool.watched[leaf] = True
