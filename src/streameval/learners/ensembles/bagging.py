"""Online and leveraging bagging of Hoeffding trees, and the random forest: trees in one pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, kernel, part
from streameval.detectors.adwin import checked_delta
from streameval.detectors.alarms import CHANGE
from streameval.detectors.binary_adwin import (
    BinaryAdwinState,
    binary_detect,
    binary_mean,
    binary_reset,
    binary_start,
)
from streameval.errors import ConfigError
from streameval.learners.bayes import class_statistics
from streameval.learners.ensembles import voting
from streameval.learners.ensembles.voting import Ballot
from streameval.learners.learner import bounded
from streameval.learners.stretch import Outputs, Stretch, event_at, events_of
from streameval.learners.trees import tree
from streameval.learners.trees.hoeffding_tree import HoeffdingLearner, Options
from streameval.learners.trees.subsets import ALL, Subsets, root_subsets, seeds_of
from streameval.learners.trees.tree import NONE, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _Members(NamedTuple):
    """The ensemble beside its pool, m members."""

    root: NDArray[np.int64]  # (m,)
    random: NDArray[np.int64]  # (3,) the generator of all members' weights, see `rng`
    resets: NDArray[np.int64]  # (1,)
    poisson: NDArray[np.float64]  # of their mean, see `java_random.poisson_table`


class _State(NamedTuple):
    pool: Pool
    members: _Members
    ballot: Ballot
    detectors: BinaryAdwinState  # one for each member, or none
    schema: Schema


@dataclass(frozen=True)
class OnlineBagging(HoeffdingLearner):
    """Online bagging of Hoeffding trees, with the predictions of MOA's OzaBag.

    Each member learns each instance once, with a weight of its own, a Poisson number; members
    vote with their class scores. The other parameters are those of the members, see
    `HoeffdingTree`.

    Parameters
    ----------
    members : int
        Number of trees.
    mean_weight : float
        Mean of the Poisson numbers, λ. 1 imitates samples drawn with replacement.

    References
    ----------
    Oza and Russell (2001), Online bagging and boosting.
    """

    members: int = bounded(10, most=10_000)
    mean_weight: float = 1.0

    name: ClassVar[str] = "online_bagging"
    reference: ClassVar[str] = "Oza and Russell (2001)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.members >= 1 and 0 < self.mean_weight < np.inf):
            raise ConfigError(
                f"{self.name}: members must be at least 1 and mean_weight positive and finite, "
                f"found {self.members} and {self.mean_weight}."
            )

    def _detectors(self) -> BinaryAdwinState:
        """Return the detectors that monitor the members' errors."""
        return binary_start(0)

    def _delta(self) -> float:
        """Return the confidence parameter of the detectors."""
        return 0.5

    def _start(self, schema: Schema, seed: int) -> _State:
        k = max(schema.n_classes, 1)
        room = 2 * self._need(schema)
        pool = tree.make(schema, room, room, self._subsets(schema, seed))
        root = np.arange(self.members)
        for _ in root:
            _plant(pool)
        members = _Members(
            root=root,
            random=java_random.java_random(seed),
            resets=np.zeros(1, dtype=np.int64),
            poisson=java_random.poisson_table(self.mean_weight),
        )
        ballot = voting.make_ballot(self.members, k)
        return _State(pool, members, ballot, self._detectors(), schema)

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        """Return how the attributes that leaves observe are drawn."""
        return ALL

    def _need(self, schema: Schema) -> int:
        """Return the most nodes that one event can use: a split and a leaf a member, and a root."""
        return self.members * (tree.widest_split(schema) + 1) + 1

    def _advance(self, state: Any, stretch: Stretch, outputs: Outputs) -> tuple[int, int]:
        models = (state.pool, state.members, state.ballot, state.detectors)
        options = (self._options(), self._delta())
        need = self._need(state.schema)
        reached: tuple[int, int] = _play(*models, *options, need, stretch, outputs)
        return reached

    def _grow(self, state: Any) -> _State:
        nodes = tree.below(state.pool, state.members.root)
        pool = tree.repacked(state.pool, state.schema, nodes, 2 * self._need(state.schema))
        root = np.searchsorted(nodes, state.members.root)
        return state._replace(pool=pool, members=state.members._replace(root=root))

    def _model_bytes(self, state: Any) -> int:
        nodes = tree.below(state.pool, state.members.root)
        return tree.used_bytes(state.pool, nodes) + sum(a.nbytes for a in state.detectors)

    def _size(self, state: Any) -> dict[str, int]:
        return tree.total_size(state.pool, state.members.root)


