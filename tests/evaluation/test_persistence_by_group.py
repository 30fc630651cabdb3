"""The test of temporal dependence with interleaved entities."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import entities as naive
from naive.series import stream_mean

from streameval.base.errors import DataError
from streameval.evaluation.persistence import (
    check_delayed_persistence,
    check_persistence,
    find_entity_column,
    latest_labels,
    run_lengths,
)
from streameval.items.dependence.class_distribution import autocorrelation, label_autocorrelation
from streameval.learners.baselines import NoChange
from streameval.protocols.prequential import delayed
from streameval.significance.intervals import CONFIDENCE
from streameval.streams.stream import Attribute, Schema, Stream


def stream_of(labels, entities, delay=None):
    schema = Schema((Attribute("machine"),), classes=("a", "b", "c"))
    X = np.asarray(entities, float)[:, None]
    clock = None if delay is None else np.arange(len(labels))
    due = None if clock is None else clock + delay
    stream = Stream(X, np.asarray(labels), schema, "lines", time=clock, label_time=due)
    return stream.grouped("machine")


ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=9, max_size=60)


@settings(max_examples=50)
@given(ROWS)
def test_shares_are_those_within_entities(rows):
    labels, entities = map(list, zip(*rows, strict=True))
    stream = stream_of(labels, entities)
    check = check_persistence(stream.y, None, stream.groups)
    equal, shares = naive.repeats(labels, entities), naive.shares(labels, entities)
    assert check.persistent == pytest.approx(np.mean(equal))
    assert check.majority == pytest.approx(
        sum(n * most for n, most, _ in shares.values()) / len(labels)
    )
    # The mean number of repeats over all orders within entities.
    counts = {entity: Counter() for entity in shares}
    for label, entity in zip(labels, entities, strict=True):
        counts[entity][label] += 1
    chance = sum(c * (c - 1) / shares[e][0] for e in counts for c in counts[e].values())
    assert check.independent == pytest.approx(chance / len(equal))
    assert check.group == "machine"
    got = {
        int(entity.entity): (entity.n, entity.majority, entity.persistent)
        for entity in check.entities
    }
    for entity, expected in shares.items():
        assert got[entity] == pytest.approx(expected, nan_ok=True)


def sticky(n, machines, seed, delay=None):
    """Stream of machines in rounds; each keeps its label 19 times out of 20."""
    draws = np.random.default_rng(seed)
    entities, labels, state = np.arange(n) % machines, [], draws.integers(0, 2, machines)
    for entity in entities:
        state[entity] = draws.integers(0, 2) if draws.random() < 0.05 else state[entity]
        labels.append(state[entity])
    return stream_of(labels, entities, delay)


def test_what_rows_in_turn_hide_is_seen_within_entities():
    stream = sticky(3000, 20, 1)
    assert check_persistence(stream.y).persistent < 0.6
    check = check_persistence(stream.y, None, stream.groups)
    assert check.low <= 0.975 <= check.high
    repeats = naive.repeats(stream.y, stream.groups.code)  # the first of each machine has none
    interval = stream_mean(repeats, CONFIDENCE, [], stream.groups.code[20:].tolist())
    assert (check.low, check.high) == pytest.approx(interval[1:3], abs=1e-9)
    assert check.advice == (
        "Predicting the previous label of the same 'machine' is more accurate than predicting its "
        "most frequent label. Judge learners by Kappa-Temporal or the combined kappa, and give "
        "them the previous label of the same 'machine' as an input."
    )
    assert find_entity_column(stream) is None  # it is said already


def test_independent_labels_of_unequal_entities_show_no_dependence():
    rejected = 0
    for seed in range(100):
        draws = np.random.default_rng(seed)
        entities = draws.integers(0, 10, 1200)
        labels = (draws.random(1200) < 0.05 + 0.1 * entities).astype(int)
        stream = stream_of(labels, entities)
        rejected += check_persistence(stream.y, None, stream.groups).p_value < 0.05
    assert rejected <= 10


def test_under_delays_the_latest_known_label_is_that_of_the_entity():
    stream = sticky(400, 5, 3, delay=9)
    rows, latest = latest_labels(stream, "instance")
    expected = NoChange().run(stream, delayed(400, 9)).label
    code, known = stream.groups.code, latest >= 0
    assert (code[rows[latest[known]]] == code[rows[known]]).all()
    assert stream.y[rows[latest[known]]].tolist() == expected[rows[known]].tolist()
    check = check_delayed_persistence(stream)
    right = expected[rows[known]] == stream.y[rows[known]]
    assert check.persistent == pytest.approx(right.mean())
    assert check.n == known.sum()
    assert check.delay == 9
    assert "the latest known label of the same 'machine'" in check.advice


def test_entities_of_one_class_each_are_told():
    stream = stream_of([0, 1, 0, 1, 0, 1], [0, 1, 0, 1, 0, 1])
    check = check_persistence(stream.y, None, stream.groups)
    assert check.p_value is None
    assert check.persistent == check.majority == 1
    assert check.advice == (
        "Within each 'machine' all labels that were used have one class, so their order cannot "
        "be tested: the 'machine' determines the class."
    )


def test_labels_without_a_previous_one_are_refused():
    stream = stream_of([0, 1, 0, 1], [0, 1, 2, 2])
    with pytest.raises(DataError, match="at least 2 labels of one 'machine', found 1 of each"):
        check_persistence(stream.y, 3, stream.groups)


@given(ROWS)
def test_runs_are_those_within_entities(rows):
    labels, entities = map(list, zip(*rows, strict=True))
    stream = stream_of(labels, entities)
    assert run_lengths(stream.y, stream.groups).tolist() == naive.run_lengths(
        labels, stream.groups.code.tolist()
    )


def test_the_autocorrelation_is_that_within_entities():
    stream = sticky(6000, 10, 4)
    within = label_autocorrelation(stream.y, 3, stream.groups)["autocorrelation"]
    plain = label_autocorrelation(stream.y, 3)["autocorrelation"]
    assert within[0] > 0.85
    assert within.is_monotonic_decreasing
    assert plain.abs().max() < 0.2
    values = np.array([1.0, 5.0, 2.0, 5.0, 4.0, 9.0])
    groups = stream_of([0] * 6, [0, 1, 0, 1, 0, 1]).groups
    values_by_lag = autocorrelation([values], 5, groups)["autocorrelation"].tolist()
    first, second = np.array([1, 2, 4]) - 7 / 3, np.array([5, 5, 9]) - 19 / 3
    total = (first**2).sum() + (second**2).sum()
    expected = [
        sum((deviations[lag:] * deviations[:-lag]).sum() for deviations in (first, second))
        for lag in (1, 2)
    ]
    assert values_by_lag == pytest.approx([value / total for value in expected])
