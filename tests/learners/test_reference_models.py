"""Reference models with known results, on any tape."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import foreign_models, strategies
from hypothesis import given
from hypothesis import strategies as st

from streameval.evaluation.measurements import overall_measures
from streameval.evaluation.run import run_learners
from streameval.learners.adapters.one_by_one import CustomLearner
from streameval.learners.baselines import Majority, NoChange
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.stream import Stream

N = 60


@pytest.fixture(scope="module")
def stream():
    """A stream of instances that all differ, with the class as the last value."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, N)
    return Stream(np.column_stack([np.arange(N), y]), y, strategies.schema(3, [0, 3]))


@st.composite
def tapes(draw, least=1):
    """Tapes of any order of events, some rows again and again, some weights zero."""
    events = draw(st.integers(least, 90))
    draws = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    ops = draws.choice([PREDICT, LEARN, PREDICT_THEN_LEARN], events)
    return Tape(draws.integers(0, N, events), ops, draws.choice([0.0, 1.0, 2.0], events))


def measured(stream, tape, model, *, of=None):
    learners = {"no_change": NoChange(), "majority": Majority(), "model": model}
    predictions, _ = run_learners(stream, tape, learners)
    table = overall_measures(predictions, ["model"])
    value = dict(zip(table.measure, table.value, strict=True))
    return value if of is None else value[of]


@given(tapes())
def test_a_memoriser_knows_what_was_learnt_before_and_nothing_else(stream, tape):
    predictions = CustomLearner(foreign_models.Memoriser).run(stream, tape)
    known, expected = set(), []
    for row, op, weight in zip(tape.row, tape.op, tape.weight, strict=True):
        if op & PREDICT:
            expected.append(stream.y[row] if row in known else -1)
        if op & LEARN and weight > 0:
            known.add(row)
    assert predictions.label.tolist() == expected


def test_a_memoriser_is_never_right_at_first_sight_and_always_at_the_second(stream):
    model = CustomLearner(foreign_models.Memoriser)
    assert measured(stream, prequential(N), model, of="accuracy") == 0
    again = np.tile(np.arange(N), 2)
    tape = Tape(again, np.full(2 * N, PREDICT_THEN_LEARN), np.ones(2 * N))
    assert measured(stream, tape, model, of="accuracy") == 0.5


def test_an_oracle_scores_one_by_every_measure(stream):
    measures = measured(stream, prequential(N), CustomLearner(foreign_models.Oracle))
    for name in ("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined"):
        assert measures[name] == pytest.approx(1), name


def test_a_constant_knows_nothing(stream):
    model = CustomLearner(foreign_models.Answering, {"answer": 1})
    measures = measured(stream, prequential(N), model)
    assert measures["accuracy"] == pytest.approx(np.mean(stream.y == 1))
    assert measures["kappa"] == 0


def test_an_abstainer_is_always_wrong(stream):
    model = CustomLearner(foreign_models.Answering, {"answer": None})
    measures = measured(stream, prequential(N), model)
    assert measures["accuracy"] == 0
    assert measures["kappa"] <= 0
    assert measures["kappa_temporal"] < 0
    assert measures["kappa_m"] < 0
