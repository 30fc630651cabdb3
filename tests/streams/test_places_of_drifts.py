"""Places of drifts among the instances with labels, and their dates."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from streameval.streams.columnar import write_stream
from streameval.streams.drift_marks import (
    DriftMarks,
    drift_marks,
    drift_row,
    is_gradual,
    marks_of_stream,
)
from streameval.streams.stream import NO_LABEL, Schema, Stream

DAY = 24 * 3600
SCHEMA = Schema((), "class", ("a", "b"))


def stream(y, **about):
    return Stream(np.empty((len(y), 0)), np.array(y), SCHEMA, **about)


def test_rows_of_a_generated_stream_are_counted_from_one():
    assert drift_marks([(0, 0), (9, 5)], 20) == DriftMarks([1, 10], [0, 5], 20)


def test_instances_without_labels_are_not_counted():
    labels = [0, NO_LABEL, 1, NO_LABEL, 1, 0, 1, NO_LABEL]
    marks = marks_of_stream([(2, 0), (3, 3), (6, 2)], stream(labels))
    # The drift that begins with an instance without a label is at the next one with a label.
    assert marks == DriftMarks([2, 3, 5], [0, 2, 1], 5)


def test_the_stream_of_a_file_gives_the_same(tmp_path):
    path = tmp_path / "s.parquet"
    written = stream([0, NO_LABEL, 1, 1])
    write_stream(written, path)
    assert drift_marks([(2, 0)], file=str(path)) == marks_of_stream([(2, 0)], written)
    assert drift_marks([(2, 0)], file=str(path)).starts == [2]


@pytest.mark.parametrize("zone", ["", "+02:00"])
def test_drifts_have_the_dates_of_their_instances(zone):
    time = np.arange(5) * DAY
    marks = marks_of_stream(
        [(1, 0), (3, 2)], stream([0, 1] * 2 + [0], time=time, ticks=1, zone=zone)
    )
    days = ["1970-01-02", "1970-01-04"], ["1970-01-02", "1970-01-05"]
    dates = (marks.start_dates, marks.end_dates)
    for index, expected in zip(dates, map(pd.DatetimeIndex, days), strict=True):
        assert [date.timestamp() for date in index] == [date.timestamp() for date in expected]
        assert (index.tz is not None) is bool(zone)


@pytest.mark.parametrize(
    ("date", "zone", "row"),
    [
        ("1970-01-02", "", 1),
        ("1970-01-02 00:00:01", "", 2),
        ("1970-01-02 02:00", "+02:00", 1),
        ("1970-01-02 02:01", "+02:00", 2),
        ("1970-01-02 00:00+00:00", "+02:00", 1),
        ("1970-01-02 01:00", "Europe/Berlin", 1),
    ],
)
@pytest.mark.parametrize("ticks", [1, 10**6])
def test_a_date_is_the_first_instance_from_it_on_in_the_zone_of_the_stream(date, zone, row, ticks):
    time = np.arange(5) * DAY * ticks
    assert drift_row(date, stream([0, 1, 0, 1, 0], time=time, ticks=ticks, zone=zone)) == row


def test_times_that_are_no_dates_give_none():
    marks = marks_of_stream([(1, 0)], stream([0, 1, 0], time=np.array([5, 1, 3])))
    assert marks == DriftMarks([2], [0], 3)


def test_a_width_that_is_too_small_to_be_seen_is_sudden():
    assert [is_gradual(width, 1000) for width in (0, 4, 5)] == [False, False, True]
