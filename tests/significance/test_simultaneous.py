"""Width of simultaneous intervals, compared with exactly known cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import skew, t

from streameval.significance.simultaneous import column_block_means, simultaneous_width, skewness
from streameval.significance.stream_mean import N_SECTIONS


def wide(probability):
    return t.ppf((1 + probability) / 2, N_SECTIONS - 1)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("m", [3, 20])
def test_independent_series_need_the_root_of_the_confidence(m, confidence):
    # The maxima of m independent ratios: each has to hold with the m-th root of the probability.
    series = np.random.default_rng(m).standard_normal((20_000, m))
    expected = wide(confidence ** (1 / m))
    assert simultaneous_width(column_block_means(series), confidence) == pytest.approx(
        expected, rel=0.04
    )


def test_equal_series_are_one():
    series = np.random.default_rng(1).standard_normal((2_000, 1))
    result = simultaneous_width(column_block_means(np.repeat(series, 30, axis=1)))
    assert result == pytest.approx(wide(0.95), rel=0.04)
    assert result >= wide(0.95)


def test_series_that_are_constant_do_not_count():
    series = np.random.default_rng(1).standard_normal((2_000, 1))
    with_constants = np.concatenate([series, np.ones((2_000, 5))], axis=1)
    assert simultaneous_width(column_block_means(with_constants)) == wide(0.95)
    assert simultaneous_width(column_block_means(np.ones((2_000, 2)))) == wide(0.95)


def test_blocks_of_differences_are_differences_of_blocks():
    first, second = np.random.default_rng(1).standard_normal((2, 1_001, 3))
    np.testing.assert_allclose(
        column_block_means(first - second),
        column_block_means(first) - column_block_means(second),
        atol=1e-12,
    )


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=50))
def test_the_skewness_is_that_of_scipy(values):
    expected = 0.0 if len({*values}) == 1 else skew(values)
    assert skewness(values) == pytest.approx(expected, abs=1e-12)


def test_equal_values_have_no_skewness_by_rounding():
    assert skewness(np.full(1000, 0.1)) == 0.0
