"""Training and prediction of regression and model trees; `fimt_dd` lists differences to MOA."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, subkernel
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.search_trees import Split
from streameval.learners.regression.tree import ERRORS, NONE, SQUARES, SUM, N, RegressionPool

#: Inputs and targets are divided by this multiple of their standard deviations.
SPREADS = 3.0
#: Rounding can reduce a variance by so much, relative to the mean square; generously.
ROUNDING = 1e-12
#: Columns of ``Pool.losses``: instances since the alternate tree began, and at the last
#: comparison; faded sums of squared errors of the original and of the alternate tree.
SINCE, COMPARED, ORIGINAL, ALTERNATE = 0, 1, 2, 3


class ModelTreeOptions(NamedTuple):
    """The parameters as the kernels take them."""

    grace_period: float
    confidence: float  # the logarithm of 1 / split_confidence
    tie_threshold: float
    change_tolerance: float
    change_threshold: float
    fading: float
    comparison_period: float
    alternate_time: float
    learning_rate: float
    decay: float
    subspace: int  # attributes that a leaf draws; 0: it observes those it was made with
    moa: bool


@inlined
def _deviation(n: float, total: float, squares: float, options: ModelTreeOptions) -> float:
    """Standard deviation; 0 for one instance. With MOA's rules, rounding can make it NaN."""
    if not n > 1.0:
        return 0.0
    variance = (squares - total * total / n) / n
    return math.sqrt(variance) if options.moa or variance > 0.0 else 0.0


@inlined
def _spread(pool: RegressionPool, number: int, options: ModelTreeOptions) -> float:
    target = pool.target[number]
    return _deviation(target[N], target[SUM], target[SQUARES], options)


@inlined
def standardised(pool: RegressionPool, number: int, y: float, options: ModelTreeOptions) -> float:
    """Difference of a target from the mean, in units of three standard deviations."""
    target, spread = pool.target[number], _spread(pool, number, options)
    if not spread > 0.0:
        return 0.0
    return (y - target[SUM] / target[N]) / (SPREADS * spread)


@inlined
def scaled_error(
    pool: RegressionPool, number: int, y: float, value: float, options: ModelTreeOptions
) -> float:
    """Absolute error of a prediction, in units of three standard deviations of the target."""
    spread = _spread(pool, number, options)
    return abs(y - value) / (SPREADS * spread) if spread > 0.0 else 0.0


@subkernel
def standardise(pool: RegressionPool, number: int, row: Floats, options: ModelTreeOptions) -> None:
    """Write a standardised instance to ``pool.scaled``, with the constant input at its end."""
    m = pool.inputs.shape[1]
    if pool.weight.shape[1] == 0:
        return
    for j in range(m):
        x, sums = row[j], pool.inputs[number, j]
        pool.scaled[j] = 0.0
        if pool.numeric[j] and not math.isnan(x):
            spread = _deviation(sums[N], sums[SUM], sums[SQUARES], options)
            if spread > 0.0:
                pool.scaled[j] = (x - sums[SUM] / sums[N]) / (SPREADS * spread)
    pool.scaled[m] = 1.0 if pool.target[number, N] > 1.0 else 0.0


@inlined
def _perceptron(pool: RegressionPool, leaf: int) -> float:
    total = 0.0
    for j in range(pool.scaled.shape[0]):
        total += pool.weight[leaf, j] * pool.scaled[j]
    return total


@inlined
def leaf_value(pool: RegressionPool, number: int, leaf: int, options: ModelTreeOptions) -> float:
    """Prediction of a leaf; a perceptron predicts for the instance in ``pool.scaled``."""
    if pool.weight.shape[1] == 0:
        seen = pool.seen[leaf]
        return seen[SUM] / seen[N] if seen[N] > 0.0 else 0.0
    target = pool.target[number]
    if not target[N] > 1.0:
        return 0.0
    spread = _spread(pool, number, options)
    return _perceptron(pool, leaf) * spread * SPREADS + target[SUM] / target[N]


@inlined
def predict(pool: RegressionPool, number: int, row: Floats, options: ModelTreeOptions) -> float:
    """Prediction of a tree; 0 without a root."""
    root = pool.root[number]
    if root == NONE:
        return 0.0
    standardise(pool, number, row, options)
    return leaf_value(pool, number, tree.leaf_of(pool, root, row), options)


@inlined
def observe(pool: RegressionPool, number: int, row: Floats, y: float, w: float) -> None:
    """Add an instance to the sums of a tree."""
    search_trees.insert_value(pool.target[number], y, w)
    for j in range(pool.inputs.shape[1]):
        if pool.numeric[j] and not math.isnan(row[j]):
            search_trees.insert_value(pool.inputs[number, j], row[j], w)


