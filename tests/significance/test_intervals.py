"""Intervals for means of independent values, and blocks of a series."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_1samp

from streameval.base.errors import ConfigError
from streameval.significance.intervals import (
    Interval,
    block_means,
    interval_of_difference,
    mean_interval,
    mean_of_rates,
    wilson_interval,
)


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


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=12), st.sampled_from([0.8, 0.95]))
def test_the_interval_over_seeds_is_scipy_s(values, confidence):
    result = mean_interval(values, confidence)
    if len({*values}) == 1:
        assert result == (values[0],) * 3
    else:
        expected = ttest_1samp(values, 0).confidence_interval(confidence)
        assert result == pytest.approx((np.mean(values), *expected))


def test_rounding_of_the_mean_of_equal_values_is_no_variance():
    assert mean_interval([0.1] * 3) == (0.1, 0.1, 0.1)


@pytest.mark.parametrize("trials", [1, 20, 400])
def test_the_interval_of_a_rate_is_scipy_s(trials):
    for hits in {0, 1, trials // 3, trials}:
        expected = binomtest(hits, trials).proportion_ci(method="wilson")
        assert wilson_interval(hits, trials) == pytest.approx((expected.low, expected.high))


def test_the_interval_of_a_difference_is_newcombes():
    # Newcombe (1998), Table II, method 10: 56/70 - 48/80 is 0.2, from 0.0524 to 0.3339.
    first, second = (Interval(k / n, *wilson_interval(k, n)) for k, n in ((56, 70), (48, 80)))
    result = interval_of_difference(first, second)
    assert result == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
