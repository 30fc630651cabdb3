"""The adaptive random forest: trees that are replaced when their errors rise.

Python calls functions marked `kernel`; only kernels call those marked `subkernel` and `inlined`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from streameval.base import seeds
from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count, Positive, StrictProportion
from streameval.compiled import java_random
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.detectors.alarms import CHANGE
from streameval.detectors.binary_adwin import (
    BinaryAdwinState,
    binary_detect,
    binary_reset,
    binary_start,
)
from streameval.learners.bayes import engine
from streameval.learners.ensembles import voting
from streameval.learners.ensembles.ensemble import Ensemble
from streameval.learners.ensembles.voting import Ballot
from streameval.learners.kernel_arguments import EventRange, Outputs, event_at, event_numbers
from streameval.learners.learner import ConstantInputs
from streameval.learners.trees import routing, subsets, tree
from streameval.learners.trees.hoeffding_tree import (
    Options,
    leaf_bayes_class,
    train,
)
from streameval.learners.trees.subsets import Subsets, SubspaceMode, subspace_size
from streameval.learners.trees.tree import LEAF, NONE, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.added_inputs import with_constant_inputs
from streameval.streams.stream import Schema, Stream


class _Defaults(NamedTuple):
    """Default parameters of a version of MOA."""

    subspace_mode: str
    drift_delta: float
    warning_delta: float


#: By value of the parameter `form`.
FORM_DEFAULTS = {
    "current": _Defaults(subspace_mode="percentage", drift_delta=1e-3, warning_delta=1e-2),
    "2017": _Defaults(subspace_mode="sqrt", drift_delta=1e-5, warning_delta=1e-4),
}
#: The seed from which every tree of MOA draws its attributes.
MOA_SEED = 1

#: Entries of ``_Model.alarms``.
DRIFTS, WARNINGS = 0, 1


class _Model(NamedTuple):
    """The m members of the forest.

    The tree of member i draws attributes with generator i of ``pool.subsets``, and its background
    tree with generator m + i. ADWIN i detects drifts of member i, and ADWIN m + i gives warnings.
    """

    pool: Pool  # the nodes of all trees
    root: Integers  # (m,) node at which the tree of a member begins
    background: Integers  # (m,) root of the background tree, or NONE
    correct: Floats  # (m,) weight of a tree's correct predictions
    n_predictions: Integers  # (m,) number of a tree's predictions
    random: Integers  # (3,) the generator of all weights, see `java_random`
    seeds: Integers  # (3,) the generator of new trees' seeds
    alarms: Integers  # (2,) see `DRIFTS`
    poisson: Floats  # table for the weights, see `java_random.poisson_table`
    ballot: Ballot  # votes of the members on the current instance
    detectors: BinaryAdwinState  # 2 m detectors


class _Parameters(NamedTuple):
    """The forest's parameters in the types that kernels take."""

    drift_delta: float
    warning_delta: float
    own_draws: bool
    abstains: bool


