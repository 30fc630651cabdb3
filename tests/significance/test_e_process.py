"""E-processes: the closed form of the mixture, its validity at any time, and its power."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive

from streameval.significance.e_process import RANGE, e_process, log_mixture, running_sums
from streameval.significance.registry import TESTS

TEST = TESTS["e_process"]
differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=60)


@pytest.mark.parametrize("rho", [0.5, 12.6, 300.0])
@pytest.mark.parametrize("time", [0.0, 0.4, 10.0, 500.0, 40_000.0])
@pytest.mark.parametrize("distance", [-30.0, -7.0, -4.0, -1.0, 0.0, 1.0, 4.0, 15.0])
def test_the_mixture_is_that_of_its_twin(rho, time, distance):
    total = distance * math.sqrt(time + 1.0)
    result = float(log_mixture(np.float64(total), np.float64(time), rho))
    assert result == pytest.approx(naive.log_mixture(total, time, rho), abs=1e-6)


def test_each_rate_of_the_mixture_gives_a_supermartingale():
    # exp(λ y - ψ(λ) y²) ≤ 1 + λ y for y ≥ -c: the one inequality that validity needs.
    for rate in np.linspace(0, 0.5, 51)[:-1]:
        y = np.linspace(-RANGE, RANGE, 4_001)
        bet = np.exp(rate * y - naive.psi(rate, RANGE) * y**2)
        assert (bet <= 1 + rate * y + 1e-12).all()


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
    assert 0 <= TEST(values).p_value <= 1


@given(differences, differences)
def test_the_future_changes_nothing(values, more):
    assert e_process(values + more).either[: len(values)] == pytest.approx(e_process(values).either)


RUNS = 1_000
#: No more than the level, but for three standard errors of the simulation.
MOST = 0.05 + 3 * math.sqrt(0.05 * 0.95 / RUNS)


def independent(draws, n=2_000):
    return draws.choice([-1.0, 0.0, 1.0], p=[0.05, 0.9, 0.05], size=(RUNS, n))


def changing_variance(draws, n=2_000):
    """Martingale differences whose size depends on the one before."""
    values, chance = np.zeros((RUNS, n)), np.full(RUNS, 0.3)
    for t in range(n):
        differ = draws.random(RUNS) < chance
        values[:, t] = np.where(differ, draws.choice([-1.0, 1.0], size=RUNS), 0.0)
        chance = np.where(differ, 0.9, 0.05)
    return values


def skewed(draws, n=2_000):
    """Rare large losses against frequent small gains, the worst case of bounded means."""
    return np.where(draws.random((RUNS, n)) < 0.02, -0.98, 0.02)


@pytest.mark.parametrize("stream", [independent, changing_variance, skewed])
def test_it_rejects_a_true_null_at_any_time_no_more_often_than_stated(stream):
    values = stream(np.random.default_rng(1))
    result = e_process(values)
    for path in result:
        assert np.mean(path.max(axis=-1) >= math.log(20)) <= MOST


def test_the_p_value_is_small_where_one_learner_is_better():
    draws = np.random.default_rng(2)
    values = draws.choice([-1.0, 0.0, 1.0], p=[0.05, 0.85, 0.10], size=(200, 3_000))
    result = TEST(values)
    assert np.mean(result.p_value < 0.05) > 0.95
    paths = e_process(values)
    assert np.mean(paths.worse.max(axis=-1) >= math.log(20)) <= 0.05
    assert ((paths.either >= math.log(20)).any(axis=-1) == (result.p_value <= 0.05)).all()


def test_no_difference_is_no_evidence():
    result = TEST(np.zeros((2, 100)))
    assert result.p_value == pytest.approx([1, 1], abs=1e-12)
    # 100 instances for which only the first learner is correct
    assert TEST(np.ones(100)).p_value < 1e-10


@pytest.mark.parametrize("looks", [1, 7, 500])
def test_fewer_looks_see_the_same_values(looks):
    series = np.random.default_rng(5).choice([-1.0, 0.0, 1.0], (3, 90))
    whole, some = e_process(series), e_process(series, looks=looks)
    at = np.unique(np.linspace(90, 0, looks, endpoint=False).round().astype(int)) - 1
    assert at[-1] == 89
    assert np.array_equal(some.either, whole.either[:, at])
    assert np.array_equal(some.worse, whole.worse[:, at])
