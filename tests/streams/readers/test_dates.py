"""Dates with the year last: each column says what comes first, or the user is asked."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import streameval as se
from streameval.base.errors import DataError
from streameval.streams.readers.table import StreamWarning

DAY = 86_400


def write(folder, texts, name="a.csv"):
    path = folder / name
    rows = "".join(f"{text},{'uv'[i % 2]}\n" for i, text in enumerate(texts))
    path.write_text(f"day,y\n{rows}")
    return path


def seconds(*text):
    return [(datetime.fromisoformat(t).replace(tzinfo=UTC)).timestamp() for t in text]


@pytest.mark.parametrize(
    ("texts", "dates"),
    [
        (["31/12/2020", "1/2/2021"], ["2020-12-31", "2021-02-01"]),
        (["12/31/2020", "1/2/2021"], ["2020-12-31", "2021-01-02"]),
        (["31-12-2020", "01-02-2021"], ["2020-12-31", "2021-02-01"]),
        # Points stand in dates that start with the day.
        (["01.02.2021", "3.4.2021"], ["2021-02-01", "2021-04-03"]),
        # Both readings are the same day.
        (["05/05/2020", "6/6/2020"], ["2020-05-05", "2020-06-06"]),
        (["2020/1/31", "2020/12/01"], ["2020-01-31", "2020-12-01"]),
        (["1/31/2020 9:05", "2/1/2020 14:30:10.5"], ["2020-01-31T09:05", "2020-02-01T14:30:10.5"]),
        (["31/1/2020 9:05Z", "2/1/2020T14:30"], ["2020-01-31T09:05", "2020-01-02T14:30"]),
        (["31/1/2020 9:05+02:00", "2/1/2020 14:30"], ["2020-01-31T07:05", "2020-01-02T14:30"]),
    ],
)
def test_a_column_says_what_comes_first(tmp_path, texts, dates):
    stream = se.read(write(tmp_path, texts), "y")
    np.testing.assert_array_equal(stream.X[:, 0], seconds(*dates))


@pytest.mark.parametrize(
    "texts",
    [
        ["31/12/2020", "12/31/2020"],  # neither order fits both
        ["31/12/2020", "31-12-2020"],
        ["31/02/2020", "30/12/2020"],  # no such day
        ["31/12/20", "30/12/20"],
        ["31/12/2020", "2020-12-31"],
    ],
)
def test_other_texts_are_names(tmp_path, texts):
    assert se.read(write(tmp_path, texts), "y").schema.attributes[0].values == (*sorted(texts),)


def test_what_can_be_read_in_two_ways_is_asked_for(tmp_path):
    path = write(tmp_path, ["1/1/2020", "03/04/2020", "05/06/2020"])
    with pytest.raises(DataError) as caught:
        se.read(path, "y")
    assert str(caught.value).startswith(f"{path}, line 3: expected dates in the column 'day'")
    for fact in (
        *("found '03/04/2020'", "--day-first (3 April 2020)", "--month-first (4 March 2020)"),
        "day_first is true or false",
    ):
        assert fact in str(caught.value)
    for day_first, date in ((True, "2020-04-03"), (False, "2020-03-04")):
        assert se.read(path, "y", day_first=day_first).X[1, 0] == seconds(date)[0]
    # As a name it needs no order, and a column that is dropped says nothing.
    assert se.read(path, "y", nominal=["day"]).schema.attributes[0].values
    # A column that says it itself is not asked.
    path = write(tmp_path, ["12/31/2020", "03/04/2020"])
    assert se.read(path, "y", day_first=True).X[1, 0] == seconds("2020-03-04")[0]


@pytest.mark.parametrize("as_frame", [False, True])
def test_times_that_are_texts(tmp_path, as_frame):
    frame = pd.DataFrame(
        {
            "sent": ["1/2/2020 8:00", "2/2/2020 9:30", "3/2/2020 10:00"],
            "paid": ["5/3/2020 8:00", "", "30/3/2020 9:00"],
            "x": [1, 2, 3],
            "y": ["a", "c", "b"],
        }
    )

    def read(**options):
        options |= {"time": "sent", "label_time": "paid"}
        if as_frame:
            return se.from_pandas(frame, "y", **options)
        frame.to_csv(tmp_path / "a.csv", index=False)
        return se.read(tmp_path / "a.csv", "y", **options)

    with pytest.raises(DataError, match=r"'sent' of which some .*found '1/2/2020 8:00'"):
        read()
    stream = read(day_first=True)
    assert stream.time[0] == seconds("2020-02-01T08:00")[0]
    assert stream.label_time[2] == seconds("2020-03-30T09:00")[0]
    frame.loc[1, "paid"] = "31/2/2020 9:00"
    with pytest.raises(DataError, match=r"(line 3|iloc 1): expected times .*'31/2/2020 9:00'"):
        read(day_first=True)
    frame.loc[1, "paid"] = "2020-03-31 09:00"
    with pytest.raises(DataError, match=r"(line 3|iloc 1): expected times .*'2020-03-31 09:00'"):
        read(day_first=True)


@given(
    st.lists(st.integers(-20_000, 40_000), min_size=1, max_size=6),
    st.sampled_from("/-."),
    st.booleans(),
    st.booleans(),
)
def test_dates_are_read_as_they_were_written(tmp_path_factory, days, mark, day_first, padded):
    assume(day_first or mark != ".")
    moments = [datetime(1970, 1, 1) + timedelta(days=day) for day in days]
    # Years of four digits; otherwise the texts are names.
    assume(all(moment.year >= 1000 for moment in moments))
    size = "02" if padded else ""

    def shown(moment):
        pair = (moment.day, moment.month) if day_first else (moment.month, moment.day)
        return f"{pair[0]:{size}}{mark}{pair[1]:{size}}{mark}{moment.year}"

    path = write(tmp_path_factory.mktemp("a"), map(shown, moments))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StreamWarning)  # one day is a constant
        stream = se.read(path, "y", day_first=day_first)
    np.testing.assert_array_equal(stream.X[:, 0], [DAY * day for day in days])
