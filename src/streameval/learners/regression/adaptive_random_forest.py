"""The adaptive random forest for regression: trees that are replaced when drift is detected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base import seeds
from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.params import Count, Positive, StrictProportion
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.detectors import adwin
from streameval.detectors.adwin import AdwinState, adwin_detect, adwin_start
from streameval.detectors.alarms import CHANGE
from streameval.learners.kernel_arguments import (
    EventRange,
    RegressionOutputs,
    event_at,
    event_numbers,
)
from streameval.learners.learner import Members
from streameval.learners.regression import tree
from streameval.learners.regression.fimt_dd import TreeRegressor
from streameval.learners.regression.model_tree import ModelTreeOptions, learn, predict, scaled_error
from streameval.learners.regression.tree import RegressionPool
from streameval.learners.trees.subsets import SubspaceMode, subspace_size
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: Seed from which every tree of MOA draws its attributes.
MOA_SEED = 1
# Places in `_Forest.alarms`.
DRIFTS = 0  # number of drifts
WARNINGS = 1  # number of warnings


class _Forest(NamedTuple):
    """The state of a forest of m members, except its trees and ADWINs.

    Tree i of the pool is member i, and tree m + i its background tree. ADWIN i detects drifts of
    member i, and ADWIN m + i detects its warnings.
    """

    background: Flags  # (m,) whether a member has a background tree
    random: Integers  # (3,) state of the generator of all weights, see `java_random`
    tree_seeds: Integers  # (3,) state of the generator of new trees' seeds
    poisson: Floats  # table of the Poisson distribution, see `java_random.poisson_table`
    alarms: Integers  # (2,)


class _Parameters(NamedTuple):
    """Parameters of the forest that the kernels use."""

    detect_drift: bool
    drift_delta: float
    warning_delta: float


class _State(NamedTuple):
    pool: RegressionPool
    forest: _Forest
    detectors: AdwinState
    schema: Schema
    n_drawn: int  # number of attributes that a leaf draws


@dataclass(frozen=True)
class AdaptiveRandomForestRegressor(TreeRegressor):
    """Adaptive random forest for regression, ARF-Reg (Gomes et al., 2018).

    The prediction is the mean over the members. These are regression trees of `FimtDD` whose leaves
    observe randomly drawn attributes. Each tree learns each instance with its own random weight, a
    Poisson number, and has two ADWINs. A rise signalled by the more sensitive ADWIN starts a
    background tree. A rise signalled by the other ADWIN replaces the tree by its background tree,
    or by an empty tree. A tree that has not learnt yet predicts 0. The seed of a run determines the
    weights. For missing values, and parameters that are not listed here, see `FimtDD`.

    Predictions of the form "moa" are equal to MOA 2024.07. The form "corrected" does not have the
    defects that `FimtDD` lists, and differs as follows:

    - ADWINs get the error of a tree before it learns, in units of three standard deviations of
      the target. In MOA they get its prediction after it has learnt, so they detect that
      predictions rise.
    - Each tree draws attributes with its own seed, derived from the seed of the run. In MOA all
      trees start from seed 1, including new trees.

    In MOA's version of 2018, the defaults were 10 members, `grace_period` 200, `split_confidence`
    1e-7, `subspace_mode` "sqrt", `drift_delta` 1e-5 and `warning_delta` 1e-4.

    Parameters
    ----------
    members : int
        Number of trees.
    mean_weight : float
        Mean of the Poisson numbers, λ.
    subspace_mode : {"percentage", "sqrt", "sqrt_inverse", "size"}
        Number of attributes that a leaf draws, of m attributes: a percentage of m; "sqrt" is
        s = round(√m) + 1; "sqrt_inverse" is m - s; "size" is a fixed number.
    subspace : float
        The percentage, or the fixed number.
    drift_detection : bool
        Whether there are ADWINs. The trees detect drift by themselves in any case.
    drift_delta, warning_delta : float
        Confidence parameters of the ADWINs; smaller values signal fewer changes.

    References
    ----------
    Gomes, Barddal, Ferreira, Bifet (2018), Adaptive random forests for data stream regression.
    """

    grace_period: Count = 50
    split_confidence: StrictProportion = 0.01
    members: Members = 100
    mean_weight: Positive = 6.0
    subspace_mode: SubspaceMode = "percentage"
    subspace: Positive = 60.0
    drift_detection: bool = True
    drift_delta: StrictProportion = 1e-3
    warning_delta: StrictProportion = 1e-2

    name: ClassVar[str] = "arf_reg"
    reference: ClassVar[str] = "Gomes et al. (2018)"

    def _parameters(self) -> _Parameters:
        return _Parameters(self.drift_detection, self.drift_delta, self.warning_delta)

    def _start(self, schema: Schema, seed: int) -> _State:
        m, n_drawn = self.members, 0
        if schema.n_attributes:
            n_drawn = subspace_size(schema.n_attributes, self.subspace_mode, self.subspace)
        # The seed of a Java generator has 48 bits.
        tree_seeds = java_random.java_random(
            int(seeds.generator("attributes", seed).integers(2**48))
        )
        nodes = 6 * self._n_learning_trees  # for two instances, see `tree.has_room`
        pool = tree.make(
            schema,
            nodes,
            seeds=[MOA_SEED] * 2 * m,
            observed=n_drawn,
            perceptrons=False,
            value_nodes=max(n_drawn, 1) * nodes,
        )
        forest = _Forest(
            background=np.zeros(m, dtype=np.bool_),
            random=java_random.java_random(seed),
            tree_seeds=tree_seeds,
            poisson=java_random.poisson_table(self.mean_weight),
            alarms=np.zeros(2, dtype=np.int64),
        )
        if self.form != "moa":
            for number in range(m):  # a background tree gets its seed when it starts
                java_random.reseed(pool.random[number], _next_seed(forest.tree_seeds))
        return _State(pool, forest, adwin_start(2 * m), schema, n_drawn)

    @property
    def _n_learning_trees(self) -> int:
        """Maximum number of trees that learn from an instance: members and background trees."""
        return 2 * self.members

    def _advance(
        self, state: Any, events: EventRange, outputs: RegressionOutputs
    ) -> tuple[int, int]:
        options = self._options(subspace=state.n_drawn)
        models, parameters = (state.pool, state.forest, state.detectors), self._parameters()
        return _run_events(*models, options, parameters, events, outputs)

    def _grow(self, state: Any) -> _State:
        grown: _State = state._replace(
            pool=tree.grow(state.pool, state.schema, self._n_learning_trees)
        )
        return grown

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool) + sum(a.nbytes for a in state.detectors)

    def _model_counts(self, state: Any) -> dict[str, int]:
        forest = state.forest
        return tree.size(state.pool, self.members) | {
            "members": self.members,
            "backgrounds": int(np.count_nonzero(forest.background)),
            "drifts": int(forest.alarms[DRIFTS]),
            "warnings": int(forest.alarms[WARNINGS]),
        }


@kernel
def _next_seed(tree_seeds: Integers) -> int:
    """Next seed of 48 bits, of which a call of `next_bits` gives at most 32."""
    return (java_random.next_bits(tree_seeds, 24) << 24) + java_random.next_bits(tree_seeds, 24)


@inlined
def _tree_seed(forest: _Forest, options: ModelTreeOptions) -> int:
    """Seed of a new tree."""
    return MOA_SEED if options.moa else _next_seed(forest.tree_seeds)


@kernel
def _run_events(
    pool: RegressionPool,
    forest: _Forest,
    detectors: AdwinState,
    options: ModelTreeOptions,
    parameters: _Parameters,
    events: EventRange,
    outputs: RegressionOutputs,
) -> tuple[Any, int]:
    members, entry = forest.background.shape[0], events.entry
    for event in event_numbers(events):
        if not tree.has_room(pool, 2 * members):
            return np.int64(event), entry
        t, op, w = event_at(events, event)
        row = events.X[t]
        if op & PREDICT:
            total = 0.0
            for m in range(members):
                total += predict(pool, m, row, options)
            outputs.value[entry] = total / members
            entry += 1
        if op & LEARN and w > 0.0:
            y = events.y[t]
            for m in range(members):
                copies = java_random.poisson(forest.random, forest.poisson)
                if copies > 0:
                    _train(pool, forest, m, row, y, w, copies, detectors, options, parameters)
    return events.stop, entry


@subkernel
def _train(
    pool: RegressionPool,
    forest: _Forest,
    m: int,
    row: Floats,
    y: float,
    w: float,
    copies: int,
    detectors: AdwinState,
    options: ModelTreeOptions,
    parameters: _Parameters,
) -> None:
    """Train a member with `copies` times the weight, and its background tree with the weight."""
    background = forest.background.shape[0] + m
    prediction = predict(pool, m, row, options)
    learn(pool, m, row, y, copies * w, options)
    if forest.background[m]:
        learn(pool, background, row, y, w, options)
    if not parameters.detect_drift:
        return
    if options.moa:
        signal = predict(pool, m, row, options)
    else:
        signal = scaled_error(pool, m, y, prediction, options)
    if adwin_detect(detectors, background, signal, parameters.warning_delta) == CHANGE:
        forest.alarms[WARNINGS] += 1
        forest.background[m] = True
        tree.restart_tree(pool, background, _tree_seed(forest, options))
        _reset(detectors, background)
    if adwin_detect(detectors, m, signal, parameters.drift_delta) == CHANGE:
        forest.alarms[DRIFTS] += 1
        _reset(detectors, m)
        if forest.background[m]:
            forest.background[m] = False
            tree.move_tree(pool, background, m)
            _reset(detectors, background)
        else:
            tree.restart_tree(pool, m, _tree_seed(forest, options))


@inlined
def _reset(detectors: AdwinState, d: int) -> None:
    """Reset an ADWIN to one empty row. Its buckets are overwritten before they are read."""
    detectors.n_buckets[d] = 0
    detectors.window[d] = 0.0
    detectors.counts[d] = 0
    detectors.counts[d, adwin.ROWS] = 1
