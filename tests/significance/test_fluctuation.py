"""The fluctuation test: its path, the level of its p-values, and that it sees a learner ahead."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from naive import series as naive

from streameval.significance.fluctuation import DRAWS, MAX_BINS
from streameval.significance.registry import TESTS

TEST = TESTS["fluctuation"]
differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=40, max_size=40)


@given(differences)
@hypothesis_settings(max_examples=30)
def test_the_largest_of_the_path_is_that_of_its_twin(values):
    if naive.bartlett(values, 6) > 1e-20:
        expected = np.abs(naive.fluctuation_path(values, 12)).max()
        assert TEST(values).statistic == pytest.approx(expected, abs=1e-9)


def test_published_critical_values_have_their_level():
    # Giacomini and Rossi (2010), Table 1, two-sided, a window of 0.3: 3.012 at 5 %, 2.766 at 10 %.
    # They simulated 8,000 Brownian motions in some 100 to 1,000 steps.
    draws = np.random.default_rng(3).normal(size=(4_000, MAX_BINS))
    result = TEST(draws)
    for level, value in ((0.05, 3.012), (0.10, 2.766)):
        assert np.mean(result.p_value <= level) == pytest.approx(level, abs=0.015)
        assert np.mean(result.statistic >= value) == pytest.approx(level, abs=0.02)


def test_long_series_are_averaged_and_many_are_as_each_of_them():
    values = np.random.default_rng(6).normal(size=(2, 3, 2_501))
    result = TEST(values)
    # bins of 3 values: 833 of them, and the first 2 values are left over
    each = TEST(values[1, 2, 2:].reshape(833, 3).mean(axis=1))
    assert result.statistic[1, 2] == pytest.approx(each.statistic)
    assert result.p_value[1, 2] == each.p_value
    assert 0 < result.p_value_error <= 0.5 / math.sqrt(DRAWS)


def test_series_without_variance():
    result = TEST([np.zeros(50), np.full(50, 0.1), np.full(50, -0.3)])
    assert result.p_value.tolist() == [1, 1 / (DRAWS + 1), 1 / (DRAWS + 1)]
