"""ORTO: model trees with option nodes, where each instance follows every branch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.params import Count, Proportion
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.kernel_arguments import (
    EventRange,
    RegressionOutputs,
    event_at,
    event_numbers,
)
from streameval.learners.regression import search_trees, tree
from streameval.learners.regression.fimt_dd import TreeRegressor
from streameval.learners.regression.model_tree import ModelTreeOptions, standardise_inputs
from streameval.learners.regression.option_tree import OptionLimits, Workspace, learn, node_value
from streameval.learners.regression.tree import ALTERNATES, IN_USE, NONE, RegressionPool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _State(NamedTuple):
    pool: RegressionPool
    workspace: Workspace
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
    - Of about equally good splits, the worst is taken first. If the Hoeffding bound is below
      `tie_threshold`, the worst of all splits is taken.
    - The leaves of a split have perceptrons with new weights, and the errors of the leaf are not
      passed on to the split node.
    - An alternate tree replaces the whole tree when its first leaf splits.
    - An option node adds the absolute error to its sum of standardised errors, and its
      Page-Hinkley test adds the tolerance instead of subtracting it.
    - The number of trees never decreases, and an option node counts as one tree too many.

    Parameters
    ----------
    max_trees : int
        Maximum number of trees in an option tree.
    max_level : int
        Leaves below more than `max_level` splits never become option nodes.
    option_decay : float
        The limit on options is the number of good splits times ``option_decay**level``, where
        ``level`` is the number of splits above the leaf. Below 2, there is a single split. As in
        MOA, a node has up to one option more than the limit rounded down.

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
        # Arrays start small and grow: nodes for about four instances, see `_has_room`.
        nodes = 4 * (self.max_trees + 2) * (3 * k + 3)
        pool = tree.make(
            schema,
            nodes,
            seeds=[seed],
            observed=k,
            perceptrons=True,
            value_nodes=64 * (k + 1) * (self.max_trees + 2),
        )
        pool.observed[:] = numeric
        workspace = Workspace(
            task=np.zeros((nodes, 4), dtype=np.int64),
            prediction=np.zeros(nodes),
            attribute=np.zeros(k, dtype=np.int64),
            merit=np.zeros(k),
            cut=np.zeros(k),
            counters=np.array([0, 1, NONE]),  # no task, one tree, no old root
        )
        return _State(pool, workspace, schema)

    def _advance(
        self, state: Any, events: EventRange, outputs: RegressionOutputs
    ) -> tuple[int, int]:
        options = self._options(self.learning_rate, self.decay)
        limits = OptionLimits(self.max_trees, self.max_level, float(self.option_decay))
        return _run_events(state.pool, state.workspace, options, limits, events, outputs)

    def _grow(self, state: Any) -> _State:
        k = state.pool.observed.shape[1]
        n_branches = self.max_trees + 2 + int(state.pool.counters[ALTERNATES])
        # `tree.grow` makes room for three nodes per tree; `_has_room` needs 3 (k + 1) per branch.
        pool = tree.grow(state.pool, state.schema, n_branches * (k + 1))
        pool.observed[:] = state.pool.observed[0]  # all leaves observe the same attributes
        nodes = len(pool.attribute)
        task, prediction = np.zeros((nodes, 4), dtype=np.int64), np.zeros(nodes)
        return _State(
            pool, state.workspace._replace(task=task, prediction=prediction), state.schema
        )

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool)

    def _model_counts(self, state: Any) -> dict[str, int]:
        return tree.size(state.pool)


@inlined
def _has_room(pool: RegressionPool, limits: OptionLimits) -> bool:
    """True if there is room for all trees, with their alternates, to learn an instance."""
    k = pool.observed.shape[1]
    # A generous bound: on each branch a leaf can become an option node of k splits with two leaves
    # each, and an alternate tree can start. The instance follows at most one branch per tree.
    n_branches = limits.max_trees + 2 + pool.counters[ALTERNATES]
    return (
        pool.counters[IN_USE] + n_branches * (3 * k + 3) <= pool.attribute.shape[0]
        and pool.trees.counters[search_trees.IN_USE] + n_branches * k <= pool.trees.cut.shape[0]
    )


@kernel
def _run_events(
    pool: RegressionPool,
    workspace: Workspace,
    options: ModelTreeOptions,
    limits: OptionLimits,
    events: EventRange,
    outputs: RegressionOutputs,
) -> tuple[Any, int]:
    entry = events.entry
    for event in event_numbers(events):
        if not _has_room(pool, limits):
            return np.int64(event), entry
        t, op, w = event_at(events, event)
        row = events.X[t]
        if op & PREDICT:
            outputs.value[entry] = 0.0
            if pool.root[0] != NONE:
                standardise_inputs(pool, 0, row, options)
                outputs.value[entry] = node_value(pool, workspace, pool.root[0], row, options)
            entry += 1
        if op & LEARN and w > 0.0:
            learn(pool, workspace, row, events.y[t], w, options, limits)
    return events.stop, entry
