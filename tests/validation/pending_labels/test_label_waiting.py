"""Labels that wait: against loops over instances, by hand, and on the flights to Atlanta."""

from __future__ import annotations

import math

import numpy as np
from helpers.shown_tables import cells_of
from helpers.study_inputs import stream_input_for
from hypothesis import given
from hypothesis import strategies as st
from naive import waiting as naive

from pending_labels import label_waiting, show
from pending_labels.show import layout_stopping_bias as layout
from streameval.base.table_files import read_csv_table, write_csv
from streameval.drawing.subject import Subject
from streameval.streams.stream import NEVER

NAMES = ("a", "b", "c")


@st.composite
def waits(draw):
    n = draw(st.integers(1, 30))
    ints = st.integers(0, 20)
    time, delay = (np.array(draw(st.lists(ints, min_size=n, max_size=n))) for _ in range(2))
    y = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    right = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    return time, time + delay, y, right


@given(case=waits(), number=st.integers(1, 12), window=st.integers(1, 10))
def test_equal_those_counted_one_by_one(case, number, window):
    time, due, y, right = case
    at = label_waiting.choose_stops(due, None, number)
    frame = label_waiting.class_counts(time, due, y, NAMES, at)
    rows = frame[["labels", "arrived", "pending"]].to_numpy().tolist()
    assert rows == [[*row] for row in naive.classes(time, due, y, 3, at)]
    frame = label_waiting.stopping_biases(time, due, {"one": right}, at, window)
    expected = []
    for size in (0, window):
        for stop, begun, pending, seen, correct in naive.stopping(time, due, right, at, size):
            labels = int((due <= stop).sum())
            rates = [
                part / whole if whole else math.nan
                for part, whole in ((seen, begun - pending), (correct - seen, pending))
            ]
            everywhere = correct / begun
            row = [labels, stop, size, begun, pending, *rates, everywhere, rates[0] - everywhere]
            expected.append(row)
    np.testing.assert_array_equal(frame.drop(columns="learner").to_numpy(dtype=float), expected)


@given(case=waits(), number=st.integers(1, 40), labels=st.none() | st.integers(1, 40))
def test_stops_are_times_of_labels(case, number, labels):
    _, due, _, _ = case
    due = np.append(due, NEVER)
    at = label_waiting.choose_stops(due, labels, number)
    known = np.sort(due[due != NEVER])[:labels]
    assert len(at) <= number
    assert set(at) <= set(known)
    assert at[-1] == (known[-1] if number > 1 else known[0])


def test_by_hand():
    # Stop at 4: labels of 0 and 1 (class a, both correct) have arrived; 2 and 3 (class b, one
    # correct) are pending; 4 has not begun.
    time, due = np.array([0, 1, 2, 3, 9]), np.array([3, 4, 8, 12, 10])
    y, right = np.array([0, 0, 1, 1, 1]), np.array([True, True, True, False, False])
    at = np.array([4])
    frame = label_waiting.class_counts(time, due, y, ("a", "b"), at)
    assert frame[["arrived", "pending"]].to_numpy().tolist() == [[2, 0], [0, 2]]
    whole, latest = label_waiting.stopping_biases(time, due, {"one": right}, at, 3).to_dict(
        "records"
    )
    assert (whole["begun"], whole["pending"], whole["arrived_accuracy"]) == (4, 2, 1.0)
    assert (whole["accuracy"], whole["bias"]) == (0.75, 0.25)
    assert (latest["begun"], latest["pending"], latest["pending_accuracy"]) == (3, 2, 0.5)
    assert latest["bias"] == 1 - 2 / 3
    table = label_waiting.latency_quantiles(due - time, y, ("a", "b"))
    median = table[table["fraction"] == 0.5].set_index("class")["latency"]
    assert median.to_dict() == {"a": 3.0, "b": 6.0}


def test_with_a_constant_delay_equally_many_wait():
    item = {"learners": ["majority"], "delay": {"markov_ozone": 50}, "stops": 30, "window": 100}
    item["labels"] = {"markov_ozone": 1000}
    frames = label_waiting.study(stream_input_for("label_waiting", "markov_ozone", item))
    assert set(frames["latency"]["latency"]) == {50.0}
    (row,) = show.stream_biases(frames["stopping"]).to_dict("records")
    assert row["pending"] == 50
    assert row["mean_pending"] == 50
    assert row["labels"] == 1000
    last = show.last_stop(frames["classes"], frames["latency"])
    assert last["pending"].sum() == 50
    assert last["arrived"].sum() == row["labels"]


def test_what_is_undefined_survives_the_disk(tmp_path):
    # No label is pending at the stop, and the only one that is known has no interval.
    time_and_due = np.array([0]), np.array([5])
    frame = label_waiting.stopping_biases(
        *time_and_due, {"one": np.array([True])}, np.array([5]), 1
    )
    write_csv(frame, tmp_path / "a.csv")
    again = read_csv_table(tmp_path / "a.csv")
    assert again["pending_accuracy"].isna().all()
    table = show.stream_biases(again).assign(stream="a", simulated=True)
    cells = cells_of(layout(table, Subject(settings=None)))
    assert cells["Pending, %"].tolist() == ["–"]
    assert cells["Stream"].tolist() == ["a (simulated)"]


def test_labels_of_delayed_flights_come_later(real_stream):
    item = {"learners": ["no_change", "majority"], "labels": {"dataexpo_atl": 6227}}
    frames = label_waiting.study(
        stream_input_for("label_waiting", real_stream("dataexpo_atl"), item)
    )
    last = show.last_stop(frames["classes"], frames["latency"]).set_index("class")
    assert last["median"].to_dict() == {"before_time": 100, "delayed": 146, "on_time": 108}
    assert last["pending"].sum() == 145
    assert round(last["pending_fraction"]["delayed"], 2) == 0.44
    assert round(last["arrived_fraction"]["delayed"], 2) == 0.27
    biases = show.stream_biases(frames["stopping"]).set_index("learner")
    # Bin 0 of Table 1 of Grzenda et al. (2019), over the same labels.
    printed = (100 * biases["arrived_accuracy"]).round(2)
    assert printed.to_dict() == {"no_change": 39.68, "majority": 48.45}
    # Majority Class predicts "on_time", which pending instances are less often. The stops are
    # worth too few independent ones for an interval.
    assert biases["window_bias"]["majority"] > 0.01
    assert np.isnan(biases["low"]["majority"])
