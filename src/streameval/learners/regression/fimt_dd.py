"""FIMT-DD: regression and model trees that detect drift."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.params import Count, StrictProportion
from streameval.compiled.kernels import kernel
from streameval.learners.regression import tree
from streameval.learners.regression.model_tree import ModelTreeOptions, learn, predict
from streameval.learners.regression.regressor import FormedRegressor
from streameval.learners.regression.tree import RegressionPool
from streameval.learners.stretch import Stretch, Values, event_at, events_of
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _State(NamedTuple):
    pool: RegressionPool
    schema: Schema


@dataclass(frozen=True)
class TreeRegressor(FormedRegressor):
    """Common parts of one tree and of ensembles: the parameters of `FimtDD`."""

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
            float(self.grace_period),
            math.log(1.0 / self.split_confidence),
            float(self.tie_threshold),
            float(self.change_tolerance),
            float(self.change_threshold),
            float(self.fading),
            float(self.comparison_period),
            float(self.alternate_time),
            float(learning_rate),
            float(decay),
            subspace,
            self.form == "moa",
        )


@dataclass(frozen=True)
class FimtDD(TreeRegressor):
    """Fast and incremental model tree with drift detection (FIMT-DD).

    A leaf predicts by a perceptron over standardised inputs, or by the mean of its targets. It
    splits where the variance is reduced most. A split node watches the errors of the tree by a
    Page-Hinkley test; if they rise, an alternate tree begins, and replaces it if its errors
    become smaller. Nominal attributes are ignored. A missing value counts as the mean in
    perceptrons and goes to the second child at splits; MOA has no prediction for it. The
    prediction before the first instance is 0. The seed of a run is that of the perceptrons'
    first weights.

    Predictions of the form "moa" equal those of FIMTDD in MOA 2024.07, on streams without missing
    values. The form "corrected" differs where MOA contradicts the paper or itself:

    - In MOA, a tree that replaced a node takes itself for the root: when it splits, or is
      replaced in turn, the whole tree is replaced by it.
    - A leaf's sum of errors, which its split node inherits, is in other units than that of a
      split node: the errors are reduced by the mean of the targets.
    - E-BSTs count each instance once, whatever its weight, but are subtracted from weighted sums.
    - Without any reduction of variance MOA splits nevertheless, at the last attribute.
    - If rounding makes a variance negative, the prediction is NaN.

    In both forms the merit of a split is the reduction of the variance, not of the standard
    deviation, and E-BSTs are never pruned: the pruning of MOA has no effect.

    Parameters
    ----------
    grace_period : int
        Weight that a leaf learns between two attempts to split.
    split_confidence : float
        One minus the probability that the chosen split is the best, δ of the bound.
    tie_threshold : float
        Below this bound the best split is taken regardless of its lead, τ.
    change_tolerance, change_threshold : float
        Page-Hinkley test: rise of the error that does not count, and the sum of rises that makes
        a change; in units of three standard deviations of the target.
    fading : float
        Fading factor of the squared errors by which an alternate tree is compared.
    comparison_period, alternate_time : int
        Instances between two comparisons, and after which an alternate tree is discarded.
    form, constant_inputs
        See above, and `FormedRegressor`.
    learning_rate, decay : float
        Learning rate of the perceptrons, which is divided by 1 + `decay` times the weight learnt.
    regression_tree : bool
        Leaves predict the mean of their targets, without perceptrons.

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
        room = 64 * max(len(numeric), 1)
        pool = tree.make(schema, 16, [seed], len(numeric), not self.regression_tree, room)
        pool.observed[:] = numeric
        return _State(pool, schema)

    def _advance(self, state: Any, stretch: Stretch, outputs: Values) -> tuple[int, int]:
        options = self._options(self.learning_rate, self.decay)
        return _run_events(state.pool, options, stretch, outputs)

    def _grow(self, state: Any) -> _State:
        pool = tree.grow(state.pool, state.schema, 1)
        pool.observed[:] = state.pool.observed[0]
        return _State(pool, state.schema)

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool)

    def _size(self, state: Any) -> dict[str, int]:
        return tree.size(state.pool)


@kernel
def _run_events(
    pool: RegressionPool, options: ModelTreeOptions, stretch: Stretch, outputs: Values
) -> tuple[Any, int]:
    entry = stretch.entry
    for event in events_of(stretch):
        if not tree.has_room(pool, 1):
            return np.int64(event), entry
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        if op & PREDICT:
            outputs.value[entry] = predict(pool, 0, row, options)
            entry += 1
        if op & LEARN and w > 0.0:
            learn(pool, 0, row, stretch.y[t], w, options)
    return stretch.stop, entry
