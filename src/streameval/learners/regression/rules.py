"""Rules in a pool of slots: literals, statistics for further literals, and models.

A rule covers the instances for which all its literals hold. It predicts by the mean of the targets
or by a perceptron, whichever had smaller recent errors.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Flags, Floats, Integers
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, subkernel
from streameval.learners.regression import search_trees
from streameval.learners.regression.search_trees import NONE, SQUARES, SUM, N, SearchTrees
from streameval.streams.stream import Schema

#: Maximum number of values of an attribute in an extended binary search tree (E-BST), as in MOA.
MAX_VALUES = 51
#: Standard deviations up to this value count as 0: values are centred, but not scaled.
SMALLEST_DEVIATION = 1e-7
#: Fading factor of the errors by which a rule chooses its model.
FADING = 0.99
# Columns of `Rules.bound`. NaN means that there is no literal.
UPPER = 0  # a numeric attribute must be at most this value
LOWER = 1  # a numeric attribute must be above this value
EQUAL = 0  # a nominal attribute must have this value
# Places in `Rules.counters`.
RULES = 0  # number of rules
DEFAULT = 1  # slot of the default rule
ALLOCATED = 2  # number of slots that have ever been in use
N_FREE = 3  # number of these slots that are free again
# Rows of `Rules.errors`: the models of a rule.
MEAN = 0
PERCEPTRON = 1
# Columns of `Rules.errors`.
ERROR_SUM = 0  # faded sum of weighted absolute errors
ERROR_WEIGHT = 1  # faded sum of weights


class Rules(NamedTuple):
    """Rules in order, and a default rule that covers all instances.

    Shapes: r slots, m attributes, v values of all nominal attributes.
    """

    bound: Floats  # (r, m, 2)
    excluded: Flags  # (r, v) values that a nominal attribute must not have
    stats: Floats  # (r, 3) sums of the targets since the last expansion
    attempt_weight: Floats  # (r,) weight at the last attempt to expand
    roots: Integers  # (r, m) roots of E-BSTs
    tree_sizes: Integers  # (r, m) numbers of nodes of the E-BSTs
    value_sums: Floats  # (r, v, 3) sums of the targets by nominal value
    mean: Floats  # (r, 2) N and SUM of the targets, for the prediction by the mean
    weight: Floats  # (r, m + 1) weights of the perceptron, its bias last
    target: Floats  # (r, 3) sums of the targets, to standardise them for the perceptron
    inputs: Floats  # (r, m, 3) sums of the inputs, to standardise them for the perceptron
    errors: Floats  # (r, 2, 2) see `MEAN` and `ERROR_SUM`
    change: Floats  # (r, 4) Page-Hinkley test, see `amrules.N_ERRORS`
    normal_inputs: Floats  # (r, m, 3) sums of the inputs of instances that are no anomalies
    normal_weight: Floats  # (r,) weight of the instances that are no anomalies
    order: Integers  # (r,) slots of the rules
    free: Integers  # (r,) stack of slots of removed rules
    counters: Integers  # (4,) rules and slots in use, see `RULES`
    alarms: Floats  # (2,) weight of changes and of anomalies
    random: Integers  # (3,) see `java_random`
    numeric: Flags  # (m,)
    offset: Integers  # (m + 1,) place of each attribute's first value in arrays of v values
    scaled: Floats  # (m,) scratch: the standardised instance
    rest: Floats  # (3,) scratch: sums over all values except one
    sides: Floats  # (2, 3) scratch: sums of both sides of the best literal
    trees: SearchTrees


#: The fields with one entry per slot.
SLOT_FIELDS = (
    "bound",
    "excluded",
    "stats",
    "attempt_weight",
    "roots",
    "tree_sizes",
    "value_sums",
    "mean",
    "weight",
    "target",
    "inputs",
    "errors",
    "change",
    "normal_inputs",
    "normal_weight",
    "order",
    "free",
)


def make(schema: Schema, slots: int, nodes: int, seed: int) -> Rules:
    """Pool without rules, for up to `slots` rules and `nodes` nodes of E-BSTs."""
    m, values = schema.n_attributes, schema.n_values
    v = int(values.sum())
    return Rules(
        bound=np.zeros((slots, m, 2)),
        excluded=np.zeros((slots, v), dtype=np.bool_),
        stats=np.zeros((slots, 3)),
        attempt_weight=np.zeros(slots),
        roots=np.full((slots, m), NONE),
        tree_sizes=np.zeros((slots, m), dtype=np.int64),
        value_sums=np.zeros((slots, v, 3)),
        mean=np.zeros((slots, 2)),
        weight=np.zeros((slots, m + 1)),
        target=np.zeros((slots, 3)),
        inputs=np.zeros((slots, m, 3)),
        errors=np.zeros((slots, 2, 2)),
        change=np.zeros((slots, 4)),
        normal_inputs=np.zeros((slots, m, 3)),
        normal_weight=np.zeros(slots),
        order=np.zeros(slots, dtype=np.int64),
        free=np.zeros(slots, dtype=np.int64),
        counters=np.array([0, NONE, 0, 0]),
        alarms=np.zeros(2),
        random=java_random.java_random(seed),
        numeric=values == 0,
        offset=np.concatenate(([0], np.cumsum(values))),
        scaled=np.zeros(m),
        rest=np.zeros(3),
        sides=np.zeros((2, 3)),
        trees=search_trees.make(nodes),
    )


def grow(rules: Rules, schema: Schema) -> Rules:
    """Copy the rules to a pool of twice the size."""
    slots = len(rules.order)
    larger = make(schema, 2 * slots, nodes=1, seed=0)  # trees and generator are replaced below
    for name in SLOT_FIELDS:
        getattr(larger, name)[:slots] = getattr(rules, name)
    others = {name: getattr(rules, name) for name in ("counters", "alarms", "random")}
    return larger._replace(trees=search_trees.grow(rules.trees), **others)


def used_bytes(rules: Rules) -> int:
    """Bytes of the rules and of the E-BST nodes in use."""
    per_slot = sum(getattr(rules, name).nbytes for name in SLOT_FIELDS) // len(rules.order)
    slots = rules.counters[ALLOCATED] - rules.counters[N_FREE]
    return int(slots) * per_slot + search_trees.used_bytes(rules.trees)


@inlined
def has_room(rules: Rules) -> bool:
    """True if there is room for another rule, and for an E-BST node per attribute."""
    m, trees = rules.numeric.shape[0], rules.trees
    return (
        rules.counters[ALLOCATED] - rules.counters[N_FREE] + 1 <= rules.order.shape[0]
        and trees.counters[search_trees.IN_USE] + m <= trees.cut.shape[0]
    )


@subkernel
def new_rule(rules: Rules) -> int:
    """Add an untrained rule without literals; return its slot."""
    if rules.counters[N_FREE] > 0:
        rules.counters[N_FREE] -= 1
        slot = rules.free[rules.counters[N_FREE]]
    else:
        slot = rules.counters[ALLOCATED]
        rules.counters[ALLOCATED] += 1
    rules.bound[slot] = np.nan
    rules.excluded[slot] = False
    rules.mean[slot] = 0.0
    rules.weight[slot] = 0.0
    rules.target[slot] = 0.0
    rules.inputs[slot] = 0.0
    rules.errors[slot] = 0.0
    rules.roots[slot] = NONE
    reset_statistics(rules, slot)
    return slot


@subkernel
def reset_statistics(rules: Rules, slot: int) -> None:
    """Reset the statistics of a rule; its literals and models stay."""
    for j in range(rules.numeric.shape[0]):
        search_trees.release(rules.trees, rules.roots[slot, j], rules.tree_sizes[slot, j])
        rules.roots[slot, j] = NONE
        rules.tree_sizes[slot, j] = 0
    rules.stats[slot] = 0.0
    rules.attempt_weight[slot] = 0.0
    rules.value_sums[slot] = 0.0
    rules.change[slot] = 0.0
    rules.normal_inputs[slot] = 0.0
    rules.normal_weight[slot] = 0.0


@subkernel
def copy_model(rules: Rules, source: int, target: int) -> None:
    """Copy the models of rule `source`, with their errors, to rule `target`."""
    m = rules.numeric.shape[0]
    for i in range(2):
        rules.mean[target, i] = rules.mean[source, i]
        for k in range(2):
            rules.errors[target, i, k] = rules.errors[source, i, k]
    for i in range(3):
        rules.target[target, i] = rules.target[source, i]
        for j in range(m):
            rules.inputs[target, j, i] = rules.inputs[source, j, i]
    for j in range(m + 1):
        rules.weight[target, j] = rules.weight[source, j]


@subkernel
def remove(rules: Rules, position: int) -> None:
    """Remove the rule at a position in the order of rules."""
    slot = rules.order[position]
    reset_statistics(rules, slot)
    rules.free[rules.counters[N_FREE]] = slot
    rules.counters[N_FREE] += 1
    rules.counters[RULES] -= 1
    for later in range(position, rules.counters[RULES]):
        rules.order[later] = rules.order[later + 1]


@subkernel
def covers(rules: Rules, slot: int, row: Floats) -> bool:
    """True if a rule covers an instance: no tested value is missing, and all literals hold."""
    for j in range(rules.numeric.shape[0]):
        x = row[j]
        if rules.numeric[j]:
            upper, lower = rules.bound[slot, j, UPPER], rules.bound[slot, j, LOWER]
            if not (math.isnan(upper) or x <= upper) or not (math.isnan(lower) or x > lower):
                return False
            continue
        required = rules.bound[slot, j, EQUAL]
        if not (math.isnan(required) or x == required):
            return False
        for place in range(rules.offset[j], rules.offset[j + 1]):
            fails = math.isnan(x) or x == place - rules.offset[j]
            if rules.excluded[slot, place] and fails:
                return False
    return True


@inlined
def deviation(sums: Floats) -> float:
    """Sample standard deviation; 0 if the weight is at most 1."""
    if not sums[N] > 1.0:
        return 0.0
    return math.sqrt((sums[SQUARES] - sums[SUM] * sums[SUM] / sums[N]) / (sums[N] - 1.0))


@inlined
def _standardise(sums: Floats, value: float) -> float:
    """Standardise a value by the mean and the standard deviation of sums."""
    centred, spread = value - sums[SUM] / sums[N], deviation(sums)
    return centred / spread if spread > SMALLEST_DEVIATION else centred


@subkernel
def _standardised_prediction(rules: Rules, slot: int, row: Floats) -> float:
    """Standardised prediction of a perceptron; the instance is written to ``rules.scaled``."""
    m, total = rules.numeric.shape[0], 0.0
    for j in range(m):
        rules.scaled[j] = 0.0
        if rules.numeric[j]:
            if not math.isnan(row[j]) and rules.inputs[slot, j, N] > 0.0:
                rules.scaled[j] = _standardise(rules.inputs[slot, j], row[j])
            total += rules.weight[slot, j] * rules.scaled[j]
    return total + rules.weight[slot, m]


@subkernel
def perceptron_value(rules: Rules, slot: int, row: Floats) -> float:
    """Prediction of a rule's perceptron."""
    target = rules.target[slot]
    output, mean = _standardised_prediction(rules, slot, row), target[SUM] / target[N]
    spread = deviation(target)
    return output * spread + mean if spread > SMALLEST_DEVIATION else output + mean


