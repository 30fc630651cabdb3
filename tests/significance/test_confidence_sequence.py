"""Confidence sequences: coverage at all times at once, width, and agreement with e-processes."""

from __future__ import annotations

import math

import numpy as np
import pytest
import test_e_process
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive
from scipy.optimize import brentq

from streameval.base.errors import ConfigError
from streameval.significance.confidence_sequence import confidence_sequence, mixture_boundary
from streameval.significance.e_process import RHO, e_process, log_mixture

RUNS = 1_000
#: No less than the confidence, but for three standard errors of the simulation.
LEAST = 0.95 - 3 * math.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.parametrize("time", [0.0, 3.0, 100.0, 5_000.0])
@pytest.mark.parametrize("level", [0.025, 1e-4])
def test_the_boundary_is_where_the_twin_of_the_mixture_is(time, level):
    result = float(mixture_boundary(np.array([time]), level, RHO)[0])
    expected = brentq(lambda s: naive.log_mixture(s, time, RHO) + math.log(level), 0, 9_000)
    assert result == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("level", [0.25, 0.025, 1e-12])
@pytest.mark.parametrize("rho", [1e-3, 12.6, 1e5])
def test_newtons_method_arrives_in_its_steps(level, rho):
    times = np.concatenate([[0.0], np.geomspace(1e-6, 1e10, 400)])
    excess = log_mixture(mixture_boundary(times, level, rho), times, rho) + math.log(level)
    # Terms of the size of the time cancel in the logarithm: 1e10 / 4 leaves some 1e-5.
    assert (np.abs(excess) <= 1e-9 + 1e-14 * times).all()


def test_the_boundary_grows_with_time_to_any_length():
    times = np.concatenate([[0.0], np.geomspace(1e-3, 1e9, 2_000)])
    result = mixture_boundary(times, 0.025, RHO)
    assert (np.diff(result) > 0).all()
    # Asymptotically sqrt(v log v), Howard et al. (2021), Proposition 2; within a factor of 2
    assert 0.5 < result[-1] / math.sqrt(1e9 * math.log(1e9)) < 2


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=80))
def test_it_excludes_0_where_an_e_process_rejects_at_half_the_level(values):
    result, evidence = confidence_sequence(values), e_process(values)
    margin = 0.01  # intervals are up to 0.05 % wider than those of the e-processes
    assert (evidence.better[result.low > 0] >= math.log(40) - 1e-9).all()
    assert (result.low[evidence.better > math.log(40) + margin] > 0).all()
    assert (evidence.worse[result.high < 0] >= math.log(40) - 1e-9).all()
    assert (result.high[evidence.worse > math.log(40) + margin] < 0).all()


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=80))
def test_the_other_order(values):
    first = confidence_sequence(values)
    second = confidence_sequence([-d for d in values])
    assert second.low == pytest.approx(-first.high)
    assert second.mean == pytest.approx(-first.mean)
    assert (first.low >= -1).all()
    assert (first.low <= first.mean).all()
    assert (first.mean <= first.high).all()
    assert (first.high <= 1).all()


def independent(draws, n):
    values = draws.choice([-1.0, 0.0, 1.0], p=[0.05, 0.87, 0.08], size=(RUNS, n))
    return values, np.full((RUNS, n), 0.03)


def changing_variance(draws, n):
    return test_e_process.changing_variance(draws, n), np.zeros((RUNS, n))


def autocorrelated(draws, n):
    """Differences that repeat: their conditional expectation follows the one before."""
    values, expected = np.zeros((RUNS, n)), np.zeros((RUNS, n))
    last = np.zeros(RUNS)
    for t in range(n):
        expected[:, t] = 0.6 * last
        repeat = draws.random(RUNS) < 0.6
        fresh = draws.choice([-1.0, 0.0, 1.0], p=[0.1, 0.8, 0.1], size=RUNS)
        last = values[:, t] = np.where(repeat, last, fresh)
    return values, expected


def drifting(draws, n):
    """Differences whose expectation changes its sign half way."""
    expected = np.broadcast_to(np.where(np.arange(n) < n // 2, 0.1, -0.1), (RUNS, n))
    return np.where(draws.random((RUNS, n)) < (1 + expected) / 2, 1.0, -1.0), expected


@pytest.mark.parametrize("stream", [independent, changing_variance, autocorrelated, drifting])
def test_all_intervals_hold_the_mean_of_conditional_expectations(stream):
    values, expected = stream(np.random.default_rng(3), 2_000)
    result = confidence_sequence(values)
    truth = np.cumsum(expected, axis=1) / np.arange(1, 2_001)
    held = ((result.low <= truth + 1e-12) & (truth <= result.high + 1e-12)).all(axis=1)
    assert held.mean() >= LEAST


def test_an_interval_of_one_time_is_not_valid_at_all_times():
    values, _ = independent(np.random.default_rng(3), 2_000)
    n = np.arange(1, 2_001)
    mean = np.cumsum(values, axis=1) / n
    half = 1.96 * np.sqrt((np.cumsum(values**2, axis=1) / n - mean**2) / n)
    held = (np.abs(mean - 0.03) <= half)[:, 200:].all(axis=1)
    assert held.mean() < 0.8


@pytest.mark.parametrize(("differ", "most"), [(0.02, 0.3), (0.1, 0.5), (1.0, 1.25)])
def test_it_is_narrower_than_hoeffdings_where_learners_differ_rarely(differ, most):
    draws, n = np.random.default_rng(4), 10_000
    p = [differ / 2, 1 - differ, differ / 2]
    result = confidence_sequence(draws.choice([-1.0, 0.0, 1.0], p=p, size=n))
    width = (result.high - result.low)[-1] / 2
    assert width < most * naive.hoeffding_half_width(n, 0.05, 100.0)


def test_long_series_take_linear_time_and_equal_short_ones():
    values = np.random.default_rng(5).choice([-1.0, 0.0, 1.0], size=(2, 30_000))
    result = confidence_sequence(values)
    sums, times = naive.walk(values[1].tolist())
    exact = mixture_boundary(np.array([times[-1]]), 0.025, RHO)[0]
    wide = (result.high[1, -1] - sums[-1] / 30_000) * 30_000
    assert exact <= wide <= exact * 1.0006
    assert result.low.shape == (2, 30_000)


def test_no_difference_gives_an_interval_around_0():
    result = confidence_sequence(np.zeros(1_000))
    assert result.low[-1] == -result.high[-1]
    # Without any variance the width falls as 1/n: log(2/α) c / n, and the price of the mixture
    assert result.high[-1] == pytest.approx(result.high[499] / 2)


def test_a_bound_must_hold():
    with pytest.raises(ConfigError, match=r"between -1 and 1, found -2 to 0\."):
        confidence_sequence([0.0, -2.0])
