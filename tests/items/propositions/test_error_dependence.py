"""Proposition 8: the algebra exactly, and drawn errors against it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from test_baseline_accuracies import NEARLY_SURE, joint, matrices

from streameval.base.errors import DataError
from streameval.items.propositions import error_dependence as dependence
from streameval.items.propositions.baseline_accuracies import persistence_landmarks
from streameval.significance.intervals import mean_interval, mean_intervals
from streameval.streams.generators.markov import stationary_distribution, transition_matrix

RATES = st.floats(0.01, 0.99)
#: Shares of a class that leave the other one something.
SHARES = st.floats(0.05, 0.95)


@given(matrices(classes=(2, 2)), RATES, RATES)
def test_error_autocorrelation_by_enumeration(
    transition: np.ndarray, error_a: float, error_b: float
) -> None:
    rates = np.array([error_a, error_b])
    pairs = joint(transition)
    rate = pairs.sum(axis=0) @ rates
    both = sum(pairs[i, j] * rates[i] * rates[j] for i in (0, 1) for j in (0, 1))
    exact = (both - rate**2) / (rate * (1 - rate))
    ours = dependence.error_autocorrelation(transition, error_a, error_b)
    assert ours == pytest.approx(exact, abs=1e-10)
    # The last line of the paper's proof, before its conditions are read off.
    shares = stationary_distribution(transition)
    excess = (np.diag(transition) - shares) * shares
    paper = (error_a - error_b) * (error_a * excess[0] - error_b * excess[1])
    assert both - rate**2 == pytest.approx(paper, abs=1e-10)


@given(matrices(classes=(2, 2)))
def test_both_classes_persist_by_the_same_amount(transition: np.ndarray) -> None:
    shares = stationary_distribution(transition)
    excess = joint(transition).diagonal() - shares**2
    assert excess[0] == pytest.approx(excess[1], abs=1e-12)
    assert dependence.label_covariance(transition) == pytest.approx(excess[0], abs=1e-12)


@given(SHARES, st.floats(0.01, 0.99))
def test_what_condition_3_asks_for(share: float, part: float) -> None:
    shares = (share, 1 - share)
    lowest, independent, _ = persistence_landmarks(shares)
    wanted = lowest + part * (1 - lowest)
    assume(abs(wanted - independent) > 1e-3)
    transition = transition_matrix(shares, wanted)
    printed = dependence.error_ratio(transition, dependence.PRINTED)
    assert printed == pytest.approx(share / (1 - share), rel=1e-6)
    assert dependence.error_ratio(transition, dependence.PROVED) == pytest.approx(1, rel=1e-6)
    # As printed it leaves errors dependent, unless classes are balanced.
    left = dependence.error_autocorrelation(transition, 0.01 * share, 0.01 * (1 - share))
    covariance = (wanted - independent) / 2 * (0.01 * (2 * share - 1)) ** 2
    rate = 0.01 * (share**2 + (1 - share) ** 2)
    assert left == pytest.approx(covariance / (rate * (1 - rate)), abs=1e-12)


def test_errors_are_independent_where_the_algebra_says_so() -> None:
    dependent, free = transition_matrix((0.7, 0.3), 0.9), transition_matrix((0.7, 0.3), 0.58)
    assert dependence.error_autocorrelation(dependent, 0.2, 0.2) == 0
    assert dependence.error_autocorrelation(free, 0.1, 0.4) == pytest.approx(0, abs=1e-15)
    # c = (0.9 - 0.58) / 2 = 0.16 and q = 0.7 * 0.1 + 0.3 * 0.4 = 0.19.
    expected = 0.16 * 0.3**2 / (0.19 * 0.81)
    assert dependence.error_autocorrelation(dependent, 0.1, 0.4) == pytest.approx(expected)
    assert np.isnan(dependence.error_autocorrelation(dependent, 0.0, 0.0))


def test_drawn_errors_are_as_dependent_as_calculated() -> None:
    runs = dependence.run_errors((0.7, 0.3), (0.45, 0.58, 0.9), seeds=6, n=10_000)
    by = ["persistence", "condition"]
    table = mean_intervals(runs, [*by, "error_a", "error_b"], ["autocorrelation"])
    assert len(table) == 4 + 2 + 4  # of independent labels condition 3 is 0 / 0
    assert set(table.loc[table["persistence"] == 0.58, "condition"]) == {
        dependence.UNEQUAL_RATES,
        dependence.EQUAL_RATES,
    }
    for _, part in runs.groupby(by):
        low, high = mean_interval(part["autocorrelation"], NEARLY_SURE)[1:]
        assert low < part["expected"].iloc[0] < high
    # Far from nothing where it should be: negative dependence of labels gives negative one.
    unequal = table[table["condition"] == dependence.UNEQUAL_RATES].set_index("persistence")
    assert unequal.loc[0.45, "high"] < 0 < unequal.loc[0.9, "low"]
    printed = table[table["condition"] == dependence.PRINTED].set_index("persistence")
    assert printed.loc[0.9, ["error_a", "error_b"]].tolist() == pytest.approx([0.35, 0.15])
    assert printed.loc[0.9, "low"] > 0.01


def test_streams_without_errors_are_refused() -> None:
    with pytest.raises(DataError, match="found 1 of one kind"):
        dependence.run_errors((0.7, 0.3), (0.9,), seeds=1, n=1)
