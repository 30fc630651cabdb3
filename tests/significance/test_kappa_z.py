"""The z-test of kappa against its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import significance as naive
from naive.measures import at_once

from streameval.measures.counting import tally
from streameval.measures.registry import MEASURES
from streameval.significance.kappa_z import Agreement
from streameval.significance.registry import TESTS

TEST = TESTS["kappa_z"]
labels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60)


def agreement(true, predicted):
    shares = [np.bincount(part, minlength=4) / len(true) for part in (true, predicted)]
    accuracy = np.mean(np.array(true) == np.array(predicted))
    return Agreement(np.float64(len(true)), accuracy, shares[0] @ shares[1])


@given(labels)
def test_it_agrees_with_its_twin(pairs):
    true, predicted = zip(*pairs, strict=True)
    result = TEST(*agreement(true, predicted))
    z, p_value = naive.kappa_z(true, predicted)
    assert float(result.statistic) == pytest.approx(z, abs=1e-9, nan_ok=True)
    assert float(result.p_value) == pytest.approx(p_value, abs=1e-9, nan_ok=True)


@given(labels)
def test_the_measures_are_the_tests(pairs):
    true, predicted = (np.array(part) for part in zip(*pairs, strict=True))
    counts = tally(true, predicted, 4, **at_once(true.tolist(), 4))
    result = TEST(*agreement(true.tolist(), predicted.tolist()))
    for name, value in (("kappa_z", result.statistic), ("kappa_p_value", result.p_value)):
        measured = float(MEASURES[name].value(counts))
        assert measured == pytest.approx(float(value), abs=1e-9, nan_ok=True)


def test_it_takes_many_at_once():
    n, accuracy, chance = np.full(3, 100.0), np.array([0.5, 0.6, 0.9]), np.array([0.5, 0.5, 1.0])
    result = TEST(n, accuracy, chance)
    # (0.6 - 0.5) * 10 / 0.5 = 2, whose upper tail is 0.02275
    assert result.statistic == pytest.approx([0, 2, np.nan], nan_ok=True)
    assert result.p_value == pytest.approx([0.5, 0.02275, np.nan], abs=1e-5, nan_ok=True)
