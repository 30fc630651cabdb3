"""Online and leveraging bagging of Hoeffding trees, and the random forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Positive, StrictProportion
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.detectors.alarms import CHANGE
from streameval.detectors.binary_adwin import (
    BinaryAdwinState,
    binary_detect,
    binary_mean,
    binary_reset,
    binary_start,
)
from streameval.learners.bayes import engine
from streameval.learners.ensembles import voting
from streameval.learners.ensembles.ensemble import Ensemble
from streameval.learners.ensembles.voting import Ballot
from streameval.learners.kernel_arguments import EventRange, Outputs, event_at, event_numbers
from streameval.learners.trees import tree
from streameval.learners.trees.hoeffding_tree import Options
from streameval.learners.trees.subsets import (
    ALL_ATTRIBUTES,
    Subsets,
    make_tree_seeds,
    square_root_subsets,
)
from streameval.learners.trees.tree import NONE, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _Model(NamedTuple):
    """The m members of the ensemble."""

    pool: Pool
    root: Integers  # (m,)
    random: Integers  # (3,) the generator of all members' weights, see `java_random`
    n_resets: Integers  # (1,)
    poisson: Floats  # table for the weights, see `java_random.poisson_table`
    ballot: Ballot
    detectors: BinaryAdwinState  # m detectors, or none


@dataclass(frozen=True)
class OnlineBagging(Ensemble):
    """Online bagging of Hoeffding trees, with the predictions of MOA's OzaBag.

    Each member learns each instance once, with a weight of its own, a Poisson number. The votes of
    a member are its class scores. The other parameters are the parameters of the members, see
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

    def _detectors(self) -> BinaryAdwinState:
        """Detectors that monitor the members' errors; none in online bagging."""
        return binary_start(0)

    def _delta(self) -> float:
        """Confidence parameter of the detectors; not used without detectors."""
        return 0.5

    def _model(self, schema: Schema, seed: int, pool: Pool) -> _Model:
        root = np.arange(self.members)
        for _ in root:
            _new_tree(pool)
        return _Model(
            pool=pool,
            root=root,
            random=java_random.java_random(seed),
            n_resets=np.zeros(1, dtype=np.int64),
            poisson=java_random.poisson_table(self.mean_weight),
            ballot=voting.make_ballot(self.members, max(schema.n_classes, 1)),
            detectors=self._detectors(),
        )

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        return ALL_ATTRIBUTES

    def _nodes_per_event(self, schema: Schema) -> int:
        # Each member may split, or turn an unseen branch into a leaf; one new root may start.
        return self.members * (tree.widest_split(schema) + 1) + 1

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        options = (self._options(), self._delta(), self._nodes_per_event(state.schema))
        return _run_events(state.model, *options, events, outputs)

    def _roots(self, model: Any) -> Integers:
        root: Integers = model.root
        return root

    def _move(self, model: Any, pool: Pool, nodes: Integers) -> Any:
        return model._replace(pool=pool, root=np.searchsorted(nodes, model.root))


@dataclass(frozen=True)
class LeveragingBagging(OnlineBagging):
    """Online bagging with higher weights that resets its worst member at a change.

    Each member has an ADWIN that monitors its errors on the instances it has just learnt. If any
    ADWIN signals a rise, the member with the highest error rate is replaced by an empty tree.
    The other parameters are described at `OnlineBagging` and `HoeffdingTree`. Predictions equal
    the predictions of MOA's LeveragingBag without output codes.

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
    reference: ClassVar[str] = "Bifet, Holmes and Pfahringer (2010)"

    def _detectors(self) -> BinaryAdwinState:
        return binary_start(self.members)

    def _delta(self) -> float:
        return float(self.delta)

    def _model_counts(self, state: Any) -> dict[str, int]:
        return super()._model_counts(state) | {"resets": int(state.model.n_resets[0])}


@dataclass(frozen=True)
class RandomForest(OnlineBagging):
    """Online bagging of random Hoeffding trees, with the predictions of MOA's OzaBag.

    The other parameters are described at `OnlineBagging` and `HoeffdingTree`, and the attributes
    that leaves observe at `RandomHoeffdingTree`.

    Parameters
    ----------
    own_draws : bool
        Whether each tree draws its attributes with a seed of its own, derived from the seed of the
        run. In MOA all trees start from seed 1: their roots observe the same attributes, and they
        differ only by the weights of the instances.

    References
    ----------
    Breiman (2001), Random forests; Oza and Russell (2001), Online bagging and boosting.
    """

    own_draws: bool = False

    name: ClassVar[str] = "random_forest"
    reference: ClassVar[str] = "Breiman (2001); Oza and Russell (2001)"

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        return square_root_subsets(
            schema, make_tree_seeds(self.members, seed, own_draws=self.own_draws)
        )


@kernel
def _new_tree(pool: Pool) -> int:
    """Root of a new, empty tree."""
    return tree.new_leaf(pool, 0)  # depth 0


@kernel
def _run_events(
    model: _Model,
    options: Options,
    delta: float,
    nodes_per_event: int,
    events: EventRange,
    outputs: Outputs,
) -> tuple[Any, int]:
    pool, ballot = model.pool, model.ballot
    has_detectors = model.detectors.counts.shape[0] > 0
    # There is certainly room for the events before `room_until`.
    entry, room_until = events.entry, np.uint64(events.start)
    for event in event_numbers(events):
        if event == room_until:
            n = tree.events_that_fit(pool, model.root.shape[0], nodes_per_event)
            if n < 1:
                return np.int64(event), entry
            room_until += np.uint64(n)
        t, op, w = event_at(events, event)
        row = events.X[t]
        complete = engine.load_instance(pool.stats, row)
        learns = op & LEARN and w > 0.0
        n_trained = voting.draw_copies(ballot, model.random, model.poisson, learns)
        voting.score_members(pool, model.root, ballot, options, row, complete)
        if op & PREDICT:
            voting.write_prediction(pool, ballot, options, row, outputs, entry, False)
            entry += 1
        if learns:
            y = events.y[t]
            for i in range(np.uint64(n_trained)):
                m: Any = np.uint64(ballot.training_members[i])
                voting.train_member(
                    pool, ballot, m, options, row, y, ballot.copies[m] * w, complete
                )
            if has_detectors:
                _monitor(model, options, delta, row, y, complete)
    return events.stop, entry


@inlined
def _monitor(
    model: _Model, options: Options, delta: float, row: Floats, y: int, complete: bool
) -> None:
    """Feed each member's detector with its error on the instance it has just learnt."""
    pool, ballot, has_changed = model.pool, model.ballot, False
    for m in range(model.root.shape[0]):
        if ballot.copies[m] > 0:
            voting.rescore(pool, ballot, m, row, y)
        wrong = voting.member_label(pool, ballot, m, options, row, complete) != y
        has_changed |= binary_detect(model.detectors, m, wrong, delta) == CHANGE
    if has_changed:
        _replace_worst(model)


@subkernel
def _replace_worst(model: _Model) -> None:
    """Replace the member with the highest error rate by an empty tree."""
    worst, highest_error = NONE, 0.0
    for m in range(model.root.shape[0]):
        error = binary_mean(model.detectors, m)
        if error > highest_error:
            worst, highest_error = m, error
    if worst != NONE:
        model.root[worst] = tree.new_leaf(model.pool, 0)
        model.n_resets[0] += 1
        binary_reset(model.detectors, worst)
