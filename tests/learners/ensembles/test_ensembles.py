"""What holds for all ensembles of trees: they predict and grow as their slow twins."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from helpers import strategies
from helpers.tree_cases import EAGER, assert_agrees, turning
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.learners.ensembles.adaptive_random_forest import (
    FORM_DEFAULTS,
    AdaptiveRandomForest,
)
from streameval.learners.ensembles.bagging import LeveragingBagging, OnlineBagging, RandomForest
from streameval.learners.trees import tree
from streameval.learners.trees.subsets import SubspaceMode
from streameval.protocols.prequential import prequential
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.generators.random_tree import RandomTree

#: Parameters of small ensembles of trees that grow after few instances.
SMALL = EAGER | {
    "members": st.integers(1, 4),
    "mean_weight": st.sampled_from([0.3, 1.0, 6.0, 120.0]),
}
#: By name, small ensembles, and the most columns of their streams.
FAMILIES = {
    "bagging": (
        st.one_of(
            st.builds(OnlineBagging, **SMALL),
            st.builds(LeveragingBagging, **SMALL, delta=st.sampled_from([0.002, 0.5, 0.99])),
        ),
        {},
    ),
    "random_forest": (st.builds(RandomForest, **SMALL, own_draws=st.booleans()), {"columns": 18}),
    "adaptive_random_forest": (
        st.builds(
            AdaptiveRandomForest,
            **SMALL,
            form=st.sampled_from(list(FORM_DEFAULTS)),
            subspace_mode=st.sampled_from([None, *get_args(SubspaceMode)]),
            subspace=st.sampled_from([1.0, 2.0, 30.0, 60.0]),
            drift_delta=st.sampled_from([None, 0.5, 0.99]),
            warning_delta=st.sampled_from([None, 0.5, 0.99]),
            own_draws=st.booleans(),
            abstains=st.booleans(),
            constant_inputs=st.sampled_from([0, 0, 2]),
        ),
        {"columns": 9},
    ),
}
#: A leveraging bagging that starts members anew all the time.
RESTLESS_BAGGING = LeveragingBagging(20, 0.5, 0.5, members=3, mean_weight=1.0, delta=0.99)
#: Forests whose trees are replaced all the time.
RESTLESS_FORESTS = {
    form: AdaptiveRandomForest(
        200, 0.5, members=3, form=form, drift_delta=0.5, warning_delta=0.9999
    )
    for form in FORM_DEFAULTS
}
each = pytest.mark.parametrize(("small", "options"), FAMILIES.values(), ids=FAMILIES)


@each
@settings(max_examples=100)
@given(data=st.data())
def test_each_equals_its_naive_twin(small, options, data):
    case = data.draw(strategies.cases(rows=(1, 250), **options))
    assert_agrees(data.draw(small), *case)


@each
@settings(max_examples=60)
@given(data=st.data())
def test_each_equals_its_naive_twin_at_any_scale(small, options, data):
    case = data.draw(strategies.cases(rows=(1, 100), exponents=(-150, 150), **options))
    assert_agrees(data.draw(small), *case)


@each
@settings(max_examples=60)
@given(data=st.data())
def test_rough_votes_give_the_same_predictions(small, options, data):
    stream, tape = data.draw(strategies.cases(rows=(1, 400), exponents=(-20, 20), **options))
    learner = data.draw(small)
    # Scores need exact shares; without them rough ones decide where they can.
    exact = learner.run(stream, tape, scores=True).label
    assert np.array_equal(learner.run(stream, tape).label, exact)


@pytest.mark.parametrize(
    ("learner", "given_up", "least"),
    [(RESTLESS_BAGGING, "resets", 21), (RESTLESS_FORESTS["current"], "drifts", 11)],
    ids=["bagging", "adaptive_random_forest"],
)
def test_the_pool_does_not_grow_with_what_was_given_up(monkeypatch, learner, given_up, least):
    sizes = []
    repacked = tree.repack

    def spy(*arguments):
        pool = repacked(*arguments)
        before, live = int(arguments[0].counters[tree.NODES]), len(arguments[2])
        sizes.append((before, live, int(pool.counters[tree.NODES])))
        return pool

    monkeypatch.setattr(tree, "repack", spy)
    stream = turning(6000, 4)
    predictions = learner.run(stream, prequential(len(stream)))
    assert predictions.size[given_up] >= least
    assert all(after == live for _, live, after in sizes)
    assert any(after < before for before, _, after in sizes)
    assert sizes[-1][2] >= predictions.size["nodes"]
    assert max(before for before, _, _ in sizes) < 20 * predictions.size["nodes"]


@pytest.mark.parametrize("learner", [RandomForest(), AdaptiveRandomForest()])
def test_the_seed_draws_the_weights(learner):
    stream = RandomTree().stream(1500)
    tape = prequential(len(stream))
    first, again, other = (learner.run(stream, tape, seed).label for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_votes_that_overflow_equal_those_of_the_naive_twin():
    """An infinite product of densities makes the sum of votes NaN, and class 0 the prediction."""
    X = np.random.default_rng(3).normal(size=(60, 3)) * [1e-10, 1e-150, 1e-151]
    stream = replace(
        RandomRbf(classes=3, attributes=5, centroids=30).stream(60),
        X=np.hstack([X, X[:, :2]]),
        y=(np.arange(60) % 2).astype(np.int32),
    )
    learner = OnlineBagging(members=2, leaf_prediction="naive_bayes")
    assert_agrees(learner, stream, prequential(len(stream)))
