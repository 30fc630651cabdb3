"""Training and prediction of regression and model trees; `fimt_dd` lists differences to MOA."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, subkernel
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.search_trees import BY_MERIT, Split
from streameval.learners.regression.tree import ERRORS, NONE, SQUARES, SUM, N, RegressionPool

#: Inputs and targets are divided by this multiple of their standard deviations, as in MOA, so that
#: almost all are between -1 and 1.
N_DEVIATIONS = 3.0
#: Generous bound on the rounding error of a variance, relative to the mean square.
VARIANCE_ROUNDING = 1e-12
# Columns of `RegressionPool.losses`.
AGE = 0  # number of instances since the alternate tree was started, counted by weight
COMPARED_AGE = 1  # value of AGE at the last comparison
ORIGINAL = 2  # faded sum of squared errors of the original tree
ALTERNATE = 3  # faded sum of squared errors of the alternate tree


class ModelTreeOptions(NamedTuple):
    """The parameters as the kernels take them."""

    grace_period: float
    confidence: float  # logarithm of 1 / split_confidence
    tie_threshold: float
    change_tolerance: float
    change_threshold: float
    fading: float
    comparison_period: float
    alternate_time: float
    learning_rate: float
    decay: float
    subspace: int  # number of attributes that a leaf draws; 0 if it observes all numeric attributes
    moa: bool


@inlined
def _deviation(n: float, total: float, squares: float, options: ModelTreeOptions) -> float:
    """Standard deviation; 0 for one instance. In the form "moa", rounding can make it NaN."""
    if n <= 1.0:
        return 0.0
    variance = (squares - total * total / n) / n
    return math.sqrt(variance) if options.moa or variance > 0.0 else 0.0


@inlined
def _spread(pool: RegressionPool, tree_id: int, options: ModelTreeOptions) -> float:
    """Standard deviation of the targets of a tree."""
    target = pool.target[tree_id]
    return _deviation(target[N], target[SUM], target[SQUARES], options)


@inlined
def standardise_target(
    pool: RegressionPool, tree_id: int, y: float, options: ModelTreeOptions
) -> float:
    """Difference of a target from the mean, in units of three standard deviations."""
    target, spread = pool.target[tree_id], _spread(pool, tree_id, options)
    if not spread > 0.0:
        return 0.0
    return (y - target[SUM] / target[N]) / (N_DEVIATIONS * spread)


@inlined
def scaled_error(
    pool: RegressionPool, tree_id: int, y: float, value: float, options: ModelTreeOptions
) -> float:
    """Absolute error of a prediction, in units of three standard deviations of the target."""
    spread = _spread(pool, tree_id, options)
    return abs(y - value) / (N_DEVIATIONS * spread) if spread > 0.0 else 0.0


@subkernel
def standardise_inputs(
    pool: RegressionPool, tree_id: int, row: Floats, options: ModelTreeOptions
) -> None:
    """Write a standardised instance to ``pool.scaled``, followed by the constant input."""
    m = pool.inputs.shape[1]
    if not has_perceptrons(pool):
        return
    for j in range(m):
        x, sums = row[j], pool.inputs[tree_id, j]
        pool.scaled[j] = 0.0
        if pool.numeric[j] and not math.isnan(x):
            spread = _deviation(sums[N], sums[SUM], sums[SQUARES], options)
            if spread > 0.0:
                pool.scaled[j] = (x - sums[SUM] / sums[N]) / (N_DEVIATIONS * spread)
    # As in MOA, perceptrons have a bias from the second target on.
    pool.scaled[m] = 1.0 if pool.target[tree_id, N] > 1.0 else 0.0


@inlined
def has_perceptrons(pool: RegressionPool) -> bool:
    """True if leaves predict by perceptrons, not by the mean of their targets."""
    return bool(pool.weight.shape[1] > 0)


@inlined
def _perceptron_output(pool: RegressionPool, leaf: int) -> float:
    total = 0.0
    for j in range(pool.scaled.shape[0]):
        total += pool.weight[leaf, j] * pool.scaled[j]
    return total


@inlined
def leaf_value(pool: RegressionPool, tree_id: int, leaf: int, options: ModelTreeOptions) -> float:
    """Prediction of a leaf. A perceptron predicts for the instance in ``pool.scaled``."""
    if not has_perceptrons(pool):
        sums = pool.sums[leaf]
        return sums[SUM] / sums[N] if sums[N] > 0.0 else 0.0
    target = pool.target[tree_id]
    if not target[N] > 1.0:
        return 0.0
    spread = _spread(pool, tree_id, options)
    return _perceptron_output(pool, leaf) * spread * N_DEVIATIONS + target[SUM] / target[N]


@inlined
def predict(pool: RegressionPool, tree_id: int, row: Floats, options: ModelTreeOptions) -> float:
    """Prediction of a tree; 0 without a root."""
    root = pool.root[tree_id]
    if root == NONE:
        return 0.0
    standardise_inputs(pool, tree_id, row, options)
    return leaf_value(pool, tree_id, tree.leaf_of(pool, root, row), options)


@inlined
def observe(pool: RegressionPool, tree_id: int, row: Floats, y: float, w: float) -> None:
    """Add an instance to the sums of a tree."""
    search_trees.add_to_sums(pool.target[tree_id], y, w)
    for j in range(pool.inputs.shape[1]):
        if pool.numeric[j] and not math.isnan(row[j]):
            search_trees.add_to_sums(pool.inputs[tree_id, j], row[j], w)


@subkernel
def learn(
    pool: RegressionPool, tree_id: int, row: Floats, y: float, w: float, options: ModelTreeOptions
) -> None:
    """Train a tree on an instance."""
    if pool.root[tree_id] == NONE:
        pool.root[tree_id] = tree.new_leaf(pool, NONE, NONE)
    observe(pool, tree_id, row, y, w)
    standardise_inputs(pool, tree_id, row, options)
    node, may_grow = pool.root[tree_id], True
    prediction = leaf_value(pool, tree_id, tree.leaf_of(pool, node, row), options)
    error = abs(
        standardise_target(pool, tree_id, y, options)
        - standardise_target(pool, tree_id, prediction, options)
    )
    while pool.attribute[node] != NONE:
        pool.sums[node, N] += w
        pool.sums[node, ERRORS] += w * error
        if pool.alternate[node] != NONE:
            survivor = _compare(pool, tree_id, node, row, y, w, prediction, may_grow, options)
            if survivor != node:  # the alternate tree has replaced the node
                # As in MOA, a split node at its root does not add this instance to its sums.
                node = survivor
                if pool.attribute[node] != NONE:
                    node = tree.child_of(pool, node, row)
                continue
            if pool.alternate[node] != NONE:
                may_grow = False  # only the alternate tree grows
                _train_alternate(pool, tree_id, node, row, y, w, error, options)
        if pool.watched[node] and errors_rise(pool, node, error, options):
            begin_alternate(pool, node)
        node = tree.child_of(pool, node, row)
    learn_in_leaf(pool, tree_id, node, row, y, w, options)
    if may_grow and starts_attempt(pool, node, options):
        _attempt_split(pool, tree_id, node, options)


@inlined
def errors_rise(pool: RegressionPool, node: int, error: float, options: ModelTreeOptions) -> bool:
    """Update the Page-Hinkley test of a split node; return whether its errors have risen."""
    mean, rise = pool.sums[node, ERRORS] / pool.sums[node, N], pool.rise[node]
    rise[0] += error - mean - options.change_tolerance
    rise[1] = min(rise[1], rise[0])
    return rise[0] - rise[1] > options.change_threshold


@inlined
def begin_alternate(pool: RegressionPool, node: int) -> None:
    """Start an alternate tree of a node. Changes of the node are ignored in the meantime."""
    pool.alternate[node] = tree.new_leaf(pool, NONE, node)
    pool.counters[tree.ALTERNATES] += 1
    pool.losses[node] = 0.0
    tree.watch(pool, node, False)


@subkernel
def _compare(
    pool: RegressionPool,
    tree_id: int,
    node: int,
    row: Floats,
    y: float,
    w: float,
    prediction: float,
    may_grow: bool,
    options: ModelTreeOptions,
) -> int:
    """Replace a node by its alternate tree if that has smaller errors.

    Returns the root of the alternate tree in this case, otherwise the node. The alternate tree may
    be discarded.
    """
    alternate = pool.alternate[node]
    alternate_error = y - leaf_value(pool, tree_id, tree.leaf_of(pool, alternate, row), options)
    if not alternate_wins(pool, node, y - prediction, alternate_error, w, may_grow, options):
        return node
    _replace(pool, tree_id, node, alternate, may_grow, options)
    return alternate


@subkernel
def alternate_wins(
    pool: RegressionPool,
    node: int,
    error: float,
    alternate_error: float,
    w: float,
    may_grow: Any,  # bool; int64 from `option_tree`
    options: ModelTreeOptions,
) -> bool:
    """Add the errors of an instance; return whether the alternate tree replaces its node.

    An alternate tree that has not been better after `alternate_time` instances is discarded.
    """
    losses, alternate, copies = pool.losses[node], pool.alternate[node], 0
    while copies < w:  # as in MOA, an instance of weight w counts as w instances
        losses[ORIGINAL] = error**2 + options.fading * losses[ORIGINAL]
        losses[ALTERNATE] = alternate_error**2 + options.fading * losses[ALTERNATE]
        losses[AGE] += 1.0
        copies += 1
    if losses[AGE] - losses[COMPARED_AGE] < options.comparison_period:
        return False
    losses[COMPARED_AGE] = losses[AGE]
    if losses[ORIGINAL] / losses[ALTERNATE] > 1.0:
        return True
    if losses[AGE] >= options.alternate_time:
        drop_alternate(pool, node)
        tree.discard(pool, alternate)
        if may_grow:  # otherwise an alternate tree of a node above may replace this node
            tree.watch(pool, node, True)
    return False


@inlined
def drop_alternate(pool: RegressionPool, node: int) -> None:
    """Detach the alternate tree from a node."""
    pool.alternate[node] = NONE
    pool.counters[tree.ALTERNATES] -= 1


@subkernel
def _replace(
    pool: RegressionPool,
    tree_id: int,
    node: int,
    alternate: int,
    may_grow: bool,
    options: ModelTreeOptions,
) -> None:
    """Replace a node by its alternate tree."""
    drop_alternate(pool, node)
    is_root = pool.parent[node] == NONE or pool.orphan[node]
    if pool.orphan[node]:  # only in the form "moa": a tree that replaced a node is treated as root
        tree.make_root(pool, tree_id, alternate)
    else:
        tree.replace_node(pool, tree_id, node, alternate)
        tree.discard(pool, node)
        pool.orphan[alternate] = options.moa and not is_root
    if may_grow or is_root:
        tree.watch(pool, alternate, True)


@subkernel
def _train_alternate(
    pool: RegressionPool,
    tree_id: int,
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
        pool.sums[node, N] += w
        pool.sums[node, ERRORS] += w * error
        node = tree.child_of(pool, node, row)
    learn_in_leaf(pool, tree_id, node, row, y, w, options)
    if starts_attempt(pool, node, options):
        _attempt_split(pool, tree_id, node, options)


@subkernel
def learn_in_leaf(
    pool: RegressionPool,
    tree_id: int,
    leaf: int,
    row: Floats,
    y: float,
    w: float,
    options: ModelTreeOptions,
) -> None:
    """Train a leaf on an instance, for which `standardise_inputs` has been called."""
    sums = pool.sums[leaf]
    prediction = leaf_value(pool, tree_id, leaf, options)
    search_trees.add_to_sums(sums, y, w)
    if options.moa:  # MOA standardises the error like a target, after the leaf has learnt
        error = abs(y - leaf_value(pool, tree_id, leaf, options))
        sums[ERRORS] += w * abs(standardise_target(pool, tree_id, error, options))
    else:
        sums[ERRORS] += w * scaled_error(pool, tree_id, y, prediction, options)
    if has_perceptrons(pool):
        _train_perceptron(pool, tree_id, leaf, y, w, options)
    if pool.is_new[leaf] and options.subspace > 0:
        _draw_attributes(pool, tree_id, leaf, options.subspace)
    pool.is_new[leaf] = False
    value_weight = 1.0 if options.moa else w
    for place in range(pool.observed.shape[1]):
        j = pool.observed[leaf, place]
        if j != NONE and not math.isnan(row[j]):
            n_before = pool.trees.counters[search_trees.IN_USE]
            pool.value_roots[leaf, place] = search_trees.insert(
                pool.trees, pool.value_roots[leaf, place], row[j], y, value_weight, False
            )
            pool.tree_sizes[leaf, place] += pool.trees.counters[search_trees.IN_USE] - n_before


@inlined
def starts_attempt(pool: RegressionPool, leaf: int, options: ModelTreeOptions) -> bool:
    """Return whether a leaf has to attempt a split now; if so, record its weight."""
    weight = pool.sums[leaf, N]
    if weight - pool.attempt_weight[leaf] < options.grace_period:
        return False
    pool.attempt_weight[leaf] = weight
    return True


@inlined
def _train_perceptron(
    pool: RegressionPool, tree_id: int, leaf: int, y: float, w: float, options: ModelTreeOptions
) -> None:
    if pool.is_new[leaf]:
        for j in range(pool.weight.shape[1]):
            pool.weight[leaf, j] = 2.0 * java_random.next_double(pool.random[tree_id]) - 1.0
    pool.learnt_weight[leaf] += w
    rate = options.learning_rate / (1.0 + pool.learnt_weight[leaf] * options.decay)
    target = standardise_target(pool, tree_id, y, options)
    for _ in range(np.int64(w)):  # as in MOA, a step per unit of weight
        step = (target - _perceptron_output(pool, leaf)) * rate
        for j in range(pool.weight.shape[1]):
            pool.weight[leaf, j] += pool.scaled[j] * step


@subkernel
def _draw_attributes(pool: RegressionPool, tree_id: int, leaf: int, size: int) -> None:
    """Draw `size` different attributes that a leaf observes.

    Nominal attributes among them are not observed: unused places of `observed` are NONE.
    """
    pool.is_drawn[:] = False
    while size > 0:
        j = java_random.next_int(pool.random[tree_id], pool.is_drawn.shape[0])
        if not pool.is_drawn[j]:
            pool.is_drawn[j] = True
            size -= 1
    place = 0
    for j in range(pool.is_drawn.shape[0]):
        if pool.is_drawn[j] and pool.numeric[j]:
            pool.observed[leaf, place] = j
            place += 1
    pool.observed[leaf, place:] = NONE


@subkernel
def _attempt_split(
    pool: RegressionPool, tree_id: int, leaf: int, options: ModelTreeOptions
) -> None:
    """Split a leaf if the best attribute leads by more than the Hoeffding bound."""
    best, second, n_candidates = Split(NONE, -np.inf, 0.0), -np.inf, 0
    for place in range(pool.observed.shape[1]):
        j, root = pool.observed[leaf, place], pool.value_roots[leaf, place]
        if root == NONE:
            continue
        split = search_trees.best_cut(pool.trees, root, j, pool.sums[leaf], options.moa, BY_MERIT)
        n_candidates += 1
        if split.merit >= best.merit:  # the last of equally good attributes is the best
            best, second = split, best.merit
        elif split.merit > second:
            second = split.merit
    is_chosen = n_candidates == 1
    if n_candidates > 1:
        # The Hoeffding bound is for the ratio of both merits.
        bound = math.sqrt(options.confidence / (2.0 * pool.sums[leaf, N]))
        is_chosen = second / best.merit < 1.0 - bound or bound < options.tie_threshold
    sums = pool.sums[leaf]
    if not is_chosen or not (
        options.moa or best.merit > VARIANCE_ROUNDING * sums[SQUARES] / sums[N]
    ):
        return
    if pool.orphan[leaf]:  # only in the form "moa"
        tree.make_root(pool, tree_id, leaf)
    tree.split(pool, leaf, best)
