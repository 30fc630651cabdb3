"""Ensembles of Hoeffding trees."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Integers
from streameval.base.params import Positive
from streameval.learners.bayes import class_statistics
from streameval.learners.learner import Members
from streameval.learners.trees import tree
from streameval.learners.trees.hoeffding_tree import HoeffdingLearner
from streameval.learners.trees.subsets import Subsets
from streameval.learners.trees.tree import LEAF, UNSEEN_BRANCH, Pool
from streameval.streams.stream import Schema


class State(NamedTuple):
    """The state of an ensemble between two calls of its kernel."""

    model: Any  # the named tuple that the kernels take, with a `pool`, roots and `detectors`
    schema: Schema


@dataclass(frozen=True)
class Ensemble(HoeffdingLearner):
    """An ensemble of Hoeffding trees, whose nodes are in one pool."""

    members: Members = 10
    mean_weight: Positive = 1.0

    @abstractmethod
    def _nodes_per_event(self, schema: Schema) -> int:
        """Largest number of nodes that one event can add."""

    @abstractmethod
    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        """Rule by which leaves draw the attributes that they observe."""

    @abstractmethod
    def _model(self, schema: Schema, seed: int, pool: Pool) -> Any:
        """Untrained model; this method makes its trees in the empty pool."""

    @abstractmethod
    def _roots(self, model: Any) -> Integers:
        """Roots of all trees of a model, shape (t,)."""

    @abstractmethod
    def _move(self, model: Any, pool: Pool, nodes: Integers) -> Any:
        """Copy of the model for another pool, in which `nodes` have the numbers 0 .. n - 1."""

    def _start(self, schema: Schema, seed: int) -> State:
        n, subsets = self._spare(schema), self._subsets(schema, seed)
        # As in `tree.make`: most leaves observe few classes, and the records grow with the pool.
        stats = class_statistics.make(schema, n, subsets.n_observed, records=2 * n)
        pool = tree.make(schema, nodes=n, slots=n, subsets=subsets, stats=stats)
        return State(self._model(schema, seed, pool), schema)

    def _spare(self, schema: Schema) -> int:
        """Number of additional nodes for which a new pool has room: two events at least."""
        return 2 * (self._nodes_per_event(schema) + 1)

    def _grow(self, state: Any) -> State:
        model, schema = state
        nodes = self._nodes(model)
        pool = tree.repack(model.pool, schema, nodes, self._spare(schema))
        return State(self._move(model, pool, nodes), schema)

    def _nodes(self, model: Any) -> Integers:
        return tree.nodes_below(model.pool, self._roots(model))

    def _model_bytes(self, state: Any) -> int:
        model = state.model
        detectors = sum(field.nbytes for field in model.detectors)
        return detectors + tree.used_bytes(model.pool, self._nodes(model))

    def _model_counts(self, state: Any) -> dict[str, int]:
        model = state.model
        tests = model.pool.test[tree.nodes_below(model.pool, model.root)]
        # An unseen branch counts as a node once an instance has taken it.
        n_nodes, n_leaves = int(np.sum(tests != UNSEEN_BRANCH)), int(np.sum(tests == LEAF))
        return {"nodes": n_nodes, "leaves": n_leaves, "members": len(model.root)}
