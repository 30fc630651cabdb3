"""A delay is a number of instances or a duration, of Python, numpy or pandas, in each function."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

import streameval as se
from streameval.base.errors import ConfigError, DataError
from streameval.base.values import delay_of, parse_duration

SEA = se.generate("sea", rows=120)
FRAME = pd.DataFrame(SEA.X, columns=[*"abc"]).assign(
    y=SEA.y, t=pd.date_range("2020-01-01", periods=120, freq="h")
)
DATED = se.from_pandas(FRAME, "y", time="t")
FORMS = [
    "5 hours",
    timedelta(hours=5),
    pd.Timedelta("5h"),
    np.timedelta64(5, "h"),
    np.timedelta64(5 * 3600 * 10**9, "ns"),  # whose `item` is a number without a unit
]


@pytest.mark.parametrize("delay", FORMS)
def test_all_forms_of_a_duration_are_the_same_delay(delay):
    assert parse_duration(delay_of(delay), "delay") == 5 * 3600
    delays = se.evaluate(DATED, "majority", delay=delay).delays
    assert (delays["delay"], delays["seconds"]) == (5, 5 * 3600)


@pytest.mark.parametrize("delay", [5, np.int64(5), *FORMS[:2]])
def test_a_budget_takes_the_delays_of_an_evaluation(delay):
    assert se.budget(DATED, "naive_bayes", [0.1], "every", runs=1, delay=delay).delay == 5


@pytest.mark.parametrize(
    "delay", [np.timedelta64("NaT"), timedelta(-1), np.timedelta64(1, "M"), np.timedelta64(5)]
)
def test_durations_that_are_no_delay_are_refused(delay):
    for call in (se.evaluate, se.budget):
        with pytest.raises(ConfigError, match=r"delay: .* '30 days' or timedelta"):
            call(DATED, "naive_bayes", delay=delay)


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_a_column_of_durations_says_how_long_labels_take(zone):
    late = pd.Series(pd.to_timedelta(np.arange(120) % 7, "min"))
    late[3] = pd.NaT  # a label that never arrives
    frame = FRAME.assign(t=FRAME["t"].dt.tz_localize(zone))
    streams = [
        se.from_pandas(frame.assign(due=due), "y", time="t", label_time="due")
        for due in (late, frame["t"] + late)
    ]
    times = [stream.label_time.tolist() for stream in streams]
    assert times[0] == times[1]
    assert streams[0].labelled.sum() == 119


def test_a_column_of_durations_needs_dates_of_instances(tmp_path):
    frame = FRAME.assign(t=np.arange(120), due=timedelta(minutes=5))
    with pytest.raises(DataError, match=r"dates of .* durations in 'due', found int64"):
        se.from_pandas(frame, "y", time="t", label_time="due")
    FRAME.assign(due=timedelta(minutes=5)).to_parquet(tmp_path / "rows.parquet")
    stream = se.read(tmp_path / "rows.parquet", "y", time="t", label_time="due")
    assert {*(stream.label_time - stream.time).tolist()} == {300 * stream.ticks}