@inlined
def _error(rules: Rules, slot: int, model: int) -> float:
    errors = rules.errors[slot, model]
    return errors[ERROR_SUM] / errors[ERROR_WEIGHT] if errors[ERROR_WEIGHT] != 0.0 else np.inf


@inlined
def rule_value(rules: Rules, slot: int, row: Floats) -> float:
    """Prediction of a rule; 0 if its model has learnt nothing."""
    if rules.target[slot, N] == 0.0:
        return 0.0
    # NaN is an unknown error, after an overflow. For the mean it counts as infinite. For the
    # perceptron it makes the comparison false. So the mean predicts if both are unknown.
    error_of_mean = _error(rules, slot, MEAN)
    if math.isnan(error_of_mean):
        error_of_mean = np.inf
    if _error(rules, slot, PERCEPTRON) < error_of_mean:
        return perceptron_value(rules, slot, row)
    return rules.mean[slot, SUM] / rules.mean[slot, N]


@inlined
def _add_error(rules: Rules, slot: int, model: int, error: float, w: float) -> None:
    errors = rules.errors[slot, model]
    errors[ERROR_SUM] = abs(error) * w + FADING * errors[ERROR_SUM]
    errors[ERROR_WEIGHT] = w + FADING * errors[ERROR_WEIGHT]


