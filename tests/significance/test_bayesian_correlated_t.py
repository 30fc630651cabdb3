"""The Bayesian correlated t-test: its posterior by integration, by hand, and its properties."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from streameval.significance.registry import TESTS

TEST = TESTS["bayesian_correlated_t"]
PARTS = ("left", "rope", "right")
differences = st.lists(st.integers(-40, 40).map(lambda n: n / 1000), min_size=2, max_size=12)


def chances(*evidence):
    details = TEST(*evidence).details
    return [float(details[part]) for part in PARTS]


@given(differences, st.sampled_from([0, 0.1, 0.5]), st.sampled_from([0, 0.01, 0.02]))
def test_the_posterior_is_that_of_its_definition(values, rho, rope):
    mean, variance, k = np.mean(values), np.var(values, ddof=1), len(values)
    if len(set(values)) == 1:
        return
    scale = np.sqrt((1 / k + rho / (1 - rho)) * variance)
    posterior = scipy.stats.t(k - 1, mean, scale)
    left, right = posterior.cdf(-rope), posterior.sf(rope)
    assert chances(values, rho, rope) == pytest.approx([left, 1 - left - right, right], abs=1e-9)


@given(differences, st.sampled_from([0, 0.1, 0.5]), st.sampled_from([0, 0.01, 0.02]))
def test_swapping_the_learners_swaps_the_sides(values, rho, rope):
    left, within, right = chances(values, rho, rope)
    assert chances(np.negative(values), rho, rope) == pytest.approx([right, within, left])
    assert left + within + right == pytest.approx(1)
    assert min(left, within, right) >= 0


def test_without_variance_it_is_a_point():
    assert chances([0.02] * 3, 0.1) == [0, 0, 1]
    assert chances([-0.02] * 3, 0.1) == [1, 0, 0]
    assert chances([0.01] * 3, 0.1) == [0, 1, 0]  # the ends are within


def test_it_has_no_p_value_and_takes_many_at_once():
    result = TEST([[0.1, 0.2], [0.0, -0.1], [np.nan, 0]], 0.5)
    assert np.isnan(result.p_value).all()
    assert result.p_value.shape == result.details["left"].shape == (3,)
    assert result.details["right"][1] == pytest.approx(chances([0.0, -0.1], 0.5)[2])
    assert np.isnan([result.details[part][2] for part in PARTS]).all()
