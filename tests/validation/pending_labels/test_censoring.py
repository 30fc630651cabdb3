"""Weights for missing labels, against their definitions and against the bias they correct."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import waiting as naive

from pending_labels.censoring import (
    accuracy_bounds,
    weighted_mean,
    weights_by_age,
    weights_by_latency,
)

WAITS = st.lists(
    st.tuples(st.sampled_from([0, 1, 2, 3, 5, 8, np.inf]), st.integers(0, 9)), min_size=1
)


@given(pairs=WAITS)
def test_weights_equal_their_definitions(pairs):
    latency, age = (np.array(values, dtype=float) for values in zip(*pairs, strict=True))
    weights = np.column_stack([weights_by_age(latency, age), weights_by_latency(latency, age)])
    np.testing.assert_allclose(weights, naive.weights(latency.tolist(), age.tolist()), rtol=1e-12)


def test_by_hand():
    # Ages 3, 2, 1, 0. A label takes 0 or 2: the first two have arrived whatever they take. Of the
    # others, only the last one, which takes 0, has.
    latency, age = [2, 0, 2, 0], [3, 2, 1, 0]
    assert weights_by_latency(latency, age) == pytest.approx([2, 1, 0, 1])
    # At risk at 0: four, two labels arrive; at 2: one, and it arrives; one is censored at 1.
    assert weights_by_age(latency, age) == pytest.approx([1, 1, 0, 2])
    # Slow labels are 2 of 4, of which one has arrived; the weights have both.
    assert weighted_mean([1, 0, 1, 0], weights_by_latency(latency, age)) == 0.5
    assert weighted_mean([1, 0, 1, 0], [1, 1, 0, 1]) == pytest.approx(1 / 3)


def test_without_any_label_there_is_no_mean():
    latency, age = [np.inf, 4.0], [3.0, 2.0]
    assert np.isnan(weighted_mean([1, 1], weights_by_age(latency, age)))
    assert accuracy_bounds([True, False], [False, False]) == (0.0, 1.0)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_bounds_are_reached_and_hold(pairs):
    right, arrived = (np.array(values) for values in zip(*pairs, strict=True))
    low, high = accuracy_bounds(right, arrived)
    assert low <= right.mean() <= high
    assert low == np.where(arrived, right, False).mean()
    assert high == np.where(arrived, right, True).mean()
