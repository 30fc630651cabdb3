"""What holds for every wrapper, round any learner and on any tape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from helpers import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.errors import ConfigError, DataError
from streameval.learners import learner as learner_module
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.knn import KNN
from streameval.learners.learner import Learner
from streameval.learners.predictions import Predictions
from streameval.learners.trees.hoeffding_tree import HoeffdingTree
from streameval.learners.wrappers.prediction_augmented import PredictionAugmented
from streameval.learners.wrappers.registry import WRAPPERS, forms, wrapped
from streameval.learners.wrappers.resetting import Resetting
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Attribute, Schema, Stream


@dataclass(frozen=True)
class Foreign(Learner):
    """A learner in plain Python, which looks at the rows of a stream one by one."""

    name: ClassVar[str] = "foreign"
    reference: ClassVar[str] = "none"

    def play(self, stream, tape, seed=1, *, scores=False, progress=None):
        """Answer the class of the nearest instance in the first input; score by nearness."""
        predicted, shares, learnt = [], [], {}
        for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
            x = np.nan_to_num(stream.X[row, 0])
            if op & PREDICT:
                near = np.full(stream.n_classes, 1e-9)
                for value, label in learnt.items():
                    near[label] = max(near[label], 1 / (1 + abs(value - x)))
                predicted.append(near.argmax())
                shares.append(near / near.sum())
            if op & LEARN and weight > 0:
                learnt[x] = stream.y[row]
            if progress is not None:
                progress(1)
        return Predictions(
            tape.predict_rows,
            np.array(predicted, np.int16),
            stream.n_classes,
            np.array(shares, np.float32).reshape(-1, stream.n_classes) if scores else None,
            size={"instances": len(learnt)},
        )


ALL = [
    TemporallyAugmented(HoeffdingTree(20, 0.5, 0.5), 2, 1),
    TemporallyAugmented(Foreign(), start="first_class"),
    TemporalCorrection(NaiveBayes(), 0.1),
    TemporalCorrection(Foreign(), 0.1, 2),
    TemporalCorrection(TemporallyAugmented(NaiveBayes()), 0.1),
    TemporallyAugmented(TemporalCorrection(NaiveBayes(), 0.1)),
    PredictionAugmented(NaiveBayes()),
    PredictionAugmented(KNN(3, 20), older=True),
    TemporalCorrection(PredictionAugmented(NaiveBayes()), 0.1),
]

every = pytest.mark.parametrize(
    "learner", ALL, ids=lambda learner: f"{learner.name}-{learner.learner.name}"
)


@pytest.fixture(scope="module")
def stream():
    return RandomTree(classes=3).stream(300)


def medley(n: int, events: int, seed: int) -> Tape:
    rng = np.random.default_rng(seed)
    return Tape(
        rng.integers(0, n, events), rng.choice([1, 2, 3], events), rng.integers(0, 3, events)
    )


def same(one, other):
    np.testing.assert_array_equal(one.label, other.label)
    assert one.size == other.size
    assert one.model_bytes == other.model_bytes


def test_every_wrapper_is_tested_here():
    # One that resets learners has no scores, and tests of its own.
    assert {learner.name for learner in ALL} | {Resetting.name} == set(WRAPPERS)


@every
def test_one_prediction_for_each_predict_event(learner, stream):
    tape = medley(300, 600, 0)
    found = learner.play(stream, tape)
    assert found.label.dtype == np.int16
    np.testing.assert_array_equal(found.row, tape.row[tape.op != LEARN])
    assert len(found.label) == len(found.row)
    assert found.n_classes == 3
    assert found.scores is None


@every
def test_cost_includes_the_learner_inside(learner, stream):
    tape = medley(300, 600, 0)
    found = learner.play(stream, tape)
    inside = learner.learner.play(stream, tape)
    assert not found.seconds <= 0  # it is not a number where the learner does not measure it
    assert found.model_bytes > inside.model_bytes
    assert found.size.keys() == inside.size.keys()


@every
@settings(max_examples=10)
@given(case=strategies.cases(rows=(1, 40)))
def test_scores_sum_to_one_and_the_predicted_class_has_the_highest(learner, case):
    stream, tape = case
    found = learner.play(stream, tape, scores=True)
    assert found.scores.dtype == np.float32
    assert found.scores.shape == (len(found.label), stream.n_classes)
    np.testing.assert_allclose(found.scores.sum(axis=1), 1, rtol=1e-6)
    of_predicted = found.scores[np.arange(len(found.label)), found.label]
    np.testing.assert_array_equal(of_predicted, found.scores.max(axis=1, initial=0))
    np.testing.assert_array_equal(found.label, learner.play(stream, tape).label)


@every
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_learning_with_weight_zero_changes_nothing(learner, stream, seed):
    tape = medley(300, 400, seed)
    idle = (tape.op == LEARN) & (tape.weight == 0)
    kept = Tape(tape.row[~idle], tape.op[~idle], tape.weight[~idle])
    same(learner.play(stream, tape), learner.play(stream, kept))


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
    expected = learner.play(stream, Tape(row, op, np.ones(600)))

    place = np.repeat(np.arange(600), rng.integers(1, 4, 600))
    first = np.append(True, np.diff(place) > 0)
    shown_before = rng.integers(0, place + 1)
    rows = np.where(first, row[place], row[shown_before])
    ops = np.where(first, op[place], PREDICT)
    found = learner.play(stream, Tape(rows, ops, np.ones(len(rows))))
    np.testing.assert_array_equal(found.label[first], expected.label)
    assert found.size == expected.size


@every
def test_the_same_seed_gives_the_same_bytes(learner, stream):
    tape = medley(300, 600, 1)
    one, other = (learner.play(stream, tape, 7, scores=True) for _ in range(2))
    same(one, other)
    assert one.scores.tobytes() == other.scores.tobytes()


@every
@pytest.mark.parametrize("tape", [prequential(300), medley(300, 555, 3)], ids=["plain", "medley"])
def test_progress_sums_to_the_number_of_events(learner, stream, monkeypatch, tape):
    monkeypatch.setattr(learner_module, "CHUNK", 7)
    steps = []
    learner.play(stream, tape, progress=steps.append)
    assert sum(steps) == len(tape)
    assert min(steps) >= 0
    assert max(steps) <= 7


@every
def test_a_tape_without_events_has_no_predictions(learner, stream):
    found = learner.play(stream, Tape(*np.zeros((3, 0))), scores=True)
    assert found.label.shape == (0,)
    assert found.scores.shape == (0, 3)


@every
def test_what_cannot_be_run_is_an_error(learner, stream):
    with pytest.raises(DataError, match=r"rows 0\.\.300, stream .* has rows 0\.\.299"):
        learner.play(stream, prequential(301))
    numeric = Stream(np.zeros((2, 1)), np.zeros(2), Schema((Attribute("a"),), "price", None))
    with pytest.raises(DataError, match=r"'price' .*'stream' .*numeric"):
        learner.play(numeric, prequential(2))


@pytest.mark.parametrize("learner", [NoChange(), Majority()], ids=lambda learner: learner.name)
def test_lagged_inputs_mean_nothing_to_a_learner_without_inputs(learner, stream):
    tape = medley(300, 600, 2)
    augmented = TemporallyAugmented(learner, 3, 2).play(stream, tape)
    np.testing.assert_array_equal(augmented.label, learner.play(stream, tape).label)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, NaiveBayes()),
        ("temporally_augmented", TemporallyAugmented(NaiveBayes())),
        ("temporally_augmented:3", TemporallyAugmented(NaiveBayes(), 3)),
        (
            "temporally_augmented:2:1:first_class",
            TemporallyAugmented(NaiveBayes(), 2, 1, "first_class"),
        ),
        ("temporal_correction", TemporalCorrection(NaiveBayes())),
        ("temporal_correction:1e-4:2", TemporalCorrection(NaiveBayes(), 0.0001, 2)),
        ("prediction_augmented", PredictionAugmented(NaiveBayes())),
        ("prediction_augmented:0", PredictionAugmented(NaiveBayes())),
        ("prediction_augmented:1", PredictionAugmented(NaiveBayes(), older=True)),
    ],
)
def test_wrappers_by_name(text, expected):
    assert wrapped(NaiveBayes(), text) == expected


def test_how_wrappers_are_written():
    assert forms() == [
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
        ("temporally_augmented:x", "at lags: expected a whole number from 1 to 1,000, found 'x'"),
        (
            "temporally_augmented:1:1:zero",
            "one of first_class, unknown, found 'zero'",
        ),
        ("temporal_correction:x", "at smoothing: expected a number above 0 and below 1, found 'x'"),
        (
            "temporal_correction:0.1:1:1",
            "too many values in '0.1:1:1'. Write temporal_correction[:SMOOTHING[:LAGS]]",
        ),
        ("prediction_augmented:yes", "at older: expected true or false, found 'yes'"),
    ],
)
def test_mistakes_in_a_wrappers_name_are_errors(text, message):
    with pytest.raises(ConfigError) as error:
        wrapped(NaiveBayes(), text)
    assert message in str(error.value)
