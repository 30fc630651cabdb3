"""The adaptive random forest: trees that are replaced when their errors rise."""

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
from streameval.learners.learner import ConstantInputs
from streameval.learners.stretch import Outputs, Stretch, event_at, events_of
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


class _Version(NamedTuple):
    """The defaults of a version of MOA."""

    subspace_mode: str
    drift_delta: float
    warning_delta: float


VERSIONS = {
    "current": _Version("percentage", 1e-3, 1e-2),
    "2017": _Version("sqrt", 1e-5, 1e-4),
}
#: The seed from which every tree of MOA draws its attributes.
SEED = 1

#: Places in ``_Model.alarms``.
DRIFTS, WARNINGS = 0, 1


class _Model(NamedTuple):
    """The m members of the forest.

    The draws of member i are those of tree i, of its background tree those of tree m + i; its
    ADWIN number i detects drifts, number m + i gives warnings.
    """

    pool: Pool
    root: Integers  # (m,)
    background: Integers  # (m,) root of the background tree, or NONE
    correct: Floats  # (m,) weight of a tree's correct predictions
    judged: Integers  # (m,) number of its predictions
    random: Integers  # (3,) the generator of all weights, see `java_random`
    keys: Integers  # (3,) the generator of new trees' seeds
    alarms: Integers  # (2,)
    poisson: Floats  # of the weights' mean, see `java_random.poisson_table`
    ballot: Ballot
    detectors: BinaryAdwinState


class _Parameters(NamedTuple):
    """The forest's parameters as the kernels take them."""

    drift_delta: float
    warning_delta: float
    own_draws: bool
    abstains: bool


@dataclass(frozen=True)
class AdaptiveRandomForest(Ensemble):
    """Adaptive random forest (Gomes et al., 2017).

    Each tree learns each instance with a weight of its own, a Poisson number, and has two ADWINs
    of its errors on the instances it has just learnt. A rise signalled by the more sensitive one
    starts a background tree; a rise signalled by the other one replaces the tree by its background
    tree, or by an empty tree if there is none. Trees vote with their class scores times their
    accuracy so far. The seed of a run is that of the weights. Before the first instance the
    prediction is class 0; see `HoeffdingTree` for the parameters that are not listed.

    Predictions of the current form equal those of MOA 2024.07. The form of 2017 follows a
    description of MOA's code until 2023, on which Gomes et al. report. Over the streams of Grzenda
    et al. (2019) it makes as many correct predictions as that code.

    Parameters
    ----------
    members : int
        Number of trees.
    mean_weight : float
        Mean of the Poisson numbers, λ.
    form : {"current", "2017"}
        In the form of 2017 leaves draw again if an attribute has been drawn before, and never use
        the last one. The form also decides the parameters that are None.
    subspace_mode : {"percentage", "sqrt", "sqrt_inverse", "size"}, optional
        How many of `m` attributes a leaf draws: a percentage, round(√m) + 1, all but so many, or
        a number. By default 60 % in the current form, round(√m) + 1 in that of 2017.
    subspace : float
        The percentage or the number.
    drift_delta, warning_delta : float, optional
        Confidence parameters of the ADWINs; smaller values signal fewer changes. By default 1e-3
        and 1e-2 in the current form, 1e-5 and 1e-4 in that of 2017.
    own_draws : bool
        Each tree draws its attributes with a seed of its own, derived from that of the run. In
        MOA all start from seed 1, new ones too.
    abstains : bool
        Make no prediction, instead of class 0, while no tree has votes.
    constant_inputs : int
        Number of further inputs, always 0, that leaves may draw: two in Grzenda et al. (2019).

    References
    ----------
    Gomes et al. (2017), Adaptive random forests for evolving data stream classification.
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
        version = VERSIONS[self.form]
        drift = version.drift_delta if self.drift_delta is None else self.drift_delta
        warning = version.warning_delta if self.warning_delta is None else self.warning_delta
        return _Parameters(drift, warning, self.own_draws, self.abstains)

    def subset_size(self, attributes: int) -> int:
        """Number of attributes that a leaf draws."""
        mode = self.subspace_mode or VERSIONS[self.form].subspace_mode
        return subspace_size(attributes, mode, self.subspace)

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        attributes = len(schema.n_values)
        size, is_current = self.subset_size(attributes), self.form == "current"
        if is_current and size == attributes:
            size = 0
        return subsets.make(size, is_current, attributes, [SEED] * 2 * self.members)

    def _prepared(self, stream: Stream) -> Stream:
        return with_constant_inputs(stream, self.constant_inputs)

    def _model(self, schema: Schema, seed: int, pool: Pool) -> _Model:
        members = self.members
        keys = java_random.java_random(int(seeds.generator("attributes", seed).integers(2**48)))
        for member in range(members):
            _plant(pool, member, keys, self.own_draws)
        return _Model(
            pool=pool,
            root=np.arange(members),
            background=np.full(members, NONE),
            correct=np.zeros(members),
            judged=np.zeros(members, dtype=np.int64),
            random=java_random.java_random(seed),
            keys=keys,
            alarms=np.zeros(2, dtype=np.int64),
            poisson=java_random.poisson_table(self.mean_weight),
            ballot=voting.make_ballot(members, max(schema.n_classes, 1)),
            detectors=binary_start(2 * members),
        )

    def _need(self, schema: Schema) -> int:
        # Two trees of each member split, and two start.
        return 2 * self.members * (tree.widest_split(schema) + 2)

    def _advance(self, state: Any, stretch: Stretch, outputs: Outputs) -> tuple[int, int]:
        options = (self._options(), self._parameters(), self._need(state.schema))
        return _run_events(state.model, *options, stretch, outputs)

    def _roots(self, model: Any) -> Integers:
        background = model.background
        return np.concatenate((model.root, background[background != NONE]))

    def _moved(self, model: Any, pool: Pool, nodes: Integers) -> Any:
        has_background = model.background != NONE
        background = np.where(has_background, np.searchsorted(nodes, model.background), NONE)
        root = np.searchsorted(nodes, model.root)
        return model._replace(pool=pool, root=root, background=background)

    def _size(self, state: Any) -> dict[str, int]:
        model = state.model
        return super()._size(state) | {
            "backgrounds": int(np.count_nonzero(model.background != NONE)),
            "drifts": int(model.alarms[DRIFTS]),
            "warnings": int(model.alarms[WARNINGS]),
        }


@kernel
def _plant(pool: Pool, number: int, keys: Integers, has_seed: bool) -> int:
    """Root of a new tree, whose draws start from MOA's seed or from a seed drawn for it."""
    key = SEED
    if has_seed:
        key = (java_random.next_bits(keys, 24) << 24) + java_random.next_bits(keys, 24)
    subsets.restart_draws(pool.subsets, number, key)
    return tree.new_leaf(pool, 0)


