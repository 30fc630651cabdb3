"""Long-run variances against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive
from scipy.signal import lfilter

from streameval.errors import ConfigError
from streameval.significance.registry import TESTS
from streameval.significance.series import (
    bartlett,
    daniell,
    daniell_frequencies,
    initial_positive,
)

values = st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=40)


@given(values, st.data())
def test_bartlett_is_the_weighted_sum_of_autocovariances(series, data):
    bandwidth = data.draw(st.integers(1, len(series)))
    expected = naive.bartlett(series, bandwidth)
    assert float(bartlett(series, bandwidth)) == pytest.approx(expected, abs=1e-12)


@given(values, st.data())
def test_daniell_is_the_mean_of_the_lowest_periodogram_values(series, data):
    frequencies = data.draw(st.integers(1, (len(series) - 1) // 2))
    expected = naive.daniell(series, frequencies)
    assert float(daniell(series, frequencies)) == pytest.approx(expected, abs=1e-12)


# statsmodels 0.15.0: OLS(SERIES, ones).fit(cov_type="HAC", cov_kwds={"maxlags": M - 1}), squared
# standard error times n.
SERIES = [0, 1, -1, 1, 1, 0, 0, 1, -1, 0, 1, 1, 0, 0, 1, 1, 1, 0, -1, 0]


@pytest.mark.parametrize(
    ("bandwidth", "expected"), [(1, 0.51), (2, 0.4655), (4, 0.285), (10, 0.1025)]
)
def test_bartlett_is_that_of_statsmodels(bandwidth, expected):
    assert float(bartlett(SERIES, bandwidth)) == pytest.approx(expected, rel=1e-12)


def test_defaults_are_the_rules_of_coroneo_and_iacone():
    series = np.random.default_rng(1).normal(size=(2, 999))
    assert bartlett(series) == pytest.approx(bartlett(series, 31))
    assert daniell(series) == pytest.approx(daniell(series, 9))
    for root in (1, 2, 10, 99, 100, 1000):
        assert daniell_frequencies(root**3) == root
        assert daniell_frequencies((root + 1) ** 3 - 1) == root


def test_many_series_are_as_each_of_them():
    series = np.random.default_rng(2).normal(size=(3, 2, 50))
    for function in (bartlett, daniell):
        together = function(series)
        assert together.shape == (3, 2)
        assert together[2, 1] == pytest.approx(float(function(series[2, 1])))


def test_the_long_run_variance_of_an_autoregression():
    """AR(1) with φ = 0.8: (1 + φ) / (1 - φ) = 9 times the variance, of long series without bias."""
    noise = np.random.default_rng(3).normal(size=(60, 20_000))
    series = lfilter([1], [1, -0.8], noise, axis=-1)
    for length in (4000, 20_000):  # as it is, and averaged over blocks
        times = np.array([initial_positive(one) / one.var() for one in series[:, :length]])
        assert abs(times.mean() - 9) < 0.05 * 9 + 4 * times.std() / np.sqrt(60)


@pytest.mark.parametrize("value", [0.0, 0.1, -1.0])
def test_equal_values_have_no_variance(value):
    assert initial_positive(np.full(100, value)) == 0.0
    assert float(bartlett(np.full(100, value))) == pytest.approx(0, abs=1e-25)


@pytest.mark.parametrize("bandwidth", [0, 51])
def test_a_bandwidth_must_fit(bandwidth):
    with pytest.raises(ConfigError, match=f"bandwidth from 1 to 50.* found {bandwidth}"):
        bartlett(np.zeros(50), bandwidth)
    with pytest.raises(ConfigError, match="from 1 to 24 frequencies"):
        daniell(np.zeros(50), 25)
    with pytest.raises(ConfigError, match="at least 2 differences, found 1"):
        bartlett([1.0])


@pytest.mark.parametrize("name", ["diebold_mariano", "series_t", "fluctuation", "e_process"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_numbers_are_refused(name, value):
    with pytest.raises(ConfigError, match=r"finite .*found 1 .*NaN"):
        TESTS[name]([[0.0] * 30, [0.0] * 29 + [value]])
