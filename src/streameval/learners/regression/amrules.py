"""AMRules: adaptive model rules for regression."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.params import Count, StrictProportion
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.learners.kernel_arguments import (
    EventRange,
    RegressionOutputs,
    event_at,
    event_numbers,
)
from streameval.learners.regression import rules, search_trees
from streameval.learners.regression.regressor import MoaRegressor
from streameval.learners.regression.rules import (
    DEFAULT,
    EQUAL,
    LOWER,
    MAX_VALUES,
    RULES,
    SMALLEST_DEVIATION,
    UPPER,
    Rules,
    deviation,
    rule_value,
)
from streameval.learners.regression.search_trees import BY_RATIO, NONE, SQUARES, SUM, N, Split
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: A rule detects anomalies only after this weight, and changes only after this number of instances,
#: as in MOA.
TEST_AFTER = 30.0
#: Fading factor of the sum of rises in the Page-Hinkley test.
CHANGE_FADING = 0.9999
#: Inputs with smaller standard deviations are not tested for anomalies.
MIN_DEVIATION = 0.01
#: Probabilities of inputs are limited to the range from this value to one minus this value.
MIN_PROBABILITY = 0.01
# Columns of `Rules.change`.
N_ERRORS = 0  # number of errors
MEAN_ERROR = 1
RISES = 2  # faded sum of the rises of the error
MIN_RISES = 3  # minimum of RISES; stays 0 in the form "moa"
# Places in `Rules.alarms`.
CHANGES = 0  # weight of instances at which a rule was removed
ANOMALIES = 1  # weight of anomalies


class _Options(NamedTuple):
    """The parameters as the kernels take them."""

    grace_period: float
    confidence: float  # logarithm of 1 / split_confidence
    tie_threshold: float
    change_tolerance: float
    change_threshold: float
    anomaly_threshold: float
    learning_rate: float
    decay: float
    moa: bool


class _State(NamedTuple):
    rules: Rules
    schema: Schema


@dataclass(frozen=True)
class AMRules(MoaRegressor):
    """Adaptive model rules (AMRules), with ordered rules.

    The first rule that covers an instance predicts and learns it, or the default rule if no other
    rule covers it. A rule that has learnt enough is expanded by the literal that reduces the
    variance most. The default rule becomes a new rule by its first literal, and a new default
    rule starts with its models. A rule does not learn anomalies, and is removed when the
    Page-Hinkley test detects that its errors rise. Rules predict by the mean of their targets or
    by a perceptron.

    A rule does not cover an instance if one of the values that it tests is missing. A missing
    value counts as the mean in perceptrons and is otherwise ignored. The prediction before the
    first instance is 0. The seed of a run determines the first weights of the perceptrons.

    Predictions of the form "moa" are equal to AMRulesRegressor in MOA 2024.07, on streams without
    missing values. The form "corrected" does not have these defects of MOA:

    - The sum of the Page-Hinkley test is compared with the threshold without subtracting its
      minimum. The tolerance lowers the sum after each instance, down to -500, so changes are
      detected late.
    - A rule tries to expand when its weight is a multiple of the grace period. With weights other
      than 1 that may never happen.
    - A rule is also expanded by a literal without merit, if there is one attribute or after enough
      weight.
    - A literal "is not a" is replaced by a later "is not b" on the same attribute, so that the rule
      covers "a" again.
    - The mean and the perceptron of a rule learn each instance with weight 1.
    - The sums that detect anomalies ignore the weights, except the first weight.

    Both forms keep a weakness of MOA. If an input has been constant, rounding can leave its
    standard deviation just above the 1e-7 below which it is ignored. For the perceptron, the next
    different value is then millions of deviations from the mean, and the prediction is far outside
    all targets, such as -642,779 with targets from 2 to 42. A few such predictions dominate a mean
    error; `streameval.evaluate` and `streameval.compare` warn of them.

    Parameters
    ----------
    grace_period : int
        Weight that a rule learns between two attempts to expand.
    split_confidence : float
        One minus the probability that the chosen literal is the best, δ of the bound.
    tie_threshold : float
        τ: if the Hoeffding bound is smaller than this, the best literal is taken regardless of its
        lead.
    change_tolerance, change_threshold : float
        Page-Hinkley test: rise of the error that is tolerated, and sum of rises that is a change;
        in units of the standard deviation of the target.
    anomaly_threshold : float
        An instance is an anomaly if the mean of the log odds of its values is smaller than this.
    form, constant_inputs
        See above, and `MoaRegressor`.
    learning_rate, decay : float
        Learning rate of the perceptrons, which is divided by 1 + `decay` times the weight learnt.

    References
    ----------
    Almeida, Ferreira, Gama (2013), Adaptive model rules from data streams; Duarte, Gama, Bifet
    (2016), Adaptive model rules from high-speed data streams.
    """

    grace_period: Count = 200
    split_confidence: StrictProportion = 1e-7
    tie_threshold: float = 0.05
    change_tolerance: float = 0.05
    change_threshold: float = 35.0
    anomaly_threshold: float = -0.75
    learning_rate: float = 0.025
    decay: float = 0.001

    name: ClassVar[str] = "amrules"
    reference: ClassVar[str] = "Almeida et al. (2013)"

    def _options(self) -> _Options:
        return _Options(
            grace_period=float(self.grace_period),
            confidence=math.log(1.0 / self.split_confidence),
            tie_threshold=float(self.tie_threshold),
            change_tolerance=float(self.change_tolerance),
            change_threshold=float(self.change_threshold),
            anomaly_threshold=float(self.anomaly_threshold),
            learning_rate=float(self.learning_rate),
            decay=float(self.decay),
            moa=self.form == "moa",
        )

    def _start(self, schema: Schema, seed: int) -> _State:
        slots = 4  # arrays grow with the number of rules
        nodes = slots * MAX_VALUES * (schema.n_attributes + 1)
        return _State(rules.make(schema, slots, nodes, seed), schema)

    def _advance(
        self, state: Any, events: EventRange, outputs: RegressionOutputs
    ) -> tuple[int, int]:
        return _run_events(state.rules, self._options(), events, outputs)

    def _grow(self, state: Any) -> _State:
        return _State(rules.grow(state.rules, state.schema), state.schema)

    def _model_bytes(self, state: Any) -> int:
        return rules.used_bytes(state.rules)

    def _model_counts(self, state: Any) -> dict[str, int]:
        return {
            "rules": int(state.rules.counters[RULES]) + 1,
            "changes": int(state.rules.alarms[CHANGES]),
            "anomalies": int(state.rules.alarms[ANOMALIES]),
        }


@kernel
def _run_events(
    pool: Rules, options: _Options, events: EventRange, outputs: RegressionOutputs
) -> tuple[Any, int]:
    entry = events.entry
    if pool.counters[DEFAULT] == NONE:  # here, since only kernels can call `new_rule`
        pool.counters[DEFAULT] = rules.new_rule(pool)
    for event in event_numbers(events):
        if not rules.has_room(pool):
            return np.int64(event), entry
        t, op, w = event_at(events, event)
        row = events.X[t]
        if op & PREDICT:
            position = _first_covering(pool, row)
            outputs.value[entry] = rule_value(pool, _slot(pool, position), row)
            entry += 1
        if op & LEARN and w > 0.0:
            _learn(pool, row, events.y[t], w, options)
    return events.stop, entry


@inlined
def _first_covering(pool: Rules, row: Floats) -> int:
    """Position of the first rule that covers an instance; NONE for the default rule."""
    for position in range(pool.counters[RULES]):
        if rules.covers(pool, pool.order[position], row):
            return position
    return NONE


@inlined
def _slot(pool: Rules, position: int) -> int:
    """Slot of the rule at a position in the order of rules, or of the default rule."""
    return pool.counters[DEFAULT] if position == NONE else pool.order[position]


@subkernel
def _learn(pool: Rules, row: Floats, y: float, w: float, options: _Options) -> None:
    """Train the first rule that covers an instance, or remove the rule after a change."""
    position = _first_covering(pool, row)
    slot = _slot(pool, position)
    if position != NONE and pool.stats[slot, N] > 0.0:
        if _is_anomaly(pool, slot, row, w, options):
            pool.alarms[ANOMALIES] += w
            return
        if _has_changed(pool, slot, row, y, options):
            pool.alarms[CHANGES] += w
            rules.remove(pool, position)
            return
    _observe(pool, slot, row, y, w)
    model_weight = 1.0 if options.moa else w
    error_weight = w
    rules.learn_model(
        pool, slot, row, y, model_weight, error_weight, options.learning_rate, options.decay
    )
    weight = pool.stats[slot, N]
    if options.moa:
        is_due = weight % options.grace_period == 0.0
    else:
        is_due = weight - pool.attempt_weight[slot] >= options.grace_period
    if is_due:
        pool.attempt_weight[slot] = weight
        _attempt_expansion(pool, slot, options)


@subkernel
def _observe(pool: Rules, slot: int, row: Floats, y: float, w: float) -> None:
    """Add an instance to the statistics from which a rule is expanded."""
    search_trees.add_to_sums(pool.stats[slot], y, w)
    for j in range(pool.numeric.shape[0]):
        if math.isnan(row[j]):
            continue
        if pool.numeric[j]:
            n_before = pool.trees.counters[search_trees.IN_USE]
            is_full = pool.tree_sizes[slot, j] >= MAX_VALUES
            pool.roots[slot, j] = search_trees.insert(
                pool.trees, pool.roots[slot, j], row[j], y, w, is_full
            )
            pool.tree_sizes[slot, j] += pool.trees.counters[search_trees.IN_USE] - n_before
        else:
            value = pool.offset[j] + np.int64(row[j])
            search_trees.add_to_sums(pool.value_sums[slot, value], y, w)


@subkernel
def _is_anomaly(pool: Rules, slot: int, row: Floats, w: float, options: _Options) -> bool:
    """Whether an instance is an anomaly for a rule; otherwise it is added to the normal inputs."""
    normal = pool.normal_inputs[slot]
    if pool.normal_weight[slot] > TEST_AFTER:
        score, n_inputs = 0.0, 0
        for j in range(pool.numeric.shape[0]):
            if not pool.numeric[j] or math.isnan(row[j]):
                continue
            spread = deviation(normal[j])
            if spread > MIN_DEVIATION:
                # Cantelli's inequality bounds the probability of a value that far above the mean.
                # Twice the bound is for both sides of the mean.
                square, distance = spread * spread, row[j] - normal[j, SUM] / normal[j, N]
                probability = 2.0 * square / (square + distance * distance)
                probability = min(max(probability, MIN_PROBABILITY), 1.0 - MIN_PROBABILITY)
                score += math.log(probability) - math.log(1.0 - probability)
                n_inputs += 1
        if n_inputs > 0 and score / n_inputs < options.anomaly_threshold:
            return True
    sum_weight = 1.0 if options.moa and pool.normal_weight[slot] > 0.0 else w
    pool.normal_weight[slot] += w
    for j in range(pool.numeric.shape[0]):
        if pool.numeric[j] and not math.isnan(row[j]):
            normal[j, N] += w
            normal[j, SUM] += sum_weight * row[j]
            normal[j, SQUARES] += sum_weight * row[j] * row[j]
    return False


@subkernel
def _has_changed(pool: Rules, slot: int, row: Floats, y: float, options: _Options) -> bool:
    """Update the Page-Hinkley test of a rule; return whether its errors have risen."""
    stats, change = pool.stats[slot], pool.change[slot]
    mean, spread, error = stats[SUM] / stats[N], deviation(stats), 0.0
    if spread > SMALLEST_DEVIATION:
        value = rule_value(pool, slot, row)
        error = abs((value - mean) / spread - (y - mean) / spread)
    change[N_ERRORS] += 1.0
    change[MEAN_ERROR] += (error - change[MEAN_ERROR]) / change[N_ERRORS]
    rise = error - change[MEAN_ERROR] - options.change_tolerance
    change[RISES] = CHANGE_FADING * change[RISES] + rise
    if not options.moa:
        change[MIN_RISES] = min(change[MIN_RISES], change[RISES])
    # MOA's counter is one ahead.
    is_tested = change[N_ERRORS] + 1.0 >= TEST_AFTER
    return is_tested and change[RISES] - change[MIN_RISES] > options.change_threshold


@subkernel
def _best_value(pool: Rules, slot: int, j: int, options: _Options) -> Split:
    """Best value of a nominal attribute; the first among equally good values.

    The sums of the instances with this value, and of all others, are written to `trees.sides`.
    """
    best, total = Split(NONE, -np.inf, 0.0), pool.stats[slot]
    for value in range(pool.offset[j], pool.offset[j + 1]):
        sums = pool.value_sums[slot, value]
        if sums[N] > 0.0:
            for i in range(3):
                pool.rest[i] = total[i] - sums[i]
            merit = search_trees.variance_ratio(total, sums, pool.rest, options.moa)
            if merit > best.merit:
                best = Split(j, merit, np.float64(value - pool.offset[j]))
                for i in range(3):
                    pool.trees.sides[0, i], pool.trees.sides[1, i] = sums[i], pool.rest[i]
    return best


@subkernel
def _attempt_expansion(pool: Rules, slot: int, options: _Options) -> None:
    """Expand a rule if the best literal leads by more than the Hoeffding bound."""
    best, second, n_candidates = Split(NONE, -np.inf, 0.0), -np.inf, 0
    total = pool.stats[slot]
    for j in range(pool.numeric.shape[0]):
        if pool.numeric[j]:
            root = pool.roots[slot, j]
            split = search_trees.best_cut(pool.trees, root, j, total, options.moa, BY_RATIO)
        else:
            split = _best_value(pool, slot, j, options)
        if split.attribute == NONE:
            continue
        n_candidates += 1
        # The last of equally good attributes is the best. In Java, NaN is larger than any number.
        if split.merit >= best.merit or math.isnan(split.merit):
            best, second = split, best.merit
            for i in range(3):
                pool.sides[0, i], pool.sides[1, i] = (
                    pool.trees.sides[0, i],
                    pool.trees.sides[1, i],
                )
        elif split.merit > second:
            second = split.merit
    is_chosen = n_candidates == 1
    if n_candidates > 1:
        bound = math.sqrt(options.confidence / (2.0 * total[N]))
        is_chosen = best.merit - second > bound or bound < options.tie_threshold
    if is_chosen and (options.moa or best.merit > 0.0):
        _expand(pool, slot, best, options)


@inlined
def _negative_variance(sums: Floats) -> float:
    if not sums[N] > 0.0:
        return -np.inf
    rounds_weight = False
    return -search_trees.variance(sums[N], sums[SUM], sums[SQUARES], rounds_weight)


@subkernel
def _expand(pool: Rules, slot: int, best: Split, options: _Options) -> None:
    """Add a literal for the side with less variance to a rule; replace the default rule."""
    if slot == pool.counters[DEFAULT]:
        new_default = rules.new_rule(pool)
        rules.copy_model(pool, slot, new_default)
        pool.counters[DEFAULT] = new_default
        pool.order[pool.counters[RULES]] = slot
        pool.counters[RULES] += 1
    j = best.attribute
    takes_second_side = _negative_variance(pool.sides[1]) > _negative_variance(pool.sides[0])
    if pool.numeric[j]:
        pool.bound[slot, j, LOWER if takes_second_side else UPPER] = best.cut
    elif not takes_second_side:
        pool.bound[slot, j, EQUAL] = best.cut
    else:
        if options.moa:
            for value in range(pool.offset[j], pool.offset[j + 1]):
                pool.excluded[slot, value] = False
        pool.excluded[slot, pool.offset[j] + np.int64(best.cut)] = True
    # The mean remains, with the weight of one instance.
    pool.mean[slot, SUM] /= pool.mean[slot, N]
    pool.mean[slot, N] = 1.0
    pool.errors[slot] = 0.0
    rules.reset_statistics(pool, slot)
