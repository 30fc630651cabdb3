"""The Diebold-Mariano test: agreement with its parts, and its properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive
from scipy.stats import t

from streameval.significance.registry import TESTS

TEST = TESTS["diebold_mariano"]
differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=8, max_size=60)


@given(differences)
def test_it_agrees_with_its_twin(values):
    result, n = TEST(values), len(values)
    variance = naive.daniell(values, 3 if n >= 27 else 2)
    if variance > 1e-20:
        expected = np.mean(values) / math.sqrt(variance / n)
        assert float(result.statistic) == pytest.approx(expected, abs=1e-9)
        freedom = 6 if n >= 27 else 4
        assert float(result.p_value) == pytest.approx(2 * t.sf(abs(expected), freedom), abs=1e-9)
        half = t.ppf(0.975, freedom) * math.sqrt(variance / n)
        ends = result.details["low"], result.details["high"]
        assert ends == pytest.approx((np.mean(values) - half, np.mean(values) + half), abs=1e-9)


@given(differences, st.floats(-10, 10))
def test_the_interval_moves_with_the_differences(values, by):
    first, second = TEST(values).details, TEST([d + by for d in values]).details
    for end in ("low", "mean", "high"):
        assert second[end] - by == pytest.approx(first[end], abs=1e-6)
