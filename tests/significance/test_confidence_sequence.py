"""Confidence sequences: their boundary, its twin, and agreement with e-processes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive

from streameval.significance.confidence_sequence import confidence_sequence, mixture_boundary
from streameval.significance.e_process import RHO, e_process, log_mixture


@pytest.mark.parametrize("level", [0.25, 0.025, 1e-12])
@pytest.mark.parametrize("rho", [1e-3, 12.6, 1e5])
def test_newtons_method_arrives_in_its_steps(level, rho):
    times = np.concatenate([[0.0], np.geomspace(1e-6, 1e10, 400)])
    excess = log_mixture(mixture_boundary(times, level, rho), times, rho) + math.log(level)
    # Terms of the size of the time cancel in the logarithm: 1e10 / 4 leaves some 1e-5.
    assert (np.abs(excess) <= 1e-9 + 1e-14 * times).all()


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=80))
def test_it_excludes_0_where_an_e_process_rejects_at_half_the_level(values):
    result, evidence = confidence_sequence(values), e_process(values)
    margin = 0.01  # intervals are up to 0.05 % wider than those of the e-processes
    assert (evidence.better[result.low > 0] >= math.log(40) - 1e-9).all()
    assert (result.low[evidence.better > math.log(40) + margin] > 0).all()
    assert (evidence.worse[result.high < 0] >= math.log(40) - 1e-9).all()
    assert (result.high[evidence.worse > math.log(40) + margin] < 0).all()


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=80))
def test_the_other_order(values):
    first = confidence_sequence(values)
    second = confidence_sequence([-d for d in values])
    assert second.low == pytest.approx(-first.high)
    assert second.mean == pytest.approx(-first.mean)
    assert (first.low >= -1).all()
    assert (first.low <= first.mean).all()
    assert (first.mean <= first.high).all()
    assert (first.high <= 1).all()


def test_intervals_are_the_mean_and_the_boundary_at_its_intrinsic_time():
    values = np.random.default_rng(5).choice([-1.0, 0.0, 1.0], size=(2, 3_000))
    result = confidence_sequence(values)
    n = np.arange(1, 3_001)
    for row in range(2):
        sums, times = map(np.array, naive.walk(values[row].tolist()))
        exact = mixture_boundary(times, 0.025, RHO)
        assert result.mean[row] == pytest.approx(sums / n)
        for end, sign in ((result.high[row], 1), (-result.low[row], -1)):
            least, most = (np.minimum((sign * sums + c * exact) / n, 1.0) for c in (1, 1.0006))
            assert (least - 1e-12 <= end).all()
            assert (end <= most + 1e-12).all()
