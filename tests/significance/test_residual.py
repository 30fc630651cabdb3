"""Summaries of errors - r reference equal those of the explicit series."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import lfilter

from streameval.significance.entities import order_by_entity
from streameval.significance.residual import Residual
from streameval.significance.skill_interval import skill_interval
from streameval.significance.stream_mean import (
    Sample,
    interval_from_summary,
    stream_mean,
    summarise,
)

KINDS = ("classes", "numbers", "chance")


def pair_of(kind, n, draws):
    """Errors of a learner, and of a reference, that last for some instances."""
    noise = lfilter([1.0], [1.0, -0.7], draws.normal(size=(3, n)))
    first, second = noise[0] + noise[1], noise[0] + noise[2]
    if kind == "numbers":
        return np.exp(first / 3), np.exp(second / 3)
    reference = (second > 0.8).astype(float)
    return (first > 1.0).astype(float), reference if kind == "classes" else 0.9 * reference + 0.05


@given(
    st.sampled_from(KINDS),
    st.sampled_from([61, 300, 4096, 5000]),
    st.integers(0, 5),
    st.sampled_from([0.0, 0.3, 0.9, 1.0, 1.7]),
    st.integers(0, 2**32 - 1),
)
def test_a_summary_is_that_of_the_series(kind, n, entities, r, seed):
    draws = np.random.default_rng(seed)
    errors, reference = pair_of(kind, n, draws)
    order = order_by_entity(draws.integers(0, entities, n)) if entities else None
    summary = Residual(errors, reference, order).summary(r)
    expected = summarise(errors - r * reference, order)
    assert (summary.n, summary.most_frequent) == (expected.n, expected.most_frequent)
    assert (summary.mean, summary.variance) == pytest.approx((expected.mean, expected.variance))
    assert summary.long_run_variance == pytest.approx(expected.long_run_variance, rel=1e-9)
    assert summary.section_means.var(axis=1).max() == pytest.approx(
        expected.section_means.var(axis=1).max()
    )
    interval = interval_from_summary(summary, 0.95, with_p_value=False)
    whole = stream_mean(Sample(errors - r * reference, order=order), with_p_value=False)
    assert (interval.low, interval.high) == pytest.approx((whole.low, whole.high), nan_ok=True)
    assert interval.reason == whole.reason


def test_a_multiple_of_the_reference_leaves_nothing():
    reference = np.random.default_rng(1).gamma(2.0, size=10_000)
    for factor in (0.5, 1 / 3, 3.0):
        skill = skill_interval(factor * reference, reference)
        assert skill.value == pytest.approx(1.0 - factor)
        assert skill.reason == "all 10,000 values are equal"
