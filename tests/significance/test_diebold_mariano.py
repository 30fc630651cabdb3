"""The Diebold-Mariano test: agreement with its parts, its properties, and its critical values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive
from scipy.stats import t

from streameval.errors import ConfigError
from streameval.significance.registry import TESTS
from streameval.significance.series_tests import TAILS, diebold_mariano, fixed_b

TEST = TESTS["diebold_mariano"]
differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=8, max_size=60)


@given(differences)
def test_it_agrees_with_its_twin(values):
    found, n = TEST(values), len(values)
    variance = naive.daniell(values, 3 if n >= 27 else 2)
    if variance > 1e-20:
        expected = np.mean(values) / math.sqrt(variance / n)
        assert float(found.statistic) == pytest.approx(expected, abs=1e-9)
        freedom = 6 if n >= 27 else 4
        assert float(found.p_value) == pytest.approx(2 * t.sf(abs(expected), freedom), abs=1e-9)
        half = t.ppf(0.975, freedom) * math.sqrt(variance / n)
        ends = found.details["low"], found.details["high"]
        assert ends == pytest.approx((np.mean(values) - half, np.mean(values) + half), abs=1e-9)


@given(differences, st.integers(1, 8))
def test_fixed_b_agrees_with_its_twin(values, bandwidth):
    found, n = fixed_b(values, bandwidth), len(values)
    variance = naive.bartlett(values, bandwidth)
    if variance > 1e-20:
        expected = np.mean(values) / math.sqrt(variance / n)
        assert float(found.statistic) == pytest.approx(expected, abs=1e-9)
        assert (found.better | found.worse).tolist() == (abs(expected) > found.critical).tolist()


@given(differences, st.floats(0.01, 100))
def test_the_other_order_and_another_unit(values, unit):
    one, other, scaled = TEST(values), TEST([-d for d in values]), TEST([d * unit for d in values])
    assert 0 <= one.p_value <= 1
    assert other.statistic == pytest.approx(-one.statistic)
    assert other.p_value == pytest.approx(one.p_value)
    assert scaled.statistic == pytest.approx(one.statistic, rel=1e-6, abs=1e-9)
    assert fixed_b(values).better.tolist() == fixed_b([-d for d in values]).worse.tolist()


@given(differences, st.floats(-10, 10))
def test_the_interval_moves_with_the_differences(values, by):
    one, other = TEST(values).details, TEST([d + by for d in values]).details
    for end in ("low", "mean", "high"):
        assert other[end] - by == pytest.approx(one[end], abs=1e-6)


def test_p_value_and_interval_say_the_same():
    found = TEST(np.random.default_rng(1).normal(0.05, size=(300, 100)))
    outside = (found.details["low"] > 0) | (found.details["high"] < 0)
    assert 0 < outside.mean() < 1
    assert (outside == (found.p_value < 0.05)).all()


def test_series_without_variance():
    found = TEST([np.zeros(50), np.full(50, 0.1), np.full(50, -0.3)])
    assert found.statistic.tolist() == [0, np.inf, -np.inf]
    assert found.p_value.tolist() == [1, 0, 0]
    assert fixed_b(np.zeros(50)).statistic == 0
    assert fixed_b(np.full(50, 0.1)).better.all()


def test_the_number_of_frequencies_is_the_degrees_of_freedom():
    values = np.random.default_rng(2).normal(size=100)
    found = diebold_mariano(values, frequencies=7)
    assert found.p_value == pytest.approx(2 * t.sf(abs(found.statistic), 14))
    with pytest.raises(ConfigError, match="at least 3 differences, found 2"):
        TEST([1.0, -1.0])


@pytest.mark.parametrize("b", [0.1, 0.5])
def test_critical_values_are_those_of_kiefer_and_vogelsang(b):
    # 40,000 simulated series: each tail must have its probability within 3.5 standard errors, and
    # a twentieth of it for the cubic and for 200 values in place of a Brownian motion.
    draws, beyond = np.random.default_rng(3), np.zeros(4)
    for _ in range(20):
        found = fixed_b(draws.normal(size=(2_000, 200)), round(200 * b))
        beyond += found.better.sum(axis=0) + found.worse.sum(axis=0)
    tails = np.array(TAILS)
    allowed = 3.5 * np.sqrt(tails / 80_000) + tails / 20
    assert (np.abs(beyond / 80_000 - tails) < allowed).all()
    # Table 1 of the paper, Bartlett, 97.5 %: 1.9600 + 2.9694 b + 0.4160 b² - 0.5324 b³
    expected = {0.1: 2.2606, 0.5: 3.4821}[b]
    assert found.critical[2] == pytest.approx(expected, abs=1e-4)
