"""The interval of Bayle et al.: agreement with its twin, its sums, and its properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import series as naive
from scipy.stats import norm

from streameval.significance.kfold_interval import FoldSums, kfold_interval
from streameval.significance.registry import TESTS

TEST = TESTS["kfold_interval"]


@st.composite
def folds(draw):
    k, size = draw(st.integers(2, 5)), draw(st.integers(2, 12))
    fold = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=size, max_size=size)
    return np.array(draw(st.lists(fold, min_size=k, max_size=k)))


def fold_sums(differences, folds, k):
    member = (folds[:, None] == np.arange(k)).astype(float)
    sums = differences @ member
    counts = np.broadcast_to(member.sum(axis=0), sums.shape)
    return FoldSums(counts, sums, differences**2 @ member)


def sums_of(values):
    return FoldSums(
        np.full(len(values), values.shape[1]), values.sum(axis=1), (values**2).sum(axis=1)
    )


@given(folds())
def test_it_agrees_with_its_twin(values):
    result = TEST(*sums_of(values))
    if values.std() > 0:
        z, mean, error = naive.kfold(values.tolist())
        assert float(result.statistic) == pytest.approx(z)
        assert float(result.p_value) == pytest.approx(2 * norm.sf(abs(z)))
        ends = result.details["low"], result.details["high"]
        assert ends == pytest.approx((mean - 1.959964 * error, mean + 1.959964 * error), abs=1e-6)


@given(folds(), st.floats(0.01, 100), st.integers(-3, 3))
def test_the_other_order_another_unit_and_a_shift(values, unit, by):
    first = kfold_interval(sums_of(values))
    assert 0 <= first.p_value <= 1
    second = kfold_interval(sums_of(-values))
    assert second.statistic == pytest.approx(-first.statistic)
    scaled = kfold_interval(sums_of(values * unit))
    assert scaled.statistic == pytest.approx(first.statistic, rel=1e-6, abs=1e-9)
    moved = kfold_interval(sums_of(values + by)).details
    for end in ("low", "mean", "high"):
        assert moved[end] - by == pytest.approx(first.details[end], abs=1e-6)


def test_many_runs_are_as_each_of_them():
    values = np.random.default_rng(1).integers(-1, 2, (3, 2, 50)).astype(float)
    fold = np.arange(50) % 7  # folds of 8 and of 7
    together = kfold_interval(fold_sums(values, fold, 7))
    assert together.p_value.shape == (3, 2)
    each = kfold_interval(fold_sums(values[2, 1], fold, 7))
    assert together.statistic[2, 1] == pytest.approx(float(each.statistic))


def test_equal_differences():
    values = np.array([np.zeros(60), np.full(60, 0.1), np.full(60, -1.0)])
    result = kfold_interval(fold_sums(values, np.arange(60) % 3, 3))
    assert result.statistic.tolist() == [0, np.inf, -np.inf]
    assert result.p_value.tolist() == [1, 0, 0]
