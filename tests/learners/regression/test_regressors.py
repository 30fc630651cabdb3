"""What holds for every regressor that comes with the package."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from helpers import numbers, strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import regression as naive

from streameval.base.errors import ConfigError, DataError
from streameval.learners import learner as learner_module
from streameval.learners.learner import Play
from streameval.learners.registry import REGRESSORS
from streameval.learners.regression.regressor import Form
from streameval.protocols.prequential import prequential
from streameval.protocols.reevaluation import planned
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import Stream

#: Values of parameters, by their names, that let something happen on short streams.
EAGER = {
    "alternate_time": 60,
    "change_threshold": 0.3,
    "change_tolerance": 0.0,
    "comparison_period": 10,
    "drift_delta": 0.9,
    "grace_period": 20,
    "members": 3,
    "period": 3,
    "split_confidence": 0.5,
    "tie_threshold": 0.5,
    "warning_delta": 0.99,
}


def eager(cls, **parameters):
    """Return a regressor whose parameters have these values, where it has them."""
    fields = cls.__dataclass_fields__.keys()
    return cls(**{name: value for name, value in EAGER.items() if name in fields}, **parameters)


def forms(cls):
    """Return a regressor in each of its forms."""
    if "form" not in cls.__dataclass_fields__:
        return [eager(cls)]
    return [eager(cls, form=form) for form in get_args(Form)]


ALL = [each for cls in REGRESSORS.values() for each in forms(cls)]


def label(learner):
    return f"{learner.name}-{getattr(learner, 'form', 'only')}"


def silent_before(learner):
    """Return how many rows of a prequential run have no prediction."""
    return {"previous_target": 1, "seasonal": EAGER["period"]}.get(learner.name, 0)


every = pytest.mark.parametrize("learner", ALL, ids=label)


@pytest.fixture(scope="module")
def stream():
    return numbers.friedman(600)


def same(one, other):
    np.testing.assert_array_equal(one.value, other.value)
    assert one.size == other.size
    assert one.model_bytes == other.model_bytes


@every
def test_one_prediction_for_each_predict_event(learner, stream):
    op = np.tile([PREDICT, LEARN, PREDICT_THEN_LEARN], 300)
    rows = np.random.default_rng(0).integers(0, 600, 900)
    tape = Tape(rows, op, np.random.default_rng(1).integers(0, 3, 900))
    found = learner.play(stream, tape)
    twin = naive.twin(learner, stream)
    assert found.value.dtype == np.float64
    np.testing.assert_array_equal(found.value, naive.play(twin, stream, tape))
    np.testing.assert_array_equal(found.row, rows[op != LEARN])
    assert found.seconds >= 0
    assert found.model_bytes > 0


@every
@settings(max_examples=40)
@given(case=strategies.cases(rows=(1, 300), exponents=(-5, 5)))
def test_hard_streams(learner, case):
    classes, tape = case
    stream = numbers.with_numbers(classes)
    found, twin = learner.play(stream, tape, 3), naive.twin(learner, stream, 3)
    np.testing.assert_array_equal(found.value, naive.play(twin, stream, tape))
    if hasattr(twin, "size"):
        assert found.size == twin.size()


@every
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_predicting_changes_nothing(learner, stream, seed):
    rng = np.random.default_rng(seed)
    # Each event may be followed by predictions of any rows.
    place = np.repeat(np.arange(600), rng.integers(1, 4, 600))
    first = np.append(True, np.diff(place) > 0)
    rows = np.where(first, place, rng.integers(0, 600, len(place)))
    op = np.where(first, PREDICT_THEN_LEARN, PREDICT)
    found = learner.play(stream, Tape(rows, op, np.ones(len(rows))))
    expected = learner.play(stream, prequential(600))
    np.testing.assert_array_equal(found.value[first], expected.value)
    assert found.size == expected.size


@every
def test_learning_with_weight_zero_changes_nothing(learner, stream):
    rng = np.random.default_rng(5)
    rows, weight = rng.integers(0, 600, 900), np.repeat([1.0, 0.0], [600, 300])
    op = np.repeat([PREDICT_THEN_LEARN, LEARN], [600, 300])
    order = rng.permutation(900)
    kept = order[order < 600]
    same(
        learner.play(stream, Tape(rows[order], op[order], weight[order])),
        learner.play(stream, Tape(rows[kept], op[kept], weight[kept])),
    )


@every
def test_runs_in_chunks_and_step_by_step_equal_a_run_at_once(learner, stream, monkeypatch):
    tape = prequential(600)
    at_once = learner.play(stream, tape, 5)
    play = Play(learner, stream, tape, 5)
    for stop in [0, 1, 1, 50, 300, 200, 600]:
        play.advance(stop)
    same(play.predictions(seconds=1.5), at_once)
    monkeypatch.setattr(learner_module, "CHUNK", 7)
    steps = []
    same(learner.play(stream, tape, 5, progress=steps.append), at_once)
    assert sum(steps) == 600


@every
def test_runs_in_pieces_equal_a_run_at_once(learner, stream):
    clock = np.arange(600)
    plan = planned(clock, clock + 3 * (clock % 7), every=4)
    at_once = learner.play(stream, plan.whole[0], 5)
    tapes = [tape for tape, _ in plan.pieces(100)]
    found = [*learner.play_pieces(stream, tapes, 5)]
    assert len(found) == len(tapes) > 5
    np.testing.assert_array_equal(np.concatenate([part.value for part in found]), at_once.value)
    assert found[-1].size == at_once.size


@pytest.mark.parametrize(
    "learner",
    # ADWIN gets predictions from MOA's forest, and the unit decides about drifts.
    [each for each in ALL if (each.name, getattr(each, "form", "")) != ("arf_reg", "moa")],
    ids=label,
)
def test_multiplying_the_target_by_a_power_of_two_multiplies_the_predictions(learner, stream):
    # No sum, quotient or root loses a bit by it, and no decision depends on the unit.
    tape = prequential(600)
    doubled = Stream(stream.X, 8.0 * stream.y, stream.schema)
    found = learner.play(doubled, tape).value
    np.testing.assert_array_equal(found, 8.0 * learner.play(stream, tape).value)


def odd_streams():
    """Streams in which something is missing or never changes, by name."""
    rng = np.random.default_rng(2)
    y, x = rng.normal(size=300), rng.normal(size=300)
    gaps = np.where(rng.random((300, 2)) < 0.5, np.nan, np.column_stack([x, np.abs(y) > 1]))
    both, nothing = numbers.schema([0, 2]), np.full(300, np.nan)
    return {
        "one instance": Stream(np.array([[1.5, 1.0]]), np.array([2.0]), both),
        "constant target": Stream(np.column_stack([x, y > 0]), y * 0 + 0.1, both),
        "constant inputs": Stream(np.column_stack([x * 0 + 0.1, x * 0]), y, both),
        "numeric all missing": Stream(np.column_stack([nothing, y > 0]), y, both),
        "half missing": Stream(gaps, y, both),
        "nominal only": Stream((y > 0)[:, None], y, numbers.schema([2])),
        "no columns": Stream(np.empty((300, 0)), y, numbers.schema([])),
    }


@every
@pytest.mark.parametrize("kind", odd_streams())
def test_odd_streams(learner, kind):
    stream = odd_streams()[kind]
    tape, twin = prequential(len(stream)), naive.twin(learner, stream)
    found = learner.play(stream, tape).value
    np.testing.assert_array_equal(found, naive.play(twin, stream, tape))
    if getattr(learner, "form", "corrected") == "corrected":
        assert np.isfinite(found[silent_before(learner) :]).all()


@pytest.mark.parametrize("learner", [each for each in ALL if hasattr(each, "form")], ids=label)
def test_constant_inputs_are_inputs_that_are_always_0(learner, stream):
    kinds = (*stream.schema.n_values.tolist(), 0, 0)
    padded = np.column_stack([stream.X, np.zeros((len(stream), 2))])
    tape = prequential(len(stream))
    expected = learner.play(Stream(padded, stream.y, numbers.schema(kinds)), tape).value
    found = replace(learner, constant_inputs=2).play(stream, tape).value
    np.testing.assert_array_equal(found, expected)
    assert (found != learner.play(stream, tape).value).any()


@every
def test_untrained_regressors_predict_zero_or_nothing(learner, stream):
    tape = Tape(np.arange(5), np.full(5, PREDICT), np.ones(5))
    expected = [np.nan if silent_before(learner) else 0.0] * 5
    np.testing.assert_array_equal(learner.play(stream, tape).value, expected)
    assert learner.play(stream, Tape(np.empty(0), np.empty(0), np.empty(0))).value.shape == (0,)


@every
def test_a_classification_stream_is_an_error(learner):
    with pytest.raises(DataError, match=r"regressor.*'class' .*nominal"):
        learner.play(Sea().stream(3), prequential(3))


@every
def test_what_a_regressor_cannot_do_is_an_error(learner, stream):
    with pytest.raises(ConfigError, match=r"regressor.* no class scores"):
        learner.play(stream, prequential(3), scores=True)
    with pytest.raises(DataError, match=r"0\.\.600,.* 'friedman'.* 0\.\.599"):
        learner.play(stream, Tape(np.array([0, 600]), np.full(2, PREDICT), np.ones(2)))
    y = np.where(np.arange(600) == 7, np.inf, stream.y)
    with pytest.raises(DataError, match=r"finite .*found inf at row 7"):
        learner.play(Stream(stream.X, y, stream.schema), prequential(3))
    missing = np.where(np.arange(600) == 7, np.nan, stream.y)  # is never learnt
    with pytest.raises(DataError, match=r"row 7 .*label is missing"):
        learner.play(Stream(stream.X, missing, stream.schema), prequential(600))
