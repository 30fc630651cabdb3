"""A re-evaluation in segments is the whole: its tape, its predictions and their bins."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from helpers.binned import binned_labels, binned_values, until
from hypothesis import given
from hypothesis import strategies as st
from test_reevaluation import BINS, TIES, array, times

from streameval.base.errors import DataError
from streameval.protocols.bins import RULES, Binning
from streameval.protocols.predicting_again import count_again
from streameval.protocols.reevaluation import FIRST, LAST, planned


@st.composite
def plans(draw):
    """A plan, and the same once more to be made whole."""
    arrival, due = draw(times())
    arguments = (arrival, array(due), draw(st.integers(1, 12) | st.just(2**31 - 1)), draw(TIES))
    options = {
        "pending": draw(st.booleans()),
        "most": draw(st.none() | st.integers(1, len(due) + 1)),
    }
    return planned(*arguments, **options), planned(*arguments, **options).whole


SIZES = st.integers(1, 60)


@given(given_plans=plans(), most=SIZES)
def test_segments_together_are_the_whole(given_plans, most):
    plan, (tape, polls) = given_plans
    tapes, polled = zip(*plan.segments(most), strict=True)
    for name in ("row", "op", "weight"):
        expected = getattr(tape, name)
        found = np.concatenate([getattr(segment, name) for segment in tapes])
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()
    for name in ("row", "time", "which", "scored"):
        expected = getattr(polls, name)
        found = np.concatenate([getattr(segment, name) for segment in polled])
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()
    without_labels = [np.arange(len(segment)) < segment.untrained for segment in polled]
    expected = np.arange(len(polls)) < polls.untrained
    assert np.concatenate(without_labels).tolist() == expected.tolist()
    assert len(plan) == len(tape)


@given(given_plans=plans(), most=SIZES)
def test_a_segment_is_as_long_as_it_may_be(given_plans, most):
    plan, _ = given_plans
    *segments, (_, last) = plan.segments(most)
    labels = [len(polls.scored) for _, polls in segments]
    assert all(labels)
    assert all(len(tape) <= most or len(polls.scored) == 1 for tape, polls in segments)
    until_last_label = np.flatnonzero(last.which == LAST)
    if len(last.scored) > 1:
        assert until_last_label[-1] < most
    for (_, polls), (_, after) in itertools.pairwise([*segments, (None, last)]):
        with_one_more = len(polls) + np.flatnonzero(after.which == LAST)[0] + 1
        assert with_one_more > most


@given(given_plans=plans())
def test_waits_are_those_of_the_predictions(given_plans):
    plan, (_, polls) = given_plans
    for found in (plan.waits, polls.waits()):
        for i, row in enumerate(polls.scored):
            own = polls.row == row
            assert found.row[i] == row
            assert found.begin[i] == polls.time[own & (polls.which == FIRST)][0]
            assert found.end[i] == polls.time[own & (polls.which == LAST)][0]


@given(given_plans=plans(), most=SIZES, bins=BINS, data=st.data())
def test_bins_filled_in_segments_are_those_of_the_whole(given_plans, most, bins, data):
    plan, (_, polls) = given_plans
    p = len(polls)
    labels = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=p, max_size=p)), dtype=int)
    each = st.lists(st.booleans(), min_size=p, max_size=p).map(np.array)
    silent = data.draw(st.none() | st.booleans() | each)
    numbers = np.array(data.draw(st.lists(st.floats(-1e6, 1e6), min_size=p, max_size=p)))
    for rule in RULES:
        by_class, by_number = Binning(plan.waits, bins, rule, 4), Binning(plan.waits, bins, rule)
        begin = 0
        for _, segment in plan.segments(most):
            here = slice(begin, begin + len(segment))
            quiet = silent[here] if isinstance(silent, np.ndarray) else silent
            by_class.count(segment, labels[here], silent=quiet)
            by_number.count(segment, numbers[here])
            begin = here.stop
        for found, expected in (
            (by_class, binned_labels(polls, labels, bins, rule, silent=silent)),
            (by_number, binned_values(polls, numbers, bins, rule)),
        ):
            assert found.binned.values.dtype == expected.values.dtype
            np.testing.assert_array_equal(found.binned.values, expected.values)
            np.testing.assert_array_equal(found.binned.made, expected.made)


@given(given_plans=plans(), labels=st.integers(1, 25))
def test_what_has_counted_so_far_does_not_change(given_plans, labels):
    plan, (_, polls) = given_plans
    codes = polls.row % 3
    expected = binned_labels(polls, codes, 5)
    binning, arrived, begin = Binning(plan.waits, 5, classes=3), 0, 0
    for _, segment in plan.segments(labels):
        binning.count(segment, codes[begin : begin + len(segment)])
        begin, arrived = begin + len(segment), arrived + len(segment.scored)
        found, so_far = until(binning.binned, arrived), until(expected, arrived)
        assert found.values.tolist() == so_far.values.tolist()
        assert found.made.tolist() == so_far.made.tolist()


@given(
    places=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20),
    every=st.integers(1, 40),
    labels=st.integers(0, 35),
)
def test_counts_of_further_predictions_are_those_of_each_instance(places, every, labels):
    known = np.array([min(pair) for pair in places], dtype=np.int32)
    own = np.array([min(max(pair), labels) for pair in places], dtype=np.int32)
    expected = [0] * labels
    for first, last in zip(known.tolist(), own.tolist(), strict=True):
        for label in range(first + every, last, every):
            expected[label] += 1
    assert count_again(known, own, every, labels).tolist() == expected


def test_a_plan_of_very_many_events_makes_no_more_than_the_segments_that_are_taken():
    n = 200_000
    plan = planned(np.arange(n), np.full(n, n) + np.arange(n) % 7, every=1)
    assert len(plan) == 20_000_100_001
    (first, _), (second, polls) = itertools.islice(plan.segments(10**6), 2)
    # All arrive before the first label, at which it is nobody's turn; one less at each further one.
    assert len(first) == n + 1 + sum(n - label for label in range(1, 5))
    assert len(second) == sum(n - label for label in range(5, 10))
    assert polls.scored.tolist() == [7 * label for label in range(5, 10)]


def test_labels_of_other_classes_are_refused():
    plan = planned([0], [5])
    binning = Binning(plan.waits, 5, classes=2)
    ((_, polls),) = plan.segments()
    with pytest.raises(DataError, match=r"class codes.* below 2, .* from 0 to 2"):
        binning.count(polls, [0, 2])
