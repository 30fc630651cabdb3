"""Intervals for means of independent values, and blocks of a series."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.errors import ConfigError
from streameval.significance.intervals import (
    Interval,
    block_means,
    mean_interval,
    mean_of_intervals,
    mean_of_proportions,
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
    with pytest.raises(ConfigError, match="expected at least 4 values and 2 blocks"):
        block_means(values, blocks)


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
