"""ORTO: model trees with option nodes, where each instance follows every branch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.params import Count, Proportion
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.kernel_arguments import EventRange, Values, event_at, event_numbers
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.fimt_dd import TreeRegressor
from streameval.learners.regression.model_tree import ModelTreeOptions, standardise_inputs
from streameval.learners.regression.option_tree import Branches, Parameters, learn, node_value
from streameval.learners.regression.tree import ALTERNATES, IN_USE, NONE, RegressionPool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _State(NamedTuple):
    pool: RegressionPool
    branches: Branches
    schema: Schema


@dataclass(frozen=True)
class Orto(TreeRegressor):
    """Option trees for regression (ORTO): model trees with option nodes.

    If several splits of a leaf are about equally good, the leaf becomes an option node: all of
    these splits are made, instances follow all of them, and the prediction is the mean over the
    splits. Everything else is as in `FimtDD`, including missing values and parameters that are not
    listed here.

    Predictions of the form "moa" are equal to ORTO in MOA 2024.07, on streams without missing
    values. The form "corrected" does not have the defects of MOA that `FimtDD` lists, nor these:

    - If an instance reaches an option node, the prediction is 0.
    - Of about equally good splits, the worst is taken first. If the bound is below
      `tie_threshold`, the worst of all splits is taken.
    - The leaves of a split have perceptrons with new weights, and the errors of the leaf are not
      passed on to the split node.
    - An alternate tree replaces the whole tree when its first leaf splits.
    - An option node adds an error in other units to its errors, and its Page-Hinkley test adds the
      tolerance instead of subtracting it.
    - The number of trees never decreases, and an option node counts as one tree too many.

    Parameters
    ----------
    max_trees : int
        Maximum number of trees in an option tree.
    max_level : int
        Leaves with more splits above them never become option nodes.
    option_decay : float
        The number of options is at most the number of good splits times ``option_decay**level``,
        where ``level`` is the number of splits above the leaf. Below 2, there is a single split.

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
        nodes = 4 * (self.max_trees + 2) * (3 * k + 3)  # room for some instances, see `_has_room`
        pool = tree.make(
            schema,
            nodes,
            keys=[seed],
            observed=k,
            perceptrons=True,
            value_nodes=64 * (k + 1) * (self.max_trees + 2),
        )
        pool.observed[:] = numeric
        branches = Branches(
            task=np.zeros((nodes, 4), dtype=np.int64),
            prediction=np.zeros(nodes),
            attribute=np.zeros(k, dtype=np.int64),
            merit=np.zeros(k),
            cut=np.zeros(k),
            counters=np.array([0, 1, NONE]),
        )
        return _State(pool, branches, schema)

    def _advance(self, state: Any, events: EventRange, outputs: Values) -> tuple[int, int]:
        options = self._options(self.learning_rate, self.decay)
        parameters = Parameters(self.max_trees, self.max_level, float(self.option_decay))
        return _run_events(state.pool, state.branches, options, parameters, events, outputs)

    def _grow(self, state: Any) -> _State:
        k = state.pool.observed.shape[1]
        n_branches = self.max_trees + 2 + int(state.pool.counters[ALTERNATES])
        pool = tree.grow(state.pool, state.schema, n_branches * (k + 1))
        pool.observed[:] = state.pool.observed[0]
        nodes = len(pool.attribute)
        task, prediction = np.zeros((nodes, 4), dtype=np.int64), np.zeros(nodes)
        return _State(pool, state.branches._replace(task=task, prediction=prediction), state.schema)

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool)

    def _model_counts(self, state: Any) -> dict[str, int]:
        return tree.size(state.pool)


@inlined
def _has_room(pool: RegressionPool, parameters: Parameters) -> bool:
    """True if there is room for all trees, with their alternates, to learn an instance."""
    k = pool.observed.shape[1]
    # On each branch a leaf can become an option node of k splits with two leaves each.
    n_branches = parameters.max_trees + 2 + pool.counters[ALTERNATES]
    return (
        pool.counters[IN_USE] + n_branches * (3 * k + 3) <= pool.attribute.shape[0]
        and pool.trees.counters[search_trees.IN_USE] + n_branches * k <= pool.trees.cut.shape[0]
    )


@kernel
def _run_events(
    pool: RegressionPool,
    branches: Branches,
    options: ModelTreeOptions,
    parameters: Parameters,
    events: EventRange,
    outputs: Values,
) -> tuple[Any, int]:
    entry = events.entry
    for event in event_numbers(events):
        if not _has_room(pool, parameters):
            return np.int64(event), entry
        t, op, w = event_at(events, event)
        row = events.X[t]
        if op & PREDICT:
            outputs.value[entry] = 0.0
            if pool.root[0] != NONE:
                standardise_inputs(pool, 0, row, options)
                outputs.value[entry] = node_value(pool, branches, pool.root[0], row, options)
            entry += 1
        if op & LEARN and w > 0.0:
            learn(pool, branches, row, events.y[t], w, options, parameters)
    return events.stop, entry
