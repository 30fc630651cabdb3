"""What holds for every learner: of classes and of numbers, in wrappers, and of other tools."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import numbers, strategies
from helpers.every_learner import (
    CLASSIFIERS,
    EVERY,
    REGRESSORS,
    assert_agrees,
    called,
    silent_before,
    stream_for,
    task_of,
)
from helpers.other_learners import MODELS, WRAPPED, medley
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.errors import DataError
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK
from streameval.learners import learner as learner_module
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import CompiledLearner, CompiledRun
from streameval.learners.predictions import NO_PREDICTION
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.stream import Stream

every = pytest.mark.parametrize("learner", EVERY, ids=called)
wrapped_too = pytest.mark.parametrize("learner", [*EVERY, *WRAPPED], ids=called)
ALL = [*EVERY, *WRAPPED, *MODELS.values()]
models_too = pytest.mark.parametrize("learner", ALL, ids=called)
classifiers = pytest.mark.parametrize("learner", [*CLASSIFIERS, *WRAPPED], ids=called)


def run(learner, tape, seed=1, **options):
    """Run a learner over the stream of its task; of classes with scores."""
    scores = task_of(learner) is CLASSIFICATION_TASK
    return learner.run(stream_for(learner), tape, seed, scores=scores, **options)


def same(first, other):
    np.testing.assert_array_equal(first.predicted, other.predicted)
    np.testing.assert_array_equal(first.row, other.row)
    if hasattr(first, "label"):
        np.testing.assert_array_equal(first.scores, other.scores)
    assert first.size == other.size
    assert first.model_bytes == other.model_bytes


@every
def test_one_prediction_for_each_predict_event(learner):
    op = np.tile([PREDICT, LEARN, PREDICT_THEN_LEARN], 300)
    rows = np.random.default_rng(0).integers(0, 600, 900)
    tape = Tape(rows, op, np.random.default_rng(1).integers(0, 3, 900))
    predictions = assert_agrees(learner, stream_for(learner), tape)
    np.testing.assert_array_equal(predictions.row, rows[op != LEARN])
    assert predictions.seconds >= 0
    assert predictions.model_bytes > 0
    if task_of(learner) is REGRESSION_TASK:
        assert predictions.value.dtype == np.float64
    else:
        assert predictions.label.dtype == np.int16
        assert (predictions.n_classes, predictions.scores) == (3, None)


@wrapped_too
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_predicting_again_changes_nothing(learner, seed):
    rng = np.random.default_rng(seed)
    # All rows are predicted, then learnt with delay, each event followed by more predictions.
    row = np.repeat(np.arange(300), 2)
    time = np.arange(300)[:, None] + np.array([0, 1]) * rng.integers(1, 20, (300, 1))
    order = np.argsort(time.ravel(), kind="stable")
    row, op = row[order], np.tile([PREDICT, PREDICT_THEN_LEARN], 300)[order]
    expected = run(learner, Tape(row, op, np.ones(600)))

    place = np.repeat(np.arange(600), rng.integers(1, 4, 600))
    first = np.append(True, np.diff(place) > 0)
    predicted_before = rng.integers(0, place + 1)
    rows = np.where(first, row[place], row[predicted_before])
    ops = np.where(first, op[place], PREDICT)
    predictions = run(learner, Tape(rows, ops, np.ones(len(rows))))
    np.testing.assert_array_equal(predictions.predicted[first], expected.predicted)
    assert predictions.size == expected.size


@wrapped_too
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_learning_with_weight_zero_changes_nothing(learner, seed):
    tape = medley(600, 900, seed)
    kept = (tape.op != LEARN) | (tape.weight > 0)
    plain = Tape(tape.row[kept], tape.op[kept], tape.weight[kept])
    same(run(learner, tape), run(learner, plain))


@wrapped_too
@pytest.mark.parametrize("size", [7, 100])
def test_a_run_in_chunks_equals_one_at_once_and_reports_its_events(learner, monkeypatch, size):
    tape = medley(600, 550, 1)
    at_once, steps = run(learner, tape, 5), []
    monkeypatch.setattr(learner_module, "EVENTS_PER_CALL", size)
    same(run(learner, tape, 5, progress=steps.append), at_once)
    assert sum(steps) == 550
    assert max(steps) == size or learner in WRAPPED
    assert 0 <= min(steps) <= max(steps) <= size


@every
def test_a_run_step_by_step_equals_one_at_once(learner):
    is_of_classes = task_of(learner) is CLASSIFICATION_TASK
    name, nothing = ("label", NO_PREDICTION) if is_of_classes else ("value", np.nan)
    op = np.tile([PREDICT, LEARN, PREDICT_THEN_LEARN], 200)
    tape = Tape(np.arange(600), op, np.ones(600))
    at_once = run(learner, tape, 5)
    stepped = CompiledRun(learner, stream_for(learner), tape, 5, scores=is_of_classes)
    reached = 0
    for stop in [0, 1, 1, *range(2, 50), 300, 200, 600]:  # 200 lies behind: nothing is to do
        stepped.advance(stop)
        reached = max(reached, stop)
        played, outputs = np.count_nonzero(op[:reached] != LEARN), getattr(stepped.outputs, name)
        np.testing.assert_array_equal(outputs[:played], at_once.predicted[:played])
        np.testing.assert_array_equal(outputs[played:], nothing)
    predictions = stepped.predictions(seconds=1.5)
    same(predictions, at_once)
    assert predictions.seconds == 1.5


@classifiers
@settings(max_examples=25)
@given(case=strategies.cases(rows=(1, 60), exponents=(-5, 5)))
def test_scores_sum_to_one_and_the_predicted_class_has_the_highest(learner, case):
    stream, tape = case
    predictions = learner.run(stream, tape, scores=True)
    assert predictions.scores.dtype == np.float32
    assert predictions.scores.shape == (len(predictions.label), stream.n_classes)
    assert (predictions.scores >= 0).all()
    np.testing.assert_allclose(predictions.scores.sum(axis=1), 1, rtol=1e-6)
    of_predicted = predictions.scores[np.arange(len(predictions.label)), predictions.label]
    np.testing.assert_array_equal(of_predicted, predictions.scores.max(axis=1, initial=0))
    np.testing.assert_array_equal(predictions.label, learner.run(stream, tape).label)


@pytest.mark.parametrize("learner", CLASSIFIERS, ids=called)
def test_requesting_scores_changes_no_prediction(learner):
    stream, tape = RandomRbf(seed=3).stream(5000), prequential(5000)
    plain, scored = (learner.run(stream, tape, scores=scores) for scores in (False, True))
    np.testing.assert_array_equal(plain.label, scored.label)
    assert (plain.size, plain.model_bytes) == (scored.size, scored.model_bytes)


def odd_streams():
    """Streams in which something is missing or never changes, by name: of classes, of numbers."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 60)
    x, v = rng.normal(size=60) + y, (y + rng.integers(0, 2, 60)) % 3
    gaps = np.where(rng.random((60, 2)) < 0.5, np.nan, np.column_stack([x, v]))
    both, nothing = strategies.schema(3, [0, 3]), np.full(60, np.nan)
    of_classes = {
        "one instance": Stream(np.array([[1.5, 2.0]]), np.array([2]), both),
        "one class declared": Stream(x[:, None], y * 0, strategies.schema(1, [0])),
        "one class present": Stream(np.column_stack([x, v]), y * 0 + 1, both),
        "constant": Stream(np.column_stack([x * 0 + 0.1, v * 0]), y, both),
        "constant beside others": Stream(
            np.column_stack([x, x * 0, v]), y, strategies.schema(3, [0, 0, 3])
        ),
        "numeric all missing": Stream(np.column_stack([nothing, v]), y, both),
        "nominal all missing": Stream(np.column_stack([x, nothing]), y, both),
        "all missing": Stream(np.column_stack([nothing, nothing]), y, both),
        "half missing": Stream(gaps, y, both),
        "no columns": Stream(np.empty((60, 0)), y, strategies.schema(3, [])),
    }
    rng = np.random.default_rng(2)
    y, x = rng.normal(size=300), rng.normal(size=300)
    gaps = np.where(rng.random((300, 2)) < 0.5, np.nan, np.column_stack([x, np.abs(y) > 1]))
    both, nothing = numbers.schema([0, 2]), np.full(300, np.nan)
    of_numbers = {
        "one instance": Stream(np.array([[1.5, 1.0]]), np.array([2.0]), both),
        "constant target": Stream(np.column_stack([x, y > 0]), y * 0 + 0.1, both),
        "constant": Stream(np.column_stack([x * 0 + 0.1, x * 0]), y, both),
        "numeric all missing": Stream(np.column_stack([nothing, y > 0]), y, both),
        "half missing": Stream(gaps, y, both),
        "nominal only": Stream((y > 0)[:, None], y, numbers.schema([2])),
        "no columns": Stream(np.empty((300, 0)), y, numbers.schema([])),
    }
    return of_classes, of_numbers


