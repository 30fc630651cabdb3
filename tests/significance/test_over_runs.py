"""Tests over independent runs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from naive import significance as naive

from streameval.significance import over_runs
from streameval.significance.registry import TESTS

few = st.lists(st.integers(-9, 9), min_size=2, max_size=8)


@given(few)
def test_the_t_test_is_scipy_s(values):
    result = TESTS["runs_t"](values)
    if len(set(values)) > 1:
        expected = scipy.stats.ttest_1samp(values, 0)
        assert float(result.statistic) == pytest.approx(expected.statistic)
        assert float(result.p_value) == pytest.approx(expected.pvalue)
    else:
        assert result.p_value == (values[0] == 0)


@given(few)
def test_the_permutation_test_is_its_twin(values):
    result = TESTS["runs_permutation"](values)
    assert result.statistic == pytest.approx(np.mean(values))
    assert result.p_value == pytest.approx(naive.sign_flips(values))
    assert result.p_value_error == 0
    swapped = TESTS["runs_permutation"](np.negative(values))
    assert (swapped.statistic, swapped.p_value) == (-result.statistic, result.p_value)
    scaled = TESTS["runs_permutation"](np.multiply(values, 0.1))  # sums that are rounded
    assert scaled.p_value == result.p_value


def test_many_runs_are_flipped_at_random(monkeypatch):
    values = np.random.default_rng(3).normal(0.5, 1, 12)
    exact = TESTS["runs_permutation"](values)
    monkeypatch.setattr(over_runs, "MAX_EXACT", 10)
    sample = TESTS["runs_permutation"](values)
    assert 0 < sample.p_value_error < 0.005
    assert abs(sample.p_value - exact.p_value) < 4 * sample.p_value_error
    assert TESTS["runs_permutation"](values).p_value == sample.p_value


def test_an_unknown_run_makes_the_result_unknown():
    assert np.isnan(TESTS["runs_permutation"]([1, np.nan]).p_value)