@subkernel
def learn(
    pool: RegressionPool, number: int, row: Floats, y: float, w: float, options: ModelTreeOptions
) -> None:
    """Train a tree on an instance."""
    if pool.root[number] == NONE:
        pool.root[number] = tree.new_leaf(pool, NONE, NONE)
    observe(pool, number, row, y, w)
    standardise(pool, number, row, options)
    node, grow = pool.root[number], True
    prediction = leaf_value(pool, number, tree.leaf_of(pool, node, row), options)
    error = abs(
        standardised(pool, number, y, options) - standardised(pool, number, prediction, options)
    )
    while pool.attribute[node] != NONE:
        pool.seen[node, N] += w
        pool.seen[node, ERRORS] += w * error
        if pool.alternate[node] != NONE:
            reached = _compare(pool, number, node, row, y, w, prediction, grow, options)
            if reached != node:  # the alternate tree, which has replaced it
                node = reached
                if pool.attribute[node] != NONE:
                    node = tree.child_of(pool, node, row)
                continue
            if pool.alternate[node] != NONE:
                grow = False
                _learn_beside(pool, number, node, row, y, w, error, options)
        if pool.watched[node] and rises(pool, node, error, options):
            begin_alternate(pool, node)
        node = tree.child_of(pool, node, row)
    learn_in_leaf(pool, number, node, row, y, w, options)
    if grow and is_due(pool, node, options):
        _attempt_split(pool, number, node, options)


@inlined
def rises(pool: RegressionPool, node: int, error: float, options: ModelTreeOptions) -> bool:
    """True if the Page-Hinkley test of a split node signals that its errors have risen."""
    mean, rise = pool.seen[node, ERRORS] / pool.seen[node, N], pool.rise[node]
    rise[0] += error - mean - options.change_tolerance
    rise[1] = min(rise[1], rise[0])
    return rise[0] - rise[1] > options.change_threshold


@inlined
def begin_alternate(pool: RegressionPool, node: int) -> None:
    """Start an alternate tree beside a node, whose changes are ignored meanwhile."""
    pool.alternate[node] = tree.new_leaf(pool, NONE, node)
    pool.used[tree.ALTERNATES] += 1
    pool.losses[node] = 0.0
    tree.watch(pool, node, False)


@subkernel
def _compare(
    pool: RegressionPool,
    number: int,
    node: int,
    row: Floats,
    y: float,
    w: float,
    prediction: float,
    grow: bool,
    options: ModelTreeOptions,
) -> int:
    """Compare the alternate tree of a node with the tree, and return the node that remains.

    It is the alternate tree if that replaces the node. A node may also lose its alternate.
    """
    other = pool.alternate[node]
    of_other = y - leaf_value(pool, number, tree.leaf_of(pool, other, row), options)
    if not alternate_wins(pool, node, y - prediction, of_other, w, grow, options):
        return node
    _replace(pool, number, node, other, grow, options)
    return other


@subkernel
def alternate_wins(
    pool: RegressionPool,
    node: int,
    error: float,
    of_other: float,
    w: float,
    grow: Any,
    options: ModelTreeOptions,
) -> bool:
    """True if an alternate tree replaces its node; the errors of an instance are counted first.

    An alternate tree that has not been better for a long time is discarded.
    """
    losses, other, copies = pool.losses[node], pool.alternate[node], 0
    while copies < w:
        losses[ORIGINAL] = error**2 + options.fading * losses[ORIGINAL]
        losses[ALTERNATE] = of_other**2 + options.fading * losses[ALTERNATE]
        losses[SINCE] += 1.0
        copies += 1
    if not losses[SINCE] - losses[COMPARED] >= options.comparison_period:
        return False
    losses[COMPARED] = losses[SINCE]
    if losses[ORIGINAL] / losses[ALTERNATE] > 1.0:
        return True
    if losses[SINCE] >= options.alternate_time:
        drop_alternate(pool, node)
        tree.discard(pool, other)
        if grow:
            tree.watch(pool, node, True)
    return False


@inlined
def drop_alternate(pool: RegressionPool, node: int) -> None:
    """Take the alternate tree away from a node."""
    pool.alternate[node] = NONE
    pool.used[tree.ALTERNATES] -= 1


@subkernel
def _replace(
    pool: RegressionPool, number: int, node: int, other: int, grow: bool, options: ModelTreeOptions
) -> None:
    """Replace a node by its alternate tree."""
    drop_alternate(pool, node)
    is_root = pool.parent[node] == NONE or pool.orphan[node]
    if pool.orphan[node]:
        tree.make_root(pool, number, other)
    else:
        tree.put_in_place(pool, number, node, other)
        tree.discard(pool, node)
        pool.orphan[other] = options.moa and not is_root
    if grow or is_root:
        tree.watch(pool, other, True)


