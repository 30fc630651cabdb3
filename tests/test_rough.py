"""The rough logarithm and exponential are as near as they say."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from streameval.kernels import kernel
from streameval.learners import rough


@kernel
def logs(x):
    return rough.log_floor(x), rough.rough_log(x), rough.log_ceiling(x)


@given(st.floats(sys.float_info.min, sys.float_info.max))
@example(1.0)
@example(math.sqrt(0.5))
@example(math.nextafter(math.sqrt(2.0), 0.0))
@example(math.sqrt(2.0))
@example(sys.float_info.min)
@example(sys.float_info.max)
def test_it_is_within_its_error(x):
    floor, found, ceiling = logs(x)
    assert abs(found - math.log(x)) <= rough.ERROR + 1e-12
    assert floor <= math.log(x) + 1e-12
    assert ceiling >= math.log(x) - 1e-12
    assert ceiling - floor == pytest.approx(math.log(2.0), rel=1e-12)


@given(st.floats(math.sqrt(0.5), math.sqrt(2.0)))
def test_the_polynomial_is_within_its_error(x):
    assert abs(logs(x)[1] - math.log(x)) <= rough.ERROR


@kernel
def exponential(x):
    return rough.rough_exp(x)


@given(st.floats(rough.LEAST_EXPONENT, 700.0))
@example(0.0)
@example(-0.5 * math.log(2.0))
@example(0.5 * math.log(2.0))
@example(rough.LEAST_EXPONENT)
@example(700.0)
def test_the_exponential_is_within_its_error(x):
    assert abs(exponential(x) / math.exp(x) - 1.0) <= rough.EXP_ERROR


@given(st.floats(max_value=rough.LEAST_EXPONENT))
def test_the_exponential_of_less_is_that_of_the_least(x):
    assert exponential(x) == exponential(rough.LEAST_EXPONENT)
