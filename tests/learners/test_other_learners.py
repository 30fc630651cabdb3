"""What holds for every learner of the package also holds inside wrappers and for other tools."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.other_learners import MODELS, WRAPPED, assert_same, medley, name_of
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.errors import DataError
from streameval.learners import learner as learner_module
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.generators.random_tree import RandomTree
from streameval.streams.stream import Attribute, Schema, Stream

TAPES = {"plain": prequential(550), "medley": medley(600, 930, 1)}
wrapped = pytest.mark.parametrize("learner", WRAPPED, ids=name_of)
ONLY_CLASSES = [*WRAPPED, *(model for name, model in MODELS.items() if name != "plain")]
models_too = pytest.mark.parametrize("learner", [*WRAPPED, *MODELS.values()], ids=name_of)


@pytest.fixture(scope="module")
def stream():
    return RandomTree(classes=3).stream(600)


@wrapped
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_learning_with_weight_zero_changes_nothing(learner, stream, seed):
    tape = medley(600, 900, seed)
    idle = (tape.op == LEARN) & (tape.weight == 0)
    kept = Tape(tape.row[~idle], tape.op[~idle], tape.weight[~idle])
    assert_same(learner.run(stream, tape), learner.run(stream, kept))


@wrapped
@pytest.mark.parametrize("tape", TAPES.values(), ids=TAPES)
def test_the_same_seed_gives_the_same_bytes(learner, stream, tape):
    first, second = (learner.run(stream, tape, 7, scores=True) for _ in range(2))
    assert_same(first, second)
    assert first.scores.tobytes() == second.scores.tobytes()


@models_too
@pytest.mark.parametrize("tape", TAPES.values(), ids=TAPES)
def test_progress_sums_to_the_number_of_events(learner, stream, monkeypatch, tape):
    monkeypatch.setattr(learner_module, "EVENTS_PER_CALL", 100)
    steps = []
    learner.run(stream, tape, progress=steps.append)
    assert sum(steps) == len(tape)
    assert min(steps) >= 0
    if learner not in MODELS.values():
        assert max(steps) <= 100


@models_too
def test_an_empty_tape_has_no_predictions(learner, stream):
    predictions = learner.run(stream, Tape(np.empty(0), np.empty(0), np.empty(0)), scores=True)
    assert predictions.label.shape == (0,)
    assert predictions.scores.shape == (0, 3)


@pytest.mark.parametrize("learner", ONLY_CLASSES, ids=name_of)
def test_a_regression_stream_is_an_error(learner):
    numbers = Stream(np.zeros((3, 1)), np.zeros(3), Schema((Attribute("a"),), target="price"))
    with pytest.raises(DataError, match=r"predicts classes.*'price' .*'stream' .*numeric"):
        learner.run(numbers, prequential(3))


@models_too
@pytest.mark.parametrize("row", [-1, 600])
def test_a_row_that_the_stream_does_not_have_is_an_error(learner, stream, row):
    tape = Tape(np.array([0, row]), np.full(2, PREDICT), np.ones(2))
    with pytest.raises(DataError, match=r"-?\d+\.\.\d+,.* 'random_tree'.* 0\.\.599"):
        learner.run(stream, tape)