ODD = odd_streams()


@pytest.mark.parametrize(
    ("learner", "kind"),
    [(learner, kind) for learner in EVERY for kind in ODD[task_of(learner) is REGRESSION_TASK]],
    ids=lambda value: value if isinstance(value, str) else called(value),
)
def test_odd_streams(learner, kind):
    task = task_of(learner)
    stream = ODD[task is REGRESSION_TASK][kind]
    tape = prequential(len(stream))
    predictions = learner.run(stream, tape, scores=task is CLASSIFICATION_TASK)
    assert_agrees(learner, stream, tape)
    if task is CLASSIFICATION_TASK:
        np.testing.assert_allclose(predictions.scores.sum(axis=1), 1, rtol=1e-6)
    elif getattr(learner, "form", "corrected") == "corrected":
        assert np.isfinite(predictions.value[silent_before(learner) :]).all()


@pytest.mark.parametrize(
    "learner",
    # The others, new leaves among them, often start afresh, and then say 0 as in MOA.
    [NoChange(), Majority(), NaiveBayes()],
    ids=lambda learner: learner.name,
)
def test_relabelling_the_classes_relabels_the_predictions(learner):
    order, rng = [2, 0, 1], np.random.default_rng(9)
    y = rng.choice(3, 2000, p=[0.6, 0.3, 0.1])
    X = np.column_stack([rng.normal(size=(2000, 3)) + y[:, None] * [0.5, -0.4, 0.1], y])
    X[:, 3] = np.where(rng.random(2000) < 0.5, X[:, 3], rng.integers(0, 3, 2000))
    schema, tape = strategies.schema(3, [0, 0, 0, 3]), prequential(2000)
    predictions = learner.run(Stream(X, y, schema), tape).label
    renamed = learner.run(Stream(X, np.array(order)[y], schema), tape).label
    decided = slice(100, None)  # at first equals are decided by the order of the classes
    np.testing.assert_array_equal(np.array(order)[predictions][decided], renamed[decided])


