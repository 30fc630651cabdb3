"""What holds for every regressor that comes with the package, and for no classifier."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import numbers, strategies
from helpers.every_learner import REGRESSORS, assert_agrees, called
from hypothesis import given, settings

from streameval.base.errors import ConfigError, DataError
from streameval.learners.regression.regressor import MoaRegressor
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream

every = pytest.mark.parametrize("learner", REGRESSORS, ids=called)
FORMED = [learner for learner in REGRESSORS if isinstance(learner, MoaRegressor)]


@pytest.fixture(scope="module")
def stream():
    return numbers.friedman(600)


@every
@settings(max_examples=40)
@given(case=strategies.cases(rows=(1, 300), exponents=(-5, 5)))
def test_hard_streams(learner, case):
    stream, tape = case
    assert_agrees(learner, numbers.with_numbers(stream), tape, 3)


@pytest.mark.parametrize(
    "learner",
    # ADWIN gets predictions from MOA's forest, and the unit decides about drifts.
    [each for each in REGRESSORS if (each.name, getattr(each, "form", "")) != ("arf_reg", "moa")],
    ids=called,
)
def test_multiplying_the_target_by_a_power_of_two_multiplies_the_predictions(learner, stream):
    # No sum, quotient or root loses a bit by it, and no decision depends on the unit.
    tape = prequential(600)
    doubled = Stream(stream.X, 8.0 * stream.y, stream.schema)
    predictions = learner.run(doubled, tape).value
    np.testing.assert_array_equal(predictions, 8.0 * learner.run(stream, tape).value)


@pytest.mark.parametrize("learner", FORMED, ids=called)
def test_constant_inputs_are_inputs_that_are_always_0(learner, stream):
    kinds = (*stream.schema.n_values.tolist(), 0, 0)
    padded = np.column_stack([stream.X, np.zeros((len(stream), 2))])
    tape = prequential(len(stream))
    expected = learner.run(Stream(padded, stream.y, numbers.schema(kinds)), tape).value
    predictions = replace(learner, constant_inputs=2).run(stream, tape).value
    np.testing.assert_array_equal(predictions, expected)
    assert (predictions != learner.run(stream, tape).value).any()


@every
def test_what_a_regressor_cannot_do_is_an_error(learner, stream):
    with pytest.raises(ConfigError, match=r"regressor.* no class scores"):
        learner.run(stream, prequential(3), scores=True)
    y = np.where(np.arange(600) == 7, np.inf, stream.y)
    with pytest.raises(DataError, match=r"finite .*found inf at row 7"):
        learner.run(Stream(stream.X, y, stream.schema), prequential(3))
    missing = np.where(np.arange(600) == 7, np.nan, stream.y)  # is never learnt
    with pytest.raises(DataError, match=r"row 7 .*label is missing"):
        learner.run(Stream(stream.X, missing, stream.schema), prequential(600))
