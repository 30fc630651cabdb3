"""McNemar's test, by its signed statistic and exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2

from streameval.significance.registry import TESTS

BOTH = ("mcnemar", "mcnemar_exact")
counts = st.integers(0, 5_000)


@given(counts, counts)
@example(0, 0)
def test_the_statistic_is_that_of_the_paper(a, b):
    result = TESTS["mcnemar"](a, b)
    size = (a - b) ** 2 / (a + b) if a + b else 0
    assert float(result.statistic) == pytest.approx(size if a >= b else -size)
    assert float(result.p_value) == pytest.approx(chi2.sf(size, 1), rel=1e-9)


@given(counts, counts)
@example(0, 0)
def test_the_exact_p_value_is_binomial(a, b):
    result = TESTS["mcnemar_exact"](a, b)
    assert float(result.statistic) == a - b
    expected = binomtest(a, a + b).pvalue if a + b else 1.0
    assert float(result.p_value) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", BOTH)
@given(a=counts, b=counts)
def test_swapping_the_learners_negates_the_statistic(name, a, b):
    first, second = TESTS[name](a, b), TESTS[name](b, a)
    assert first.statistic == -second.statistic
    assert first.p_value == second.p_value
    assert 0 <= first.p_value <= 1


@pytest.mark.parametrize("name", BOTH)
@given(a=counts, b=counts)
def test_a_larger_difference_of_as_many_is_no_less_significant(name, a, b):
    low, high = sorted((a, b))
    if low > 0:
        assert TESTS[name](high + 1, low - 1).p_value <= TESTS[name](high, low).p_value


@pytest.mark.parametrize("name", BOTH)
def test_it_takes_many_at_once(name):
    a, b = np.random.default_rng(1).integers(0, 9, (2, 3, 4))
    result = TESTS[name](a, b)
    assert result.p_value.shape == result.statistic.shape == (3, 4)
    for place in np.ndindex(3, 4):
        assert result.p_value[place] == TESTS[name](a[place], b[place]).p_value
