"""The test of the order of labels: exact probabilities, both tails, and its size."""

from __future__ import annotations

import time
from itertools import permutations

import numpy as np
import pytest
from naive import significance as naive

from streameval.significance import label_order
from streameval.significance.registry import TESTS


def p_value_of(labels):
    """P-value, None where it is undefined, and its error."""
    result = TESTS["label_order"](labels)
    return (None if np.isnan(result.p_value) else result.p_value), result.p_value_error


@pytest.mark.parametrize(
    "counts", [(1, 1), (3, 4), (6, 2), (1, 7), (2, 2, 3), (1, 1, 1, 4), (5, 1, 1)]
)
def test_probabilities_are_those_of_all_orders(counts):
    expected = naive.repeats_in_all_orders(counts)
    assert label_order.repeat_probabilities(list(counts)) == pytest.approx(expected, abs=1e-12)
    if len(counts) == 2:
        assert label_order.repeat_probabilities_two_classes(*counts) == pytest.approx(
            expected, abs=1e-12
        )


def test_two_classes_are_exact_however_many_labels():
    assert label_order.repeat_probabilities_two_classes(70, 30) == pytest.approx(
        label_order.repeat_probabilities([70, 30]), rel=1e-9, abs=1e-300
    )
    assert label_order.repeat_probabilities_two_classes(26_075, 19_237).sum() == pytest.approx(1.0)
    # The mean and the variance of runs, Wald and Wolfowitz (1940): 2ab/n + 1, and below.
    a, b = 900, 300
    chances, n = label_order.repeat_probabilities_two_classes(a, b), a + b
    runs = n - np.arange(n)
    mean = float(chances @ runs)
    assert mean == pytest.approx(2 * a * b / n + 1)
    variance = 2 * a * b * (2 * a * b - n) / (n**2 * (n - 1))
    assert float(chances @ (runs - mean) ** 2) == pytest.approx(variance)


def test_labels_may_be_compared_with_others_than_the_previous_ones():
    labels = np.array([0, 0, 1, 0, 1, 1, 0], dtype=np.int32)
    usual = TESTS["label_order"](labels)
    same = TESTS["label_order"](labels, np.arange(-1, 6))
    assert same.statistic == usual.statistic == 2
    assert same.p_value == pytest.approx(usual.p_value, abs=4 * same.p_value_error)
    previous = np.array([-1, 0, 0, 0, 0, 3, 3])
    expected = naive.p_value_of_repeats(labels, previous)
    result = TESTS["label_order"](labels, previous)
    assert result.statistic == 3  # places 1 and 3 as place 0, place 6 as place 3
    assert result.p_value == pytest.approx(expected, abs=4 * max(result.p_value_error, 0.01))
    assert result.p_value_error > 0


def test_orders_are_those_within_entities():
    labels = np.array([0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1], dtype=np.int32)
    entity = np.array([0, 1, 0, 1, 0, 1, 2, 2, 0, 1, 2], dtype=np.int32)
    repeats, p_value = naive.p_value_within_entities(labels.tolist(), entity.tolist())
    result = TESTS["label_order"](labels, label_order.previous_in_entity(entity), entity)
    assert result.statistic == repeats == 6
    assert result.p_value == pytest.approx(p_value, abs=4 * max(result.p_value_error, 0.01))


def test_many_labels_of_entities_have_a_normal_approximation():
    draws = np.random.default_rng(5)
    entity = draws.integers(0, 10, 3000).astype(np.int32)
    labels = (draws.random(3000) < 0.2 + 0.06 * entity).astype(np.int32)
    result = label_order.TEST.function(label_order.Labels(labels, entity=entity))
    assert result.details["method"] == label_order.NORMAL
    previous = label_order.previous_in_entity(entity)
    simulated = TESTS["label_order"](labels, previous, entity)
    assert result.statistic == simulated.statistic
    assert result.p_value == pytest.approx(simulated.p_value, abs=4 * simulated.p_value_error)
    alone = label_order.TEST.function(label_order.Labels(entity, entity=entity))
    assert np.isnan(alone.p_value)  # each entity has one class


def test_the_p_value_counts_both_tails():
    labels = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)  # 2 of the 20 orders have 4 repeats
    assert p_value_of(labels) == (pytest.approx(0.2), 0.0)
    taking_turns = np.array([0, 1, 0, 1, 0, 1], dtype=np.int32)  # 2 of the 20 have none
    assert p_value_of(taking_turns) == (pytest.approx(0.2), 0.0)
    assert p_value_of(np.zeros(9, dtype=np.int32)) == (None, 0.0)
    assert p_value_of(np.array([0, 2, 0, 2], dtype=np.int32))[0] is not None


def test_many_labels_of_many_classes_are_ordered_at_random(monkeypatch):
    labels = np.random.default_rng(5).choice(3, size=200, p=[0.5, 0.3, 0.2]).astype(np.int32)
    labels[:30] = np.sort(labels[:30])
    exact, none = p_value_of(labels)
    monkeypatch.setattr(label_order, "MAX_EXACT", 100)  # their standard deviation is below 10
    sample, error = p_value_of(labels)
    assert none == 0
    assert 0 < error < 0.03
    assert abs(sample - exact) < 4 * error
    assert p_value_of(labels) == (sample, error)


@pytest.mark.parametrize("counts", [[3, 2], [2, 2, 2], [4, 1, 2], [1, 1, 5]])
def test_mean_and_variance_by_all_orders(counts):
    labels = np.repeat(np.arange(len(counts)), counts)
    repeats = [np.count_nonzero(np.diff(order) == 0) for order in permutations(labels.tolist())]
    mean, variance = label_order.repeat_moments(np.array(counts))
    assert mean == pytest.approx(np.mean(repeats))
    assert variance == pytest.approx(np.var(repeats))


def test_the_normal_approximation_is_near_the_exact_p_value():
    """At its least standard deviation, below which random orders are drawn."""
    counts = [280, 165, 75]
    assert 10 < np.sqrt(label_order.repeat_moments(np.array(counts))[1]) < 10.9
    chances = label_order.repeat_probabilities(counts)
    labels = np.repeat(np.arange(3, dtype=np.int32), counts)
    draws = np.random.default_rng(3)
    for _ in range(30):
        draws.shuffle(labels)
        repeats, near, _, details = vars(TESTS["label_order"](labels)).values()
        tails = chances[repeats:].sum(), chances[: repeats + 1].sum()
        assert details["method"] == label_order.NORMAL
        assert near == pytest.approx(min(1.0, 2 * min(tails)), abs=0.01)


def test_few_labels_of_other_classes_are_drawn_in_random_orders():
    labels = np.zeros(5000, dtype=np.int32)
    labels[[10, 2000, 4000]] = [1, 2, 1]
    result = TESTS["label_order"](labels)
    assert result.details["method"] == "1,999 random orders"
    assert result.p_value > 0.9


@pytest.mark.parametrize("classes", [2, 5])
def test_a_million_labels_take_seconds(classes):
    labels = np.random.default_rng(1).integers(0, classes, 1_000_000).astype(np.int32)
    start = time.perf_counter()
    assert 0.001 < TESTS["label_order"](labels).p_value <= 1
    assert time.perf_counter() - start < 20
    labels[::2] = labels[1::2]
    assert TESTS["label_order"](labels).p_value == 0
