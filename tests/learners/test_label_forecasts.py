"""Label proportions and label transitions forecast as their slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive

from streameval.base.errors import DataError
from streameval.learners.baselines import Majority
from streameval.learners.label_forecasts import LabelProportions, LabelTransitions
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.protocols.prequential import delayed, prequential
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Stream

learners = st.builds(
    lambda learner, prior: learner(prior),
    st.sampled_from([LabelProportions, LabelTransitions]),
    st.sampled_from([0.5, 1.0, 0.01]),
)


@settings(max_examples=80)
@given(strategies.medleys(), learners)
def test_equal_their_naive_twins(case, learner):
    stream, tape = case
    twin, labels, scores = naive.twin(learner, stream), [], []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        if op & PREDICT:
            labels.append(twin.predict([]))
            scores.append(twin.scores())
        if op & LEARN:
            twin.learn([], int(stream.y[row]), float(weight))
    predictions = learner.run(stream, tape, scores=True)
    assert predictions.label.tolist() == labels
    expected = np.reshape(scores, (len(labels), stream.n_classes))
    np.testing.assert_allclose(predictions.scores, expected, rtol=1e-6)


def of_labels(y, k=3):
    return Stream(np.zeros((len(y), 1)), np.array(y), strategies.schema(k, [0]))


def scores(y, learner):
    return learner.run(of_labels(y), prequential(len(y)), scores=True).scores.tolist()


@settings(max_examples=20)
@given(strategies.cases())
def test_proportions_predict_as_majority(case):
    stream, tape = case
    np.testing.assert_array_equal(
        LabelProportions().run(stream, tape).label, Majority().run(stream, tape).label
    )


def test_under_delay_corrected_proportions_forecast_better_than_transitions():
    # Labels stay for 20 instances on average, and arrive 15 instances late.
    random = np.random.default_rng(5)
    y = np.cumsum(random.random(4000) < 0.05) % 3
    stream = of_labels(y)
    tape = delayed(len(y), 15)
    losses = [
        -np.log(learner.run(stream, tape, scores=True).scores[np.arange(4000), y]).mean()
        for learner in (TemporalCorrection(LabelProportions(), 0.0001), LabelTransitions())
    ]
    assert losses[0] < losses[1]


def test_counts_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr("streameval.base.memory.free_bytes", lambda: 2**27)
    stream = of_labels([0, 1], k=9000)
    with pytest.raises(DataError, match=r"9,000 classes after each of 9,001 labels would need"):
        LabelTransitions().run(stream, prequential(2))
