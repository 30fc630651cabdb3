"""Rough functions are as near as they say."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import ndtr

from streameval.compiled import approximate, lanes
from streameval.compiled.kernels import kernel


@kernel
def logs(x):
    return approximate.log_floor(x), approximate.rough_log(x), approximate.log_ceiling(x)


@given(
    st.floats(sys.float_info.min, sys.float_info.max) | st.floats(math.sqrt(0.5), math.sqrt(2.0))
)
@example(1.0)
@example(math.sqrt(0.5))
@example(math.nextafter(math.sqrt(2.0), 0.0))
@example(math.sqrt(2.0))
@example(sys.float_info.min)
@example(sys.float_info.max)
def test_it_is_within_its_error(x):
    floor, result, ceiling = logs(x)
    assert abs(result - math.log(x)) <= approximate.LOG_ERROR + 1e-12
    assert floor <= math.log(x) + 1e-12
    assert ceiling >= math.log(x) - 1e-12
    assert ceiling - floor == pytest.approx(math.log(2.0), rel=1e-12)


@kernel
def exponential(x):
    # Eight equal numbers, whose sum is exact.
    return lanes.total(approximate.rough_exps(lanes.fill(x))) / lanes.WIDTH


@given(st.floats(approximate.SMALLEST_EXPONENT, 700.0))
@example(0.0)
@example(-0.5 * math.log(2.0))
@example(0.5 * math.log(2.0))
@example(approximate.SMALLEST_EXPONENT)
@example(700.0)
def test_the_exponential_is_within_its_error(x):
    assert abs(exponential(x) / math.exp(x) - 1.0) <= approximate.EXP_ERROR


@given(st.floats(max_value=approximate.SMALLEST_EXPONENT))
def test_the_exponential_of_less_is_that_of_the_least(x):
    assert exponential(x) == exponential(approximate.SMALLEST_EXPONENT)


@kernel
def eight(x, out):
    values = lanes.load_at(x, 0)
    lanes.store(out[0], 0, approximate.rough_logs(values))
    lanes.store(out[1], 0, approximate.rough_exps(values))
    lanes.store(out[2], 0, approximate.rough_normal_cdfs(values))


def eight_at_a_time(values):
    out = np.empty((3, lanes.WIDTH))
    eight(np.array(values), out)
    return out


@given(st.lists(st.floats(sys.float_info.min, 700.0), min_size=8, max_size=8))
@example([1.0, math.sqrt(0.5), math.nextafter(math.sqrt(2.0), 0.0), math.sqrt(2.0), 0.1, 3, 9, 700])
def test_eight_at_a_time_are_eight(values):
    result = eight_at_a_time(values)
    assert all(
        abs(y - math.log(x)) <= approximate.LOG_ERROR + 1e-12
        for x, y in zip(values, result[0], strict=True)
    )
    assert result[1].tolist() == [exponential(x) for x in values]


@given(st.lists(st.floats(-1e200, 700.0), min_size=8, max_size=8))
@example([0.0, -0.0, 1e-300, -1e-300, -700.0, -701.0, -37.0, 8.0])
def test_normal_probabilities_are_within_their_error(values):
    result = eight_at_a_time(values)
    assert result[1].tolist() == [exponential(x) for x in values]
    np.testing.assert_allclose(result[2], ndtr(values), atol=approximate.CDF_ERROR, rtol=0.0)
    assert ((result[2] >= 0.0) & (result[2] <= 1.0)).all()