@kernel
def _run_events(
    model: _Model,
    options: Options,
    parameters: _Parameters,
    need: int,
    stretch: Stretch,
    outputs: Outputs,
) -> tuple[Any, int]:
    pool, ballot, abstains = model.pool, model.ballot, parameters.abstains
    entry, limit = stretch.entry, np.uint64(stretch.start)
    for event in events_of(stretch):
        if event == limit:
            n = tree.events_that_fit(pool, model.root.shape[0], need)
            if n < 1:
                return np.int64(event), entry
            limit += np.uint64(n)
        t, op, w = event_at(stretch, event)
        row = stretch.X[t]
        complete = engine.load_instance(pool.stats, row)
        learning = op & LEARN and w > 0.0
        voting.draw_copies(ballot, model.random, model.poisson, learning)
        voting.score_members(pool, model.root, ballot, options, row, complete)
        if op & PREDICT:
            voting.write_prediction(pool, ballot, options, row, outputs, entry, abstains)
            entry += 1
        if learning:
            y = stretch.y[t]
            for m in range(model.root.shape[0]):
                _weigh(model, m, options, row, y, w, complete)
                if ballot.copies[m] > 0:
                    _train(model, m, options, row, y, ballot.copies[m] * w, w, complete)
                    wrong = voting.label_of(pool, ballot, m, options, row, complete) != y
                    _watch(model, m, wrong, parameters)
    return stretch.stop, entry


@inlined
def _weigh(
    model: _Model, m: int, options: Options, row: Floats, y: int, w: float, complete: bool
) -> None:
    """Weigh a member's votes by its accuracy in percent; by 1 while that is 0."""
    model.judged[m] += 1
    if voting.label_of(model.pool, model.ballot, m, options, row, complete) == y:
        model.correct[m] += w
    percent = model.correct[m] / model.judged[m] * 100.0
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
    """Train a member with the weight that it has drawn, and its background tree without."""
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
def _watch(model: _Model, m: int, wrong: bool, parameters: _Parameters) -> None:
    """Feed a member's detectors, and act on their signals."""
    other = model.root.shape[0] + m
    if binary_detect(model.detectors, other, wrong, parameters.warning_delta) == CHANGE:
        model.alarms[WARNINGS] += 1
        model.background[m] = _plant(model.pool, other, model.keys, parameters.own_draws)
        binary_reset(model.detectors, other)
    if binary_detect(model.detectors, m, wrong, parameters.drift_delta) == CHANGE:
        model.alarms[DRIFTS] += 1
        model.ballot.weight[m] = 1.0
        _replace(model, m, parameters)


@subkernel
def _replace(model: _Model, m: int, parameters: _Parameters) -> None:
    """Replace a member by its background tree, or by an empty tree if there is none."""
    members = model.root.shape[0]
    model.correct[m], model.judged[m] = 0.0, 0
    binary_reset(model.detectors, m)
    if model.background[m] == NONE:
        model.root[m] = _plant(model.pool, m, model.keys, parameters.own_draws)
        return
    model.root[m], model.background[m] = model.background[m], NONE
    subsets.copy_draws(model.pool.subsets, members + m, m)
    binary_reset(model.detectors, members + m)
