"""Temporally Augmented learners."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given
from hypothesis import strategies as st
from naive import wrappers as naive

from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.stream import Attribute, Schema, Stream


@dataclass(frozen=True)
class Recorder(Learner):
    """Record predictions and updates in the form of the naive twin."""

    met: list[tuple] = field(default_factory=list)

    name: ClassVar[str] = "recorder"
    reference: ClassVar[str] = "none"

    def run(self, stream, tape, seed=1, *, scores=False, progress=None):
        for row, op, weight in naive.events(tape):
            self.met.append((op, stream.X[row].tolist(), int(stream.y[row]), weight))
        rows = tape.predict_rows
        return Predictions(rows, np.zeros(len(rows), np.int16), stream.n_classes)


def met(stream, tape, *parameters):
    recorder = Recorder()
    TemporallyAugmented(recorder, *parameters).run(stream, tape)
    return recorder.met


@given(
    case=strategies.medleys(),
    lags=st.integers(1, 3),
    features=st.integers(0, 3),
    start=st.sampled_from(["unknown", "first_class"]),
)
def test_runs_over_any_tape_are_those_of_the_twin(case, lags, features, start):
    stream, tape = case
    before = math.nan if start == "unknown" else 0.0
    seen = met(stream, tape, lags, features, start)
    np.testing.assert_equal(seen, naive.augmented(stream, tape, lags, features, before))


def test_lagged_inputs_are_those_shown_before():
    schema = Schema((Attribute("size"), Attribute("shape", ("o", "x"))), "class", ("n", "y"))
    stream = Stream(np.array([[1.0, 0], [2, 1], [3, 0]]), np.array([0, 1, 1]), schema)
    tape = Tape([2, 0, 1], [3, 3, 3], [1, 1, 1])
    augmented = TemporallyAugmented(NaiveBayes(), 2, features=2).augment(stream, tape)
    names = [a.name for a in augmented.stream.schema.attributes]
    lagged = ["size[t-2]", "shape[t-2]", "size[t-1]", "shape[t-1]"]
    assert names == ["class[t-2]", "class[t-1]", *lagged, "size", "shape"]
    assert augmented.stream.schema.n_values.tolist() == [2, 2, 0, 2, 0, 2, 0, 2]
    nan = math.nan
    np.testing.assert_array_equal(
        augmented.stream.X[augmented.tape.row],
        [[nan] * 6 + [3, 0], [nan, 1, nan, nan, 3, 0, 1, 0], [1, 0, 3, 0, 1, 0, 2, 1]],
    )


def delayed(n: int, delay: int, again: int) -> Tape:
    """Each row is predicted, predicted `again` times while it waits, and learnt `delay` later."""
    timed = []
    for row in range(n):
        timed.append((row, row, PREDICT))
        timed += [(row + 1 + i * delay // (again + 1), row, PREDICT) for i in range(again)]
        timed.append((row + delay, row, PREDICT_THEN_LEARN))
    timed.sort(key=lambda event: event[0])
    _, row, op = zip(*timed, strict=True)
    return Tape(row, op, np.ones(len(row)))


def test_a_row_is_kept_once_for_each_set_of_lags():
    n = 200
    stream = Stream(np.zeros((n, 1)), np.arange(n) // 3 % 2, strategies.schema(2, [0]))
    augmented = TemporallyAugmented(NaiveBayes()).augment(stream, delayed(n, 30, 9))
    assert len(augmented.tape) > 11 * n
    assert len(augmented.stream) <= 2 * n + 30  # two labels; unknown for the first 30 rows


# Source: MOA as packed in CapyMOA 0.15.1, EvaluatePrequential of TemporallyAugmentedClassifier
# with default options but for -n, BasicClassificationPerformanceEvaluator, whole streams, percent.
@pytest.mark.parametrize(
    ("name", "learner", "lags", "accuracy"),
    [
        ("elec2", NaiveBayes(), 1, 78.480314),
        ("elec2", NaiveBayes(), 2, 80.927790),
        ("elec2", NaiveBayes(), 5, 80.974135),
        ("elec2", HoeffdingTree(), 1, 86.840131),
        ("elec2", HoeffdingTree(), 2, 86.992408),
        ("elec2", HoeffdingTree(), 5, 86.981374),
        ("elec2_mlj", NaiveBayes(), 1, 81.133033),
        ("elec2_mlj", HoeffdingTree(), 1, 85.015007),
        ("ozone", NaiveBayes(), 1, 70.228707),
        ("ozone", HoeffdingTree(), 1, 97.042587),
        ("kdd99", NaiveBayes(), 1, 96.899727),
        ("kdd99", HoeffdingTree(), 1, 99.865188),
    ],
)
def test_predictions_as_moa(real_stream, name, learner, lags, accuracy):
    stream = real_stream(name)
    augmented = TemporallyAugmented(learner, lags, start="first_class")
    predictions = augmented.run(stream, prequential(len(stream)))
    correct = np.sum(predictions.label == stream.y)
    assert round(100 * correct / len(stream), 6) == accuracy
