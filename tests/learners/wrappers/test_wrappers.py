"""Tests of every wrapper, in addition to those of all learners (test_learners.py)."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.every_learner import called
from helpers.other_learners import WRAPPED, medley

from streameval.base.errors import ConfigError
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.tasks import CLASSIFICATION
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.registry import wrap_learner, wrapper_syntax, wrappers_of
from streameval.learners.wrappers.resetting import Resetting
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.tape import LEARN
from streameval.streams.generators.random_tree import RandomTree


@pytest.fixture(scope="module")
def stream():
    return RandomTree(classes=3).stream(300)


def test_every_wrapper_is_tested_here():
    # One that resets learners has no scores, and tests of its own.
    assert {learner.name for learner in WRAPPED} | {Resetting.name} == {
        *wrappers_of(CLASSIFICATION)
    }


@pytest.mark.parametrize("learner", WRAPPED, ids=called)
def test_rows_and_costs_of_predictions(learner, stream):
    tape = medley(300, 600, 0)
    predictions = learner.run(stream, tape)
    np.testing.assert_array_equal(predictions.row, tape.row[tape.op != LEARN])
    assert predictions.label.dtype == np.int16
    assert predictions.label.shape == predictions.row.shape
    assert (predictions.n_classes, predictions.scores) == (3, None)
    inside = learner.learner.run(stream, tape)
    assert not predictions.seconds <= 0  # it is not a number where the learner does not measure it
    assert predictions.model_bytes > inside.model_bytes
    assert predictions.size.keys() == inside.size.keys()


@pytest.mark.parametrize(
    "augmented",
    [
        TemporallyAugmented(NoChange(), 3, 2),
        TemporallyAugmented(Majority(), 3, 2),
        PredictionAugmented(NoChange(), older=True),
    ],
)
def test_more_inputs_mean_nothing_to_a_learner_without_inputs(augmented, stream):
    tape = medley(300, 600, 2)
    expected = augmented.learner.run(stream, tape).label
    np.testing.assert_array_equal(augmented.run(stream, tape).label, expected)


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
