"""Rows, places and dates of instances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streameval as se
from streameval.base.values import NEVER, iso_text
from streameval.streams.timeline import Timeline, dates_of

pytestmark = pytest.mark.filterwarnings("ignore::streameval.StreamWarning")

ZONES = st.sampled_from(["", "UTC", "Europe/Berlin", "Asia/Kathmandu", "+02:00", "-05:30"])
SECONDS = st.lists(st.integers(-(10**10), 10**11), min_size=1, max_size=5)


def in_zone(dates, zone):
    fixed = f"UTC{zone}" if zone[:1] in ("+", "-") else zone
    return dates.tz_localize("UTC").tz_convert(fixed) if zone else dates


@given(SECONDS, st.sampled_from([1, 10**6]), ZONES)
def test_dates_are_those_of_a_clock_in_the_zone(seconds, ticks, zone):
    expected = in_zone(pd.DatetimeIndex(np.array(seconds, "datetime64[s]")), zone)
    dates = dates_of(np.array(seconds) * ticks, ticks, zone)
    assert (dates == expected).all()
    assert (dates.tz is None) == (zone == "")
    fraction = int(ticks > 1)  # a microsecond, where there are such
    texts = [iso_text(moment * ticks + fraction, ticks, zone) for moment in seconds]
    later = expected + pd.Timedelta(microseconds=fraction)
    assert texts == [str(moment) for moment in later]


def test_a_label_that_never_comes_has_no_date():
    assert dates_of(np.array([NEVER, 0]), 1, "UTC").isna().tolist() == [True, False]


def stream_of(times, **columns):
    frame = pd.DataFrame({"x": np.arange(len(times)) % 2, "y": 1.0, "t": times, **columns})
    roles = {"label_time": "known"} if columns else {}
    return se.from_pandas(frame, "y", time="t", numeric_target=True, **roles)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=20))
def test_places_count_arrivals(days):
    dates = pd.Timestamp("2025-01-01", tz="Europe/Berlin") + pd.to_timedelta(days, unit="D")
    for stream in (stream_of(dates), stream_of(dates, known=dates), stream_of(days)):
        timeline = Timeline.of(stream)
        order = np.argsort(timeline.place)
        assert timeline.place[order].tolist() == list(range(1, len(days) + 1))
        assert (np.diff(stream.time[order]) >= 0).all()
        assert [days[row] for row in timeline.row[order]] == sorted(days)
        if timeline.dates is not None:
            assert (timeline.dates == dates[timeline.row]).all()
            assert timeline.begin[0] == dates.min()
            assert timeline.rows.index.equals(timeline.dates)
    assert timeline.dates is None  # numbers are no dates
    assert timeline.begin.tolist() == [0]


def test_a_part_keeps_rows_places_and_the_beginning():
    dates = pd.date_range("2025-01-01", periods=4, tz="UTC")
    part = Timeline.of(stream_of(dates)).take(np.array([3, 1]))
    assert part.row.tolist() == [3, 1]
    assert part.place.tolist() == [4, 2]
    assert part.begin[0] == dates[0]
    assert part.iso_texts() == ["2025-01-04 00:00:00+00:00", "2025-01-02 00:00:00+00:00"]
    assert part.date_texts() == ["2025-01-04", "2025-01-02"]


def test_dates_beyond_the_calendar_are_numbers():
    stream = stream_of(pd.date_range("2025-01-01", periods=3))
    assert Timeline.of(replace(stream, time=stream.time + 2**50)).dates is None
    assert Timeline.of(replace(stream, time=stream.time - 2**50)).dates is None
