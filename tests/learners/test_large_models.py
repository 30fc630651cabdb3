"""Models that outgrow their first memory, and replace their parts, predict as their slow twins."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from helpers import numbers, strategies
from helpers.every_learner import assert_agrees
from helpers.tree_cases import EAGER, EAGER_OPTIONS, RESTLESS_BAGGING, RESTLESS_FORESTS, turning
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.learners.bayes.ddm import DDMNaiveBayes
from streameval.learners.bayes.engine import FEW_CLASSES
from streameval.learners.ensembles.adaptive_random_forest import AdaptiveRandomForest
from streameval.learners.ensembles.bagging import OnlineBagging, RandomForest
from streameval.learners.regression.adaptive_random_forest import AdaptiveRandomForestRegressor
from streameval.learners.regression.amrules import AMRules
from streameval.learners.regression.orto import Orto
from streameval.learners.regression.regressor import Form
from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.trees.hoeffding_tree import HoeffdingTree, RandomHoeffdingTree
from streameval.protocols.prequential import prequential
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream


def drifting(n, seed=1, period=700, noise=0.3, missing=0.0):
    """Three classes that are told by other values in every other period."""
    rng = np.random.default_rng(seed)
    y, turned = rng.integers(0, 3, n), np.arange(n) // period % 2
    nominal = np.where(rng.random(n) < noise, rng.integers(0, 3, n), (y + turned) % 3)
    nominal[: period // 2] %= 2  # value 2 is new later
    X = np.column_stack([nominal, rng.integers(0, 4, n), rng.normal(size=n) + 2 * y * turned])
    X[rng.random(X.shape) < missing] = np.nan
    return Stream(X, y, strategies.schema(3, [3, 4, 0]))


def disturbed():
    """Such a stream without drift, but for a short disturbance."""
    stream = drifting(4000, period=4000, noise=0.1)
    y = stream.y.copy()
    y[2200:2400] = (y[2200:2400] + 1) % 3
    return Stream(stream.X, y, stream.schema)


RULES = {
    "grace_period": 40,
    "split_confidence": 0.1,
    "tie_threshold": 0.2,
    "change_tolerance": 0.01,
    "change_threshold": 4.0,
    "anomaly_threshold": 1.5,
}
FOREST = {"members": 2, "grace_period": 100, "drift_delta": 0.5, "warning_delta": 0.9}
#: Learners, their streams, and the least counts of what is in a model, or happens to it.
CASES = [
    (DDMNaiveBayes(20, 0.5, 1.0), lambda: turning(900, 3), {"warnings": 3, "changes": 3}),
    # The first pools of a tree have room for 96 nodes and 14 leaves.
    *(
        (
            HoeffdingTree(20, 0.5, 0.5, binary_splits, leaf_prediction=leaf_prediction),
            lambda: RandomTree(classes=3).stream(1500),
            {"nodes": 97, "leaves": 29},
        )
        for binary_splits, leaf_prediction in [
            (False, "majority"),
            (True, "naive_bayes"),
            (False, "naive_bayes_adaptive"),
        ]
    ),
    # Those of an adaptive tree for 80 nodes and 12 leaves.
    (HoeffdingAdaptiveTree(10, 0.9, 2.0), lambda: drifting(3000, 5, 300), {"nodes": 321}),
    (HoeffdingAdaptiveTree(600, 0.01), lambda: drifting(4000, noise=0.6), {"switches": 1}),
    (HoeffdingAdaptiveTree(2000, leaf_prediction="majority"), disturbed, {"prunings": 1}),
    # An alternate is compared as soon as both have seen enough, and not one instance before.
    (
        HoeffdingAdaptiveTree(5, 1e-7, 0.0, pre_prune=False, leaf_prediction="naive_bayes"),
        lambda: drifting(2000),
        {"alternates": 1},
    ),
    *(
        (learner(20, 0.5, 0.5), lambda: RandomTree(classes=3).stream(2500), {"nodes": 201})
        for learner in (RandomHoeffdingTree, RandomForest)
    ),
    # The first pool has room for 2·(3·(5 + 1) + 1) = 38 nodes.
    *(
        (OnlineBagging(20, 0.5, 0.5, binary, members=3), lambda: turning(1200, 3), {"nodes": 77})
        for binary in (False, True)
    ),
    (RESTLESS_BAGGING, lambda: turning(1500, 4), {"resets": 5}),
    (RESTLESS_BAGGING, lambda: turning(1500, FEW_CLASSES + 4), {"resets": 5}),
    *(
        (learner, lambda: turning(2500, 4), {"drifts": 5, "warnings": 5})
        for learner in RESTLESS_FORESTS.values()
    ),
    # Here the detector of drifts is the more sensitive one: trees without a background start anew.
    (
        AdaptiveRandomForest(
            200, 0.5, members=3, drift_delta=0.9, warning_delta=1e-9, own_draws=True
        ),
        lambda: turning(2500, 4),
        {"drifts": 5},
    ),
    *(
        (
            AMRules(form=form, **RULES),
            lambda: numbers.friedman(3000, seed=5, kinds=(0, 0, 0, 4, 5, 3)),
            {"rules": 6, "changes": 2, "anomalies": 1},
        )
        for form in get_args(Form)
    ),
    *(
        (
            AdaptiveRandomForestRegressor(form=form, **FOREST, subspace_mode=mode, subspace=size),
            lambda: numbers.friedman(2000),
            {"drifts": 1, "leaves": 3},
        )
        for form, mode, size in [
            ("corrected", "sqrt", 1),
            ("moa", "sqrt_inverse", 1),
            ("corrected", "size", 3),
            ("moa", "size", 3),
        ]
    ),
    *(
        (Orto(form=form, **EAGER_OPTIONS), lambda: numbers.friedman(2500), {})
        for form in get_args(Form)
    ),
]


@pytest.mark.parametrize(("learner", "stream", "least"), CASES)
def test_large_models_equal_their_naive_twins(learner, stream, least):
    data = stream()
    predictions = assert_agrees(learner, data, prequential(len(data)), 5)
    for name, count in least.items():
        assert predictions.size[name] >= count


@settings(max_examples=10)
@given(
    st.integers(0, 1000),
    st.sampled_from([0.0, 0.1]),
    st.builds(HoeffdingAdaptiveTree, **EAGER, own_draws=st.booleans()),
)
def test_adaptive_trees_equal_their_naive_twin_when_concepts_drift(seed, missing, learner):
    assert_agrees(learner, drifting(2000, seed, missing=missing), prequential(2000), seed)


def test_replaced_branches_do_not_count():
    stream, learner = drifting(20_000, 3, period=3000), HoeffdingAdaptiveTree(50, 0.01)
    large, small = (learner.run(stream, prequential(n)) for n in (10_000, 20_000))
    assert small.size["nodes"] < large.size["nodes"]
    assert small.model_bytes < large.model_bytes
