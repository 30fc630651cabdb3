"""Naive Bayes with DDM, or a coin, for its detector predicts as its slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from helpers.tree_cases import assert_agrees
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.detectors.chance import Chance
from streameval.learners.bayes.ddm import DDMNaiveBayes, DDMRandom
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, Tape
from streameval.streams.stream import Stream

#: Detectors that speak after few instances.
eager = st.builds(
    lambda min_instances, levels: DDMNaiveBayes(min_instances, *levels),
    st.sampled_from([1, 3, 10, 30]),
    st.sampled_from([(0.1, 0.3), (0.5, 1.0), (1.0, 1.0), (2.0, 3.0)]),
)
coins = st.builds(DDMRandom, st.sampled_from([0.0, 0.03, 0.3, 1.0]), st.sampled_from([1, 5, 30]))


@settings(max_examples=120)
@given(strategies.cases(rows=(1, 250)), st.one_of(eager, coins), st.integers(0, 2**31))
def test_equal_their_naive_twins(case, learner, seed):
    assert_agrees(learner, *case, seed)


@settings(max_examples=60)
@given(strategies.cases(rows=(1, 150), exponents=(-150, 150)), st.one_of(eager, coins))
def test_equal_their_naive_twins_at_any_scale(case, learner):
    assert_agrees(learner, *case)


def drifting(phases=6, length=150):
    """A stream of three classes that change places every `length` instances."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, phases * length)
    centre = (y + np.arange(len(y)) // length) % 3
    X = np.column_stack([2.0 * centre, centre % 2]) + rng.normal(size=(len(y), 2))
    return Stream(X, y, strategies.schema(3, [0, 0]))


@pytest.mark.parametrize("learner", [DDMNaiveBayes(), DDMNaiveBayes(20, 0.5, 1.0)])
def test_equals_its_naive_twin_where_concepts_drift(learner):
    stream = drifting()
    predictions = assert_agrees(learner, stream, prequential(len(stream)))
    assert predictions.size["warnings"] > 2
    assert predictions.size["changes"] > 2


def only_labels(y):
    return Stream(np.zeros((len(y), 1)), np.array(y), strategies.schema(3, [0]))


def test_a_change_without_a_warning_brings_an_empty_model():
    # The first error after a hundred correct predictions is a change at once.
    stream = only_labels([0] * 100 + [1, 2, 2])
    predictions = assert_agrees(DDMNaiveBayes(), stream, prequential(103))
    assert predictions.size == {"warnings": 0, "changes": 1}
    # The new model has learnt the instance of the change, and nothing else.
    assert predictions.label[99:].tolist() == [0, 0, 1, 1]


def test_what_is_only_learnt_is_heard_of():
    stream = only_labels([0] * 100 + [1, 2])
    op = np.append(np.full(101, LEARN), 3)
    predictions = assert_agrees(DDMNaiveBayes(), stream, Tape(np.arange(102), op, np.ones(102)))
    assert predictions.label.tolist() == [1]
    assert predictions.size == {"warnings": 0, "changes": 1}


@pytest.mark.parametrize("weight", [0.25, 2.0])
def test_the_detector_counts_instances_not_weights(weight):
    stream = only_labels([0] * 29 + [1, 2, 2])
    tape = prequential(32)
    weighted = Tape(tape.row, tape.op, np.full(32, weight))
    assert assert_agrees(DDMNaiveBayes(), stream, weighted).size["changes"] == 1
    assert assert_agrees(DDMRandom(1.0), stream, weighted).size["changes"] == 1


def test_without_alarms_it_is_naive_bayes():
    stream = drifting()
    tape = prequential(len(stream))
    predictions = DDMRandom(0.0).run(stream, tape, scores=True)
    expected = NaiveBayes().run(stream, tape, scores=True)
    np.testing.assert_array_equal(predictions.label, expected.label)
    np.testing.assert_array_equal(predictions.scores, expected.scores)
    assert predictions.size == {"warnings": 0, "changes": 0}


def test_certain_alarms_start_a_model_at_every_thirtieth_instance():
    stream = drifting()
    predictions = assert_agrees(DDMRandom(1.0), stream, prequential(len(stream)))
    assert predictions.size == {"warnings": 0, "changes": len(stream) // 30}
    # Instances 30, 60, ... are the first that a model learns, and the last that the one before
    # it predicts.
    for first in range(29, len(stream), 30):
        rows = np.arange(first, min(first + 31, len(stream)))
        op = np.append(LEARN, np.full(len(rows) - 1, 3))
        alone = NaiveBayes().run(stream, Tape(rows, op, np.ones(len(rows))))
        np.testing.assert_array_equal(predictions.label[rows[1:]], alone.label)


@pytest.mark.parametrize("seed", range(5))
def test_the_coin_decides_on_changes(seed):
    stream = drifting()
    predictions = DDMRandom(0.05).run(stream, prequential(len(stream)), seed)
    assert predictions.size["changes"] == len(Chance(0.05).run(stream.y, seed).changes) > 0
