"""Long-run variances against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive

from streameval.base.errors import ConfigError
from streameval.significance.series import (
    bartlett,
    daniell,
    daniell_frequencies,
    initial_positive_variance,
)

values = st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=40)


@given(values)
def test_bartlett_is_the_weighted_sum_of_autocovariances(series):
    expected = naive.bartlett(series, math.isqrt(len(series)))
    assert float(bartlett(series)) == pytest.approx(expected, abs=1e-12)


@given(values)
def test_daniell_is_the_mean_of_the_lowest_periodogram_values(series):
    frequencies = next(m for m in range(10, 0, -1) if m**3 <= len(series))
    expected = naive.daniell(series, frequencies)
    assert float(daniell(series)) == pytest.approx(expected, abs=1e-12)


# statsmodels 0.15.0: OLS(SERIES, ones).fit(cov_type="HAC", cov_kwds={"maxlags": 3}), squared
# standard error times n.
SERIES = [0, 1, -1, 1, 1, 0, 0, 1, -1, 0, 1, 1, 0, 0, 1, 1, 1, 0, -1, 0]


def test_bartlett_is_that_of_statsmodels():
    assert float(bartlett(SERIES)) == pytest.approx(0.285, rel=1e-12)


def test_frequencies_are_as_many_as_coroneo_and_iacone_recommend():
    for root in (1, 2, 10, 99, 100, 1000):
        assert daniell_frequencies(root**3) == root
        assert daniell_frequencies((root + 1) ** 3 - 1) == root


def test_many_series_are_as_each_of_them():
    series = np.random.default_rng(2).normal(size=(3, 2, 50))
    for function in (bartlett, daniell):
        together = function(series)
        assert together.shape == (3, 2)
        assert together[2, 1] == pytest.approx(float(function(series[2, 1])))


@pytest.mark.parametrize("value", [0.0, 0.1, -1.0])
def test_equal_values_have_no_variance(value):
    assert initial_positive_variance(np.full(100, value)) == (0.0, 0)
    assert float(bartlett(np.full(100, value))) == pytest.approx(0, abs=1e-25)


def test_one_value_has_no_variance():
    with pytest.raises(ConfigError, match="at least 2 differences, found 1"):
        bartlett([1.0])
