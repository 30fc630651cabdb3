"""What holds for every learner of the package; some of it wrapped, and for models of others."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import strategies
from helpers.every_learner import MODELS, OWN, WRAPPED, assert_same, medley, name_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import learners as naive

from streameval.base.errors import DataError
from streameval.learners import learner as learner_module
from streameval.learners.baselines import Majority, NoChange
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.learners.learner import CompiledLearner, Play
from streameval.learners.predictions import NO_PREDICTION
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.random_rbf import RandomRbf
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Attribute, Schema, Stream

TAPES = {"plain": prequential(550), "medley": medley(600, 930, 1)}
every = pytest.mark.parametrize("learner", OWN, ids=name_of)
wrapped_too = pytest.mark.parametrize("learner", [*OWN, *WRAPPED], ids=name_of)
models_too = pytest.mark.parametrize("learner", [*OWN, *WRAPPED, *MODELS.values()], ids=name_of)


@pytest.fixture(scope="module")
def stream():
    return RandomTree(classes=3).stream(600)


@every
def test_one_prediction_for_each_predict_event(learner, stream):
    op = np.tile([PREDICT, LEARN, PREDICT_THEN_LEARN], 200)
    rows = np.random.default_rng(0).integers(0, 600, 600)
    tape = Tape(rows, op, np.ones(600))
    found = learner.play(stream, tape)
    assert found.label.dtype == np.int16
    assert found.label.tolist() == naive.play(naive.twin(learner, stream), stream, tape)
    np.testing.assert_array_equal(found.row, rows[op != LEARN])
    assert found.n_classes == 3
    assert found.scores is None
    assert found.seconds >= 0
    assert found.model_bytes > 0


@every
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_predicting_changes_nothing(learner, stream, seed):
    rng = np.random.default_rng(seed)
    plain = prequential(600)
    # Each event may be followed by predictions of any rows.
    place = np.repeat(np.arange(600), rng.integers(1, 4, 600))
    first = np.append(True, np.diff(place) > 0)
    rows = np.where(first, place, rng.integers(0, 600, len(place)))
    op = np.where(first, PREDICT_THEN_LEARN, PREDICT)
    found = learner.play(stream, Tape(rows, op, np.ones(len(rows))))
    expected = learner.play(stream, plain)
    np.testing.assert_array_equal(found.label[first], expected.label)
    assert found.size == expected.size


@wrapped_too
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_learning_with_weight_zero_changes_nothing(learner, stream, seed):
    tape = medley(600, 900, seed)
    idle = (tape.op == LEARN) & (tape.weight == 0)
    kept = Tape(tape.row[~idle], tape.op[~idle], tape.weight[~idle])
    assert_same(learner.play(stream, tape), learner.play(stream, kept))


@wrapped_too
@pytest.mark.parametrize("tape", TAPES.values(), ids=TAPES)
def test_the_same_seed_gives_the_same_bytes(learner, stream, tape):
    one, other = (learner.play(stream, tape, 7, scores=True) for _ in range(2))
    assert_same(one, other)
    assert one.scores.tobytes() == other.scores.tobytes()


@every
def test_a_run_in_chunks_equals_one_at_once(learner, stream, monkeypatch):
    tape = prequential(600)
    at_once = learner.play(stream, tape, scores=True)
    monkeypatch.setattr(learner_module, "CHUNK", 7)
    in_chunks = learner.play(stream, tape, scores=True)
    assert_same(at_once, in_chunks)
    np.testing.assert_array_equal(at_once.scores, in_chunks.scores)


@every
def test_a_run_step_by_step_equals_one_at_once(learner, stream):
    op = np.tile([PREDICT, LEARN, PREDICT_THEN_LEARN], 200)
    tape = Tape(np.arange(600), op, np.ones(600))
    at_once = learner.play(stream, tape, 5, scores=True)
    play = Play(learner, stream, tape, 5, scores=True)
    reached = 0
    for stop in [0, 1, 1, *range(2, 50), 300, 200, 600]:  # 200 lies behind: nothing is to do
        play.advance(stop)
        reached = max(reached, stop)
        played = np.count_nonzero(op[:reached] != LEARN)
        np.testing.assert_array_equal(play.outputs.label[:played], at_once.label[:played])
        assert (play.outputs.label[played:] == NO_PREDICTION).all()
    found = play.predictions(seconds=1.5)
    assert_same(found, at_once)
    np.testing.assert_array_equal(found.scores, at_once.scores)
    np.testing.assert_array_equal(found.row, at_once.row)
    assert found.seconds == 1.5


@models_too
@pytest.mark.parametrize("tape", TAPES.values(), ids=TAPES)
def test_progress_sums_to_the_number_of_events(learner, stream, monkeypatch, tape):
    monkeypatch.setattr(learner_module, "CHUNK", 100)
    steps = []
    learner.play(stream, tape, progress=steps.append)
    assert sum(steps) == len(tape)
    assert min(steps) >= 0
    if learner not in MODELS.values():
        assert max(steps) <= 100
    if learner in OWN:
        assert max(steps) == 100


@wrapped_too
@settings(max_examples=40)
@given(case=strategies.cases(rows=(1, 60), exponents=(-5, 5)))
def test_scores_sum_to_one_and_the_predicted_class_has_the_highest(learner, case):
    stream, tape = case
    found = learner.play(stream, tape, scores=True)
    assert found.scores.dtype == np.float32
    assert found.scores.shape == (len(found.label), stream.n_classes)
    assert (found.scores >= 0).all()
    np.testing.assert_allclose(found.scores.sum(axis=1), 1, rtol=1e-6)
    of_predicted = found.scores[np.arange(len(found.label)), found.label]
    np.testing.assert_array_equal(of_predicted, found.scores.max(axis=1, initial=0))
    np.testing.assert_array_equal(found.label, learner.play(stream, tape).label)


@every
def test_requesting_scores_changes_no_prediction(learner):
    stream, tape = RandomRbf(seed=3).stream(5000), prequential(5000)
    assert_same(learner.play(stream, tape), learner.play(stream, tape, scores=True))


def odd_streams():
    """Streams in which something is missing or never changes, by name."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 60)
    x, v = rng.normal(size=60) + y, (y + rng.integers(0, 2, 60)) % 3
    gaps = np.where(rng.random((60, 2)) < 0.5, np.nan, np.column_stack([x, v]))
    both, nothing = strategies.schema(3, [0, 3]), np.full(60, np.nan)
    return {
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


@every
@pytest.mark.parametrize("kind", odd_streams())
def test_odd_streams(learner, kind):
    stream = odd_streams()[kind]
    tape, twin = prequential(len(stream)), naive.twin(learner, stream)
    found = learner.play(stream, tape, scores=True)
    assert found.label.tolist() == naive.play(twin, stream, tape)
    np.testing.assert_allclose(found.scores.sum(axis=1), 1, rtol=1e-6)


@pytest.mark.parametrize(
    "learner",
    # The others, new leaves among them, often start afresh, and then say 0 as in MOA.
    [NoChange(), Majority(), NaiveBayes()],
    ids=lambda learner: learner.name,
)
@pytest.mark.parametrize("order", [[1, 0, 2], [2, 0, 1], [2, 1, 0]])
def test_relabelling_the_classes_relabels_the_predictions(learner, order):
    rng = np.random.default_rng(9)
    y = rng.choice(3, 2000, p=[0.6, 0.3, 0.1])
    X = np.column_stack([rng.normal(size=(2000, 3)) + y[:, None] * [0.5, -0.4, 0.1], y])
    X[:, 3] = np.where(rng.random(2000) < 0.5, X[:, 3], rng.integers(0, 3, 2000))
    schema, tape = strategies.schema(3, [0, 0, 0, 3]), prequential(2000)
    found = learner.play(Stream(X, y, schema), tape).label
    renamed = learner.play(Stream(X, np.array(order)[y], schema), tape).label
    decided = slice(100, None)  # at first equals are decided by the order of the classes
    np.testing.assert_array_equal(np.array(order)[found][decided], renamed[decided])


@models_too
def test_an_empty_tape_has_no_predictions(learner, stream):
    found = learner.play(stream, Tape(np.empty(0), np.empty(0), np.empty(0)), scores=True)
    assert found.label.shape == (0,)
    assert found.scores.shape == (0, 3)


@every
def test_untrained_learners_predict_class_zero(learner, stream):
    tape = Tape(np.arange(5), np.full(5, PREDICT), np.ones(5))
    found = learner.play(stream, tape, scores=True)
    assert found.label.tolist() == [0] * 5
    forecasts = learner.name in ("label_proportions", "label_transitions")
    expected = np.full(3, 1 / 3, np.float32) if forecasts else [1, 0, 0]
    np.testing.assert_array_equal(found.scores, np.tile(expected, (5, 1)))


@models_too
def test_a_regression_stream_is_an_error(learner):
    numbers = Stream(np.zeros((3, 1)), np.zeros(3), Schema((Attribute("a"),), target="price"))
    with pytest.raises(DataError, match=r"classifier.*'price' .*'stream' .*numeric"):
        learner.play(numbers, prequential(3))


@models_too
@pytest.mark.parametrize("row", [-1, 600])
def test_a_row_that_the_stream_does_not_have_is_an_error(learner, stream, row):
    tape = Tape(np.array([0, row]), np.full(2, PREDICT), np.ones(2))
    with pytest.raises(DataError, match=r"-?\d+\.\.\d+,.* 'random_tree'.* 0\.\.599"):
        learner.play(stream, tape)


class Full(CompiledLearner):
    """A learner whose state has no room and cannot grow."""

    name = "full"
    reference = ""

    def _start(self, schema, seed):
        return None

    def _advance(self, state, stretch, outputs):
        return stretch.start, stretch.at

    def _model_bytes(self, state):
        return 0


def test_a_state_that_cannot_grow_is_no_endless_loop(stream):
    with pytest.raises(MemoryError, match=r"full: .*cannot grow"):
        Full().play(stream, prequential(2))
