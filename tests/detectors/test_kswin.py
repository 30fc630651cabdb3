"""KSWIN's test is scipy's, and its false alarms are as rare as the test says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ks_2samp

from streameval.detectors.kswin import KSWIN, critical_difference


def samples_that_differ(k, r):
    """Two samples of r numbers without ties whose distribution functions differ by k/r."""
    return np.arange(r), np.arange(r) + k - 0.5


@pytest.mark.parametrize("r", [2, 3, 8, 30, 50, 101])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.005, 1e-6])
def test_the_critical_difference_is_that_of_scipys_exact_test(r, alpha):
    k = critical_difference(r, alpha)
    for tried in (k - 1, k):
        if 2 <= tried <= r:
            first, second = samples_that_differ(tried, r)
            result = ks_2samp(first, second, method="exact")
            assert result.statistic == pytest.approx(tried / r)
            assert (result.pvalue <= alpha) == (tried == k)
    if k > r:  # the largest difference is not significant
        assert ks_2samp(*samples_that_differ(r, r), method="exact").pvalue > alpha


@given(st.integers(1, 40), st.floats(1e-9, 0.9), st.floats(1e-9, 0.9))
def test_a_lower_alpha_needs_a_larger_difference(r, alpha, other_alpha):
    low, high = sorted((alpha, other_alpha))
    assert critical_difference(r, low) >= critical_difference(r, high) >= 1


def test_false_alarms_are_as_rare_as_its_p_value_says():
    detector, values = KSWIN(0.05, 60, 20), np.random.default_rng(11).normal(size=(2000, 60))
    result = sum(len(detector.run(each, seed).changes) for seed, each in enumerate(values))
    k = critical_difference(20, 0.05)
    level = ks_2samp(*samples_that_differ(k, 20), method="exact").pvalue
    assert level == pytest.approx(0.0335, abs=1e-4)
    # The seeds are fixed, so the result is.
    assert binomtest(result, len(values), level).pvalue > 0.01
