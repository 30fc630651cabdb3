"""The adaptive random forest predicts, grows and adapts as its slow twin."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from helpers import strategies
from helpers.tree_cases import assert_agrees
from hypothesis import given, settings
from hypothesis import strategies as st
from test_bagging import SMALL, turning

from streameval.learners.ensembles.adaptive_random_forest import (
    VERSIONS,
    AdaptiveRandomForest,
)
from streameval.learners.predictions import NO_PREDICTION
from streameval.learners.trees import tree
from streameval.learners.trees.subsets import SubspaceMode
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Attribute, Stream

forests = st.builds(
    AdaptiveRandomForest,
    **SMALL,
    form=st.sampled_from(list(VERSIONS)),
    subspace_mode=st.sampled_from([None, *get_args(SubspaceMode)]),
    subspace=st.sampled_from([1.0, 2.0, 30.0, 60.0]),
    drift_delta=st.sampled_from([None, 0.5, 0.99]),
    warning_delta=st.sampled_from([None, 0.5, 0.99]),
    own_draws=st.booleans(),
    abstains=st.booleans(),
    constant_inputs=st.sampled_from([0, 0, 2]),
)
#: Forests whose trees are replaced all the time.
RESTLESS = {
    form: AdaptiveRandomForest(
        200, 0.5, members=3, form=form, drift_delta=0.5, warning_delta=0.9999
    )
    for form in VERSIONS
}


@settings(max_examples=100)
@given(strategies.cases(rows=(1, 250), columns=9), forests)
def test_equals_its_naive_twin(case, learner):
    assert_agrees(learner, *case)


@settings(max_examples=60)
@given(strategies.cases(rows=(1, 100), exponents=(-150, 150), columns=9), forests)
def test_equals_its_naive_twin_at_any_scale(case, learner):
    assert_agrees(learner, *case)


@settings(max_examples=40)
@given(strategies.cases(rows=(1, 400), exponents=(-20, 20), columns=9), forests)
def test_rough_votes_give_the_same_predictions(case, learner):
    stream, tape = case
    exact = learner.play(stream, tape, scores=True).label
    assert np.array_equal(learner.play(stream, tape).label, exact)


@pytest.mark.parametrize("form", VERSIONS)
def test_equals_its_naive_twin_when_concepts_drift(form):
    stream = turning(2500, 4)
    found = assert_agrees(RESTLESS[form], stream, prequential(len(stream)))
    assert found.size["drifts"] >= 5
    assert found.size["warnings"] >= 5


def test_trees_without_a_background_start_anew():
    # The detector of drifts is the more sensitive one.
    stream = turning(2500, 4)
    learner = AdaptiveRandomForest(
        200, 0.5, members=3, drift_delta=0.9, warning_delta=1e-9, own_draws=True
    )
    found = assert_agrees(learner, stream, prequential(len(stream)))
    assert found.size["drifts"] >= 5
    assert found.size["warnings"] == 0


def test_the_pool_does_not_grow_with_what_was_given_up(monkeypatch):
    sizes = []
    repacked = tree.repacked

    def spy(*arguments):
        pool = repacked(*arguments)
        sizes.append((int(arguments[0].used[tree.NODES]), int(pool.used[tree.NODES])))
        return pool

    monkeypatch.setattr(tree, "repacked", spy)
    stream = turning(6000, 4)
    found = RESTLESS["current"].play(stream, prequential(len(stream)))
    assert found.size["drifts"] > 10
    assert any(after < before for before, after in sizes)
    assert sizes[-1][1] >= found.size["nodes"]


@pytest.mark.parametrize("own_draws", [False, True])
def test_the_seed_draws_the_weights(own_draws):
    stream = RandomTree().stream(1500)
    tape, learner = prequential(len(stream)), AdaptiveRandomForest(own_draws=own_draws)
    first, again, other = (learner.play(stream, tape, seed).label for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_without_votes_it_may_make_no_prediction():
    # Nothing is learnt before the first ten predictions; of the nominal values then seen, few were.
    stream, rows = RandomTree().stream(300), np.arange(300)
    tape = Tape(rows, np.where(rows < 10, PREDICT, PREDICT | LEARN), np.ones(300))
    labels = AdaptiveRandomForest().play(stream, tape).label
    found = AdaptiveRandomForest(abstains=True).play(stream, tape).label
    votes = found != NO_PREDICTION
    assert not votes[:11].any()
    assert votes[11:].sum() > 200
    assert np.array_equal(found[votes], labels[votes])
    assert (labels[~votes] == 0).all()


def test_constant_inputs_follow_those_that_a_wrapper_writes():
    stream = RandomTree().stream(600)
    tape = prequential(len(stream))
    plain, padded = (AdaptiveRandomForest(members=3, constant_inputs=n) for n in (0, 2))
    schema = stream.schema
    added = (Attribute("one"), Attribute("two"))
    wider = Stream(
        np.hstack((stream.X, np.zeros((len(stream), 2)))),
        stream.y,
        replace(schema, attributes=schema.attributes + added),
    )
    assert np.array_equal(padded.play(stream, tape).label, plain.play(wider, tape).label)
    by_wrapper = [
        PredictionAugmented(learner).play(one, tape).label
        for learner, one in ((padded, stream), (plain, wider))
    ]
    assert np.array_equal(*by_wrapper)


# Read off a MOA 2024.07 forest whose -o and -m were set, for 1 to 14 attributes.
DRAWN = {
    ("size", 2): [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    ("sqrt", 60): [1, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5],
    ("sqrt_inverse", 60): [1, 1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9],
    ("percentage", 60): [1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7, 7, 8, 8],
    ("percentage", 25): [1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4],
    ("percentage", 150): list(range(1, 15)),
}


@pytest.mark.parametrize(("mode", "subspace"), DRAWN)
def test_how_many_attributes_are_drawn(mode, subspace):
    learner = AdaptiveRandomForest(subspace_mode=mode, subspace=subspace)
    assert [learner.drawn(n) for n in range(1, 15)] == DRAWN[mode, subspace]


def test_rounding_of_the_percentage():
    # The same: 58 % of 25 is a little less than 14.5.
    learner = AdaptiveRandomForest(subspace=58)
    assert [learner.drawn(n) for n in (25, 50)] == [14, 29]


def test_an_empty_forest_predicts_the_first_class():
    stream = RandomTree().stream(5)
    tape = Tape(np.arange(5), np.full(5, PREDICT), np.ones(5))
    found = AdaptiveRandomForest().play(stream, tape, scores=True)
    assert not found.label.any()
    assert found.scores[:, 0].tolist() == [1.0] * 5
