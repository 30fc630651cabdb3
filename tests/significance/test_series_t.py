"""The t-test of block means, and properties that all tests over series share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, ttest_1samp

from streameval.significance.intervals import block_means
from streameval.significance.registry import TESTS
from streameval.significance.series_tests import BLOCKS

TEST = TESTS["series_t"]
differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=4, max_size=200)


def test_blocks_of_one_size_give_the_t_test_of_their_means():
    values = np.random.default_rng(1).normal(0.1, size=(2, 3, 120))
    result = TEST(values)
    expected = ttest_1samp(values.reshape(2, 3, 30, 4).mean(axis=-1), 0.0, axis=-1)
    assert result.statistic == pytest.approx(expected.statistic)
    assert result.p_value == pytest.approx(expected.pvalue)


@given(differences)
def test_its_interval_is_student_s_over_blocks(values):
    details = TEST(values).details
    means = block_means(values, BLOCKS)
    half = t.ppf(0.975, len(means) - 1) * np.std(means, ddof=1) / np.sqrt(len(means))
    mean = np.mean(values)
    result = [details[name] for name in ("mean", "low", "high")]
    assert result == pytest.approx([mean, mean - half, mean + half], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "least", "most", "sign"),
    [("diebold_mariano", 8, 60, -1), ("series_t", 4, 200, -1), ("fluctuation", 40, 40, 1)],
)
@given(data=st.data(), unit=st.floats(0.01, 100))
def test_the_other_order_and_another_unit(name, least, most, sign, data, unit):
    one_of_three = st.sampled_from([-1.0, 0.0, 1.0])
    values = np.array(data.draw(st.lists(one_of_three, min_size=least, max_size=most)))
    first, second, scaled = (TESTS[name](factor * values) for factor in (1, -1, unit))
    assert 0 <= first.p_value <= 1
    assert first.p_value > 0 or name != "fluctuation"  # which counts its own path among the draws
    assert second.statistic == pytest.approx(sign * first.statistic)
    assert second.p_value == first.p_value
    assert scaled.statistic == pytest.approx(first.statistic, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", ["diebold_mariano", "series_t"])
def test_series_without_variance(name):
    result = TESTS[name]([np.zeros(50), np.full(50, 0.1), np.full(50, -0.3)])
    assert result.statistic.tolist() == [0, np.inf, -np.inf]
    assert result.p_value.tolist() == [1, 0, 0]
