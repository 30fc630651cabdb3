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
from streameval.learners.learner import Members
from streameval.learners.regression import tree
from streameval.learners.regression.fimt_dd import TreeRegressor
from streameval.learners.regression.model_tree import ModelTreeOptions, learn, predict, scaled_error
from streameval.learners.regression.tree import RegressionPool
from streameval.learners.stretch import Stretch, Values, event_at, events_of
from streameval.learners.trees.subsets import SubspaceMode, subspace_size
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: The seed from which every tree of MOA draws its attributes.
SEED = 1
#: Places in ``_Forest.alarms``.
DRIFTS, WARNINGS = 0, 1


class _Forest(NamedTuple):
    """The forest beside its pool, m members.

    Tree i of the pool is member i, tree m + i its background tree. ADWIN number i detects
    drifts, number m + i gives warnings.
    """

    background: Flags  # (m,) whether there is one
    random: Integers  # (3,) the generator of all weights, see `java_random`
    keys: Integers  # (3,) the generator of new trees' seeds
    poisson: Floats  # of the weights' mean, see `java_random.poisson_table`
    alarms: Integers  # (2,)


class _Parameters(NamedTuple):
    """The forest's parameters as the kernels take them."""

    detects: bool
    drift_delta: float
    warning_delta: float


class _State(NamedTuple):
    pool: RegressionPool
    forest: _Forest
    detectors: AdwinState
    schema: Schema
    subspace: int


@dataclass(frozen=True)
class AdaptiveRandomForestRegressor(TreeRegressor):
    """Adaptive random forest for regression, ARF-Reg (Gomes et al., 2018).

    The prediction is the mean of those of the members, regression trees of `FimtDD` whose leaves
    observe attributes drawn at random. Each tree learns each instance with a weight of its own, a
    Poisson number, and has two ADWINs. A rise signalled by the more sensitive one starts a
    background tree; a rise signalled by the other one replaces the tree by its background tree,
    or by an empty tree if there is none. A tree that has not learnt yet predicts 0. The seed of a
    run is that of the weights. For missing values and the parameters that are not listed see
    `FimtDD`.

    Predictions of the form "moa" equal those of MOA 2024.07. The form "corrected" differs in what
    `FimtDD` lists, and:

    - ADWINs get the error of a tree before it learns, in units of three standard deviations of
      the target. In MOA they get its prediction after it has learnt, so they detect that
      predictions rise.
    - Each tree draws attributes with a seed of its own, derived from that of the run. In MOA all
      start from seed 1, new ones too.

    The defaults of MOA's version of 2018 are 10 members, `grace_period` 200, `split_confidence`
    1e-7, `subspace_mode` "sqrt", `drift_delta` 1e-5 and `warning_delta` 1e-4.

    Parameters
    ----------
    members : int
        Number of trees.
    mean_weight : float
        Mean of the Poisson numbers, λ.
    subspace_mode : {"percentage", "sqrt", "sqrt_inverse", "size"}
        How many of `m` attributes a leaf draws: a percentage, round(√m) + 1, all but so many, or
        a number.
    subspace : float
        The percentage or the number.
    drift_detection : bool
        Whether there are ADWINs; the trees' own detection of drift remains.
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
        m, size = self.members, 0
        if schema.n_attributes:
            size = subspace_size(schema.n_attributes, self.subspace_mode, self.subspace)
        keys = java_random.java_random(int(seeds.generator("attributes", seed).integers(2**48)))
        room = 6 * self._need
        pool = tree.make(schema, room, [SEED] * 2 * m, size, False, max(size, 1) * room)
        forest = _Forest(
            background=np.zeros(m, dtype=np.bool_),
            random=java_random.java_random(seed),
            keys=keys,
            poisson=java_random.poisson_table(self.mean_weight),
            alarms=np.zeros(2, dtype=np.int64),
        )
        if self.form != "moa":
            for number in range(m):
                java_random.reseed(pool.random[number], _new_key(forest.keys))
        return _State(pool, forest, adwin_start(2 * m), schema, size)

    @property
    def _need(self) -> int:
        """Largest number of trees that learn from an instance."""
        return 2 * self.members

    def _advance(self, state: Any, stretch: Stretch, outputs: Values) -> tuple[int, int]:
        options = self._options(subspace=state.subspace)
        models, parameters = (state.pool, state.forest, state.detectors), self._parameters()
        return _run_events(*models, options, parameters, stretch, outputs)

    def _grow(self, state: Any) -> _State:
        grown: _State = state._replace(pool=tree.grow(state.pool, state.schema, self._need))
        return grown

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool) + sum(a.nbytes for a in state.detectors)

    def _size(self, state: Any) -> dict[str, int]:
        forest = state.forest
        return tree.size(state.pool, self.members) | {
            "members": self.members,
            "backgrounds": int(np.count_nonzero(forest.background)),
            "drifts": int(forest.alarms[DRIFTS]),
            "warnings": int(forest.alarms[WARNINGS]),
        }


@kernel
def _new_key(keys: Integers) -> int:
    return (java_random.next_bits(keys, 24) << 24) + java_random.next_bits(keys, 24)


@inlined
def _key(forest: _Forest, options: ModelTreeOptions) -> int:
    """Seed of a new tree."""
    return SEED if options.moa else _new_key(forest.keys)


@kernel
def _run_events(
    pool: RegressionPool,
    forest: _Forest,
    detectors: AdwinState,
    options: ModelTreeOptions,
    parameters: _Parameters,
    stretch: Stretch,
    outputs: Values,
) -> tuple[Any, int]:
    members, entry = forest.background.shape[0], stretch.entry
    for event in events_of(stretch):
        if not tree.has_room(pool, 2 * members):
            return np.int64(event), entry
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        if op & PREDICT:
            total = 0.0
            for m in range(members):
                total += predict(pool, m, row, options)
            outputs.value[entry] = total / members
            entry += 1
        if op & LEARN and w > 0.0:
            y = stretch.y[t]
            for m in range(members):
                copies = java_random.poisson(forest.random, forest.poisson)
                if copies > 0:
                    _train(pool, forest, m, row, y, w, copies, detectors, options, parameters)
    return stretch.stop, entry


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
    """Train a member with a multiple of the weight, its background tree with the weight itself."""
    other = forest.background.shape[0] + m
    before = predict(pool, m, row, options)
    learn(pool, m, row, y, copies * w, options)
    if forest.background[m]:
        learn(pool, other, row, y, w, options)
    if not parameters.detects:
        return
    if options.moa:
        signal = predict(pool, m, row, options)
    else:
        signal = scaled_error(pool, m, y, before, options)
    if adwin_detect(detectors, other, signal, parameters.warning_delta) == CHANGE:
        forest.alarms[WARNINGS] += 1
        forest.background[m] = True
        tree.restart_tree(pool, other, _key(forest, options))
        _reset(detectors, other)
    if adwin_detect(detectors, m, signal, parameters.drift_delta) == CHANGE:
        forest.alarms[DRIFTS] += 1
        _reset(detectors, m)
        if forest.background[m]:
            forest.background[m] = False
            tree.move_tree(pool, other, m)
            _reset(detectors, other)
        else:
            tree.restart_tree(pool, m, _key(forest, options))


@inlined
def _reset(detectors: AdwinState, d: int) -> None:
    """Empty an ADWIN. Its buckets are overwritten before they are read."""
    detectors.filled[d] = 0
    detectors.window[d] = 0.0
    detectors.counts[d] = 0
    detectors.counts[d, adwin.ROWS] = 1