@models_too
def test_an_empty_tape_has_no_predictions(learner):
    predictions = run(learner, Tape(np.empty(0), np.empty(0), np.empty(0)))
    assert predictions.predicted.shape == (0,)
    assert task_of(learner) is REGRESSION_TASK or predictions.scores.shape == (0, 3)


@every
def test_untrained_learners_predict_class_zero_or_the_number_0_or_nothing(learner):
    predictions = run(learner, Tape(np.arange(5), np.full(5, PREDICT), np.ones(5)))
    expected = np.nan if silent_before(learner) else 0
    np.testing.assert_array_equal(predictions.predicted, [expected] * 5)
    if task_of(learner) is CLASSIFICATION_TASK:
        forecasts = learner.name in ("label_proportions", "label_transitions")
        expected = np.full(3, 1 / 3, np.float32) if forecasts else [1, 0, 0]
        np.testing.assert_array_equal(predictions.scores, np.tile(expected, (5, 1)))


@pytest.mark.parametrize(
    "learner", [learner for learner in ALL if len(learner.possible_tasks) == 1], ids=called
)
def test_a_stream_of_the_other_task_is_an_error(learner):
    is_of_classes = task_of(learner) is CLASSIFICATION_TASK
    other = stream_for((REGRESSORS if is_of_classes else CLASSIFIERS)[0])
    message = (
        r"predicts classes.*'y' .*numeric.*a regressor"
        if is_of_classes
        else r"predicts numbers.*'class' .*nominal.*a classifier"
    )
    with pytest.raises(DataError, match=message):
        learner.run(other, prequential(3))


@models_too
def test_a_row_that_the_stream_does_not_have_is_an_error(learner):
    name = stream_for(learner).name
    for row in (-1, 600):
        tape = Tape(np.array([0, row]), np.full(2, PREDICT), np.ones(2))
        with pytest.raises(DataError, match=rf"-?\d+\.\.\d+,.* '{name}'.* 0\.\.599"):
            run(learner, tape)


class Full(CompiledLearner):
    """A learner whose state has no room and cannot grow."""

    name = "full"
    reference = ""

    def _start(self, schema, seed):
        return None

    def _advance(self, state, events, outputs):
        return events.start, events.entry

    def _model_bytes(self, state):
        return 0


def test_a_state_that_cannot_grow_is_no_endless_loop():
    with pytest.raises(MemoryError, match=r"full: .*cannot grow"):
        Full().run(stream_for(NaiveBayes()), prequential(2))