@dataclass(frozen=True)
class AdaptiveRandomForest(Ensemble):
    """Adaptive random forest (Gomes et al., 2017).

    Each tree learns each instance with a weight of its own, a Poisson number. Each tree has two
    ADWINs that monitor its errors on the instances it has just learnt. If the more sensitive ADWIN
    signals a rise, a background tree starts. If the other ADWIN signals a rise, the tree is
    replaced by its background tree, or by an empty tree if it has none. The votes of a tree are its
    class scores times its accuracy so far. The weights depend on the seed of the run. Before the
    first instance the prediction is class 0. See `HoeffdingTree` for the parameters that are not
    listed.

    Predictions of the current form equal the predictions of MOA 2024.07. The form of 2017 follows a
    description of MOA's code until 2023, with which Gomes et al. obtained their results. On the
    streams of Grzenda et al. (2019) it makes as many correct predictions as that code.

    Parameters
    ----------
    members : int
        Number of trees.
    mean_weight : float
        Mean of the Poisson numbers, λ.
    form : {"current", "2017"}
        In the current form a leaf draws from the attributes that it does not have yet. In the form
        of 2017 it draws from all, again after a repetition, and does not use the last attribute
        drawn. The form also sets the parameters that are None.
    subspace_mode : {"percentage", "sqrt", "sqrt_inverse", "size"}, optional
        How many of `m` attributes a leaf draws: a percentage, round(√m) + 1, m - (round(√m) + 1),
        or a fixed number. By default 60 % in the current form, round(√m) + 1 in the form of 2017.
    subspace : float
        The percentage or the fixed number.
    drift_delta, warning_delta : float, optional
        Confidence parameters of the ADWINs; smaller values signal fewer changes. By default 1e-3
        and 1e-2 in the current form, 1e-5 and 1e-4 in the form of 2017.
    own_draws : bool
        Whether each tree draws its attributes with a seed of its own, derived from the seed of the
        run. In MOA all trees, also new trees, start from seed 1.
    abstains : bool
        Whether the forest makes no prediction, instead of class 0, while no tree has votes.
    constant_inputs : int
        Number of additional inputs, always 0, that leaves may draw: two in Grzenda et al. (2019).

    References
    ----------
    Gomes et al. (2017), Adaptive random forests for evolving data stream classification.
    Grzenda et al. (2019), Delayed labelling evaluation for data streams.
    """

    grace_period: Count = 50
    split_confidence: StrictProportion = 0.01
    mean_weight: Positive = 6.0
    form: Literal["current", "2017"] = "current"
    subspace_mode: SubspaceMode | None = None
    subspace: Positive = 60.0
    drift_delta: StrictProportion | None = None
    warning_delta: StrictProportion | None = None
    own_draws: bool = False
    abstains: bool = False
    constant_inputs: ConstantInputs = 0

    name: ClassVar[str] = "adaptive_random_forest"
    reference: ClassVar[str] = "Gomes et al. (2017)"

    def _parameters(self) -> _Parameters:
        defaults = FORM_DEFAULTS[self.form]
        drift = defaults.drift_delta if self.drift_delta is None else self.drift_delta
        warning = defaults.warning_delta if self.warning_delta is None else self.warning_delta
        return _Parameters(drift, warning, self.own_draws, self.abstains)

    def subset_size(self, attributes: int) -> int:
        """Number of attributes that a leaf draws."""
        mode = self.subspace_mode or FORM_DEFAULTS[self.form].subspace_mode
        return subspace_size(attributes, mode, self.subspace)

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        n_attributes = len(schema.n_values)
        size, is_current = self.subset_size(n_attributes), self.form == "current"
        if is_current and size == n_attributes:
            size = 0  # all attributes, without a draw; the form of 2017 drops one
        tree_seeds = [MOA_SEED] * 2 * self.members  # also of the background trees
        return subsets.make(
            size, from_remaining=is_current, attributes=n_attributes, tree_seeds=tree_seeds
        )

    def _prepared(self, stream: Stream) -> Stream:
        return with_constant_inputs(stream, self.constant_inputs)

    def _model(self, schema: Schema, seed: int, pool: Pool) -> _Model:
        members = self.members
        seed_generator = java_random.java_random(
            int(seeds.generator("attributes", seed).integers(2**48))
        )
        for member in range(members):
            _new_tree(pool, member, seed_generator, self.own_draws)
        return _Model(
            pool=pool,
            root=np.arange(members),  # the first leaves of an empty pool
            background=np.full(members, NONE),
            correct=np.zeros(members),
            n_predictions=np.zeros(members, dtype=np.int64),
            random=java_random.java_random(seed),
            seeds=seed_generator,
            alarms=np.zeros(2, dtype=np.int64),
            poisson=java_random.poisson_table(self.mean_weight),
            ballot=voting.make_ballot(members, max(schema.n_classes, 1)),
            detectors=binary_start(2 * members),
        )

    def _nodes_per_event(self, schema: Schema) -> int:
        # Each of a member's two trees may split, or turn an unseen branch into a leaf, and a new
        # tree may start in its place.
        return 2 * self.members * (tree.widest_split(schema) + 2)

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        options = (self._options(), self._parameters(), self._nodes_per_event(state.schema))
        return _run_events(state.model, *options, events, outputs)

    def _roots(self, model: Any) -> Integers:
        background = model.background
        return np.concatenate((model.root, background[background != NONE]))

    def _move(self, model: Any, pool: Pool, nodes: Integers) -> Any:
        """The model in a new pool that has only `nodes`, in ascending order."""
        has_background = model.background != NONE
        background = np.where(has_background, np.searchsorted(nodes, model.background), NONE)
        root = np.searchsorted(nodes, model.root)
        return model._replace(pool=pool, root=root, background=background)

    def _model_counts(self, state: Any) -> dict[str, int]:
        model = state.model
        return super()._model_counts(state) | {
            "backgrounds": int(np.count_nonzero(model.background != NONE)),
            "drifts": int(model.alarms[DRIFTS]),
            "warnings": int(model.alarms[WARNINGS]),
        }


@kernel
def _new_tree(pool: Pool, number: int, seed_generator: Integers, own_draws: bool) -> int:
    """Root of a new tree, whose draws start from MOA's seed or from a seed drawn for it."""
    seed = MOA_SEED
    if own_draws:  # a seed of 48 bits, as `java_random` has
        high = java_random.next_bits(seed_generator, 24)
        seed = (high << 24) + java_random.next_bits(seed_generator, 24)
    subsets.restart_draws(pool.subsets, number, seed)
    return tree.new_leaf(pool, 0)  # depth 0


