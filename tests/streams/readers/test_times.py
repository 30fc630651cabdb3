"""Times of instances and labels in columns of CSV and Parquet files."""

from __future__ import annotations

import pandas as pd
import pytest

from streameval.errors import ConfigError, DataError
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.readers.parquet_file import read_parquet
from streameval.streams.stream import NEVER

TABLE = pd.DataFrame(
    {
        "sold": [10, 20, 30],
        "x": [0.5, 1.5, 2.5],
        "paid": [15, None, 30],
        "y": ["a", "b", "a"],
    }
)


@pytest.fixture(params=["csv", "parquet"])
def read(request, tmp_path):
    def of(table, **options):
        path = tmp_path / f"sales.{request.param}"
        if request.param == "csv":
            table.to_csv(path, index=False)
            return read_csv(path, "y", **options)
        table.to_parquet(path)
        return read_parquet(path, "y", **options)

    return of


def test_times_are_no_inputs(read):
    stream = read(TABLE, time="sold", label_time="paid")
    assert [attribute.name for attribute in stream.schema.attributes] == ["x"]
    assert stream.X.tolist() == [[0.5], [1.5], [2.5]]
    assert stream.time.tolist() == [10, 20, 30]
    assert stream.label_time.tolist() == [15, NEVER, 30]


def test_dates_are_seconds(read):
    days = pd.to_datetime(["1970-01-01", "1970-01-02", "1970-01-03"])
    stream = read(TABLE.assign(sold=days).drop(columns="paid"), time="sold")
    assert stream.time.tolist() == [0, 86_400, 172_800]
    assert stream.label_time is None


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"label_time": "paid"}, "needs the option time"),
        ({}, {"time": "sould"}, "no column 'sould'.*Did you mean 'sold'"),
        ({"sold": [10, 20.5, 30]}, {"time": "sold"}, "'sold', whole numbers or dates, .* 2"),
        ({"sold": [10, None, 30]}, {"time": "sold"}, "found another value at instance 2"),
        ({"paid": [15, 15, 30]}, {"time": "sold", "label_time": "paid"}, "earlier time .* 2"),
        ({"sold": ["a", "b", "c"]}, {"time": "sold"}, "expected times in the column 'sold'"),
    ],
)
def test_what_is_no_time_is_refused(read, change, options, message):
    with pytest.raises((ConfigError, DataError), match=message):
        read(TABLE.assign(**change), **options)
