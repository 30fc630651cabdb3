"""Holm's correction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import significance as naive

from streameval.significance.holm import holm

some = st.lists(st.integers(0, 100).map(lambda n: n / 100), min_size=1, max_size=6)


@given(some)
def test_it_is_closed_testing_by_bonferroni(p_values):
    assert holm(p_values).tolist() == pytest.approx(naive.holm(p_values))


def test_it_is_that_of_statsmodels():
    # statsmodels 0.15.0, multipletests(method="holm"), of Wilcoxon's p-values of Demšar's data.
    raw = [0.015874359307532084, 0.3278256758446406, 0.030225938304358376]
    assert holm(raw).tolist() == pytest.approx([0.04762308, 0.32782568, 0.06045188], abs=5e-9)


def test_a_test_without_a_p_value_does_not_count():
    result = holm([0.02, np.nan, 0.03])
    assert result.tolist() == pytest.approx([0.04, np.nan, 0.04], nan_ok=True)
    assert np.isnan(holm([np.nan])).all()
    assert holm([]).shape == (0,)
