"""Training and prediction of option trees; `orto` lists differences to MOA."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from streameval.base.arrays import Floats, Integers
from streameval.compiled.kernels import inlined, subkernel
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.model_tree import (
    VARIANCE_ROUNDING,
    ModelTreeOptions,
    alternate_wins,
    begin_alternate,
    drop_alternate,
    errors_rise,
    leaf_value,
    learn_in_leaf,
    observe,
    standardise_inputs,
    standardise_target,
    starts_attempt,
)
from streameval.learners.regression.search_trees import BY_MERIT, Split
from streameval.learners.regression.tree import (
    ERRORS,
    NONE,
    OPTION,
    OPTIONS,
    SQUARES,
    N,
    RegressionPool,
)

# Steps in `Workspace.task`.
_ENTER = 0  # route the instance through a node
_RESUME = 1  # continue with the node after its alternate tree has learnt
# Places in `Workspace.counters`.
_N_TASKS = 0  # number of tasks
_N_OPTIONS = 1  # number of options made so far; MOA takes it for the number of trees
_OLD_ROOT = 2  # root to discard after the instance, or NONE


class OptionLimits(NamedTuple):
    """The limits on option nodes, parameters of `Orto`."""

    max_trees: int
    max_level: int
    option_decay: float


class Workspace(NamedTuple):
    """A stack of tasks, and the candidate splits of a leaf.

    A task is a branch that an instance still has to follow. Shapes: a nodes, k attributes.
    """

    task: Integers  # (a, 4) node, step, whether it may grow, whether it is in an alternate tree
    prediction: Floats  # (a,) prediction of the node; `node_value` stores a weight here instead
    attribute: Integers  # (k,) attributes of the candidate splits, by ascending merit
    merit: Floats  # (k,) merits of the candidate splits
    cut: Floats  # (k,) cuts of the candidate splits
    counters: Integers  # (3,)


@inlined
def _push(
    workspace: Workspace, node: int, step: int, may_grow: Any, in_alternate: Any, prediction: float
) -> None:
    place = workspace.counters[_N_TASKS]
    workspace.task[place, 0], workspace.task[place, 1] = node, step
    workspace.task[place, 2], workspace.task[place, 3] = may_grow, in_alternate
    workspace.prediction[place] = prediction
    workspace.counters[_N_TASKS] = place + 1


@subkernel
def node_value(
    pool: RegressionPool, workspace: Workspace, node: int, row: Floats, options: ModelTreeOptions
) -> float:
    """Prediction of a node. For an option node it is the mean over its children; 0 in MOA."""
    # The two flags of a task have no meaning here.
    bottom, total = workspace.counters[_N_TASKS], 0.0
    _push(workspace, node, _ENTER, False, False, 1.0)
    while workspace.counters[_N_TASKS] > bottom:
        workspace.counters[_N_TASKS] -= 1
        place = workspace.counters[_N_TASKS]
        node, weight = workspace.task[place, 0], workspace.prediction[place]
        while pool.attribute[node] >= 0:  # a split node; NONE and OPTION are negative
            node = tree.child_of(pool, node, row)
        if pool.attribute[node] == NONE:
            total += weight * leaf_value(pool, 0, node, options)
        elif not options.moa:
            child, n_children = pool.child[node, 0], 0
            while child != NONE:
                child, n_children = pool.sibling[child], n_children + 1
            child = pool.child[node, 0]
            while child != NONE:
                _push(workspace, child, _ENTER, False, False, weight / n_children)
                child = pool.sibling[child]
    return total


@subkernel
def learn(
    pool: RegressionPool,
    workspace: Workspace,
    row: Floats,
    y: float,
    w: float,
    options: ModelTreeOptions,
    limits: OptionLimits,
) -> None:
    """Train an option tree on an instance."""
    if pool.root[0] == NONE:
        pool.root[0] = tree.new_leaf(pool, NONE, NONE)
    observe(pool, 0, row, y, w)
    standardise_inputs(pool, 0, row, options)
    root = pool.root[0]
    prediction = node_value(pool, workspace, root, row, options)
    error = abs(
        standardise_target(pool, 0, y, options) - standardise_target(pool, 0, prediction, options)
    )
    # As in MOA, `_route` is skipped for an option node at the root: its weight is not counted, and
    # its alternate tree is neither compared nor trained.
    if options.moa and pool.attribute[root] == OPTION:
        _enter_options(pool, workspace, root, row, y, prediction, True, False, options)
    else:
        _push(workspace, root, _ENTER, True, False, prediction)
    while workspace.counters[_N_TASKS] > 0:
        workspace.counters[_N_TASKS] -= 1
        node, step, may_grow, in_alternate = workspace.task[workspace.counters[_N_TASKS]]
        prediction = workspace.prediction[workspace.counters[_N_TASKS]]
        if pool.attribute[node] == NONE:
            learn_in_leaf(pool, 0, node, row, y, w, options)
            if may_grow and starts_attempt(pool, node, options):
                _attempt_split(pool, workspace, node, options, limits)
        else:
            _route(
                pool,
                workspace,
                node,
                step,
                may_grow,
                in_alternate,
                row,
                y,
                w,
                prediction,
                error,
                options,
            )
    if workspace.counters[_OLD_ROOT] != NONE:
        tree.discard(pool, workspace.counters[_OLD_ROOT])
        workspace.counters[_OLD_ROOT] = NONE


@subkernel
def _route(
    pool: RegressionPool,
    workspace: Workspace,
    node: int,
    step: int,
    may_grow: int,
    in_alternate: int,
    row: Floats,
    y: float,
    w: float,
    prediction: float,
    error: float,
    options: ModelTreeOptions,
) -> None:
    """Route an instance through a split or option node; push the nodes that it reaches next."""
    if step == _ENTER:
        pool.sums[node, N] += w
        pool.sums[node, ERRORS] += w * error
        if not in_alternate and pool.alternate[node] != NONE:
            survivor = _compare(pool, workspace, node, row, y, w, prediction, may_grow, options)
            if survivor != node:  # see `model_tree.learn`
                if pool.attribute[survivor] >= 0:
                    survivor = tree.child_of(pool, survivor, row)
                _push(workspace, survivor, _ENTER, may_grow, False, prediction)
                return
            if pool.alternate[node] != NONE:
                _push(workspace, node, _RESUME, False, False, prediction)
                _push(workspace, pool.alternate[node], _ENTER, True, True, prediction)
                return
    if pool.watched[node] and not in_alternate and errors_rise(pool, node, error, options):
        begin_alternate(pool, node)
    if pool.attribute[node] == OPTION:
        _enter_options(pool, workspace, node, row, y, prediction, may_grow, in_alternate, options)
    else:
        _push(workspace, tree.child_of(pool, node, row), _ENTER, may_grow, in_alternate, prediction)


@subkernel
def _enter_options(
    pool: RegressionPool,
    workspace: Workspace,
    node: int,
    row: Floats,
    y: float,
    prediction: float,
    may_grow: int,
    in_alternate: int,
    options: ModelTreeOptions,
) -> None:
    """Push all children of an option node, the first child on top."""
    # In MOA, the error has other units here than elsewhere, and the tolerance is added.
    if options.moa and pool.watched[node]:
        error = abs(prediction - y)
        pool.sums[node, ERRORS] += error
        rise, mean = pool.rise[node], pool.sums[node, ERRORS] / pool.sums[node, N]
        rise[0] += error - mean + options.change_tolerance
        rise[1] = min(rise[1], rise[0])
        if rise[0] - rise[1] > options.change_threshold:
            begin_alternate(pool, node)
    first, child = workspace.counters[_N_TASKS], pool.child[node, 0]
    children_may_grow = may_grow and pool.alternate[node] == NONE
    while child != NONE:
        child_prediction = node_value(pool, workspace, child, row, options)
        _push(workspace, child, _ENTER, children_may_grow, in_alternate, child_prediction)
        child = pool.sibling[child]
    last = workspace.counters[_N_TASKS] - 1  # reverse the order of the children
    while first < last:
        for i in range(4):
            workspace.task[first, i], workspace.task[last, i] = (
                workspace.task[last, i],
                workspace.task[first, i],
            )
        workspace.prediction[first], workspace.prediction[last] = (
            workspace.prediction[last],
            workspace.prediction[first],
        )
        first, last = first + 1, last - 1


@subkernel
def _compare(
    pool: RegressionPool,
    workspace: Workspace,
    node: int,
    row: Floats,
    y: float,
    w: float,
    prediction: float,
    may_grow: int,
    options: ModelTreeOptions,
) -> int:
    """Replace a node by its alternate tree if that has smaller errors; see `model_tree`."""
    alternate = pool.alternate[node]
    alternate_error = y - node_value(pool, workspace, alternate, row, options)
    if not alternate_wins(pool, node, y - prediction, alternate_error, w, may_grow, options):
        return node
    drop_alternate(pool, node)
    is_root = pool.parent[node] == NONE
    tree.replace_node(pool, 0, node, alternate)
    tree.discard(pool, node)
    pool.orphan[alternate] = options.moa and not is_root
    if may_grow or is_root:
        tree.watch(pool, alternate, True)
    return alternate


@subkernel
def _level(pool: RegressionPool, node: int) -> int:
    """Number of splits above a node.

    In an alternate tree, the splits above the node that the tree may replace are included.
    """
    level = 0
    while True:
        parent = NONE if pool.orphan[node] else pool.parent[node]
        if parent == NONE:
            parent = pool.original[node]
            if parent == NONE:
                return level
        elif pool.attribute[node] != OPTION:
            level += 1
        node = parent


@subkernel
def _list_candidates(
    pool: RegressionPool, workspace: Workspace, leaf: int, options: ModelTreeOptions
) -> int:
    """Sort the best splits of all attributes by merit; return their number."""
    n = 0
    for place in range(pool.observed.shape[1]):
        j, root = pool.observed[leaf, place], pool.value_roots[leaf, place]
        if root == NONE:
            continue
        split = search_trees.best_cut(pool.trees, root, j, pool.sums[leaf], options.moa, BY_MERIT)
        i = n  # insertion sort
        while i > 0 and workspace.merit[i - 1] > split.merit:
            workspace.merit[i], workspace.cut[i] = workspace.merit[i - 1], workspace.cut[i - 1]
            workspace.attribute[i] = workspace.attribute[i - 1]
            i -= 1
        workspace.merit[i], workspace.cut[i], workspace.attribute[i] = split.merit, split.cut, j
        n += 1
    return n


@subkernel
def _attempt_split(
    pool: RegressionPool,
    workspace: Workspace,
    leaf: int,
    options: ModelTreeOptions,
    limits: OptionLimits,
) -> None:
    """Split a leaf, or turn it into an option node of splits that are about equally good."""
    n_candidates = _list_candidates(pool, workspace, leaf, options)
    if n_candidates == 0:
        return
    best, sums = workspace.merit[n_candidates - 1], pool.sums[leaf]
    if not options.moa and not best > VARIANCE_ROUNDING * sums[SQUARES] / sums[N]:
        return
    # The accepted candidates are `first`, ..., `end` - 1.
    first, end, level = n_candidates - 1, n_candidates, _level(pool, leaf)
    n_trees = workspace.counters[_N_OPTIONS] if options.moa else 1 + pool.counters[OPTIONS]
    if n_candidates > 1:
        bound = math.sqrt(options.confidence / (2.0 * sums[N]))
        if not workspace.merit[n_candidates - 2] / best < 1.0 - bound:
            if n_trees < limits.max_trees and level <= limits.max_level:
                while first > 0 and workspace.merit[first - 1] / best >= 1.0 - bound:
                    first -= 1
                if not best / best >= 1.0 - bound:  # a merit of 0, whose ratio is NaN
                    return
            elif bound < options.tie_threshold:  # the best split; in MOA, the worst
                first = 0 if options.moa else n_candidates - 1
                end = first + 1
            else:
                return
    n_accepted = end - first
    max_options = n_accepted * limits.option_decay**level
    if n_accepted == 1 or max_options < 2.0 or limits.max_trees - n_trees <= 1:
        chosen = first if options.moa else end - 1  # the best candidate; in MOA, the worst
        _split(pool, workspace, leaf, chosen, options)
    else:
        _make_options(pool, workspace, leaf, first, end, max_options, options, limits)


@inlined
def _split(
    pool: RegressionPool, workspace: Workspace, leaf: int, chosen: int, options: ModelTreeOptions
) -> None:
    if options.moa:
        _become_root(pool, workspace, leaf)
    split = Split(workspace.attribute[chosen], workspace.merit[chosen], workspace.cut[chosen])
    tree.split(pool, leaf, split)
    if options.moa:
        _clear_sums(pool, leaf)


@subkernel
def _clear_sums(pool: RegressionPool, node: int) -> None:
    """Clear the sums of a split node and the perceptrons of its leaves, as in MOA."""
    pool.sums[node] = 0.0
    pool.watched[node] = True
    for side in range(2):
        child = pool.child[node, side]
        pool.is_new[child] = pool.watched[child] = True
        pool.weight[child] = 0.0


@subkernel
def _become_root(pool: RegressionPool, workspace: Workspace, leaf: int) -> None:
    """If MOA treats a leaf as the root, make it the root and discard the old tree.

    MOA treats it so if it is a whole alternate tree, or replaced a node. The tree in which the
    instance began is discarded only after the instance, which may still follow its branches.
    """
    if pool.original[leaf] != NONE:
        drop_alternate(pool, pool.original[leaf])
    elif not pool.orphan[leaf]:
        return
    else:
        tree.replace_child(pool, leaf, NONE)
    old_root = pool.root[0]
    if workspace.counters[_OLD_ROOT] == NONE:
        workspace.counters[_OLD_ROOT] = old_root
    else:
        tree.discard(pool, old_root)
    pool.root[0] = leaf
    pool.parent[leaf] = pool.original[leaf] = NONE
    pool.orphan[leaf] = False


@subkernel
def _make_options(
    pool: RegressionPool,
    workspace: Workspace,
    leaf: int,
    first: int,
    end: int,
    max_options: float,
    options: ModelTreeOptions,
    limits: OptionLimits,
) -> None:
    """Turn a leaf into an option node with a split for each accepted candidate, up to a limit."""
    if options.moa:
        _become_root(pool, workspace, leaf)
    last = NONE
    for i in range(end - first):
        n_trees = workspace.counters[_N_OPTIONS] if options.moa else 1 + pool.counters[OPTIONS]
        # As in MOA, up to one option more than `max_options`, rounded down, is made.
        if i > max_options or limits.max_trees - n_trees <= 0:
            break
        chosen = first + i if options.moa else end - 1 - i
        node = tree.new_leaf(pool, leaf, NONE)
        pool.is_new[node], pool.watched[node] = pool.is_new[leaf], pool.watched[leaf]
        for k in range(pool.sums.shape[1]):
            pool.sums[node, k] = pool.sums[leaf, k]
        for k in range(pool.weight.shape[1]):
            pool.weight[node, k] = pool.weight[leaf, k]
        split = Split(workspace.attribute[chosen], workspace.merit[chosen], workspace.cut[chosen])
        tree.split(pool, node, split)
        if options.moa:
            _clear_sums(pool, node)
        if last == NONE:
            pool.child[leaf, 0], pool.child[leaf, 1] = node, NONE
        else:
            pool.sibling[last] = node
            pool.counters[OPTIONS] += 1
        workspace.counters[_N_OPTIONS] += 1
        last = node
    tree.become_option(pool, leaf)
    if options.moa:
        pool.sums[leaf] = 0.0
        pool.watched[leaf] = True
