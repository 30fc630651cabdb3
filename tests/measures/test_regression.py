"""MAE, RMSE and R² equal their twins; undefined values are NaN."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import measures as naive

from streameval.base.errors import DataError
from streameval.measures.regression import (
    mean_absolute_error,
    r_squared,
    root_mean_squared_error,
)

MEASURES = [mean_absolute_error, root_mean_squared_error, r_squared]

each = pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)

number = st.integers(-1000, 1000).map(lambda n: n / 8)  # sums of squares are exact
pairs = st.lists(st.tuples(number, number), min_size=1, max_size=40)


@each
@given(rows=pairs)
def test_measures_equal_their_twins(measure, rows):
    true, predicted = zip(*rows, strict=True)
    result = float(measure(true, predicted))
    expected = getattr(naive, measure.__name__)(true, predicted)
    # The twin rounds once, numpy at each of up to 40 sums.
    assert result == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@given(rows=pairs)
def test_the_mean_error_is_at_most_the_root_of_the_mean_square(rows):
    true, predicted = zip(*rows, strict=True)
    mean, root = mean_absolute_error(true, predicted), root_mean_squared_error(true, predicted)
    assert mean <= root * (1 + 1e-12)


@each
def test_leading_axes(measure):
    true, predicted = np.random.default_rng(1).normal(size=(2, 3, 4, 50))
    result = measure(true, predicted)
    assert result.shape == (3, 4)
    assert result[1, 2] == measure(true[1, 2], predicted[1, 2])


@each
def test_what_is_undefined_is_nan(measure):
    assert math.isnan(measure([], []))
    assert math.isnan(measure([1.0, 2.0], [1.0, math.nan]))


def test_squares_that_are_too_large_are_infinite():
    true, predicted = [1.0, 2.0], [1e200, 0.0]
    assert mean_absolute_error(true, predicted) == pytest.approx(5e199)
    assert root_mean_squared_error(true, predicted) == np.inf
    assert r_squared(true, predicted) == -np.inf
    assert np.isnan(r_squared([0.0, 1e200], predicted))


def test_r_squared_of_equal_targets_is_undefined():
    # The mean of three times 0.1 is not 0.1 in doubles.
    assert math.isnan(r_squared([0.1] * 3, [0.1, 0.2, 0.3]))
    assert math.isnan(r_squared([0.1] * 3, [0.1] * 3))
    assert r_squared([1.0, 2.0], [1.5, 1.5]) == 0.0


@each
@pytest.mark.parametrize(("true", "predicted"), [([1.0], [1.0, 2.0]), (1.0, 1.0)])
def test_other_shapes_are_an_error(measure, true, predicted):
    with pytest.raises(DataError, match="as many predictions as targets"):
        measure(true, predicted)
