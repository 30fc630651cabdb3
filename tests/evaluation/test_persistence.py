"""The practitioner's test of temporal dependence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from streameval.base.errors import DataError
from streameval.evaluation.persistence import (
    check_delayed_persistence,
    check_persistence,
    find_entity_column,
    latest_labels,
    run_lengths,
)
from streameval.learners.baselines import NoChange
from streameval.protocols.prequential import delayed
from streameval.significance.intervals import CONFIDENCE, wilson_interval
from streameval.significance.label_order import repeat_moments, repeat_moments_by_group
from streameval.significance.significance_test import LEVEL
from streameval.streams.generators.markov import Markov
from streameval.streams.generators.sea import Sea
from streameval.streams.stream import NEVER, Attribute, Schema, Stream


def test_by_hand():
    labels = np.array([0, 0, 1, 1, 1, 0, 0, 0, 2, 0])
    check = check_persistence(labels, 9)
    assert check.n == 9
    assert check.majority == 5 / 9
    assert check.persistent == 5 / 8  # 00 11 11 00 00
    assert check.independent == pytest.approx((25 + 9 + 1) / 81)
    assert (check.low, check.high) == wilson_interval(5, 8)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60), st.integers(2, 80))
def test_the_numbers_are_accuracies(labels, sample):
    labels = np.array(labels, dtype=np.int32)
    check, seen = check_persistence(labels, sample), labels[:sample]
    assert check.n == len(seen)
    assert check.majority == max(np.mean(seen == c) for c in range(4))
    assert check.persistent == np.mean(seen[1:] == seen[:-1])
    assert check.low - 1e-12 <= check.persistent <= check.high + 1e-12
    assert check.independent <= check.majority + 1e-12


def sampled(persistence, priors, seed, n=100):
    stream = Markov(
        priors=priors, persistence=persistence, attributes=2, separation=1.0, seed=seed
    ).stream(n)
    return check_persistence(stream.y, n)


def advice_of(persistence, priors, seeds=50):
    return [sampled(persistence, priors, seed).advice.split(":")[0] for seed in range(seeds)]


def test_the_advice_follows():
    sticky, loose = advice_of(0.853, [0.58, 0.42]), advice_of(0.5128, [0.58, 0.42])
    assert np.mean([text.startswith("Predicting the previous label is") for text in sticky]) > 0.8
    assert np.mean([text.startswith("These labels show no dep") for text in loose]) > 0.9
    rare = advice_of(0.91, [0.93, 0.07])  # less than always answering the frequent class
    assert not any(text.startswith("Predicting the prev") for text in rare)
    assert check_persistence(np.zeros(50, dtype=np.int32)).advice.startswith("All labels")
    # Taking turns is dependence, too, and repeating the last label is always wrong there.
    for turns in (2, 3):
        check = check_persistence(np.arange(100, dtype=np.int32) % turns)
        assert check.persistent == 0
        assert check.advice.startswith("Labels repeat less often than by chance")


@pytest.mark.parametrize(("labels", "sample"), [([], 100), ([1], 100), ([0, 1, 1], 1)])
def test_too_few_labels_are_refused(labels, sample):
    with pytest.raises(DataError, match="expected at least 2 consecutive labels"):
        check_persistence(np.array(labels, dtype=np.int32), sample)


def test_one_class_says_where_the_next_one_is():
    labels = np.zeros(500, dtype=np.int32)
    check = check_persistence(labels)
    assert (check.p_value, check.second_class_at) == (None, None)
    assert "no other class" in check.advice
    labels[299] = 1
    check = check_persistence(labels, 100)
    assert check.second_class_at == 300
    assert "one class" in check.advice
    assert "label 300" in check.advice


def weakly_persistent(n, seed):
    return Markov(priors=[0.5, 0.5], persistence=0.55, attributes=2, seed=seed).stream(n).y


def test_all_labels_say_more_than_the_first_hundred():
    """A stream of 18,000 rows whose labels repeat in 55 % of the cases, not in 50 %."""
    labels = weakly_persistent(18_000, 4)
    part, check = check_persistence(labels, 100), check_persistence(labels)
    assert part.p_value > LEVEL
    assert part.advice.endswith("leave out --sample.")
    # Of 17,999 repeats 9,899 are expected, 899 more than by chance: 13.4 standard deviations.
    assert check.p_value < 1e-20
    assert check.n == 18_000
    assert check.advice.startswith("Predicting the previous label is more accurate")


def test_few_independent_labels_give_no_interval():
    labels = (np.arange(3000) >= 1500).astype(np.int32)
    check = check_persistence(labels)
    assert (check.low, check.high) == (None, None)
    assert check.advice.startswith("Labels depend on the previous label, but")


@pytest.mark.parametrize("trials", [1, 7, 45_311])
def test_the_interval_is_that_of_scipy(trials):
    for successes in {0, 1, trials // 3, trials - 1, trials}:
        interval = binomtest(successes, trials).proportion_ci(CONFIDENCE, method="wilson")
        assert wilson_interval(successes, trials) == pytest.approx(tuple(interval), rel=1e-12)


def latest_by_hand(time, label_time, ties):
    """For each instance in the order of arrival, the one whose label arrived last before it."""
    known = [i for i in range(len(time)) if label_time[i] != NEVER]
    rows = sorted(known, key=lambda i: (time[i], i))
    rank = {row: place for place, row in enumerate(rows)}
    latest = []
    for i in rows:
        arrived = [
            (label_time[j], rank[j])
            for j in rows
            if rank[j] < rank[i]
            and (label_time[j] < time[i] or (ties == "label" and label_time[j] == time[i]))
        ]
        latest.append(max(arrived)[1] if arrived else -1)
    return rows, latest


@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 6), st.booleans()), min_size=1, max_size=30
    ),
    st.sampled_from(["instance", "label"]),
)
def test_the_latest_known_label_is_that_of_the_twin(events, ties):
    time = np.array([at for at, _, _ in events], dtype=np.int64)
    due = np.array([NEVER if never else at + wait for at, wait, never in events], dtype=np.int64)
    stream = replace(Sea().stream(len(events)), time=time, label_time=due)
    rows, latest = latest_labels(stream, ties)
    expected_rows, expected = latest_by_hand(time.tolist(), due.tolist(), ties)
    assert rows.tolist() == expected_rows
    assert latest.tolist() == expected


@pytest.mark.parametrize("delay", [0, 7])
def test_no_change_lives_under_the_same_delay(delay):
    stream = Markov(priors=[0.6, 0.4], persistence=0.9, attributes=2, seed=3).stream(400)
    late = replace(stream, time=np.arange(400), label_time=np.arange(400) + delay)
    check = check_delayed_persistence(late, 200)
    tape = delayed(400, delay)
    predicted = NoChange().run(stream, tape).label
    at = slice(delay + 1, delay + 201)
    assert check.persistent == np.mean(predicted[at] == stream.y[at])
    assert check.majority == np.bincount(stream.y[at]).max() / 200
    assert (check.n, check.delay) == (200, delay)
    if delay == 0:
        usual = check_persistence(stream.y, 201)
        for name in ("persistent", "low", "high"):
            assert getattr(check, name) == getattr(usual, name)
    assert "latest known label" in check.advice
    assert "previous" not in check.advice


def test_labels_that_arrive_together_do_not_make_a_stream_persistent():
    # Two and two instances are compared with one label each. All are equal by luck, as in 2 of the
    # 20 orders of the labels, and none in as many.
    labels = np.array([0, 1, 0, 0, 1, 1], np.int32)
    time, label_time = np.array([[0, 0, 2, 2, 5, 5], [1, 4, 9, 9, 9, 9]])
    check = check_delayed_persistence(
        replace(Sea().stream(6), y=labels, time=time, label_time=label_time)
    )
    assert (check.n, check.persistent, check.majority) == (4, 1.0, 0.5)
    assert check.low > check.majority
    assert check.p_value == pytest.approx(0.2, abs=0.03)
    assert check.advice.startswith("These labels show no dependence")


def test_too_few_labels_that_arrive_in_time_are_an_error():
    late = replace(Sea().stream(20), time=np.arange(20), label_time=np.arange(20) + 18)
    with pytest.raises(DataError, match=r"at least 2 .* found 1\b"):
        check_delayed_persistence(late)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [([1], [1]), ([0, 0, 1, 2, 2, 2], [2, 1, 3]), ([0, 1, 0], [1, 1, 1]), ([3, 3], [2])],
)
def test_lengths_of_runs(labels, expected):
    """Counted by hand; they add up to the labels."""
    lengths = run_lengths(np.array(labels, np.int32))
    assert lengths.tolist() == expected
    assert lengths.sum() == len(labels)


def in_turn(entities, rows, kept, seed=3, numeric=False):
    """Entities that report in random turn; each changes its label after so many rows of its own."""
    who = np.random.default_rng(seed).integers(entities, size=rows)
    earlier = np.zeros(entities, int)
    labels = np.empty(rows, np.int32)
    for row, entity in enumerate(who):
        labels[row] = (entity + earlier[entity] // kept) % 2
        earlier[entity] += 1
    values = None if numeric else tuple(f"m{entity}" for entity in range(entities))
    return stream_of({"machine": (who + 100 * numeric, values)}, labels)


def stream_of(columns, labels, classes=2):
    schema = Schema(
        tuple(Attribute(name, values) for name, (_, values) in columns.items()),
        "y",
        tuple("abcde"[:classes]),
    )
    X = np.stack([column for column, _ in columns.values()], axis=1).astype(float)
    return Stream(X, np.asarray(labels, np.int32), schema)


@pytest.mark.parametrize("numeric", [False, True])
def test_labels_that_repeat_within_a_column(numeric):
    stream = in_turn(20, 4000, 30, numeric=numeric)
    column = find_entity_column(stream)
    who, labels = stream.X[:, 0], stream.y
    alone = [labels[who == entity] for entity in np.unique(who)]
    repeats = sum(np.count_nonzero(sequence[1:] == sequence[:-1]) for sequence in alone)
    assert column.column == "machine"
    assert column.repeats == repeats / (4000 - 20)
    assert column.repeats == pytest.approx(0.97, abs=0.01)
    assert column.plain == pytest.approx(0.5, abs=0.05)
    assert f"repeat {100 * column.repeats:.1f} % of the time" in column.sentence
    # The order of rows, not of the file, counts; rows without a value or label are left out.
    order = np.random.default_rng(1).permutation(4000)
    timed = replace(stream.take(order), time=order)
    assert find_entity_column(timed) == column
    assert find_entity_column(replace(stream, y=np.where(who == who[0], -1, labels))).repeats > 0.95
    assert find_entity_column(stream, 30) is None  # too few


def null_stream(kind, draws):
    rows, classes = int(draws.choice([100, 300, 1000])), int(draws.choice([2, 5]))
    labels = draws.choice(classes, rows, p=draws.dirichlet(np.ones(classes)))
    if kind == "dependent":
        for row in range(1, rows):
            labels[row] = labels[row - 1] if draws.random() < 0.9 else labels[row]
    columns = {}
    for place, values in enumerate((2, 3, min(20, rows // 20))):
        codes = draws.choice(values, rows, p=draws.dirichlet(np.ones(values)))
        if kind == "informative":
            codes = np.where(draws.random(rows) < 0.5, labels % values, codes)
        columns[f"a{place}"] = codes, tuple(map(str, range(values)))
    return stream_of(columns, labels, classes)


def test_columns_that_only_tell_the_class_do_not_count():
    draws = np.random.default_rng(5)
    labels = draws.integers(2, size=5000)
    colours = np.where(draws.random(5000) < 0.97, labels, 1 - labels)
    assert find_entity_column(stream_of({"colour": (colours, ("red", "blue"))}, labels)) is None


@pytest.mark.parametrize("kind", ["independent", "dependent", "informative"])
def test_columns_without_entities_are_named_in_at_most_one_stream_of_a_hundred(kind):
    draws = np.random.default_rng(11)
    named = sum(find_entity_column(null_stream(kind, draws)) is not None for _ in range(300))
    assert named <= 3


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=4, max_size=7))
def test_moments_of_repeats_in_groups(rows):
    groups, labels = map(np.array, zip(*sorted(rows), strict=True))
    moments = repeat_moments_by_group(groups, labels)
    counts = [np.bincount(labels[groups == group], minlength=3) for group in np.unique(groups)]
    several = [repeat_moments(group_counts) for group_counts in counts if group_counts.sum() > 1]
    assert moments == pytest.approx(np.sum(several, axis=0) if several else (0.0, 0.0))
