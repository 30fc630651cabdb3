"""Ensembles of Hoeffding trees, on one or more threads."""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Integers
from streameval.base.memory import THREADS
from streameval.base.params import Positive
from streameval.compiled import java_random
from streameval.detectors.binary_adwin import SCRATCH
from streameval.learners.bayes import class_statistics
from streameval.learners.ensembles.threads import EVENTS, FEWEST, Share, shares
from streameval.learners.learner import Members
from streameval.learners.stretch import Outputs, Stretch
from streameval.learners.trees import tree
from streameval.learners.trees.hoeffding_tree import HoeffdingLearner
from streameval.learners.trees.subsets import Subsets
from streameval.learners.trees.tree import LEAF, UNSEEN_BRANCH, Pool
from streameval.streams.stream import Schema

#: Most bytes of records that a thread has spare.
SPARE_BYTES = 1 << 25


class State(NamedTuple):
    """An ensemble that learns: a group of members for each thread."""

    groups: tuple[Any, ...]  # each has a `pool` of trees and a `ballot`
    shares: tuple[Share | None, ...]  # None of a thread that is alone
    others: ThreadPoolExecutor | None  # the threads besides the one that calls
    schema: Schema


@dataclass(frozen=True)
class Ensemble(HoeffdingLearner):
    """An ensemble of Hoeffding trees, on as many threads as `threads` allows."""

    members: Members = 10
    mean_weight: Positive = 1.0

    @abstractmethod
    def _are_independent(self) -> bool:
        """Return whether what a member learns depends on no other member."""

    @abstractmethod
    def _need(self, schema: Schema, members: int) -> int:
        """Return the most nodes that one event can use in a group of so many members."""

    @abstractmethod
    def _subsets(self, schema: Schema, seed: int, members: range) -> Subsets:
        """Return how the attributes that leaves of these members observe are drawn."""

    @abstractmethod
    def _group(self, schema: Schema, seed: int, members: int, pool: Pool) -> Any:
        """Return a group of so many members, whose trees it plants into the empty pool."""

    @abstractmethod
    def _play(
        self, group: Any, share: Share | None, need: int, stretch: Stretch, outputs: Outputs
    ) -> tuple[int, int]:
        """Run a group over a stretch, see `Compiled._advance`."""

    @abstractmethod
    def _roots(self, group: Any) -> Integers:
        """Return the roots of all trees of a group."""

    @abstractmethod
    def _moved(self, group: Any, pool: Pool, nodes: Integers) -> Any:
        """Return a group in another pool, where these nodes have become 0 .. n - 1."""

    def _start(self, schema: Schema, seed: int) -> State:
        few_draws = self.mean_weight < java_random.POISSON_NORMAL_FROM  # one uniform each
        number = min(THREADS.get(), self.members)
        if number == 1 or not (few_draws and self._are_independent()):
            group = self._group_in(schema, seed, range(self.members), 0)
            return State((group,), (None,), None, schema)
        k = max(schema.n_classes, 1)
        parts, groups = shares(self.members, number, k, _record_bytes(schema)), []
        for share in parts:
            n, e = share.slot.shape
            group = self._group_in(schema, seed, range(share.first, share.first + n), e)
            java_random.advance(group.random, *java_random.jump(2 * share.first))
            groups.append(group)
        return State(tuple(groups), tuple(parts), ThreadPoolExecutor(number - 1), schema)

    def _group_in(self, schema: Schema, seed: int, members: range, events: int) -> Any:
        """Return a group in a pool of its own, with room for the changes of so many events."""
        subsets, n = self._subsets(schema, seed, members), len(members)
        room = self._spare(schema, n, events > 0)
        stats = class_statistics.make(schema, room, subsets.observed, 2 * room, n * events)
        pool = tree.make(schema, room, room, subsets, stats, 2 * n * events)
        return self._group(schema, seed, n, pool)

    def _spare(self, schema: Schema, members: int, in_pieces: bool) -> int:
        """Return for how many nodes there is room besides those in use: for more in pieces."""
        need = self._need(schema, members) + 1
        if not in_pieces:
            return 2 * need
        most = SPARE_BYTES // _record_bytes(schema)
        return max(4 * FEWEST * need, min(2 * EVENTS * need, most))

    def _advance(self, state: Any, stretch: Stretch, outputs: Outputs) -> tuple[int, int]:
        def play(group: Any, share: Share | None) -> tuple[int, int]:
            need = self._need(state.schema, len(group.root))
            return self._play(group, share, need, stretch, outputs)

        parts = [*zip(state.groups, state.shares, strict=True)]
        others = [state.others.submit(play, *part) for part in parts[1:]]
        reached = play(*parts[0])
        for other in others:
            other.result()
        return reached

    def _grow(self, state: Any) -> State:
        groups = []
        for group, share in zip(state.groups, state.shares, strict=True):
            nodes = self._nodes(group)
            spare = self._spare(state.schema, len(group.root), share is not None)
            pool = tree.repacked(group.pool, state.schema, nodes, spare)
            groups.append(self._moved(group, pool, nodes))
        return state._replace(groups=tuple(groups))

    def _nodes(self, group: Any) -> Integers:
        return tree.below(group.pool, self._roots(group))

    def _model_bytes(self, state: Any) -> int:
        first, *_ = state.groups
        scratch = sum(field.nbytes for field in first.detectors[-SCRATCH:])
        return scratch + sum(
            tree.used_bytes(group.pool, self._nodes(group))
            + sum(field.nbytes for field in group.detectors[:-SCRATCH])
            for group in state.groups
        )

    def _size(self, state: Any) -> dict[str, int]:
        sizes = [self._group_size(group) for group in state.groups]
        return {name: sum(size[name] for size in sizes) for name in sizes[0]}

    def _group_size(self, group: Any) -> dict[str, int]:
        tests = group.pool.test[tree.below(group.pool, group.root)]
        nodes, leaves = int(np.sum(tests != UNSEEN_BRANCH)), int(np.sum(tests == LEAF))
        return {"nodes": nodes, "leaves": leaves, "members": len(group.root)}


def _record_bytes(schema: Schema) -> int:
    return class_statistics.make(schema, 1).empty.nbytes
