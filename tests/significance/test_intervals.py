"""Intervals for means of series whose values depend on each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, ttest_1samp

from streameval.errors import ConfigError
from streameval.significance.intervals import (
    BLOCKS,
    Interval,
    mean_interval,
    mean_of_intervals,
    mean_of_proportions,
    series_interval,
    wilson_interval,
)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=4, max_size=200), st.integers(2, 40))
def test_the_interval_is_that_of_its_twin(values, blocks):
    found = series_interval(values, 0.9, blocks)
    count = min(blocks, len(values) // 2)
    means = []
    for block in range(count):
        start, end = block * len(values) // count, (block + 1) * len(values) // count
        means.append(sum(values[start:end]) / (end - start))
    assert found.mean == pytest.approx(sum(values) / len(values))
    half = t.ppf(0.95, count - 1) * np.std(means, ddof=1) / np.sqrt(count)
    assert found.high - found.mean == pytest.approx(half, abs=1e-12)
    assert found.mean - found.low == pytest.approx(half, abs=1e-12)


def test_blocks_of_one_size_give_the_t_test_of_their_means():
    values = np.random.default_rng(1).normal(size=BLOCKS * 7)
    ends = ttest_1samp(values.reshape(BLOCKS, 7).mean(axis=1), 0.0).confidence_interval(0.95)
    assert series_interval(values)[1:] == pytest.approx((ends.low, ends.high))


def runs(seed, n=6_000, stay=0.95):
    """Return -1, 0 and 1 in runs of 20 on the mean, all three equally often on the mean."""
    draws = np.random.default_rng(seed)
    changes = draws.random(n) > stay
    fresh = draws.integers(-1, 2, n)
    last = np.maximum.accumulate(np.where(changes, np.arange(n), 0))
    return fresh[last].astype(float)


def test_it_holds_the_truth_as_often_as_it_says_where_values_depend_on_each_other():
    found = [series_interval(runs(seed)) for seed in range(600)]
    held = np.mean([one.low <= 0 <= one.high for one in found])
    assert 0.925 <= held <= 0.975  # 600 intervals of 95 %: 3 standard errors are 0.027
    independent = []
    for seed in range(600):
        values = runs(seed)
        half = 1.96 * values.std() / np.sqrt(len(values))
        independent.append(abs(values.mean()) <= half)
    assert np.mean(independent) < 0.4  # what independence would make of the same series


def test_it_is_as_narrow_as_student_s_where_values_are_independent():
    draws = np.random.default_rng(2).normal(size=(200, 3_000))
    widths = [np.diff(series_interval(row)[1:])[0] for row in draws]
    assert np.mean(widths) == pytest.approx(np.diff(mean_interval(draws[0])[1:])[0], rel=0.07)


def test_a_series_without_differences_has_an_interval_of_no_width():
    assert series_interval(np.zeros(1_000)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("values", "blocks"), [([1.0, 0.0, 1.0], 30), (np.zeros(50), 1)])
def test_too_little_is_refused(values, blocks):
    with pytest.raises(ConfigError, match="expected at least 4 values and 2 blocks"):
        series_interval(values, blocks=blocks)


def test_the_interval_of_a_mean_follows_from_those_of_its_parts():
    # By hand: the mean of 0.2 and 0.6; below, the root of 0.03² + 0.04²; above, of 0.05² + 0.12².
    found = mean_of_intervals([(0.2, 0.17, 0.25), (0.6, 0.56, 0.72)])
    assert found == pytest.approx((0.4, 0.4 - 0.05 / 2, 0.4 + 0.13 / 2))
    assert mean_of_intervals([(0.2, 0.17, 0.25)]) == pytest.approx((0.2, 0.17, 0.25))


def test_the_interval_of_a_mean_of_rates_holds_the_truth_as_often_as_it_says():
    rates, runs = np.array([0.02, 0.05, 0.3, 0.5, 0.99]), 50
    draws = np.random.default_rng(3).binomial(runs, rates, (2_000, len(rates)))
    held = 0
    for draw in draws.tolist():
        parts = [(count / runs, *wilson_interval(count, runs)) for count in draw]
        found = mean_of_intervals(parts)
        held += found.low <= rates.mean() <= found.high
    assert 0.935 <= held / 2_000 <= 0.975  # 3 standard errors are 0.015; Wilson's are a bit wide


def test_the_mean_of_proportions_stays_between_0_and_1():
    own = Interval(0.1, 0.05, 0.2)
    assert mean_of_proportions([0.1], own) == own
    wide = mean_interval([0.0, 0.9])
    assert mean_of_proportions([0.0, 0.9], own) == (wide.mean, 0.0, 1.0)
    assert wide.low < 0 < 1 < wide.high
    assert mean_of_proportions([0.4, 0.5, 0.6], own) == mean_interval([0.4, 0.5, 0.6])
