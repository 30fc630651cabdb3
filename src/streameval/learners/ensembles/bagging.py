"""Online and leveraging bagging of Hoeffding trees, and the random forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Positive, StrictProportion
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, kernel, part
from streameval.detectors.alarms import CHANGE
from streameval.detectors.binary_adwin import (
    BinaryAdwinState,
    binary_detect,
    binary_mean,
    binary_reset,
    binary_start,
)
from streameval.learners.bayes import class_statistics
from streameval.learners.ensembles import voting
from streameval.learners.ensembles.ensemble import Ensemble
from streameval.learners.ensembles.threads import (
    Share,
    draw_weights,
    keep_change,
    next_events,
    predict,
)
from streameval.learners.ensembles.voting import Ballot
from streameval.learners.stretch import Outputs, Stretch, event_at, events_of
from streameval.learners.trees import tree
from streameval.learners.trees.hoeffding_tree import Options
from streameval.learners.trees.subsets import ALL, Subsets, root_subsets, seeds_of
from streameval.learners.trees.tree import NONE, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _Group(NamedTuple):
    """Some m members of the ensemble."""

    pool: Pool
    root: Integers  # (m,)
    random: Integers  # (3,) the generator of all members' weights, see `java_random`
    resets: Integers  # (1,)
    poisson: Floats  # of their mean, see `java_random.poisson_table`
    ballot: Ballot
    detectors: BinaryAdwinState  # one for each member, or none


@dataclass(frozen=True)
class OnlineBagging(Ensemble):
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

    name: ClassVar[str] = "online_bagging"
    reference: ClassVar[str] = "Oza and Russell (2001)"

    def _are_independent(self) -> bool:
        return True

    def _detectors(self, members: int) -> BinaryAdwinState:
        """Return the detectors that monitor the members' errors."""
        return binary_start(0)

    def _delta(self) -> float:
        """Return the confidence parameter of the detectors."""
        return 0.5

    def _group(self, schema: Schema, seed: int, members: int, pool: Pool) -> _Group:
        root = np.arange(members)
        for _ in root:
            _plant(pool)
        return _Group(
            pool=pool,
            root=root,
            random=java_random.java_random(seed),
            resets=np.zeros(1, dtype=np.int64),
            poisson=java_random.poisson_table(self.mean_weight),
            ballot=voting.make_ballot(members, max(schema.n_classes, 1)),
            detectors=self._detectors(members),
        )

    def _subsets(self, schema: Schema, seed: int, members: range) -> Subsets:
        return ALL

    def _need(self, schema: Schema, members: int) -> int:
        # A split and a leaf for each member, and a root.
        return members * (tree.widest_split(schema) + 1) + 1

    def _play(
        self, group: Any, share: Share | None, need: int, stretch: Stretch, outputs: Outputs
    ) -> tuple[int, int]:
        options = (self._options(), self._delta())
        reached: tuple[int, int] = _play(group, share, *options, need, stretch, outputs)
        return reached

    def _roots(self, group: Any) -> Integers:
        root: Integers = group.root
        return root

    def _moved(self, group: Any, pool: Pool, nodes: Integers) -> Any:
        return group._replace(pool=pool, root=np.searchsorted(nodes, group.root))


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

    mean_weight: Positive = 6.0
    delta: StrictProportion = 0.002

    name: ClassVar[str] = "leveraging_bagging"
    reference: ClassVar[str] = "Bifet et al. (2010)"

    def _are_independent(self) -> bool:
        return False  # a change of one replaces the worst of all

    def _detectors(self, members: int) -> BinaryAdwinState:
        return binary_start(members)

    def _delta(self) -> float:
        return float(self.delta)

    def _group_size(self, group: Any) -> dict[str, int]:
        return super()._group_size(group) | {"resets": int(group.resets[0])}


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

    def _subsets(self, schema: Schema, seed: int, members: range) -> Subsets:
        keys = seeds_of(self.members, self.own_draws, seed)
        return root_subsets(schema, keys[members.start : members.stop])


@kernel
def _plant(pool: Pool) -> int:
    """Return the root of a new, empty tree."""
    return tree.new_leaf(pool, 0)


@kernel
def _play(
    group: _Group,
    share: Share | None,
    options: Options,
    delta: float,
    need: int,
    stretch: Stretch,
    outputs: Outputs,
) -> tuple[Any, int]:
    pool, ballot = group.pool, group.ballot
    watched = group.detectors.counts.shape[0] > 0
    at, limit = stretch.at, np.uint64(stretch.start)
    for event in events_of(stretch):
        if event == limit:
            n = next_events(share, pool, ballot, need, event, stretch, outputs, at, False)
            if n == 0:
                return np.int64(event), at
            limit += np.uint64(n)
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        complete = class_statistics.load(pool.stats, row)
        learning = op & LEARN and w > 0.0
        trained = draw_weights(share, ballot, group.random, group.poisson, learning)
        voting.score_members(pool, group.root, ballot, options, row, complete)
        if op & PREDICT:
            predict(share, pool, ballot, options, row, t, outputs, at, False)
            at += 1
        if learning:
            y = stretch.y[t]
            for i in range(np.uint64(trained)):
                m: Any = np.uint64(ballot.trained[i])
                keep_change(share, pool, ballot.node[m], m, y)
                voting.train_member(
                    pool, ballot, m, options, row, y, ballot.copies[m] * w, complete
                )
            if watched:
                _watch(group, options, delta, row, y, complete)
    next_events(share, pool, ballot, need, stretch.stop, stretch, outputs, at, False)
    return stretch.stop, at


@inlined
def _watch(
    group: _Group, options: Options, delta: float, row: Floats, y: int, complete: bool
) -> None:
    """Feed each member's detector with its error on the instance it has just learnt."""
    pool, ballot, changed = group.pool, group.ballot, False
    for m in range(group.root.shape[0]):
        if ballot.copies[m] > 0:
            voting.rescore(pool, ballot, m, row, y)
        wrong = voting.label_of(pool, ballot, m, options, row, complete) != y
        changed |= binary_detect(group.detectors, m, wrong, delta) == CHANGE
    if changed:
        _replace_worst(group)


@part
def _replace_worst(group: _Group) -> None:
    """Replace the member with the highest error rate by an empty tree."""
    worst, highest = NONE, 0.0
    for m in range(group.root.shape[0]):
        mean = binary_mean(group.detectors, m)
        if mean > highest:
            worst, highest = m, mean
    if worst != NONE:
        group.root[worst] = tree.new_leaf(group.pool, 0)
        group.resets[0] += 1
        binary_reset(group.detectors, worst)
