"""FIMT-DD: regression and model trees that detect drift."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.params import Count, StrictProportion
from streameval.compiled.kernels import kernel
from streameval.learners.kernel_arguments import (
    EventRange,
    RegressionOutputs,
    event_at,
    event_numbers,
)
from streameval.learners.regression import tree
from streameval.learners.regression.model_tree import ModelTreeOptions, learn, predict
from streameval.learners.regression.regressor import MoaRegressor
from streameval.learners.regression.tree import RegressionPool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _State(NamedTuple):
    pool: RegressionPool
    schema: Schema


@dataclass(frozen=True)
class TreeRegressor(MoaRegressor):
    """The parameters that `FimtDD` and ensembles of its trees share."""

    grace_period: Count = 200
    split_confidence: StrictProportion = 1e-7
    tie_threshold: float = 0.05
    change_tolerance: float = 0.005
    change_threshold: float = 50.0
    fading: Annotated[float, Meta(gt=0, le=1)] = 0.995
    comparison_period: int = 150
    alternate_time: int = 1500

    def _options(
        self, learning_rate: float = 0.0, decay: float = 0.0, subspace: int = 0
    ) -> ModelTreeOptions:
        return ModelTreeOptions(
            grace_period=float(self.grace_period),
            confidence=math.log(1.0 / self.split_confidence),
            tie_threshold=float(self.tie_threshold),
            change_tolerance=float(self.change_tolerance),
            change_threshold=float(self.change_threshold),
            fading=float(self.fading),
            comparison_period=float(self.comparison_period),
            alternate_time=float(self.alternate_time),
            learning_rate=float(learning_rate),
            decay=float(decay),
            subspace=subspace,
            moa=self.form == "moa",
        )


@dataclass(frozen=True)
class FimtDD(TreeRegressor):
    """Fast and incremental model tree with drift detection (FIMT-DD).

    A leaf predicts by a perceptron over standardised inputs, or by the mean of its targets. It
    splits where the variance is reduced most. Each split node tests the errors of the tree by a
    Page-Hinkley test. If they rise, an alternate tree is started, which replaces the node if its
    errors become smaller. Nominal attributes are ignored. A missing value counts as the mean in
    perceptrons and goes to the second child at splits; MOA has no prediction for it. The
    prediction before the first instance is 0. The seed of a run determines the perceptrons' first
    weights.

    Predictions of the form "moa" are equal to FIMTDD in MOA 2024.07, on streams without missing
    values. The form "corrected" does not have these defects of MOA, where MOA contradicts the paper
    or itself:

    - A tree that replaced a node is treated as the root. When it splits, or is replaced itself, it
      replaces the whole tree.
    - A leaf standardises its errors like targets: it subtracts the mean of the targets from them.
      A split node does not, but continues the leaf's sum of errors.
    - The extended binary search trees (E-BSTs) of a leaf, which sum the targets by input value,
      count each instance once, whatever its weight, but are subtracted from weighted sums.
    - If no attribute reduces the variance, the leaf splits at the last attribute.
    - If rounding makes a variance negative, the prediction is NaN.

    In both forms the merit of a split is the reduction of the variance, not of the standard
    deviation. E-BSTs are never pruned, as the pruning of MOA has no effect.

    Parameters
    ----------
    grace_period : int
        Weight that a leaf learns between two attempts to split.
    split_confidence : float
        One minus the probability that the chosen split is the best, δ of the bound.
    tie_threshold : float
        τ: if the Hoeffding bound is smaller than this, the best split is taken regardless of its
        lead.
    change_tolerance, change_threshold : float
        Page-Hinkley test: rise of the error that is tolerated, and sum of rises that is a change;
        in units of three standard deviations of the target.
    fading : float
        Fading factor of the squared errors by which an alternate tree is compared.
    comparison_period, alternate_time : int
        Number of instances between two comparisons, and number of instances after which an
        alternate tree is discarded.
    form, constant_inputs
        See above, and `MoaRegressor`.
    learning_rate, decay : float
        Learning rate of the perceptrons, which is divided by 1 + `decay` times the weight learnt.
    regression_tree : bool
        Whether leaves predict the mean of their targets, without perceptrons.

    References
    ----------
    Ikonomovska, Gama, Džeroski (2011), Learning model trees from evolving data streams.
    """

    learning_rate: float = 0.02
    decay: float = 0.001
    regression_tree: bool = False

    name: ClassVar[str] = "fimt_dd"
    reference: ClassVar[str] = "Ikonomovska, Gama and Džeroski (2011)"

    def _start(self, schema: Schema, seed: int) -> _State:
        numeric = np.flatnonzero(schema.n_values == 0)
        # Arrays start small and grow.
        pool = tree.make(
            schema,
            nodes=16,
            seeds=[seed],
            observed=len(numeric),
            perceptrons=not self.regression_tree,
            value_nodes=64 * max(len(numeric), 1),
        )
        pool.observed[:] = numeric
        return _State(pool, schema)

    def _advance(
        self, state: Any, events: EventRange, outputs: RegressionOutputs
    ) -> tuple[int, int]:
        options = self._options(self.learning_rate, self.decay)
        return _run_events(state.pool, options, events, outputs)

    def _grow(self, state: Any) -> _State:
        pool = tree.grow(state.pool, state.schema, n_trees=1)
        pool.observed[:] = state.pool.observed[0]  # all leaves observe the same attributes
        return _State(pool, state.schema)

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool)

    def _model_counts(self, state: Any) -> dict[str, int]:
        return tree.size(state.pool)


@kernel
def _run_events(
    pool: RegressionPool, options: ModelTreeOptions, events: EventRange, outputs: RegressionOutputs
) -> tuple[Any, int]:
    entry = events.entry
    for event in event_numbers(events):
        if not tree.has_room(pool, 1):
            return np.int64(event), entry
        t, op, w = event_at(events, event)
        row = events.X[t]
        if op & PREDICT:
            outputs.value[entry] = predict(pool, 0, row, options)
            entry += 1
        if op & LEARN and w > 0.0:
            learn(pool, 0, row, events.y[t], w, options)
    return events.stop, entry
