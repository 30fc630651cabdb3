"""Tests of every wrapper, in addition to those of all learners (test_learners.py)."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.other_learners import WRAPPED, medley, name_of
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.errors import ConfigError
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.tasks import CLASSIFICATION
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.registry import wrap_learner, wrapper_syntax, wrappers_of
from streameval.learners.wrappers.resetting import Resetting
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.random_tree import RandomTree

every = pytest.mark.parametrize("learner", WRAPPED, ids=name_of)


@pytest.fixture(scope="module")
def stream():
    return RandomTree(classes=3).stream(300)


def test_every_wrapper_is_tested_here():
    # One that resets learners has no scores, and tests of its own.
    assert {learner.name for learner in WRAPPED} | {Resetting.name} == {
        *wrappers_of(CLASSIFICATION)
    }


@every
def test_one_prediction_for_each_predict_event(learner, stream):
    tape = medley(300, 600, 0)
    predictions = learner.run(stream, tape)
    assert predictions.label.dtype == np.int16
    np.testing.assert_array_equal(predictions.row, tape.row[tape.op != LEARN])
    assert len(predictions.label) == len(predictions.row)
    assert predictions.n_classes == 3
    assert predictions.scores is None


@every
def test_cost_includes_the_learner_inside(learner, stream):
    tape = medley(300, 600, 0)
    predictions = learner.run(stream, tape)
    inside = learner.learner.run(stream, tape)
    assert not predictions.seconds <= 0  # it is not a number where the learner does not measure it
    assert predictions.model_bytes > inside.model_bytes
    assert predictions.size.keys() == inside.size.keys()


@every
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_predicting_again_changes_nothing(learner, stream, seed):
    rng = np.random.default_rng(seed)
    # All rows are shown, then learnt with delay, each event followed by more predictions.
    row = np.repeat(np.arange(300), 2)
    time = np.arange(300)[:, None] + np.array([0, 1]) * rng.integers(1, 20, (300, 1))
    order = np.argsort(time.ravel(), kind="stable")
    row, op = row[order], np.tile([PREDICT, PREDICT_THEN_LEARN], 300)[order]
    expected = learner.run(stream, Tape(row, op, np.ones(600)))

    place = np.repeat(np.arange(600), rng.integers(1, 4, 600))
    first = np.append(True, np.diff(place) > 0)
    shown_before = rng.integers(0, place + 1)
    rows = np.where(first, row[place], row[shown_before])
    ops = np.where(first, op[place], PREDICT)
    predictions = learner.run(stream, Tape(rows, ops, np.ones(len(rows))))
    np.testing.assert_array_equal(predictions.label[first], expected.label)
    assert predictions.size == expected.size


@pytest.mark.parametrize("learner", [NoChange(), Majority()], ids=lambda learner: learner.name)
def test_lagged_inputs_mean_nothing_to_a_learner_without_inputs(learner, stream):
    tape = medley(300, 600, 2)
    augmented = TemporallyAugmented(learner, 3, 2).run(stream, tape)
    np.testing.assert_array_equal(augmented.label, learner.run(stream, tape).label)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, NaiveBayes()),
        (
            "temporally_augmented:2:1:first_class",
            TemporallyAugmented(NaiveBayes(), 2, 1, "first_class"),
        ),
        ("temporal_correction:1e-4:2", TemporalCorrection(NaiveBayes(), 0.0001, 2)),
        ("prediction_augmented", PredictionAugmented(NaiveBayes())),
        ("prediction_augmented:1", PredictionAugmented(NaiveBayes(), older=True)),
    ],
)
def test_wrappers_by_name(text, expected):
    assert wrap_learner(NaiveBayes(), text) == expected


def test_how_wrappers_are_written():
    assert wrapper_syntax(CLASSIFICATION) == [
        "temporally_augmented[:LAGS[:FEATURES[:START]]]",
        "temporal_correction[:SMOOTHING[:LAGS]]",
        "prediction_augmented[:OLDER]",
        "resetting[:DETECTOR[:WARNINGS]]",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("w:1", "no wrapper 'w'; there are temporally_augmented[:LAGS"),
        ("", "no wrapper ''; there are"),
        (
            "temporal_correction:0.1:1:1",
            "too many values in '0.1:1:1'. Write temporal_correction[:SMOOTHING[:LAGS]]",
        ),
    ],
)
def test_mistakes_in_a_wrappers_name_are_errors(text, message):
    with pytest.raises(ConfigError) as error:
        wrap_learner(NaiveBayes(), text)
    assert message in str(error.value)
