"""The k-th smallest of many numbers; bounds on the effect of rounding on distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.compiled.kernels import kernel
from streameval.learners.kth_smallest import (
    count_within,
    kth_smallest,
    rounding_lower_bound,
    rounding_upper_bound,
)


@kernel
def of(values, n, k, room, limit):
    return kth_smallest(values, n, k, room), count_within(values, n, limit)


@kernel
def bounds(limit, m):
    return rounding_lower_bound(limit, m), rounding_upper_bound(limit, m)


@given(st.lists(st.sampled_from([0.0, 0.5, 2.0, 3.0, np.inf]), min_size=1, max_size=150), st.data())
def test_is_that_of_the_sorted_values(values, data):
    n, k = len(values), data.draw(st.integers(1, len(values)))
    padded = np.array(values + [np.inf] * 8)
    smallest = of(padded, n, k, np.empty(k + 2), 2.0)
    assert smallest == (sorted(values)[k - 1], sum(value <= 2.0 for value in values))


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 2, 10, 50]),
    st.floats(-8.5, -5.0) | st.just(0.0),
    st.sampled_from([-3.0, 0.0, 0.3, 1.0, 40.0]),
)
def test_bounds_hold_whatever_rounding_does(seed, m, spread, around):
    rng = np.random.default_rng(seed)
    points = np.clip(rng.random(m) + 10.0**spread * rng.normal(size=(600, m)), 0, 1)
    query = np.clip(points[0] + 10.0**spread * rng.normal(size=m), 0, 1) + around

    def distances(points):
        return np.cumsum((points - query) ** 2, axis=1)[:, -1]

    exact, rounded = distances(points), distances(points.astype(np.float32).astype(float))
    for k in (1, 7, 300):
        is_neighbour = exact <= np.sort(exact)[k - 1]
        below, above = bounds(np.sort(rounded)[k - 1], m)
        assert (rounded[is_neighbour] <= above).all()
        assert is_neighbour[rounded < below].all()


@pytest.mark.parametrize("m", [1, 10, 1000])
def test_bounds_are_close(m):
    below, above = bounds(0.25, m)
    assert 0.25 - 1e-5 < below < 0.25 < above < 0.25 + 1e-5
    assert bounds(0.0, m)[0] == 0.0
    assert 0.0 < bounds(0.0, m)[1] < 1e-10
    assert bounds(np.inf, m) == (0.0, np.inf)