@subkernel
def learn_model(
    rules: Rules,
    slot: int,
    row: Floats,
    y: float,
    w: float,
    error_weight: float,
    learning_rate: float,
    decay: float,
) -> None:
    """Train both models of a rule with weight `w`; their errors are weighted by `error_weight`.

    The weights differ only in the form "moa", which trains models with weight 1.
    """
    m, target, mean = rules.numeric.shape[0], rules.target[slot], rules.mean[slot]
    n_numeric = 0
    for j in range(m):
        n_numeric += rules.numeric[j]
    if target[N] == 0.0:
        # As in MOA, each perceptron has a new generator, whose seed the previous generator draws.
        java_random.reseed(rules.random, java_random.next_bits(rules.random, 32))
        for j in range(m + 1):
            if j == m or rules.numeric[j]:
                rules.weight[slot, j] = 2.0 * java_random.next_double(rules.random) - 1.0
    else:
        _add_error(rules, slot, MEAN, mean[SUM] / mean[N] - y, error_weight)
        _add_error(rules, slot, PERCEPTRON, perceptron_value(rules, slot, row) - y, error_weight)
    mean[N] += w
    mean[SUM] += y * w
    # Not `add_to_sums`, whose products are rounded in another order.
    for j in range(m):
        x, sums = row[j], rules.inputs[slot, j]
        if rules.numeric[j] and not math.isnan(x):
            sums[N] += w
            sums[SUM] += x * w
            sums[SQUARES] += x * x * w
    target[N] += w
    target[SUM] += y * w
    target[SQUARES] += y * y * w
    rate = learning_rate / (1.0 + target[N] * decay)
    output = _standardised_prediction(rules, slot, row)
    step, magnitude = rate * (_standardise(target, y) - output), 0.0
    for j in range(m):
        if rules.numeric[j]:
            rules.weight[slot, j] += step * rules.scaled[j] * w
            magnitude += abs(rules.weight[slot, j])
    rules.weight[slot, m] += step * w
    magnitude += abs(rules.weight[slot, m])
    # As in MOA, weights grow until their magnitudes sum to more than the number of numeric
    # attributes; then they are scaled to a sum of 1.
    if magnitude > n_numeric:
        for j in range(m + 1):
            rules.weight[slot, j] /= magnitude
