"""The practitioner's test of temporal dependence."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streameval.errors import DataError
from streameval.streams.generators.markov import markov
from streameval.studies import persistence
from streameval.studies.persistence import check_persistence


def test_by_hand():
    labels = np.array([0, 0, 1, 1, 1, 0, 0, 0, 2, 0])
    found = check_persistence(labels, 9)
    assert found.n == 9
    assert found.majority == 5 / 9
    assert found.persistent == 5 / 8  # 00 11 11 00 00
    assert found.independent == pytest.approx((25 + 9 + 1) / 81)
    # Wilson's interval, z = 1.959964, n = 8, p = 5/8.
    z, n, p = 1.959964, 8, 5 / 8
    centre, half = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    assert found.low == pytest.approx((centre - half) / (1 + z**2 / n), abs=1e-6)
    assert found.high == pytest.approx((centre + half) / (1 + z**2 / n), abs=1e-6)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60), st.integers(2, 80))
def test_the_numbers_are_accuracies(labels, sample):
    labels = np.array(labels, dtype=np.int32)
    found, seen = check_persistence(labels, sample), labels[:sample]
    assert found.n == len(seen)
    assert found.majority == max(np.mean(seen == c) for c in range(4))
    assert found.persistent == np.mean(seen[1:] == seen[:-1])
    assert found.low - 1e-12 <= found.persistent <= found.high + 1e-12
    assert found.independent <= found.majority + 1e-12


def sampled(persistence, priors, seed, n=100):
    stream = markov(
        n=n, priors=priors, persistence=persistence, attributes=2, separation=1.0, seed=seed
    )
    return check_persistence(stream.y, n)


@pytest.mark.parametrize(
    ("persistence", "priors"), [(0.853, [0.58, 0.42]), (0.5128, [0.58, 0.42]), (0.7, [1, 1, 1])]
)
def test_the_interval_holds_the_truth_as_often_as_it_says(persistence, priors):
    found = [sampled(persistence, priors, seed) for seed in range(400)]
    held = np.mean([one.low <= persistence <= one.high for one in found])
    assert 0.91 <= held <= 0.985


def advice_of(persistence, priors, seeds=100):
    return [sampled(persistence, priors, seed).advice.split(":")[0] for seed in range(seeds)]


def test_the_advice_follows():
    sticky, loose = advice_of(0.853, [0.58, 0.42]), advice_of(0.5128, [0.58, 0.42])
    assert np.mean([text.startswith("Repeating the last label beats") for text in sticky]) > 0.8
    assert np.mean([text.startswith("No dependence") for text in loose]) > 0.9
    rare = advice_of(0.91, [0.93, 0.07])  # less than always answering the frequent class
    assert not any(text.startswith("Repeating") for text in rare)
    assert check_persistence(np.zeros(50, dtype=np.int32)).advice.startswith("All labels")
    # Taking turns is dependence, too, and repeating the last label is always wrong there.
    for turns in (2, 3):
        found = check_persistence(np.arange(100, dtype=np.int32) % turns)
        assert found.persistent == 0
        assert found.advice.startswith("Labels repeat less often than by chance")


@pytest.mark.parametrize(("labels", "sample"), [([], 100), ([1], 100), ([0, 1, 1], 1)])
def test_too_few_labels_are_refused(labels, sample):
    with pytest.raises(DataError, match="needs at least 2 labels"):
        check_persistence(np.array(labels, dtype=np.int32), sample)


def all_orders(counts):
    """Return the probabilities of 0, 1, ... repeats from a list of all orders."""
    labels = [label for label, count in enumerate(counts) for _ in range(count)]
    found = np.zeros(len(labels))
    for order in itertools.permutations(labels):
        found[sum(one == other for one, other in itertools.pairwise(order))] += 1
    return found / found.sum()


@pytest.mark.parametrize(
    "counts", [(1, 1), (3, 4), (6, 2), (1, 7), (2, 2, 3), (1, 1, 1, 4), (5, 1, 1)]
)
def test_probabilities_are_those_of_all_orders(counts):
    expected = all_orders(counts)
    assert persistence._exact(list(counts)) == pytest.approx(expected, abs=1e-12)
    if len(counts) == 2:
        assert persistence._two_classes(*counts) == pytest.approx(expected, abs=1e-12)


def test_two_classes_are_exact_however_many_labels():
    assert persistence._two_classes(70, 30) == pytest.approx(
        persistence._exact([70, 30]), rel=1e-9, abs=1e-300
    )
    assert persistence._two_classes(26_075, 19_237).sum() == pytest.approx(1.0)
    # The mean and the variance of runs, Wald and Wolfowitz (1940): 2ab/n + 1, and below.
    a, b = 900, 300
    chances, n = persistence._two_classes(a, b), a + b
    runs = n - np.arange(n)
    mean = float(chances @ runs)
    assert mean == pytest.approx(2 * a * b / n + 1)
    variance = 2 * a * b * (2 * a * b - n) / (n**2 * (n - 1))
    assert float(chances @ (runs - mean) ** 2) == pytest.approx(variance)


def test_the_p_value_counts_both_tails():
    labels = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)  # 2 of the 20 orders have 4 repeats
    assert persistence.repeats_p_value(labels) == (pytest.approx(0.2), 0.0)
    taking_turns = np.array([0, 1, 0, 1, 0, 1], dtype=np.int32)  # 2 of the 20 have none
    assert persistence.repeats_p_value(taking_turns) == (pytest.approx(0.2), 0.0)
    assert persistence.repeats_p_value(np.zeros(9, dtype=np.int32)) == (None, 0.0)
    assert persistence.repeats_p_value(np.array([0, 2, 0, 2], dtype=np.int32))[0] is not None


@pytest.mark.parametrize("shares", [[0.7, 0.3], [0.97, 0.03], [0.5, 0.3, 0.2]])
def test_independent_labels_are_called_dependent_no_more_often_than_stated(shares):
    draws = np.random.default_rng(11)
    rejected = tested = 0
    for _ in range(400):
        labels = draws.choice(len(shares), size=60, p=shares).astype(np.int32)
        p_value, error = persistence.repeats_p_value(labels)
        assert error == 0
        if p_value is not None:
            tested += 1
            rejected += p_value < persistence.LEVEL
    assert rejected / tested <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / tested)


def test_dependent_labels_are_found():
    for priors in ([0.58, 0.42], [0.5, 0.3, 0.2]):
        found = [sampled(0.853, priors, seed).p_value for seed in range(50)]
        assert np.mean([p is not None and p < persistence.LEVEL for p in found]) > 0.95


def test_many_labels_of_many_classes_are_ordered_at_random(monkeypatch):
    labels = np.random.default_rng(5).choice(3, size=200, p=[0.5, 0.3, 0.2]).astype(np.int32)
    labels[:30] = np.sort(labels[:30])
    exact, none = persistence.repeats_p_value(labels)
    monkeypatch.setattr(persistence, "EXACT", 100)
    drawn, error = persistence.repeats_p_value(labels)
    assert none == 0
    assert 0 < error < 0.03
    assert abs(drawn - exact) < 4 * error
    assert persistence.repeats_p_value(labels) == (drawn, error)


def test_one_class_says_where_the_next_one_is():
    labels = np.zeros(500, dtype=np.int32)
    found = check_persistence(labels)
    assert (found.p_value, found.second_class_at) == (None, None)
    assert found.advice.endswith("look at more labels. The stream has no other.")
    labels[299] = 1
    found = check_persistence(labels)
    assert found.second_class_at == 300
    assert found.advice == (
        "All labels of the sample are of one class, so nothing can be said about their order: look "
        "at more labels. Label 300 is of another."
    )
