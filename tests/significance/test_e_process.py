"""E-processes: the closed form of the mixture, sums, p-values, and fewer looks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive

from streameval.significance.e_process import e_process, log_mixture, running_sums
from streameval.significance.registry import TESTS

TEST = TESTS["e_process"]
differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=60)


@pytest.mark.parametrize("rho", [0.5, 12.6, 300.0])
@pytest.mark.parametrize("time", [0.0, 0.4, 10.0, 500.0, 40_000.0])
@pytest.mark.parametrize("distance", [-30.0, -7.0, -4.0, 0.0, 4.0, 15.0])
def test_the_mixture_is_that_of_its_twin(rho, time, distance):
    total = distance * math.sqrt(time + 1.0)
    result = float(log_mixture(np.float64(total), np.float64(time), rho))
    assert result == pytest.approx(naive.log_mixture(total, time, rho), abs=1e-6)


@given(differences)
def test_sums_and_times_are_those_of_its_twin(values):
    result = running_sums(values)
    expected = naive.walk(values)
    assert result[0] == pytest.approx(expected[0], abs=1e-12)
    assert result[1] == pytest.approx(expected[1], abs=1e-12)


@given(differences)
def test_the_other_order(values):
    first, second = e_process(values), e_process([-d for d in values])
    assert second.better == pytest.approx(first.worse)
    assert second.either == pytest.approx(first.either)
    mean = (np.exp(first.better) + np.exp(first.worse)) / 2
    assert np.exp(first.either) == pytest.approx(mean)
    assert TEST(values).p_value == pytest.approx(min(1, np.exp(-first.either.max())))


@given(differences, differences)
def test_the_future_changes_nothing(values, more):
    assert e_process(values + more).either[: len(values)] == pytest.approx(e_process(values).either)


@pytest.mark.parametrize("looks", [1, 7, 500])
def test_fewer_looks_see_the_same_values(looks):
    series = np.random.default_rng(5).choice([-1.0, 0.0, 1.0], (3, 90))
    whole, some = e_process(series), e_process(series, looks=looks)
    at = np.unique(np.linspace(90, 0, looks, endpoint=False).round().astype(int)) - 1
    assert at[-1] == 89
    assert np.array_equal(some.either, whole.either[:, at])
    assert np.array_equal(some.worse, whole.worse[:, at])
