"""ORTO: model trees with option nodes, where each instance follows every branch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.params import Count, Proportion
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.fimt_dd import TreeRegressor
from streameval.learners.regression.model_tree import ModelTreeOptions, standardise
from streameval.learners.regression.option_tree import Parameters, Ways, learn, value
from streameval.learners.regression.tree import ALTERNATES, HELD, NONE, RegressionPool
from streameval.learners.stretch import Stretch, Values, event_at, events_of
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _State(NamedTuple):
    pool: RegressionPool
    ways: Ways
    schema: Schema


@dataclass(frozen=True)
class Orto(TreeRegressor):
    """Option trees for regression (ORTO): model trees with option nodes.

    Where several splits of a leaf are about as good, it becomes an option node: all of these
    splits are made, instances pass all of them, and the prediction is the mean of theirs. In all
    else it is `FimtDD`, whose docstring has what is not listed, missing values included.

    Predictions of the form "moa" equal those of ORTO in MOA 2024.07, on streams without missing
    values. The form "corrected" differs in what `FimtDD` lists, and:

    - In MOA, the prediction is 0 where an instance reaches an option node.
    - In MOA, splits are taken from the worst one on: of about equal ones, and also where the
      bound is below `tie_threshold`, there of all.
    - In MOA the leaves of a split have perceptrons with new weights, and the split node forgets
      the errors of its leaf.
    - In MOA an alternate tree replaces the whole tree when its first leaf splits.
    - In MOA an option node adds an error in other units to its errors, and its Page-Hinkley test
      adds the tolerance instead of subtracting it.
    - In MOA the number of trees only grows, and an option node counts as one tree too many.

    Parameters
    ----------
    max_trees : int
        The most trees that an option tree contains.
    max_level : int
        Leaves with more splits above them become no option nodes.
    option_decay : float
        The number of options is limited by that of good splits times this to the power of the
        splits above; below 2 there is one split.

    References
    ----------
    Ikonomovska, Gama, Ženko, Džeroski (2011), Speeding-up Hoeffding-based regression trees with
    options.
    """

    learning_rate: float = 0.02
    decay: float = 0.001
    max_trees: Annotated[Count, Meta(le=1000)] = 10
    max_level: int = 10
    option_decay: Proportion = 0.9

    name: ClassVar[str] = "orto"
    reference: ClassVar[str] = "Ikonomovska, Gama, Ženko and Džeroski (2011)"

    def _start(self, schema: Schema, seed: int) -> _State:
        numeric = np.flatnonzero(schema.n_values == 0)
        k = len(numeric)
        nodes = 4 * (self.max_trees + 2) * (3 * k + 3)
        pool = tree.make(schema, nodes, [seed], k, True, 64 * (k + 1) * (self.max_trees + 2))
        pool.observed[:] = numeric
        ways = Ways(
            np.zeros((nodes, 4), dtype=np.int64),
            np.zeros(nodes),
            np.zeros(k, dtype=np.int64),
            np.zeros(k),
            np.zeros(k),
            np.array([0, 1, NONE]),
        )
        return _State(pool, ways, schema)

    def _advance(self, state: Any, stretch: Stretch, outputs: Values) -> tuple[int, int]:
        options = self._options(self.learning_rate, self.decay)
        parameters = Parameters(self.max_trees, self.max_level, float(self.option_decay))
        models = state.pool, state.ways
        return _run_events(*models, options, parameters, stretch, outputs)

    def _grow(self, state: Any) -> _State:
        k = state.pool.observed.shape[1]
        ways = self.max_trees + 2 + int(state.pool.used[ALTERNATES])
        pool = tree.grow(state.pool, state.schema, ways * (k + 1))
        pool.observed[:] = state.pool.observed[0]
        nodes = len(pool.attribute)
        todo, before = np.zeros((nodes, 4), dtype=np.int64), np.zeros(nodes)
        return _State(pool, state.ways._replace(todo=todo, before=before), state.schema)

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool)

    def _size(self, state: Any) -> dict[str, int]:
        return tree.size(state.pool)


@inlined
def _has_room(pool: RegressionPool, parameters: Parameters) -> bool:
    """True if there is room for all trees, with their alternates, to learn an instance."""
    k = pool.observed.shape[1]
    ways = parameters.max_trees + 2 + pool.used[ALTERNATES]
    return (
        pool.used[HELD] + ways * (3 * k + 3) <= pool.attribute.shape[0]
        and pool.trees.used[search_trees.HELD] + ways * k <= pool.trees.cut.shape[0]
    )


@kernel
def _run_events(
    pool: RegressionPool,
    ways: Ways,
    options: ModelTreeOptions,
    parameters: Parameters,
    stretch: Stretch,
    outputs: Values,
) -> tuple[Any, int]:
    entry = stretch.entry
    for event in events_of(stretch):
        if not _has_room(pool, parameters):
            return np.int64(event), entry
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        if op & PREDICT:
            outputs.value[entry] = 0.0
            if pool.root[0] != NONE:
                standardise(pool, 0, row, options)
                outputs.value[entry] = value(pool, ways, pool.root[0], row, options)
            entry += 1
        if op & LEARN and w > 0.0:
            learn(pool, ways, row, stretch.y[t], w, options, parameters)
    return stretch.stop, entry