@kernel
def _run_events(
    model: _Model,
    options: Options,
    parameters: _Parameters,
    nodes_per_event: int,
    events: EventRange,
    outputs: Outputs,
) -> tuple[Any, int]:
    pool, ballot, abstains = model.pool, model.ballot, parameters.abstains
    # The pool certainly has room for the events before `room_until`. If it is full, the caller
    # makes room and goes on with the same event.
    # The number `entry` is the next row of the outputs.
    entry, room_until = events.entry, np.uint64(events.start)
    for event in event_numbers(events):
        if event == room_until:
            n = tree.events_that_fit(pool, model.root.shape[0], nodes_per_event)
            if n < 1:
                return np.int64(event), entry
            room_until += np.uint64(n)
        t, op, w = event_at(events, event)
        row = events.X[t]
        complete = engine.load_instance(pool.stats, row)  # no value is missing, infinite or tiny
        learns = op & LEARN and w > 0.0
        # Copies are Poisson numbers: how often each member learns the instance.
        voting.draw_copies(ballot, model.random, model.poisson, learns)
        voting.score_members(pool, model.root, ballot, options, row, complete)
        if op & PREDICT:
            voting.write_prediction(pool, ballot, options, row, outputs, entry, abstains)
            entry += 1
        if learns:
            y = events.y[t]
            for m in range(model.root.shape[0]):
                _update_weight(model, m, options, row, y, w, complete)
                if ballot.copies[m] > 0:
                    _train(model, m, options, row, y, ballot.copies[m] * w, w, complete)
                    wrong = voting.member_label(pool, ballot, m, options, row, complete) != y
                    _monitor(model, m, wrong, parameters)
    return events.stop, entry


@inlined
def _update_weight(
    model: _Model, m: int, options: Options, row: Floats, y: int, w: float, complete: bool
) -> None:
    """Weigh a member's votes by its accuracy in percent; by 1 while the accuracy is 0."""
    model.n_predictions[m] += 1  # as in MOA it counts instances, and `correct` weights
    if voting.member_label(model.pool, model.ballot, m, options, row, complete) == y:
        model.correct[m] += w
    percent = model.correct[m] / model.n_predictions[m] * 100.0
    model.ballot.weight[m] = percent if percent > 0.0 else 1.0


@inlined
def _train(
    model: _Model,
    m: int,
    options: Options,
    row: Floats,
    y: int,
    weight: float,
    w: float,
    complete: bool,
) -> None:
    """Train a member with its drawn `weight`; its background tree with `w`, as in MOA."""
    pool = model.pool
    voting.train_member(pool, model.ballot, m, options, row, y, weight, complete)
    voting.rescore(pool, model.ballot, m, row, y)
    if model.background[m] != NONE:
        node = routing.route(pool, model.background[m], row)
        is_leaf = pool.test[node] == LEAF
        bayes_class = leaf_bayes_class(pool, node, row, complete, options) if is_leaf else NONE
        number = model.root.shape[0] + m
        train(pool, node, number, options, row, y, w, complete, bayes_class)


@inlined
def _monitor(model: _Model, m: int, wrong: bool, parameters: _Parameters) -> None:
    """Feed a member's detectors, and start or replace trees at their signals."""
    background = model.root.shape[0] + m  # number of its detector and of its draws
    if binary_detect(model.detectors, background, wrong, parameters.warning_delta) == CHANGE:
        model.alarms[WARNINGS] += 1
        root = _new_tree(model.pool, background, model.seeds, parameters.own_draws)
        model.background[m] = root
        binary_reset(model.detectors, background)
    if binary_detect(model.detectors, m, wrong, parameters.drift_delta) == CHANGE:
        model.alarms[DRIFTS] += 1
        model.ballot.weight[m] = 1.0
        _replace_member(model, m, parameters)


@subkernel
def _replace_member(model: _Model, m: int, parameters: _Parameters) -> None:
    """Replace a member by its background tree, or by an empty tree if it has none."""
    members = model.root.shape[0]
    model.correct[m], model.n_predictions[m] = 0.0, 0
    binary_reset(model.detectors, m)
    if model.background[m] == NONE:
        model.root[m] = _new_tree(model.pool, m, model.seeds, parameters.own_draws)
        return
    model.root[m], model.background[m] = model.background[m], NONE
    subsets.copy_draws(model.pool.subsets, members + m, m)
    binary_reset(model.detectors, members + m)
