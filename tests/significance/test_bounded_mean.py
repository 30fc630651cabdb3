"""The interval for the mean of a bounded variable."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import significance as naive

from streameval.base.errors import ConfigError
from streameval.significance.bounded_mean import bounded_mean_interval

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)
#: Four standard errors of a quantile of 10,000 draws, of the laws below.
CLOSE = 0.02


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (3, 10), (49, 50)])
def test_of_zeros_and_ones_it_is_clopper_and_pearsons(hits, n):
    result = bounded_mean_interval([1.0] * hits + [0.0] * (n - hits))
    exact = scipy.stats.binomtest(hits, n).proportion_ci(method="exact")
    assert (result.low, result.high) == pytest.approx((exact.low, exact.high), abs=CLOSE)


@given(VALUES)
@settings(max_examples=25)
def test_it_agrees_with_its_twin(values):
    result = bounded_mean_interval(values)
    assert (result.low, result.high) == pytest.approx(naive.bounded_mean(values), abs=1e-9)


@given(VALUES)
def test_mirrored_values_have_mirrored_ends(values):
    result = bounded_mean_interval(values)
    mirrored = bounded_mean_interval([1.0 - value for value in values])
    assert (mirrored.low, mirrored.high) == pytest.approx(
        (1 - result.high, 1 - result.low), abs=1e-9
    )
    assert 0 <= result.low <= result.mean <= result.high <= 1


@given(VALUES, st.floats(0, 1))
def test_larger_values_have_larger_ends(values, more):
    result = bounded_mean_interval(values)
    raised = bounded_mean_interval([max(value, more) for value in values])
    assert raised.low >= result.low - 1e-12
    assert raised.high >= result.high - 1e-12


def test_other_bounds_scale_it():
    result = bounded_mean_interval([0.1, 0.5, 0.9])
    scaled = bounded_mean_interval([-8.0, 0.0, 8.0], -10.0, 10.0)
    assert scaled.low == pytest.approx(20 * result.low - 10)
    assert scaled.high == pytest.approx(20 * result.high - 10)


@pytest.mark.parametrize("values", [[], [0.5, 1.1], [-0.1], [np.nan], [[0.5]]])
def test_values_outside_of_the_bounds_are_refused(values):
    with pytest.raises(ConfigError, match="from 0 to 1"):
        bounded_mean_interval(values)
