"""Dates of rows in the files of frames."""

from __future__ import annotations

from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from streameval.base.table_files import read_csv_table, write_csv
from streameval.items.frame_dates import DATE_COLUMNS, date_columns, with_dates
from streameval.streams.timeline import Timeline, dates_of

ZONES = st.sampled_from(["", "UTC", "Europe/Berlin", "Asia/Kathmandu", "-05:30"])


@settings(max_examples=30)
@given(
    seconds=st.lists(st.integers(-(10**10), 10**11), min_size=1, max_size=5),
    ticks=st.sampled_from([1, 10**6]),
    zone=ZONES,
    is_kept=st.booleans(),
)
def test_dates_are_the_same_after_a_file(seconds, ticks, zone, is_kept):
    time = np.array(seconds) * ticks + (ticks > 1)
    rows = np.arange(len(time))
    timeline = Timeline(rows, rows + 1, time, ticks, zone, int(time.min()))
    frame = pd.DataFrame({"instance": rows + 1, **date_columns(timeline)})
    assert tuple(frame) == ("instance", *DATE_COLUMNS)
    with TemporaryDirectory() as folder:
        path = f"{folder}/frame.csv"
        if is_kept:
            write_csv(frame, path)
        else:  # without a digest, as after an edit
            frame.to_csv(path, index=False)
        read = with_dates(read_csv_table(path))
    assert tuple(read) == ("instance", "time", "begin")
    expected = dates_of(time, ticks, zone)
    assert pd.DatetimeIndex(read["time"]).equals(expected)
    assert str(read["time"].dt.tz) == str(expected.tz)
    assert (read["begin"] == expected.min()).all()


def test_frames_without_dates_stay_as_they_are():
    counted = pd.DataFrame({"instance": [1, 2]})
    rows = np.arange(2)
    assert date_columns(Timeline(rows, rows + 1)) == {}
    assert with_dates(counted) is counted
    empty = pd.DataFrame(columns=["instance", *DATE_COLUMNS])
    assert with_dates(empty) is empty
