"""The normal distribution function has scipy's bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

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
    return np.asarray(values, dtype=np.float64).view(np.uint64)


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 0.1, 1.0, 3.0, 12.0, 40.0])
def test_equals_scipy_bit_for_bit(scale):
    z = scale * np.random.default_rng(5).uniform(-1, 1, 100_000)
    np.testing.assert_array_equal(bits(cdf(z)), bits(ndtr(z)))


def test_equals_scipy_where_the_formulas_change():
    # The argument of erf is z / sqrt(2): its formulas change at sqrt(1/2), 1 and 8, and the
    # exponential underflows at 26.6.
    borders = np.array([0.0, 1.0, np.sqrt(2.0), 8.0 * np.sqrt(2.0), 37.5193, 37.6771, 38.5])
    steps = np.arange(-200, 201) * np.spacing(borders)[:, None]
    z = (borders[:, None] + steps).ravel()
    z = np.concatenate([z, -z, [5e-324, 1e308, np.inf, -np.inf]])
    np.testing.assert_array_equal(bits(cdf(z)), bits(ndtr(z)))


@given(st.floats(allow_nan=False))
def test_equals_scipy_for_any_number(z):
    assert bits(cdf([z])) == bits([ndtr(z)])


def test_nan_stays_nan():
    assert np.isnan(cdf([np.nan])[0])
