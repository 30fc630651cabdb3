"""Alarms by chance come as often as the coin says, and never in the warm-up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import detectors as naive
from numba import njit
from scipy.stats import binom, chisquare

from streameval.base.errors import ConfigError
from streameval.detectors.chance import Chance, chance_options, chance_start, chance_update


@settings(max_examples=60)
@given(
    st.integers(0, 400),
    st.floats(0, 1),
    st.integers(1, 40),
    st.integers(0, 2**63 - 1),
)
def test_equals_its_naive_twin(n, probability, min_instances, seed):
    twin = naive.coin(probability, min_instances, seed)
    expected = [t for t in range(n) if twin.input(0.0)[1]]
    result = Chance(probability, min_instances).run(np.zeros(n), seed)
    assert result.changes.tolist() == expected
    assert result.warnings.tolist() == []


@pytest.mark.parametrize(
    ("n", "probability", "min_instances"), [(40, 0.1, 1), (200, 0.02, 1), (300, 0.05, 30)]
)
def test_the_number_of_changes_is_binomial(n, probability, min_instances):
    detector, values = Chance(probability, min_instances), np.zeros(n)
    result = [len(detector.run(values, seed).changes) for seed in range(2000)]
    # There are a changes or more if and only if, of the inputs that are left after a warm-ups,
    # a are changes: P(A >= a) = P(Binomial(n - (min_instances - 1) a, p) >= a).
    a = np.arange(30)
    left = np.maximum(n - (min_instances - 1) * a, 0)
    at_least = binom.sf(a - 1, left, probability)
    expected = -np.diff(at_least, append=0.0) * len(result)
    observed = np.bincount(result, minlength=len(a))
    few = expected < 5  # too few for the test one by one
    observed = np.append(observed[~few], observed[few].sum())
    expected = np.append(expected[~few], expected[few].sum())
    # The seeds are fixed, so the result is; 0.01 is what a sound coin misses once in a hundred.
    assert chisquare(observed, expected).pvalue > 0.01


@njit
def insert_all(state, options, said):
    for t in range(said.shape[1]):
        for d in range(said.shape[0]):
            said[d, t] = chance_update(state, d, options)


def test_members_of_a_pool_are_independent():
    said = np.empty((3, 2000), dtype=np.int64)
    insert_all(chance_start(3, 5), chance_options(0.1, 10), said)
    changes = [np.flatnonzero(row == 2).tolist() for row in said]
    assert changes[0] == Chance(0.1, 10).run(np.zeros(2000), 5).changes.tolist()
    assert len({tuple(row) for row in changes}) == 3


@pytest.mark.parametrize(
    ("options", "message"), [((np.nan,), "from 0 to 1, found nan"), ((0.5, 0), "1, found 0")]
)
def test_options_out_of_range_are_errors(options, message):
    with pytest.raises(ConfigError, match=f"Alarms by chance: .*{message}"):
        chance_options(*options)
