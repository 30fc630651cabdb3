"""The Hoeffding tree (VFDT) with adaptive Naive Bayes leaves, and the random Hoeffding tree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.params import Count, StrictProportion
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.learners.bayes import class_statistics, engine, exact
from streameval.learners.bayes.class_statistics import Statistics
from streameval.learners.kernel_arguments import (
    EventRange,
    Outputs,
    event_at,
    event_numbers,
    write_scores,
)
from streameval.learners.learner import CompiledLearner
from streameval.learners.trees import bounds, routing, splitting, subsets, tree
from streameval.learners.trees.splitting import BranchWeights, SplitCandidate
from streameval.learners.trees.subsets import ALL_ATTRIBUTES, Subsets, square_root_subsets
from streameval.learners.trees.tree import GROUP_SIZE, LEAF, NODES, NONE, UNSEEN_BRANCH, Pool
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

#: How leaves predict.
LeafPrediction = Literal["majority", "naive_bayes", "naive_bayes_adaptive"]
LEAF_PREDICTIONS = get_args(LeafPrediction)
#: Numbers of the leaf predictions in kernels.
MAJORITY, BAYES, ADAPTIVE = 0, 1, 2
#: Generous bound, in bits, on the rounding error of an exact gain.
GAIN_ROUNDING = 1e-9
#: Roots of a pool with one tree.
ROOT = np.zeros(1, dtype=np.int64)


class Options(NamedTuple):
    """The parameters of `HoeffdingTree` in the types that kernels take."""

    grace_period: float
    split_confidence: float
    tie_threshold: float
    binary_splits: bool
    pre_prune: bool
    leaf_prediction: int


class _State(NamedTuple):
    pool: Pool
    schema: Schema


@dataclass(frozen=True)
class HoeffdingLearner(CompiledLearner):
    """Base class of trees and of ensembles of trees, with the parameters of `HoeffdingTree`."""

    grace_period: Count = 200
    split_confidence: StrictProportion = 1e-7
    tie_threshold: float = 0.05
    binary_splits: bool = False
    pre_prune: bool = True
    leaf_prediction: LeafPrediction = "naive_bayes_adaptive"

    def _options(self) -> Options:
        return Options(
            grace_period=float(self.grace_period),
            split_confidence=float(self.split_confidence),
            tie_threshold=float(self.tie_threshold),
            binary_splits=self.binary_splits,
            pre_prune=self.pre_prune,
            leaf_prediction=LEAF_PREDICTIONS.index(self.leaf_prediction),
        )


@dataclass(frozen=True)
class HoeffdingTree(HoeffdingLearner):
    """Very fast decision tree (VFDT), with the predictions of MOA's HoeffdingTree.

    Parameters
    ----------
    grace_period : int
        Weight that a leaf learns between two attempts to split.
    split_confidence : float
        Probability, by the Hoeffding bound, that the chosen split is not the best: δ.
    tie_threshold : float
        If the Hoeffding bound is below this number, τ, the lead of the best split does not matter.
    binary_splits : bool
        Whether all splits of nominal attributes are binary.
    pre_prune : bool
        Whether "no split" is one of the candidates. In MOA its merit is -inf, so it hardly ever
        wins.
    leaf_prediction : {"majority", "naive_bayes", "naive_bayes_adaptive"}
        How leaves predict. "naive_bayes_adaptive" uses, in each leaf, the method that has been
        correct more often.

    References
    ----------
    Domingos and Hulten (2000), Mining high-speed data streams; Holmes, Kirkby, Pfahringer
    (2005), Stress-testing Hoeffding trees.
    """

    name: ClassVar[str] = "hoeffding_tree"
    reference: ClassVar[str] = "Domingos and Hulten (2000); Holmes et al. (2005)"

    def _start(self, schema: Schema, seed: int) -> _State:
        # Arrays start small and grow: nodes for at least 16 splits, statistics for few leaves.
        nodes = 16 * (tree.widest_split(schema) + 1)
        subsets = self._subsets(schema, seed)
        return _State(tree.make(schema, nodes, nodes // 8 + 2, subsets), schema)

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        """Rule by which leaves draw the attributes that they observe."""
        return ALL_ATTRIBUTES

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state.pool, self._options(), events, outputs)

    def _grow(self, state: Any) -> _State:
        spare = 2 * (tree.widest_split(state.schema) + 1)  # twice what `has_room` requires
        nodes = tree.nodes_below(state.pool, ROOT)
        return _State(tree.repack(state.pool, state.schema, nodes, spare), state.schema)

    def _model_bytes(self, state: Any) -> int:
        return tree.used_bytes(state.pool, tree.nodes_below(state.pool, ROOT))

    def _model_counts(self, state: Any) -> dict[str, int]:
        pool, nodes = state.pool, tree.nodes_below(state.pool, ROOT)
        nodes = nodes[pool.test[nodes] != UNSEEN_BRANCH]
        n_leaves = int(np.count_nonzero(pool.test[nodes] == LEAF))
        depth = int(pool.depth[nodes].max())
        return {"nodes": len(nodes), "leaves": n_leaves, "depth": depth}


@dataclass(frozen=True)
class RandomHoeffdingTree(HoeffdingTree):
    """Hoeffding tree whose leaves observe random attributes, with the predictions of MOA.

    Leaves draw their attributes when they first learn. Neither Naive Bayes nor a split of the leaf
    can use other attributes. Of `m` attributes a leaf draws ⌊√(m + 1)⌋ distinct attributes. As in
    MOA, it never uses the last attribute drawn, so with one or two attributes it uses none. For the
    parameters see `HoeffdingTree`. The draws depend on the seed of the run; in MOA their seed is 1.

    References
    ----------
    Breiman (2001), Random forests; Bifet, Holmes, Kirkby, Pfahringer (2010), MOA: Massive Online
    Analysis.
    """

    name: ClassVar[str] = "random_hoeffding_tree"
    reference: ClassVar[str] = "Breiman (2001); Bifet, Holmes, Kirkby and Pfahringer (2010)"

    def _subsets(self, schema: Schema, seed: int) -> Subsets:
        return square_root_subsets(schema, [seed])


@kernel
def _run_events(
    pool: Pool, options: Options, events: EventRange, outputs: Outputs
) -> tuple[Any, int]:
    widest = pool.branch_weights.weight.shape[0]
    if pool.counters[NODES] == 0:
        tree.new_leaf(pool, 0)
    entry = events.entry
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        row = events.X[t]
        place_in_group = (event - np.uint64(events.start)) % np.uint64(GROUP_SIZE)
        if place_in_group == 0:
            end = min(event + np.uint64(GROUP_SIZE), np.uint64(events.stop))
            routing.route_together(pool, 0, events.X, events.row, event, end)
        complete = engine.load_instance(pool.stats, row)
        node = routing.route(pool, pool.reached[place_in_group] if complete else 0, row)
        is_leaf = pool.test[node] == LEAF
        if not tree.has_room(pool, widest):
            return np.int64(event), entry
        bayes_class = leaf_bayes_class(pool, node, row, complete, options) if is_leaf else NONE
        if op & PREDICT:
            uses_bayes = is_leaf and predicts_by_bayes(pool, node, options)
            outputs.label[entry] = bayes_class if uses_bayes else max(pool.majority[node], 0)
            if outputs.scores.shape[0] > 0:
                write_leaf_scores(
                    pool, node, uses_bayes, row, outputs.label[entry], outputs.scores[entry]
                )
            entry += 1
        if op & LEARN and w > 0.0:
            train(pool, node, 0, options, row, events.y[t], w, complete, bayes_class)
    return events.stop, entry


@inlined
def leaf_bayes_class(pool: Pool, leaf: int, row: Floats, complete: bool, options: Options) -> int:
    """Naive Bayes prediction of a leaf; NONE if leaves predict by the majority class."""
    if options.leaf_prediction == MAJORITY:
        return NONE
    return tree.bayes_label(pool, leaf, row, complete)


@inlined
def train(
    pool: Pool,
    node: int,
    tree_number: int,
    options: Options,
    row: Floats,
    y: int,
    w: float,
    complete: bool,
    bayes_class: int,
) -> None:
    """Train a tree of a pool on an instance that `routing.route` has routed to a node.

    `bayes_class` is the Naive Bayes prediction of the node if it is a leaf, or NONE if not needed.
    """
    test = pool.test[np.uint64(node)]
    if test == UNSEEN_BRANCH:
        tree.make_leaf(pool, node, pool.depth[node])
        # The Naive Bayes prediction of an empty leaf is class 0.
        bayes_class = 0 if options.leaf_prediction != MAJORITY else NONE
    elif test != LEAF:
        return  # the tested value is missing: MOA drops the instance
    _draw_attributes(pool, node, tree_number)
    tree.learn(pool, node, row, y, w, complete, bayes_class)
    consider_split(pool, node, options)


@inlined
def _draw_attributes(pool: Pool, leaf: int, tree_number: int) -> None:
    """Draw the attributes of a leaf of a tree, before it learns for the first time."""
    if pool.is_new[np.uint64(leaf)] and not class_statistics.observes_all(pool.stats):
        subsets.draw_subset(pool.subsets, tree_number, pool.stats, pool.slot[leaf])


@inlined
def predicts_by_bayes(pool: Pool, leaf: int, options: Options) -> bool:
    """True if a leaf predicts by Naive Bayes."""
    if options.leaf_prediction == ADAPTIVE:
        i: Any = np.uint64(leaf)
        return pool.majority_correct[i] <= pool.bayes_correct[i]
    return options.leaf_prediction == BAYES


@subkernel
def write_leaf_scores(
    pool: Pool, node: int, uses_bayes: bool, row: Floats, predicted: int, out: NDArray[np.float32]
) -> None:
    """Write the scores (k,) of a node to `out`; `predicted` is its prediction."""
    votes = pool.prior[node]
    if uses_bayes and not tree.has_only_class_weights(pool, node):
        exact.votes(pool.stats, pool.slot[node], votes, row, pool.stats.score)
        votes = pool.stats.score
    write_scores(votes, predicted, out)


@inlined
def consider_split(pool: Pool, leaf: int, options: Options) -> None:
    """Attempt to split a leaf whose grace period has passed.

    As in MOA, the exact sum of the class weights decides. It is computed only when the running
    sum, whose rounding error is far below 1e-3, shows that the period may have passed.
    """
    if pool.weight_since_attempt[np.uint64(leaf)] < options.grace_period - 1e-3:
        return
    weight = tree.weight_seen(pool, leaf)
    if weight - pool.weight_at_attempt[leaf] >= options.grace_period:
        pool.weight_at_attempt[leaf], pool.weight_since_attempt[leaf] = weight, 0.0
        prior = pool.prior[leaf][: pool.length[leaf]]
        if _may_split(pool.stats, pool.slot[leaf], prior, weight, options, pool.branch_weights):
            _attempt_split(pool, leaf, weight, options)


@subkernel
def _may_split(
    stats: Statistics,
    slot: int,
    prior: Floats,
    weight: float,
    options: Options,
    scratch: BranchWeights,
) -> bool:
    """False if bounds show that the lead of the best attribute is too small for a split.

    This is the result of most attempts, and takes less time than exact gains. The arguments are
    parts of the pool, since passing the whole pool would take as long as the check itself.
    """
    n_present = 0
    for c in range(prior.shape[0]):
        if prior[c] != 0.0:
            n_present += 1
    if n_present < 2:
        return False
    bound = _hoeffding_bound(prior.shape[0], weight, options)
    if bound < options.tie_threshold:
        return True
    entropy, required = splitting.entropy(prior), bound - GAIN_ROUNDING
    lead = bounds.largest_lead(stats, slot, entropy, required, options.binary_splits, scratch)
    return lead >= required


@inlined
def _hoeffding_bound(k: int, weight: float, options: Options) -> float:
    """Hoeffding bound for the entropy of `k` classes."""
    value_range = math.log(max(2, k)) / splitting.LOG_2
    logarithm = math.log(1.0 / options.split_confidence)
    return math.sqrt(value_range * value_range * logarithm / (2.0 * weight))


@subkernel
def _attempt_split(pool: Pool, leaf: int, weight: float, options: Options) -> None:
    """Split a leaf if the best attribute leads by more than the Hoeffding bound."""
    stats, slot = pool.stats, pool.slot[leaf]
    entropy = splitting.entropy(pool.prior[leaf])
    bound = _hoeffding_bound(pool.length[leaf], weight, options)
    best = SplitCandidate(-np.inf, NONE, 0, 0.0, 0)  # "no split", with the merit -inf in MOA
    second_merit, n_candidates = -np.inf, 1 if options.pre_prune else 0
    for i in range(class_statistics.n_observed(stats)):
        attribute, _ = class_statistics.observed_attribute(stats, slot, i)
        candidate = splitting.best_split(
            stats, slot, attribute, entropy, options.binary_splits, pool.branch_weights
        )
        if splitting.is_split(candidate):
            n_candidates += 1
            if candidate.merit >= best.merit:  # among equal merits the last attribute wins
                best, second_merit = candidate, best.merit
            elif candidate.merit > second_merit:
                second_merit = candidate.merit
    is_chosen = n_candidates == 1  # as in MOA, a single candidate needs no lead
    if n_candidates > 1:
        is_chosen = best.merit - second_merit > bound or bound < options.tie_threshold
    if is_chosen and best.attribute == NONE:
        tree.reset_leaf(pool, leaf)
    elif is_chosen:
        tree.split(pool, leaf, best)
