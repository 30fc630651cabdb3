"""The rough logarithm is as near as it says."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from streameval.kernels import kernel
from streameval.learners import logarithm


@kernel
def logs(x):
    return logarithm.log_floor(x), logarithm.rough_log(x), logarithm.log_ceiling(x)


@given(st.floats(sys.float_info.min, sys.float_info.max))
@example(1.0)
@example(math.sqrt(0.5))
@example(math.nextafter(math.sqrt(2.0), 0.0))
@example(math.sqrt(2.0))
@example(sys.float_info.min)
@example(sys.float_info.max)
def test_it_is_within_its_error(x):
    floor, rough, ceiling = logs(x)
    assert abs(rough - math.log(x)) <= logarithm.ERROR + 1e-12
    assert floor <= math.log(x) + 1e-12
    assert ceiling >= math.log(x) - 1e-12
    assert ceiling - floor == pytest.approx(math.log(2.0), rel=1e-12)


@given(st.floats(math.sqrt(0.5), math.sqrt(2.0)))
def test_the_polynomial_is_within_its_error(x):
    assert abs(logs(x)[1] - math.log(x)) <= logarithm.ERROR