@dataclass(frozen=True)
class LeveragingBagging(OnlineBagging):
    """Online bagging with higher weights that resets its worst member at a change.

    Each member has an ADWIN of its errors on the instances it has just learnt. When one of
    them signals a rise, the member with the highest error rate is replaced by an empty tree.
    The other parameters are those of `OnlineBagging` and `HoeffdingTree`. Predictions equal
    those of MOA's LeveragingBag without output codes.

    Parameters
    ----------
    mean_weight : float
        Mean of the Poisson numbers, λ.
    delta : float
        Confidence parameter of ADWIN, between 0 and 1; smaller values signal fewer changes.

    References
    ----------
    Bifet, Holmes, Pfahringer (2010), Leveraging bagging for evolving data streams.
    """

    mean_weight: float = 6.0
    delta: float = 0.002

    name: ClassVar[str] = "leveraging_bagging"
    reference: ClassVar[str] = "Bifet et al. (2010)"

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_delta(self.delta)

    def _detectors(self) -> BinaryAdwinState:
        return binary_start(self.members)

    def _delta(self) -> float:
        return float(self.delta)

    def _size(self, state: Any) -> dict[str, int]:
        return super()._size(state) | {"resets": int(state.members.resets[0])}


@dataclass(frozen=True)
class RandomForest(OnlineBagging):
    """Online bagging of random Hoeffding trees, with the predictions of MOA's OzaBag of them.

    The parameters are those of `OnlineBagging` and `HoeffdingTree`; see `RandomHoeffdingTree`
    for the attributes that leaves observe.

    Parameters
    ----------
    own_draws : bool
        Each tree draws its attributes with a seed of its own, derived from that of the run. In
        MOA all start from seed 1: the roots observe the same attributes, and trees differ only
        by the weights of the instances.

    References
    ----------
    Breiman (2001), Random forests; Oza and Russell (2001), Online bagging and boosting.
    """

    own_draws: bool = False

    name: ClassVar[str] = "random_forest"
    reference: ClassVar[str] = "Breiman (2001); Oza and Russell (2001)"

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        return root_subsets(schema, seeds_of(self.members, self.own_draws, seed))


@kernel
def _plant(pool: Pool) -> int:
    """Return the root of a new, empty tree."""
    return tree.new_leaf(pool, 0)


@kernel
def _play(
    pool: Pool,
    members: _Members,
    ballot: Ballot,
    detectors: BinaryAdwinState,
    options: Options,
    delta: float,
    need: int,
    stretch: Stretch,
    outputs: Outputs,
) -> tuple[Any, int]:
    watched = detectors.counts.shape[0] > 0
    at = stretch.at
    for event in events_of(stretch):
        if not tree.has_room(pool, need):
            return np.int64(event), at
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        complete = class_statistics.load(pool.stats, row)
        learning = op & LEARN and w > 0.0
        trained = voting.draw(ballot, members.random, members.poisson, learning)
        voting.score_members(pool, members.root, ballot, options, row, complete)
        if op & PREDICT:
            voting.write_prediction(pool, ballot, options, row, outputs, at)
            at += 1
        if learning:
            y = stretch.y[t]
            for i in range(np.uint64(trained)):
                m: Any = np.uint64(ballot.trained[i])
                voting.train_member(
                    pool, ballot, m, options, row, y, ballot.copies[m] * w, complete
                )
            if watched:
                _watch(pool, members, ballot, detectors, options, delta, row, y, complete)
    return stretch.stop, at


@inlined
def _watch(
    pool: Pool,
    members: _Members,
    ballot: Ballot,
    detectors: BinaryAdwinState,
    options: Options,
    delta: float,
    row: NDArray[np.float64],
    y: int,
    complete: bool,
) -> None:
    """Feed each member's detector with its error on the instance it has just learnt."""
    changed = False
    for m in range(members.root.shape[0]):
        if ballot.copies[m] > 0:
            voting.rescore(pool, ballot, m, row, y)
        wrong = voting.label_of(pool, ballot, m, options, row, complete) != y
        changed |= binary_detect(detectors, m, wrong, delta) == CHANGE
    if changed:
        _replace_worst(pool, members, detectors)


@part
def _replace_worst(pool: Pool, members: _Members, detectors: BinaryAdwinState) -> None:
    """Replace the member with the highest error rate by an empty tree."""
    worst, highest = NONE, 0.0
    for m in range(members.root.shape[0]):
        mean = binary_mean(detectors, m)
        if mean > highest:
            worst, highest = m, mean
    if worst != NONE:
        members.root[worst] = tree.new_leaf(pool, 0)
        members.resets[0] += 1
        binary_reset(detectors, worst)
