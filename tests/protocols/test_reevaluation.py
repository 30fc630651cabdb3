"""Continuous re-evaluation: the tape, and the bins of its predictions."""

from __future__ import annotations

import dataclasses
import time
import tracemalloc

import numpy as np
import pytest
from helpers.binned import binned_labels, binned_values
from hypothesis import given
from hypothesis import strategies as st
from naive import reevaluation as naive

from streameval.base.errors import ConfigError, DataError
from streameval.protocols.bins import PAPER, PUBLISHED, bin_predictions
from streameval.protocols.reevaluation import FIRST, LAST, NEVER, REPEATED, reevaluation
from streameval.protocols.registry import parse
from streameval.protocols.repeated_predictions import count_repeats
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.generators.sea import Sea

TIES = st.sampled_from(["instance", "label"])
#: Times of few values, so that many are equal, and of large ones.
SCALES = st.sampled_from([(0, 1), (-7, 1), (10**9, 1), (0, 60), (1_199_145_600, 3600)])


@st.composite
def times(draw, most=25, never=True):
    """Times of instances and labels; None for a label that never arrives."""
    n = draw(st.integers(1, most))
    start, unit = draw(SCALES)
    arrival = draw(st.lists(st.integers(0, 3 * n), min_size=n, max_size=n))
    if draw(st.booleans()):
        arrival.sort()
    if draw(st.booleans()):
        arrival = list(range(n))
    delay = st.integers(0, draw(st.sampled_from([0, 3, 2 * n])))
    delays = draw(st.lists(st.none() | delay if never else delay, min_size=n, max_size=n))
    arrival = [start + unit * t for t in arrival]
    due = [None if d is None else t + unit * d for t, d in zip(arrival, delays, strict=True)]
    return arrival, due


def array(due):
    return np.array([NEVER if t is None else t for t in due])


# --- The tape ---------------------------------------------------------------------------


@given(
    given_times=times(), every=st.integers(1, 12) | st.just(2**31 - 1), ties=TIES, data=st.data()
)
def test_the_tape_is_that_of_a_searched_buffer(given_times, every, ties, data):
    arrival, due = given_times
    pending = data.draw(st.booleans())
    tape, prediction_events = reevaluation(arrival, array(due), every, ties, pending=pending)
    expected, untrained, scored = naive.polls_in_turn(arrival, due, every, ties, pending)
    assert [
        *zip(prediction_events.row, prediction_events.time, prediction_events.kind, strict=True)
    ] == expected
    assert tape.row.tolist() == tape.predict_rows.tolist() == prediction_events.row.tolist()
    assert ((tape.op & PREDICT) != 0).all()
    assert ((tape.op & LEARN) != 0).tolist() == (prediction_events.kind == LAST).tolist()
    assert (tape.weight == 1).all()
    assert (prediction_events.untrained, prediction_events.labelled_rows.tolist()) == (
        untrained,
        scored,
    )


@given(given_times=times(), every=st.integers(1, 12), ties=TIES, pending=st.booleans())
def test_waits_are_those_of_the_predictions(given_times, every, ties, pending):
    arrival, due = given_times
    _, prediction_events = reevaluation(arrival, array(due), every, ties, pending=pending)
    assert prediction_events.label_arrivals.row.tolist() == prediction_events.labelled_rows.tolist()
    for row, begin, end in zip(*prediction_events.label_arrivals, strict=True):
        is_row = prediction_events.row == row
        assert begin == prediction_events.time[is_row & (prediction_events.kind == FIRST)].item()
        assert end == prediction_events.time[is_row & (prediction_events.kind == LAST)].item()


@given(
    places=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=20),
    every=st.integers(1, 40),
    labels=st.integers(0, 35),
)
def test_counts_of_further_predictions_are_those_of_each_instance(places, every, labels):
    known = np.array([min(pair) for pair in places], dtype=np.int32)
    label_numbers = np.array([min(max(pair), labels) for pair in places], dtype=np.int32)
    expected = [0] * labels
    for first, last in zip(known.tolist(), label_numbers.tolist(), strict=True):
        for label in range(first + every, last, every):
            expected[label] += 1
    assert count_repeats(known, label_numbers, every, labels).tolist() == expected


