"""Dates: those with the year first are read, those with the year last refused with a way out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import streameval as se
from streameval.base.errors import DataError

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
        (["2020/1/31 9:05", "2020/2/1 14:30:10.5"], ["2020-01-31T09:05", "2020-02-01T14:30:10.5"]),
        (["2020/1/31 9:05Z", "2020/1/2T14:30"], ["2020-01-31T09:05", "2020-01-02T14:30"]),
        (["2020/1/31 9:05+02:00", "2020/1/2 14:30"], ["2020-01-31T07:05", "2020-01-02T14:30"]),
    ],
)
def test_dates_with_the_year_first_are_read(tmp_path, texts, dates):
    stream = se.read(write(tmp_path, texts), "y")
    np.testing.assert_array_equal(stream.X[:, 0], seconds(*dates))


@pytest.mark.parametrize(
    "texts",
    [
        ["12/31/2020", "1/2/2021"],
        ["31-12-2020", "01.02.2021"],
        ["31/1/2020 9:05", "2/1/2020T14:30:10.5Z"],
        ["", "31/02/2020"],
    ],
)
def test_dates_with_the_year_last_are_refused(tmp_path, texts):
    path = write(tmp_path, texts)
    with pytest.raises(DataError) as caught:
        se.read(path, "y")
    line, first = next((i, text) for i, text in enumerate(texts, 2) if text)
    assert str(caught.value) == (
        f"{path}, line {line}: expected dates like 2024-12-31 in the column 'day', found "
        f"{first!r}. Convert the column, with pandas by to_datetime(column, dayfirst=True), or "
        "dayfirst=False if the month comes first; or leave it out (--drop COLUMN), or take its "
        "texts as names (--nominal COLUMN)."
    )
    names = se.read(path, "y", nominal=["day"]).schema.attributes[0].values
    assert names == (*sorted(text for text in texts if text),)


@pytest.mark.parametrize(
    "texts",
    [
        ["31/12/20", "30/12/20"],
        ["31/12/2020", "2020-12-31"],
        ["2020-02-30", "2020-12-30"],  # no such day
        ["2020/12/31", "2020-12-31"],
    ],
)
def test_other_texts_are_names(tmp_path, texts):
    assert se.read(write(tmp_path, texts), "y").schema.attributes[0].values == (*sorted(texts),)


def test_dates_with_the_year_last_may_be_classes(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,31/12/2020\n2,1/2/2021\n")
    assert se.read(path, "y").schema.classes == ("1/2/2021", "31/12/2020")


def test_times_with_the_year_last_are_refused_everywhere(tmp_path):
    frame = pd.DataFrame(
        {
            "sent": ["2020-02-01 08:00", "2020-02-02 09:30", "2020-02-03 10:00"],
            "paid": ["5/3/2020 8:00", None, "30/3/2020 9:00"],
            "x": [1, 2, 3],
            "y": ["a", "c", "b"],
        }
    )
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    message = r"times in the column 'paid'.* found '5/3/2020 8:00'\. Convert the column"
    options = {"target": "y", "time": "sent", "label_time": "paid"}
    for read, source in (
        (se.from_pandas, frame),
        (se.read, tmp_path / "a.csv"),
        (se.read, tmp_path / "a.parquet"),
    ):
        with pytest.raises(DataError, match=message):
            read(source, **options)


@given(st.lists(st.integers(-20_000, 40_000), min_size=2, max_size=6), st.booleans())
def test_dates_are_read_as_they_were_written(tmp_path_factory, days, padded):
    moments = [datetime(1970, 1, 1) + timedelta(days=day) for day in days]
    # Years of four digits; otherwise the texts are names.
    assume(all(moment.year >= 1000 for moment in moments) and len({*days}) > 1)
    size = "02" if padded else ""
    texts = [f"{at.year}/{at.month:{size}}/{at.day:{size}}" for at in moments]
    stream = se.read(write(tmp_path_factory.mktemp("a"), texts), "y")
    np.testing.assert_array_equal(stream.X[:, 0], [DAY * day for day in days])
