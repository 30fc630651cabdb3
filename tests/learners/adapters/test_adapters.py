"""What holds for the models of any tool that plays in this process."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import foreign_models, strategies
from helpers.other_learners import MODELS
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.errors import ConfigError, DataError
from streameval.base.other_tools import memory_of_model
from streameval.learners.adapters import event_blocks, one_by_one
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.adapters.prediction_buffer import normalised_scores
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.planes import Planes
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Stream

PLAIN, RIVER, FOREST, SKLEARN, SHUFFLED = MODELS.values()
every = pytest.mark.parametrize("learner", MODELS.values(), ids=MODELS)
#: Those to which it makes no difference where a run of learning is cut.
stepwise = pytest.mark.parametrize("learner", [PLAIN, RIVER, FOREST, SKLEARN])
#: Those that take missing values.
robust = pytest.mark.parametrize("learner", [PLAIN, RIVER])


@pytest.fixture(scope="module")
def stream():
    return RandomTree(classes=3).stream(300)


def medley(n, weights=(1.0,)):
    """A tape of all kinds of events."""
    rng = np.random.default_rng(5)
    return Tape(rng.integers(0, n, n), rng.choice([1, 2, 3], n), rng.choice(weights, n))


@every
def test_one_prediction_for_each_predict_event(learner, stream):
    tape, steps = medley(300), []
    predictions = learner.run(stream, tape, progress=steps.append)
    assert sum(steps) == len(tape)
    assert min(steps) >= 0
    np.testing.assert_array_equal(predictions.row, tape.row[tape.op != LEARN])
    assert predictions.label.shape == predictions.row.shape
    assert predictions.label.dtype == np.int16
    assert predictions.label.min() >= -1
    assert predictions.label.max() == 2
    assert predictions.n_classes == 3
    assert predictions.scores is None
    assert predictions.seconds > 0
    assert predictions.model_bytes > 0


class Last:
    """The last label or target; an interval of numbers."""

    last = 0

    def learn(self, x, y, w):
        self.last = y

    def predict(self, x):
        return self.last

    def interval(self, x):
        assert isinstance(self.last, float), "no interval around a class"
        return self.last, self.last + 1.0


def test_the_target_decides_what_a_class_of_two_methods_predicts(stream):
    learner, planes = CustomLearner(Last), Planes().stream(50)
    assert learner.run(stream, prequential(300)).label.tolist() == [0, *stream.y[:-1]]
    tape = Tape(np.arange(50), np.append(LEARN, np.full(49, PREDICT_THEN_LEARN)), np.ones(50))
    predictions = learner.run(planes, tape)
    assert predictions.value.tolist() == planes.y[:-1].tolist()
    assert (predictions.high - predictions.low).tolist() == pytest.approx([1.0] * 49)


@every
@pytest.mark.parametrize(("op", "weight"), [(PREDICT, 1), (PREDICT_THEN_LEARN, 0)])
def test_before_the_first_label_there_is_no_prediction(learner, stream, op, weight):
    tape = Tape(np.arange(5), np.full(5, op), np.full(5, weight))
    predictions = learner.run(stream, tape, scores=True)
    assert predictions.label.tolist() == [-1] * 5
    np.testing.assert_array_equal(predictions.scores, np.full((5, 3), 1 / 3, np.float32))


@stepwise
def test_a_run_in_blocks_equals_one_at_once(learner, stream, monkeypatch):
    tape = medley(300, weights=(0.0, 1.0, 2.0))
    at_once = learner.run(stream, tape, scores=True)
    for module in (one_by_one, event_blocks):
        monkeypatch.setattr(module, "BLOCK", 3)
    in_blocks = learner.run(stream, tape, scores=True)
    np.testing.assert_array_equal(at_once.label, in_blocks.label)
    np.testing.assert_array_equal(at_once.scores, in_blocks.scores)


@pytest.mark.parametrize("learner", [FOREST, SHUFFLED, CustomLearner(foreign_models.Seeded)])
def test_another_seed_gives_another_run_and_the_same_seed_the_same(learner):
    # In runs of 100: with one instance a call, there is nothing to shuffle.
    tape = Tape(np.arange(400), np.tile(np.repeat([LEARN, PREDICT], 100), 2), np.ones(400))
    data = RandomTree().stream(400)
    labels = {learner.run(data, tape, seed).label.tobytes() for seed in (1, 2, 3, 1)}
    assert len(labels) == 3


def test_a_seed_in_the_row_wins():
    fixed = CustomLearner(foreign_models.Seeded, {"seed": 3, "constant": True})
    tape = prequential(4)
    assert fixed.run(RandomTree().stream(4), tape, 2).label.tolist() == [1] * 4


@every
def test_weight_zero_learns_nothing(learner, stream):
    tape = medley(300, weights=(0.0, 1.0))
    zero = tape.weight == 0
    op = np.where(zero & (tape.op == PREDICT_THEN_LEARN), PREDICT, tape.op)
    kept = ~(zero & (tape.op == LEARN))
    if learner is SHUFFLED:  # to which it matters what is learnt in one call
        tape, op, kept = prequential(300), np.tile([3, 1], 150), np.ones(300, dtype=bool)
        tape = Tape(tape.row, tape.op, op == 3)
    plain = Tape(tape.row[kept], op[kept], np.ones(kept.sum()))
    predictions, expected = (learner.run(stream, played) for played in (tape, plain))
    np.testing.assert_array_equal(predictions.label, expected.label)


@pytest.mark.parametrize("learner", [PLAIN, FOREST, SKLEARN])
def test_weight_two_is_the_same_instance_twice(learner, stream):
    rows, op = np.arange(200), np.tile([LEARN, PREDICT], 100)
    times = np.where(op == LEARN, 2, 1)
    weighted = Tape(rows, op, times)
    repeated = Tape(np.repeat(rows, times), np.repeat(op, times), np.ones(times.sum()))
    predictions, expected = (learner.run(stream, tape) for tape in (weighted, repeated))
    np.testing.assert_array_equal(predictions.label, expected.label)


@every
def test_a_class_that_appears_late_is_learnt(learner):
    x = np.repeat([0.0, 1.0, 2.0], 40)
    y = np.repeat([0, 0, 2], 40)  # class 1 never comes
    late = Stream(x[:, None], y, strategies.schema(3, [3]))
    predictions = learner.run(late, prequential(120), scores=True)
    assert predictions.label[1:40].tolist() == [0] * 39
    assert predictions.label[-10:].tolist() == [2] * 10
    assert 1 not in predictions.label
    np.testing.assert_allclose(predictions.scores.sum(axis=1), 1, rtol=1e-6)


@pytest.mark.parametrize("learner", [PLAIN, RIVER, FOREST, SKLEARN])
def test_a_single_class_that_is_declared(learner):
    alone = Stream(np.arange(5.0)[:, None], np.zeros(5), strategies.schema(1, [0]))
    predictions = learner.run(alone, prequential(5), scores=True)
    assert set(predictions.label.tolist()) <= {-1, 0}
    assert (predictions.scores == 1).all()


@every
def test_nominal_values_that_were_never_learnt(learner):
    X = np.array([[0.0], [1.0], [0.0], [1.0], [2.0]])
    strange = Stream(X, np.array([0, 1, 0, 1, 1]), strategies.schema(2, [4]))
    tape = Tape(np.arange(5), np.array([2, 2, 2, 2, 1]), np.ones(5))
    predictions = learner.run(strange, tape, scores=True)
    assert predictions.label.shape == (1,)
    np.testing.assert_allclose(predictions.scores.sum(), 1, rtol=1e-6)


@robust
@settings(max_examples=30)
@given(case=strategies.cases(rows=(1, 60)))
def test_any_stream(learner, case):
    stream, tape = case
    predictions = learner.run(stream, tape, scores=True)
    assert predictions.scores.shape == (len(tape.predict_rows), stream.n_classes)
    assert (predictions.scores >= 0).all()
    np.testing.assert_allclose(predictions.scores.sum(axis=1), 1, rtol=1e-6)
    assert (predictions.label < stream.n_classes).all()
    np.testing.assert_array_equal(predictions.label, learner.run(stream, tape).label)


# --- any class -------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [2, np.int64(1), True, np.bool_(True), None, -1])
def test_predictions_of_any_integer_type(answer):
    learner = CustomLearner(foreign_models.Answering, {"answer": answer})
    expected = -1 if answer is None else int(answer)
    predictions = learner.run(RandomTree(classes=3).stream(3), prequential(3))
    assert predictions.label.tolist() == [expected] * 3


@pytest.mark.parametrize("answer", [3, -2, 1.0, "1", 70_000])
def test_predictions_that_are_no_class_are_named(answer):
    learner = CustomLearner(foreign_models.Answering, {"answer": answer})
    message = f"Answering predicted {answer!r} for row 0: expected a class code, 0 to"
    message = f"helpers.foreign_models:{message}"
    with pytest.raises(DataError, match=message):
        learner.run(RandomTree(classes=3).stream(3), prequential(3))


def test_a_model_cannot_change_the_stream():
    stream = RandomTree().stream(5)
    before = stream.X.copy()
    CustomLearner(foreign_models.Answering, {"answer": 1}).run(stream, prequential(5))
    np.testing.assert_array_equal(stream.X, before)


def test_scores_of_a_class_without_any():
    learner = CustomLearner(foreign_models.Seeded)
    with pytest.raises(ConfigError, match=r"foreign_models:Seeded .*class scores"):
        learner.run(RandomTree().stream(3), prequential(3), scores=True)


@pytest.mark.parametrize(
    ("votes", "label", "expected"),
    [
        ([1, 3], 0, [0.25, 0.75]),
        ([0, 0], 1, [0, 1]),  # no votes: the predicted class gets all
        ([np.nan, 1], 1, [0, 1]),
        ([np.inf, 1], 0, [1, 0]),
        ([0, 0], -1, [0.5, 0.5]),  # no prediction either
    ],
)
def test_votes_become_scores(votes, label, expected):
    scores = normalised_scores([votes], np.array([label], np.int16), 2, "it")
    assert scores.dtype == np.float32
    np.testing.assert_array_equal(scores, np.array([expected], np.float32))


@pytest.mark.parametrize(
    ("votes", "message"),
    [
        ([[1, 2, 3]], "it: expected 2 scores, one per class and none negative, found shape"),
        ([[1, -2]], "found -2"),
        ([["a", "b"]], "found could not convert"),
        ([3], "found shape"),
    ],
)
def test_wrong_votes_are_named(votes, message):
    with pytest.raises(DataError, match=message):
        normalised_scores(votes, np.array([0], np.int16), 2, "it")


# --- the size of a model ---------------------------------------------------------------


def test_the_size_of_a_model():
    array = np.zeros(1000)
    assert 8000 < memory_of_model(array) < 8200
    assert memory_of_model(array[:10]) > 8000  # holds on to all of it
    assert memory_of_model([array, array]) < 8400  # counted once
    assert memory_of_model({"a": "x" * 5000}) > 5000
    assert memory_of_model(np.array(["x" * 5000], dtype=object)) > 5000
    knot = []
    knot.append(knot)
    assert memory_of_model(knot) < 200
    assert memory_of_model(foreign_models) == 0  # the program is no model


@settings(max_examples=20)
@given(st.recursive(st.integers() | st.text(max_size=5), st.lists, max_leaves=10))
def test_a_model_is_larger_than_its_parts(content):
    assert memory_of_model([content, "something else"]) > memory_of_model(content)