@pytest.mark.parametrize("ties", ["instance", "label"])
def test_a_constant_delay_gives_as_many_further_predictions_as_the_paper_says(ties):
    # K = 10, a label per time unit, 100 units later: about one more prediction every tenth of it.
    _, prediction_events = reevaluation(np.arange(500), np.arange(500) + 100, 10, ties)
    counts = np.bincount(prediction_events.row[prediction_events.kind == REPEATED], minlength=500)
    assert set(counts[100:]) == {9}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([0, 1], [1, 1], 0), ConfigError, "every 1 or more labels.*found 0 and 'instance'"),
        (([0, 5], [1, 3], 1), DataError, "found instance 1 at 5 and its label at 3"),
        (([0, 5], [1], 1), DataError, r"found \(1,\) and \(2,\)"),
    ],
)
def test_what_cannot_be_is_an_error(arguments, error, message):
    with pytest.raises(error, match=message):
        reevaluation(*arguments)


def test_a_tape_that_does_not_fit_is_refused():
    n = 200_000
    with pytest.raises(DataError, match="20,000,100,001 predictions"):
        reevaluation(np.arange(n), np.full(n, n) + np.arange(n) % 7, every=1)


def test_the_protocol_has_the_same_tape():
    clock = np.arange(60)
    stream = dataclasses.replace(
        Sea().stream(60), time=clock // 2, label_time=clock // 2 + clock % 9
    )
    for text, arguments in {
        "reevaluation": (10, "instance"),
        "reevaluation:3": (3, "instance"),
        "reevaluation:3:label": (3, "label"),
    }.items():
        (result,) = parse(text).tapes(stream)
        expected, _ = reevaluation(stream.time, stream.label_time, *arguments)
        assert result.row.tolist() == expected.row.tolist()
        assert result.op.tolist() == expected.op.tolist()
        assert parse(text).tape_and_events(stream)[1].row.tolist() == expected.row.tolist()
    with pytest.raises(DataError, match="Protocol reevaluation: expected times"):
        parse("reevaluation").tape_and_events(Sea().stream(5))


@pytest.mark.compiled
def test_ten_million_predictions_take_seconds_and_few_bytes():
    n = 200_000
    arrival = np.arange(n)
    reevaluation(arrival[:50], arrival[:50] + 5)  # compiles
    tracemalloc.start()
    begun = time.process_time()
    tape, prediction_events = reevaluation(arrival, arrival + 500)
    seconds = time.process_time() - begun
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(tape) == len(prediction_events) > 10**7
    assert seconds < 5
    assert peak < 20 * len(tape)


# --- The bins ---------------------------------------------------------------------------


def histories(prediction_events, values):
    """The (time, value) of the predictions of each scored instance, in the order of labels."""
    whose = {row: [] for row in prediction_events.labelled_rows.tolist()}
    for row, moment, value in zip(
        prediction_events.row.tolist(), prediction_events.time.tolist(), values, strict=True
    ):
        if row in whose:
            whose[row].append((moment, value))
    return whose.values()


BINS = st.integers(0, 12) | st.just(50)


@given(given_times=times(), every=st.integers(1, 6), ties=TIES, bins=BINS, data=st.data())
def test_labels_of_bins_are_those_of_the_definition(given_times, every, ties, bins, data):
    arrival, due = given_times
    pending = data.draw(st.booleans())
    _, prediction_events = reevaluation(arrival, array(due), every, ties, pending=pending)
    p = len(prediction_events)
    labels = data.draw(st.lists(st.integers(-1, 3), min_size=p, max_size=p))
    silent = data.draw(st.none() | st.booleans() | st.lists(st.booleans(), min_size=p, max_size=p))
    by_default = np.arange(p) < prediction_events.untrained
    without = by_default if silent is None else np.broadcast_to(np.array(silent, dtype=bool), p)
    for rule, twin, none in (
        (PUBLISHED, naive.published_bins, 0),
        (PAPER, naive.paper_bins, -1),
    ):
        voting = ~without if rule == PUBLISHED else np.ones(p, dtype=bool)
        # The program takes a missing prediction for class 0; by the paper's rule it stays missing.
        voting &= np.array(labels, dtype=int) >= 0
        codes = [max(label, none) for label in labels]
        values = [*zip(codes, voting.tolist(), strict=True)]
        result = binned_labels(
            prediction_events, np.array(labels, dtype=int), bins, rule, without_votes=silent
        )
        assert result.values.dtype == np.int16
        assert result.values.shape == (len(prediction_events.labelled_rows), bins + 2)
        for i, history in enumerate(histories(prediction_events, values)):
            expected = twin(
                history, bins, lambda lasting, _, none=none: (naive.longest(lasting, none), True)
            )
            assert result.values[i].tolist() == [label for (label, _), _ in expected]
            assert result.is_new[i].tolist() == [actual for _, actual in expected]


