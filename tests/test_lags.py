"""Temporally Augmented streams."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.errors import ConfigError, DataError
from streameval.learners.hoeffding_tree import HoeffdingTree
from streameval.learners.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.streams.lags import temporally_augmented
from streameval.streams.stream import Attribute, Schema, Stream


@given(labels=st.lists(st.integers(0, 2), min_size=1, max_size=20), lags=st.integers(1, 25))
def test_each_column_is_the_label_before(labels, lags):
    n = len(labels)
    schema = Schema((Attribute("a"),), "class", ("x", "y", "z"))
    stream = Stream(np.arange(float(n))[:, None], np.array(labels), schema)
    augmented = temporally_augmented(stream, lags)
    assert augmented.schema.n_attributes == lags + 1
    for i in range(n):
        for lag in range(1, lags + 1):
            expected = labels[i - lag] if i >= lag else 0
            assert augmented.X[i, lags - lag] == expected
        assert augmented.X[i, lags] == i
    assert augmented.schema.attributes[0].values == ("x", "y", "z")
    assert augmented.digest != stream.digest


def test_bad_requests_are_errors():
    numeric = Stream(np.zeros((2, 1)), np.zeros(2), Schema((Attribute("a"),), "price", None))
    with pytest.raises(DataError, match="'price' is numeric"):
        temporally_augmented(numeric)
    schema = Schema((Attribute("a"),), "class", ("x", "y"))
    with pytest.raises(ConfigError, match="at least one lag, found 0"):
        temporally_augmented(Stream(np.zeros((2, 1)), np.zeros(2, int), schema), 0)


# Source: MOA as packed in CapyMOA 0.15.1, EvaluatePrequential of TemporallyAugmentedClassifier
# with default options, BasicClassificationPerformanceEvaluator, whole streams, percent.
@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "learner", "accuracy"),
    [
        ("elec2", NaiveBayes(), 78.480314),
        ("elec2", HoeffdingTree(), 86.840131),
        ("elec2_mlj", NaiveBayes(), 81.133033),
        ("elec2_mlj", HoeffdingTree(), 85.015007),
        ("ozone", NaiveBayes(), 70.228707),
        ("ozone", HoeffdingTree(), 97.042587),
        ("kdd99", NaiveBayes(), 96.899727),
        ("kdd99", HoeffdingTree(), 99.865188),
    ],
)
def test_answers_as_moa(real_stream, name, learner, accuracy):
    stream = temporally_augmented(real_stream(name))
    predictions = learner.play(stream, prequential(len(stream)))
    correct = np.sum(predictions.label == stream.y)
    assert round(100 * correct / len(stream), 6) == accuracy
