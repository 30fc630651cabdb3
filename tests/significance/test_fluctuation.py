"""The fluctuation test: its path, the level of its p-values, and that it sees a learner ahead."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from naive import series as naive

from streameval.significance.fluctuation import DRAWS, MAX_BINS
from streameval.significance.registry import TESTS

TEST = TESTS["fluctuation"]
differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=40, max_size=40)
#: Giacomini and Rossi (2010), Table 1, two-sided: by window, at 5 % and 10 %.
PUBLISHED = {
    0.1: (3.393, 3.170),
    0.2: (3.179, 2.948),
    0.3: (3.012, 2.766),
    0.4: (2.890, 2.626),
    0.5: (2.779, 2.500),
    0.6: (2.634, 2.356),
    0.7: (2.560, 2.252),
    0.8: (2.433, 2.130),
    0.9: (2.248, 1.950),
}


@given(differences)
@hypothesis_settings(max_examples=30)
def test_the_largest_of_the_path_is_that_of_its_twin(values):
    if naive.bartlett(values, 6) > 1e-20:
        expected = np.abs(naive.fluctuation_path(values, 12)).max()
        assert TEST(values).statistic == pytest.approx(expected, abs=1e-9)


def largest_of_brownian_motion(window, steps, runs, seed):
    draws, result = np.random.default_rng(seed), []
    m = round(window * steps)
    for _ in range(runs // 1_000):
        path = np.zeros((1_000, steps + 1))
        np.cumsum(draws.standard_normal((1_000, steps)), axis=1, out=path[:, 1:])
        result.append(np.abs(path[:, m:] - path[:, :-m]).max(axis=1) / math.sqrt(m))
    return np.concatenate(result)


@pytest.mark.parametrize("window", list(PUBLISHED))
def test_published_critical_values_have_their_level(window):
    # The paper simulated 8,000 Brownian motions; its values are those of some 100 to 1,000 steps,
    # while a motion of more steps reaches further. Three standard errors of both simulations.
    coarse = largest_of_brownian_motion(window, 100, 8_000, 1)
    fine = largest_of_brownian_motion(window, 1_000, 8_000, 2)
    for level, value in zip((0.05, 0.10), PUBLISHED[window], strict=True):
        error = 3 * math.sqrt(2 * level * (1 - level) / 8_000)
        assert np.mean(coarse > value) <= level + error
        assert np.mean(fine > value) >= level - error


@pytest.mark.parametrize("bins", [100, MAX_BINS])
def test_p_values_have_their_level_for_other_draws(bins):
    draws, runs = np.random.default_rng(3), 4_000
    result = TEST(draws.normal(size=(runs, bins))).p_value
    error = math.sqrt(0.05 * 0.95 * (1 / runs + 1 / DRAWS))
    assert abs(np.mean(result <= 0.05) - 0.05) <= 3 * error


def test_it_sees_a_stretch_in_which_the_first_learner_is_ahead():
    draws = np.random.default_rng(5)
    values = draws.choice([-1.0, 0.0, 1.0], p=[0.1, 0.8, 0.1], size=20_000)
    assert TEST(values).p_value > 0.05
    values[8_000:14_000] = draws.choice([-1.0, 0.0, 1.0], p=[0.05, 0.8, 0.15], size=6_000)
    assert TEST(values).p_value == 1 / (DRAWS + 1)


def test_long_series_are_averaged_and_many_are_as_each_of_them():
    values = np.random.default_rng(6).normal(size=(2, 3, 2_501))
    result = TEST(values)
    # bins of 3 values: 833 of them, and the first 2 values are left over
    each = TEST(values[1, 2, 2:].reshape(833, 3).mean(axis=1))
    assert result.statistic[1, 2] == pytest.approx(each.statistic)
    assert result.p_value[1, 2] == each.p_value
    assert 0 < result.p_value_error <= 0.5 / math.sqrt(DRAWS)


def test_series_without_variance():
    result = TEST([np.zeros(50), np.full(50, 0.1), np.full(50, -0.3)])
    assert result.p_value.tolist() == [1, 1 / (DRAWS + 1), 1 / (DRAWS + 1)]
