"""Baselines over dependence: the algebra exactly, and the simulation against it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import ConfigError, DataError
from streameval.items.propositions import baseline_accuracies as baselines
from streameval.items.propositions import propositions as study
from streameval.learners.bayes.naive_bayes import NaiveBayes
from streameval.protocols.prequential import prequential
from streameval.significance.intervals import mean_interval
from streameval.streams.generators.markov import (
    Markov,
    persistence,
    stationary_distribution,
    transition_matrix,
)

#: Far from rounding, near what a study would use.
WHOLE_SHARES = st.lists(st.integers(1, 20), min_size=2, max_size=5)
#: For simulations against exact values: fixed seeds, so they hold or they do not.
NEARLY_SURE = 0.9999


@st.composite
def matrices(draw: st.DrawFn, classes: tuple[int, int] = (2, 5)) -> np.ndarray:
    """Transition matrices with positive entries, reversible or not."""
    k = draw(st.integers(*classes))
    row = st.lists(st.integers(1, 100), min_size=k, max_size=k)
    weights = np.array(draw(st.lists(row, min_size=k, max_size=k)), dtype=float)
    return weights / weights.sum(axis=1, keepdims=True)


def joint(transition: np.ndarray) -> np.ndarray:
    """P(y_t-1 = i, y_t = j) of the stationary chain."""
    return stationary_distribution(transition)[:, None] * transition


def exact_majority(transition: np.ndarray, window: int) -> float:
    """Accuracy of the majority of the last n labels of two classes; ties are class 0."""
    shares = stationary_distribution(transition)
    # Probability of (how many of the labels so far are 1, the last one).
    state = np.zeros((window + 1, 2))
    state[0, 0], state[1, 1] = shares
    for _ in range(window - 1):
        after = state @ transition
        state = np.stack([after[:, 0], np.roll(after[:, 1], 1)], axis=1)
    answer = (2 * np.arange(window + 1) > window).astype(int)
    return float((state * transition[:, answer].T).sum())


def test_one_value_has_no_interval() -> None:
    with pytest.raises(ConfigError, match="expected at least 2 seeds, found 1"):
        mean_interval([0.1])


# Propositions 5, 6 and 7


@given(WHOLE_SHARES, st.floats(0.001, 0.999))
def test_the_sign_turns_at_the_majority_share(counts: list[int], part: float) -> None:
    lowest, independent, majority = baselines.persistence_landmarks(counts)
    assert independent <= majority + 1e-12
    at = {
        0: majority,
        -1: lowest + part * (majority - lowest),
        1: majority + part * (1 - majority),
    }
    for sign, wanted in at.items():
        transition = transition_matrix(counts, wanted)
        lead = persistence(transition) - stationary_distribution(transition).max()
        assert lead == pytest.approx(wanted - majority, abs=1e-9)
        assert np.sign(round(lead, 9)) == sign or abs(wanted - majority) < 1e-8


@given(WHOLE_SHARES)
def test_sweeps_hold_independence_and_the_majority_share(counts: list[int]) -> None:
    grid = baselines.persistence_grid(counts)
    lowest, independent, majority = baselines.persistence_landmarks(counts)
    assert {independent, majority, 0.99} <= set(grid)
    assert (np.diff(grid) > 1e-9).all()
    assert (independent == majority) is (len(set(counts)) == 1)
    assert lowest < grid[0]
    for wanted in grid:
        assert persistence(transition_matrix(counts, wanted)) == pytest.approx(wanted)


def test_sweeps_that_never_turn_are_refused() -> None:
    runs = pd.DataFrame(
        {"shares": "0.7/0.3", "seed": 1, "persistence": [0.5, 0.6], baselines.PERSISTENT_LEAD: -0.1}
    )
    with pytest.raises(DataError, match="both sides of P"):
        baselines.turning_points(runs)


def test_turning_points_by_hand() -> None:
    lead = [0.1, -0.2, -0.1, 0.3, 0.2, -0.3, -0.1, 0.1]
    runs = pd.DataFrame(
        {
            "shares": "0.7/0.3",
            "seed": [4] * 4 + [9] * 4,
            "persistence": [0.5, 0.6, 0.7, 0.8, 0.8, 0.5, 0.6, 0.7],
            baselines.PERSISTENT_LEAD: lead,
        }
    )
    turning = baselines.turning_points(runs)
    assert turning["seed"].tolist() == [4, 9]
    # A quarter of the way from 0.7 to 0.8, and half of that from 0.6 to 0.7.
    assert turning["turning_point"].tolist() == pytest.approx([0.725, 0.65])


def test_baselines_are_measured_as_defined() -> None:
    frame = baselines.run_baselines((0.5, 0.3, 0.2), [0.6], 2, 2_000).iloc[1]
    stream = Markov((0.5, 0.3, 0.2), 0.6, 2, seed=2, drift=0.0).stream(2_000)
    predictions = NaiveBayes().run(stream, prequential(2_000)).label
    before = np.concatenate(([0], stream.y[:-1]))
    right, persistent = np.mean(predictions == stream.y), np.mean(before == stream.y)
    random = sum(np.mean(stream.y == c) * np.mean(predictions == c) for c in range(3))
    kappas = [(right - base) / (1 - base) for base in (random, persistent)]
    assert frame["shares"] == "0.5/0.3/0.2"
    assert frame["p_uniform"] == 1 / 3
    assert frame["p_majority"] == np.mean(stream.y == 0)
    assert frame["p_persistent"] == pytest.approx(persistent)
    assert frame["p_random"] == pytest.approx(random)
    assert frame["accuracy"] == right
    assert [frame["kappa"], frame["kappa_temporal"]] == pytest.approx(kappas)
    assert frame["kappa_combined"] == pytest.approx(np.sqrt(np.prod(np.maximum(kappas, 0))))
    assert frame[baselines.PERSISTENT_LEAD] == pytest.approx(persistent - np.mean(stream.y == 0))


# Proposition 9


@pytest.mark.parametrize("at", [study.HIGH_PERSISTENCE, study.LOW_PERSISTENCE])
def test_signs_of_memory_follow_from_the_joint_distribution(at: float) -> None:
    transition = transition_matrix(study.BINARY_SHARES, at)
    assert exact_majority(transition, 1) == pytest.approx(at)
    for window, stated in study.MEMORY_SIGNS[at].items():
        lead = at - exact_majority(transition, window)
        assert (lead > 0.001) if stated == "> 0" else (lead < -0.001)
    assert exact_majority(transition, 1000) == pytest.approx(0.7, abs=1e-3)


def test_the_proofs_formula_leaves_majority_after_the_first_label() -> None:
    transition = transition_matrix((0.7, 0.3), 0.9)
    # λ₂ = (0.9 - 0.58) / 0.42; at n = 2 the formula's weight of P(T) is (1 + λ₂) / 2.
    weight = (1 + 0.32 / 0.42) / 2
    assert baselines.proved_accuracy(transition, 1) == pytest.approx(0.9)
    expected = weight * 0.9 + (1 - weight) * 0.58
    assert baselines.proved_accuracy(transition, 2) == pytest.approx(expected)
    assert baselines.proved_accuracy(transition, 10**6) == pytest.approx(0.58, abs=1e-5)
    assert exact_majority(transition, 1000) == pytest.approx(0.7, abs=1e-3)


def test_forgetful_majorities_are_as_accurate_as_calculated() -> None:
    runs = baselines.run_memory((0.7, 0.3), 0.64, seeds=6, n=8_000)
    assert (runs.loc[runs["window"] == 1, baselines.MEMORY_LEAD] == 0).all()
    transition = transition_matrix((0.7, 0.3), 0.64)
    for window, part in runs.groupby("window"):
        low, high = mean_interval(part["p_majority_n"], NEARLY_SURE)[1:]
        assert low < exact_majority(transition, int(window)) < high
        proved = baselines.proved_accuracy(transition, int(window))
        assert part["p_proved"].tolist() == [proved] * 6
