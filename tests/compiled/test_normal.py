"""The normal distribution function has MOA's bits, which are scipy's but for the exponential."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers.java import java_hash
from hypothesis import given
from hypothesis import strategies as st
from naive import java_math as naive
from scipy.special import ndtr

from streameval.compiled import java_random
from streameval.compiled.kernels import kernel
from streameval.compiled.normal import normal_cdf


@kernel
def fill(z, out):
    """Parts have no Python wrapper; this is one for `normal_cdf`."""
    for i in range(len(z)):
        out[i] = normal_cdf(z[i])


def cdf(z):
    out = np.empty(len(z))
    fill(np.asarray(z, dtype=np.float64), out)
    return out


def bits(values):
    return np.asarray(values, dtype=np.float64).view(np.int64)


def assert_equals_scipy(z):
    """Compare all bits, but the last ones where Java's exponential is not the C library's."""
    result, expected = bits(cdf(z)), bits(ndtr(z))
    x = np.clip(z, -100.0, 100.0) * math.sqrt(0.5)
    same = np.array([naive.java_exp(value) == math.exp(value) for value in (-x * x).tolist()])
    same |= abs(x) < 1.0
    np.testing.assert_array_equal(result[same], expected[same])
    assert (abs(result - expected) <= 2).all()


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 0.1, 1.0, 3.0, 12.0, 40.0])
def test_equals_its_naive_twin(scale):
    z = scale * np.random.default_rng(5).uniform(-1, 1, 20_000)
    np.testing.assert_array_equal(cdf(z), [naive.normal_cdf(value) for value in z.tolist()])
    assert_equals_scipy(z)


def test_equals_its_naive_twin_where_the_formulas_change():
    # The argument of erf is z / sqrt(2): its formulas change at sqrt(1/2), 1 and 8, and the
    # exponential underflows at 26.6.
    borders = np.array([0.0, 1.0, np.sqrt(2.0), 8.0 * np.sqrt(2.0), 37.5193, 37.6771, 38.5])
    steps = np.arange(-200, 201) * np.spacing(borders)[:, None]
    z = (borders[:, None] + steps).ravel()
    z = np.concatenate([z, -z, [5e-324, 1e308, np.inf, -np.inf]])
    np.testing.assert_array_equal(cdf(z), [naive.normal_cdf(value) for value in z.tolist()])
    assert_equals_scipy(z)


@given(st.floats(allow_nan=False))
def test_equals_its_naive_twin_for_any_number(z):
    assert bits(cdf([z])) == bits([naive.normal_cdf(z)])


# MOA 24.07 with OpenJDK 17.0.15 on x86-64: hash of the bits of
# Statistics.normalProbability(width * (u - 0.5)), u the first 100,000 doubles of new Random(7).
@pytest.mark.parametrize(
    ("width", "expected"), [(12.0, 4588915030211175852), (60.0, 7227851394953197250)]
)
def test_equals_that_of_moa(width, expected):
    state = java_random.java_random(7)
    z = [width * (java_random.next_double(state) - 0.5) for _ in range(100_000)]
    assert java_hash(bits(cdf(z))) == expected


def test_nan_stays_nan():
    assert np.isnan(cdf([np.nan])[0])