@given(
    given_times=times(never=False), every=st.integers(1, 6), ties=TIES, bins=BINS, data=st.data()
)
def test_numbers_of_bins_are_those_of_the_definition(given_times, every, ties, bins, data):
    arrival, due = given_times
    _, prediction_events = reevaluation(arrival, array(due), every, ties)
    p = len(prediction_events)
    numbers = st.floats(-1e6, 1e6)
    values = data.draw(st.lists(numbers, min_size=p, max_size=p))
    for rule, twin in ((PUBLISHED, naive.published_bins), (PAPER, naive.paper_bins)):
        result = binned_values(prediction_events, values, bins, rule)
        for i, history in enumerate(histories(prediction_events, values)):
            expected = [value for value, _ in twin(history, bins, naive.mean)]
            np.testing.assert_allclose(result.values[i], expected, rtol=1e-12, atol=1e-9)


def binned(moments, labels, rule, bins):
    """One instance that arrives at 0 and is predicted at these moments, and its label at 100."""
    due = np.array([1, *moments, 100])
    _, prediction_events = reevaluation(np.zeros(len(due)), due, every=1)
    # Others are learnt at the moments; the first label after its arrival gives no prediction.
    all_labels = np.zeros(len(prediction_events), dtype=int)
    all_labels[prediction_events.row == len(due) - 1] = labels
    result = binned_labels(prediction_events, all_labels, bins, rule, without_votes=False)
    return result.values[-1].tolist(), result.is_new[-1].tolist()


@given(
    given_times=times(never=False),
    every=st.integers(1, 6),
    ties=TIES,
    bins=st.integers(1, 12),
    data=st.data(),
)
def test_by_the_paper_no_class_was_in_force_longer_or_as_long_and_later(
    given_times, every, ties, bins, data
):
    arrival, due = given_times
    _, prediction_events = reevaluation(arrival, array(due), every, ties)
    p = len(prediction_events)
    labels = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=p, max_size=p)), dtype=int)
    winners = binned_labels(prediction_events, labels, bins, PAPER).values[:, 1:-1]
    for row, history in zip(
        winners.tolist(), histories(prediction_events, labels.tolist()), strict=True
    ):
        moments = np.array([moment - history[0][0] for moment, _ in history]) * bins
        for b, winner in enumerate(row):
            # Integers: the waiting time has `bins` units, and a bin `moments[-1] / bins` of them.
            cuts = np.clip(moments, b * moments[-1] // bins, (b + 1) * moments[-1] // bins)
            lasting = dict.fromkeys((0, 1, 2), (0, 0))
            for (_, label), since, until in zip(history[:-1], cuts[:-1], cuts[1:], strict=True):
                if label >= 0 and until > since:
                    lasting[label] = (lasting[label][0] + until - since, until)
            best = max(lasting, key=lasting.__getitem__)
            if moments[-1] > 0:
                assert winner == (best if lasting[best] > (0, 0) else -1)


@pytest.mark.parametrize(
    ("labels", "options", "error", "message"),
    [
        ([0, 0], {"binnings": [(-1, PAPER)]}, ConfigError, "at least 0 bins and .* paper.*-1"),
        ([0, 0, 0], {}, DataError, r"expected predictions of shape \(2,\), found \(3,\)"),
        ([0.5, 0], {}, DataError, "expected class codes, .* found float64"),
        ([-2, 0], {}, DataError, "expected class codes, .* found int64 from -2"),
        ([0, 2], {}, DataError, r"class codes.* below 2, .* from 0 to 2"),
        ([0, 0], {"without_votes": [True] * 3}, DataError, r"of shape \(2,\), found \(3,\)"),
        ([0, 0], {"due": 2**61}, DataError, "labels .* for 50 bins, found"),
    ],
)
def test_wrong_predictions_and_settings_are_errors(labels, options, error, message):
    _, prediction_events = reevaluation([0], [options.pop("due", 5)])
    with pytest.raises(error, match=message):
        bin_predictions(prediction_events, labels, classes=2, **options)


def test_the_program_divides_in_floating_point():
    # 58 / 100 * 50 is 28.999999999999996 in Java as in Python.
    for rule, b in ((PUBLISHED, 29), (PAPER, 30)):
        result, actual = binned([58], [2, 1, 3], rule, 50)
        assert np.flatnonzero(actual).tolist() == [0, b, 51]
        assert result == [2] * b + [1] * (51 - b) + [3]


@pytest.mark.parametrize("rule", [PUBLISHED, PAPER])
def test_very_many_bins_show_what_is_in_force_at_each_moment(rule):
    result, actual = binned([30, 45], [2, 1, 4, 3], rule, bins=10_000)
    assert result == [2, *[2] * 3000, *[1] * 1500, *[4] * 5500, 3]
    assert np.flatnonzero(actual).tolist() == [0, 3001, 4501, 10_001]
