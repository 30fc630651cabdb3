"""Learners with their own previous prediction as an input."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from helpers import strategies
from helpers.other_learners import Foreign
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive_learners
from naive import wrappers as naive

from streameval.base.errors import ConfigError
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.ensembles.bagging import LeveragingBagging
from streameval.learners.learner import CompiledLearner
from streameval.learners.trees.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.generators.random_tree import RandomTree


@dataclass(frozen=True, eq=False)
class Recorder(CompiledLearner):
    """Record the events, as the naive twin does, and predict the given labels.

    Its state is soon full, so that it often has to grow.
    """

    labels: list[int]
    room: int = 3
    met: list[tuple] = field(default_factory=list)

    name: ClassVar[str] = "recorder"
    reference: ClassVar[str] = "none"

    def _start(self, schema, seed):
        return [self.room]

    def _grow(self, state):
        return [self.room]

    def _model_bytes(self, state):
        return 100

    def _advance(self, state, events, outputs):
        entry = events.entry
        for event in range(events.start, events.stop):
            if state[0] == 0:
                return event, entry
            state[0] -= 1
            row, op, weight = events.row[event], events.op[event], float(events.weight[event])
            x, y = events.X[row].tolist(), int(events.y[row])
            if op & PREDICT:
                self.met.append(("predict", x, y, 1.0))
                outputs.label[entry] = self.labels[entry]
                entry += 1
            if op & LEARN and weight > 0:
                self.met.append(("learn", x, y, weight))
        return events.stop, entry


class FixedLabels:
    """Predict the given labels in order, and learn nothing."""

    def __init__(self, labels: list[int]) -> None:
        self.labels = iter(labels)

    def predict(self, x):
        return next(self.labels)

    def learn(self, x, y, w):
        pass


def met(stream, tape, older, labels, room=3):
    recorder = Recorder(labels, room)
    played = PredictionAugmented(recorder, older).run(stream, tape)
    assert played.label.tolist() == labels[: len(played.label)]
    return recorder.met


@given(
    case=strategies.medleys(),
    older=st.booleans(),
    labels=st.lists(st.integers(-1, 2), min_size=25, max_size=25),
    room=st.integers(1, 30),
)
def test_runs_over_any_tape_are_those_of_the_twin(case, older, labels, room):
    stream, tape = case
    _, expected = naive.prediction_augmented(stream, tape, older, FixedLabels(labels))
    np.testing.assert_equal(met(stream, tape, older, labels, room), expected)


@pytest.mark.parametrize(
    "learner",
    [
        NaiveBayes(),
        HoeffdingTree(20, 0.5, 0.5),
        HoeffdingAdaptiveTree(20, 0.5, 0.5),
        LeveragingBagging(20, 0.5, 0.5, members=3, delta=0.99),
    ],
    ids=lambda learner: learner.name,
)
@settings(max_examples=25)
@given(case=strategies.cases(rows=(1, 80)), older=st.booleans())
def test_compiled_learners_predict_as_their_twins(learner, case, older):
    stream, tape = case
    kinds = [stream.n_classes] * (1 + older) + stream.schema.n_values.tolist()
    twin = naive_learners.twin(
        learner, SimpleNamespace(schema=strategies.schema(stream.n_classes, kinds))
    )
    expected, _ = naive.prediction_augmented(stream, tape, older, twin)
    assert PredictionAugmented(learner, older).run(stream, tape).label.tolist() == expected


@pytest.mark.parametrize(("older", "labels"), [(False, 1), (True, 2)])
def test_the_labels_that_are_remembered_count(older, labels):
    stream = RandomTree().stream(20)
    played = PredictionAugmented(Recorder([0] * 20), older).run(stream, prequential(20))
    assert played.model_bytes == 100 + labels * stream.y.itemsize
    assert played.seconds > 0


def test_the_stream_is_left_as_it_is():
    stream = RandomTree().stream(100)
    before = stream.X.copy()
    PredictionAugmented(NaiveBayes(), older=True).run(stream, prequential(100))
    np.testing.assert_array_equal(stream.X, before)
    assert stream.schema.n_attributes == before.shape[1]


@pytest.mark.parametrize("inside", [Foreign(), TemporallyAugmented(NaiveBayes())])
def test_a_learner_that_cannot_be_stopped_is_an_error(inside):
    with pytest.raises(ConfigError, match=f"package's learners, .* found {inside.name}"):
        PredictionAugmented(inside)
