"""Temporal Correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from naive import wrappers as naive

from streameval.base.errors import DataError
from streameval.learners.baselines import Majority
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream


@dataclass(frozen=True, eq=False)
class FixedPredictions(Learner):
    """Predict fixed labels and scores."""

    label: np.ndarray
    scores: np.ndarray | None

    name: ClassVar[str] = "fixed"
    reference: ClassVar[str] = "none"

    def run(self, stream, tape, seed=1, *, scores=False, progress=None):
        label = self.label.astype(np.int16)
        return Predictions(tape.predict_rows, label, stream.n_classes, self.scores)


def labels(y, classes=None) -> Stream:
    """A stream that has labels only."""
    y = np.asarray(y)
    return Stream(np.zeros((len(y), 1)), y, strategies.schema(classes or int(y.max()) + 1, [0]))


def chain(transitions, n: int, seed: int) -> np.ndarray:
    """Labels of a Markov chain."""
    rng, y = np.random.default_rng(seed), np.zeros(n, dtype=int)
    for t in range(1, n):
        y[t] = rng.choice(len(transitions), p=transitions[y[t - 1]])
    return y


@given(
    case=strategies.medleys(),
    smoothing=st.sampled_from([0.001, 0.1, 0.9]),
    lags=st.integers(1, 3),
    data=st.data(),
)
def test_it_does_as_the_twin_does(case, smoothing, lags, data):
    stream, tape = case
    shape = (len(tape.predict_rows), stream.n_classes)
    values = st.sampled_from(np.array([0, 1e-30, 0.125, 0.5, 0.75, 1], dtype=np.float32))
    scores = data.draw(arrays.arrays(np.float32, shape, elements=values))
    inner = data.draw(
        arrays.arrays(np.int64, shape[0], elements=st.integers(-1, stream.n_classes - 1))
    )
    predictions = TemporalCorrection(FixedPredictions(inner, scores), smoothing, lags).run(
        stream, tape, scores=True
    )
    expected = np.array(naive.corrected(stream, tape, scores.tolist(), smoothing, lags))
    expected = expected.reshape(shape)
    total = expected.sum(axis=1, keepdims=True)
    silent = total[:, 0] == 0
    np.testing.assert_array_equal(predictions.label[silent], inner[silent])
    np.testing.assert_array_equal(predictions.scores[silent], scores[silent])
    expected[~silent] /= total[~silent]
    np.testing.assert_allclose(predictions.scores[~silent], expected[~silent], rtol=1e-6)
    best = expected.max(axis=1, initial=0)
    for i in np.flatnonzero(~silent):
        equals = np.flatnonzero(expected[i] > best[i] * (1 - 1e-12))
        if len(equals) == 1:
            assert predictions.label[i] == equals[0]
        else:  # rounding may tell equals apart
            assert predictions.label[i] in equals


def test_with_scores_that_say_nothing_it_predicts_the_likeliest_next_label():
    transitions = np.array([[0.1, 0.7, 0.2], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2]])
    y = chain(transitions, 20_000, 1)
    # The Majority learner's scores are the P(y_t) that the correction divides by.
    predictions = TemporalCorrection(Majority(), 1e-6).run(labels(y), prequential(len(y)))
    expected = transitions.argmax(axis=1)[y[:-1]]
    np.testing.assert_array_equal(predictions.label[1000:], expected[999:])


@given(data=st.data())
def test_other_names_for_the_classes_get_the_same_predictions(data):
    stream, tape = data.draw(strategies.medleys())
    k, p = stream.n_classes, len(tape.predict_rows)
    new = np.array(data.draw(st.permutations(range(k))))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    scores = rng.dirichlet(np.ones(k), p).astype(np.float32)
    label = scores.argmax(axis=1) if p else np.zeros(0, int)
    corrected = TemporalCorrection(FixedPredictions(label, scores), 0.1, 2).run(
        stream, tape, scores=True
    )
    renamed = Stream(stream.X, new[stream.y], stream.schema)
    inner = FixedPredictions(new[label], scores[:, np.argsort(new)])
    other = TemporalCorrection(inner, 0.1, 2).run(renamed, tape, scores=True)
    np.testing.assert_array_equal(new[corrected.label], other.label)
    np.testing.assert_allclose(corrected.scores, other.scores[:, new], rtol=1e-6)


@given(before=st.lists(st.integers(0, 1), max_size=40), answer=st.integers(0, 2))
def test_a_label_that_nothing_followed_corrects_nothing(before, answer):
    y = [*before, 2]
    tape = Tape([*range(len(y)), 0], [LEARN] * len(y) + [PREDICT], np.ones(len(y) + 1))
    scores = np.full((1, 3), 1 / 3, dtype=np.float32)
    inner = FixedPredictions(np.array([answer]), scores)
    predictions = TemporalCorrection(inner, 0.01).run(labels(y), tape, scores=True)
    assert predictions.label.tolist() == [answer]  # although rounding could tell equals apart
    np.testing.assert_array_equal(predictions.scores, scores)


def test_bad_requests_are_errors():
    silent = TemporalCorrection(FixedPredictions(np.zeros(2), None))
    with pytest.raises(DataError, match=r"class scores.* fixed\b.*none"):
        silent.run(labels([0, 1]), prequential(2))


# The paper has no numbers, but says of its Figure 3 that the correction is far better than
# the learner on elec2, and much the same on ozone; λ from its Section 6.3.
@pytest.mark.parametrize(
    ("name", "smoothing", "low", "high"),
    [
        ("elec2", 0.001, 0.05, 0.2),
        ("ozone", 0.001, -0.001, 0.001),
    ],
)
def test_what_the_paper_says_of_it(real_stream, name, smoothing, low, high):
    stream, learner = real_stream(name), NaiveBayes()
    tape = prequential(len(stream))
    plain = np.mean(learner.run(stream, tape).label == stream.y)
    corrected = np.mean(TemporalCorrection(learner, smoothing).run(stream, tape).label == stream.y)
    assert low < corrected - plain < high
