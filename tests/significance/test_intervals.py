"""Intervals for means of independent values, and blocks of a series."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from streameval.base.errors import ConfigError
from streameval.significance.intervals import (
    Interval,
    block_means,
    interval_of_difference,
    mean_interval,
    mean_of_rates,
    wilson_interval,
)

ENDS = ("low", "high")


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=4, max_size=200), st.integers(2, 40))
def test_blocks_have_the_means_of_their_values(values, blocks):
    count = min(blocks, len(values) // 2)
    means = []
    for block in range(count):
        start, end = block * len(values) // count, (block + 1) * len(values) // count
        means.append(sum(values[start:end]) / (end - start))
    assert block_means(values, blocks) == pytest.approx(means)


@pytest.mark.parametrize(("values", "blocks"), [([1.0, 0.0, 1.0], 30), (np.zeros(50), 1)])
def test_too_little_is_refused(values, blocks):
    with pytest.raises(ConfigError, match="at least 4 values and 2 blocks"):
        block_means(values, blocks)


def test_the_interval_of_a_mean_of_rates_is_wilsons_of_all_runs():
    result = mean_of_rates([0.04, 0.08], [50, 50])
    assert result == pytest.approx((0.06, *wilson_interval(6, 100)))
    assert mean_of_rates([0.04], [50]) == pytest.approx((0.04, *wilson_interval(2, 50)))
    assert mean_of_rates([0.04, 0.08], [50, 200]) == result


@pytest.mark.parametrize(
    "rates", [[0.05] * 11, [0.02, 0.05, 0.3, 0.5, 0.99], [0.01] * 4, [0.05] * 4, [0.3] * 13]
)
def test_the_interval_of_a_mean_of_rates_holds_the_truth_as_often_as_it_says(rates):
    runs, truth = 50, np.mean(rates)
    draws = np.random.default_rng(3).binomial(runs, rates, (4_000, len(rates))) / runs
    result = [mean_of_rates(draw, [runs] * len(rates)) for draw in draws]
    above = np.mean([each.low > truth for each in result])
    below = np.mean([each.high < truth for each in result])
    assert above + below <= 0.06
    if truth >= 0.05:  # by this end a test is said to reject too often
        assert above <= 0.035


@pytest.mark.parametrize("runs", [3, 5, 10, 20])
@pytest.mark.parametrize(("accuracy", "instances"), [(0.5, 100), (0.95, 1000), (0.8, 45_312)])
def test_the_interval_over_seeds_holds_the_truth_as_often_as_it_says(runs, accuracy, instances):
    sample = np.random.default_rng(runs).binomial(instances, accuracy, (2_000, runs)) / instances
    held = [low <= accuracy <= high for _, low, high in map(mean_interval, sample)]
    assert 0.935 <= np.mean(held) <= 0.965  # 3 standard errors are 0.015


@pytest.mark.parametrize("power", [1, 2])
def test_the_interval_over_many_runs_holds_the_truth_of_skewed_values(power):
    # Distances of estimates, as of the theorem on folds, of 200 runs; the powers are skewed.
    draws = np.random.default_rng(power)
    values = abs(draws.standard_normal((2_000, 200))) ** power
    truth = {1: np.sqrt(2 / np.pi), 2: 1.0}[power]
    held = [low <= truth <= high for _, low, high in map(mean_interval, values)]
    assert 0.935 <= np.mean(held) <= 0.965


@pytest.mark.parametrize(("rows", "instances", "rate"), [(100, 2_000, 0.9), (200, 10_000, 0.6)])
def test_intervals_over_seeds_hold_together(rows, instances, rate):
    # Propositions are judged by as many intervals as there are cases, each of 20 seeds.
    draws = np.random.default_rng(rows)
    missed, families = 0, 200
    for _ in range(families):
        sample = draws.binomial(instances, rate, (rows, 20)) / instances
        result = [mean_interval(row, 1 - 0.05 / rows) for row in sample]
        missed += any(low > rate or high < rate for _, low, high in result)
    assert missed <= binom.ppf(0.999, families, 0.05)


@pytest.mark.parametrize("trials", [20, 50, 200, 400])
def test_the_interval_of_a_rate_by_all_outcomes(trials):
    hits = np.arange(trials + 1)
    low, high = np.array([wilson_interval(int(k), trials) for k in hits]).T
    rates = np.linspace(0.01, 0.99, 99)
    held = [binom.pmf(hits, trials, p)[(low <= p) & (p <= high)].sum() for p in rates]
    assert np.mean(held) >= 0.949  # on average over all rates
    assert min(held) >= 0.91  # of a rate near 0 or 1


@pytest.mark.parametrize("streams", [4, 13])
def test_the_interval_of_a_difference_of_rates_over_streams(streams):
    # A rate is often small and seldom large; that of another test is anywhere.
    draws = np.random.default_rng(streams)
    shape, runs = (2_000, streams), 50
    rates = draws.beta(1, 9, shape), draws.beta(2, 2, shape)
    gaps = (draws.binomial(runs, rates[1]) - draws.binomial(runs, rates[0])) / runs
    held = [low <= 0.4 <= high for _, low, high in map(mean_interval, gaps)]
    assert 0.935 <= np.mean(held) <= 0.965


@pytest.mark.parametrize(("runs", "others"), [(50, 50), (200, 50), (20, 50)])
def test_the_interval_of_a_difference_of_two_rates_by_all_outcomes(runs, others):
    def ends(trials: int) -> np.ndarray:
        return np.array([(k / trials, *wilson_interval(k, trials)) for k in range(trials + 1)])

    first, second = ends(runs), ends(others)
    result = [[interval_of_difference(Interval(*a), Interval(*b)) for b in second] for a in first]
    low, high = (np.array([[getattr(cell, end) for cell in row] for row in result]) for end in ENDS)
    held = []
    for p, q in product(np.linspace(0.02, 0.98, 13), repeat=2):
        mass = np.outer(
            *(binom.pmf(np.arange(n + 1), n, rate) for n, rate in ((runs, p), (others, q)))
        )
        held.append(mass[(low <= p - q) & (p - q <= high)].sum())
    assert np.mean(held) >= 0.95
    assert min(held) >= 0.92
