"""Ensembles of trees: rough votes, votes that overflow, and memory of replaced members."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import strategies
from helpers.every_learner import assert_agrees
from helpers.tree_cases import ENSEMBLES, RESTLESS_BAGGING, RESTLESS_FORESTS, turning
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.learners.ensembles.bagging import OnlineBagging
from streameval.learners.trees import tree
from streameval.protocols.prequential import prequential
from streameval.streams.generators.random_rbf import RandomRbf


@pytest.mark.parametrize(("small", "options"), ENSEMBLES.values(), ids=ENSEMBLES)
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