@subkernel
def _learn_beside(
    pool: RegressionPool,
    number: int,
    original: int,
    row: Floats,
    y: float,
    w: float,
    error: float,
    options: ModelTreeOptions,
) -> None:
    """Train the alternate tree of a node."""
    node = pool.alternate[original]
    while pool.attribute[node] != NONE:
        pool.seen[node, N] += w
        pool.seen[node, ERRORS] += w * error
        node = tree.child_of(pool, node, row)
    learn_in_leaf(pool, number, node, row, y, w, options)
    if is_due(pool, node, options):
        _attempt_split(pool, number, node, options)


@subkernel
def learn_in_leaf(
    pool: RegressionPool,
    number: int,
    leaf: int,
    row: Floats,
    y: float,
    w: float,
    options: ModelTreeOptions,
) -> None:
    """Train a leaf on an instance, for which `standardise` has been called."""
    seen = pool.seen[leaf]
    before = leaf_value(pool, number, leaf, options)
    search_trees.insert_value(seen, y, w)
    if options.moa:  # which takes an error for a target, after the leaf has learnt
        off = abs(y - leaf_value(pool, number, leaf, options))
        seen[ERRORS] += w * abs(standardised(pool, number, off, options))
    else:
        seen[ERRORS] += w * scaled_error(pool, number, y, before, options)
    if pool.weight.shape[1] > 0:
        _train_perceptron(pool, number, leaf, y, w, options)
    if pool.fresh[leaf] and options.subspace > 0:
        _draw_attributes(pool, number, leaf, options.subspace)
    pool.fresh[leaf] = False
    counted = 1.0 if options.moa else w
    for place in range(pool.observed.shape[1]):
        j = pool.observed[leaf, place]
        if j != NONE and not math.isnan(row[j]):
            held = pool.trees.used[search_trees.HELD]
            pool.values[leaf, place] = search_trees.insert(
                pool.trees, pool.values[leaf, place], row[j], y, counted, False
            )
            pool.stored[leaf, place] += pool.trees.used[search_trees.HELD] - held


@inlined
def is_due(pool: RegressionPool, leaf: int, options: ModelTreeOptions) -> bool:
    """True if a leaf has to attempt a split; the attempt is recorded."""
    weight = pool.seen[leaf, N]
    if weight - pool.evaluated[leaf] < options.grace_period:
        return False
    pool.evaluated[leaf] = weight
    return True


@inlined
def _train_perceptron(
    pool: RegressionPool, number: int, leaf: int, y: float, w: float, options: ModelTreeOptions
) -> None:
    if pool.fresh[leaf]:
        for j in range(pool.weight.shape[1]):
            pool.weight[leaf, j] = 2.0 * java_random.next_double(pool.random[number]) - 1.0
    pool.learnt[leaf] += w
    rate = options.learning_rate / (1.0 + pool.learnt[leaf] * options.decay)
    wanted = standardised(pool, number, y, options)
    for _ in range(np.int64(w)):
        step = (wanted - _perceptron(pool, leaf)) * rate
        for j in range(pool.weight.shape[1]):
            pool.weight[leaf, j] += pool.scaled[j] * step


@subkernel
def _draw_attributes(pool: RegressionPool, number: int, leaf: int, size: int) -> None:
    """Draw the attributes that a leaf observes; an attribute that was drawn before does not count.

    A place is left empty for each nominal attribute.
    """
    pool.wanted[:] = False
    while size > 0:
        j = java_random.next_int(pool.random[number], pool.wanted.shape[0])
        if not pool.wanted[j]:
            pool.wanted[j] = True
            size -= 1
    place = 0
    for j in range(pool.wanted.shape[0]):
        if pool.wanted[j] and pool.numeric[j]:
            pool.observed[leaf, place] = j
            place += 1
    pool.observed[leaf, place:] = NONE


@subkernel
def _attempt_split(pool: RegressionPool, number: int, leaf: int, options: ModelTreeOptions) -> None:
    """Split a leaf if the best attribute leads by more than the Hoeffding bound."""
    best, second, suggestions = Split(NONE, -np.inf, 0.0), -np.inf, 0
    for place in range(pool.observed.shape[1]):
        j, root = pool.observed[leaf, place], pool.values[leaf, place]
        if root == NONE:
            continue
        split = search_trees.best_split(pool.trees, root, j, pool.seen[leaf], options.moa, False)
        suggestions += 1
        if split.merit >= best.merit:  # among equals the last attribute wins
            best, second = split, best.merit
        elif split.merit > second:
            second = split.merit
    take = suggestions == 1
    if suggestions > 1:
        bound = math.sqrt(options.confidence / (2.0 * pool.seen[leaf, N]))
        take = second / best.merit < 1.0 - bound or bound < options.tie_threshold
    seen = pool.seen[leaf]
    if not take or not (options.moa or best.merit > ROUNDING * seen[SQUARES] / seen[N]):
        return
    if pool.orphan[leaf]:
        tree.make_root(pool, number, leaf)
    tree.split(pool, leaf, best)
