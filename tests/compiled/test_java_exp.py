"""The exponential function has the bits of Java's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers.java import java_hash
from hypothesis import example, given
from hypothesis import strategies as st
from naive import java_math as naive

from streameval.compiled import java_random
from streameval.compiled.java_exp import java_exp
from streameval.compiled.kernels import kernel


@kernel
def fill(x, out):
    """Parts have no Python wrapper; this is one for `java_exp`."""
    for i in range(len(x)):
        out[i] = java_exp(x[i])


def exp(x):
    out = np.empty(len(x))
    fill(np.asarray(x, dtype=np.float64), out)
    return out


def bits(values):
    return np.asarray(values, dtype=np.float64).view(np.int64)


def uniforms(n):
    state = java_random.java_random(7)
    return np.array([java_random.next_double(state) for _ in range(n)])


# OpenJDK 17.0.15 on x86-64: hash of the bits of Math.exp(factor * u + start), u the first
# 100,000 doubles of new Random(7). All results are normal; then most subnormal; then some are
# infinite or 0.
JAVA = {
    (-1.0, 0.0): 3157306838197833164,
    (-30.0, 0.0): -6464932414675874915,
    (-50.0, -700.0): 7323133151610281200,
    (1500.0, -750.0): 7714301392065509931,
}


@pytest.mark.parametrize(("factor", "start"), JAVA)
def test_equals_that_of_java(factor, start):
    assert java_hash(bits(exp(factor * uniforms(100_000) + start))) == JAVA[factor, start]


def test_differs_from_the_c_library_now_and_then():
    # The split of a tree of rbf_0_0, where a prediction differed from MOA's.
    x = -0.007832924442097076
    assert exp([x])[0] == float.fromhex("0x1.fc01555924392p-1")
    assert math.exp(x) in (exp([x])[0], float.fromhex("0x1.fc01555924391p-1"))


@given(st.one_of(st.floats(), st.floats(-1100.0, 1100.0), st.floats(-750.0, -700.0)))
@example(-0.0)
@example(709.782712893384)
@example(709.7827128933841)
@example(-708.3964185322641)
@example(-708.4)
@example(-745.1332191019411)
@example(-745.1332191019412)
@example(math.inf)
@example(-math.inf)
@example(math.nan)
def test_equals_its_naive_twin(x):
    np.testing.assert_array_equal(exp([x]), [naive.java_exp(x)])


@pytest.mark.parametrize("exponent", [*range(-1080, -1015), -895, -894, 0, 1022, 1023])
def test_equals_its_naive_twin_where_the_formulas_change(exponent):
    x = (exponent + np.linspace(-0.6, 0.6, 97)) * math.log(2.0)
    np.testing.assert_array_equal(exp(x), [naive.java_exp(value) for value in x.tolist()])
