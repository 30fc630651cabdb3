"""Times of instances and labels in columns of CSV and Parquet files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streameval.base.errors import ConfigError, DataError
from streameval.streams.readers.any_file import read_any
from streameval.streams.readers.csv_file import read_csv
from streameval.streams.readers.frame import read_frame
from streameval.streams.readers.parquet_file import read_parquet
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import NEVER

TABLE = pd.DataFrame(
    {"sold": [10, 20, 30], "x": [0.5, 1.5, 2.5], "paid": [15, None, 30], "y": ["a", "c", "b"]}
)


@pytest.fixture(params=["csv", "parquet", "frame"])
def read(request, tmp_path):
    def of(table, **options):
        if request.param == "frame":
            return read_frame(table, "y", **options)
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


def test_a_label_that_never_arrives_need_not_be_known(read):
    stream = read(TABLE.assign(y=["b", None, "b"]), time="sold", label_time="paid")
    assert stream.label_time.tolist() == [15, NEVER, 30]
    assert stream.schema.classes == ("b",)
    assert len(stream) == 3


@pytest.mark.parametrize("form", [None, "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d %H:%M:%S.%f+01:00"])
def test_times_with_fractions_are_counted_in_millionths(read, form):
    sold = pd.to_datetime(
        ["2024-03-01 12:00:00.25", "2024-03-01 12:00:01.00", "2024-03-01 12:00:02.00"]
    )
    paid = sold + pd.to_timedelta([0.000001, 3600, 0.5], unit="s")
    both = {"sold": sold, "paid": paid} if form is None else {}
    both = both or {"sold": sold.strftime(form), "paid": paid.strftime(form)}
    stream = read(TABLE.assign(**both), time="sold", label_time="paid")
    first = pd.Timestamp("2024-03-01 12:00:00").value // 1000 - 3_600_000_000 * (
        "+" in (form or "")
    )
    assert (stream.time - first).tolist() == [250_000, 1_000_000, 2_000_000]
    assert (stream.label_time - stream.time).tolist() == [1, 3_600_000_000, 500_000]
    numbers = {"sold": [0.25, 1, 2], "paid": [0.3, 5e9 + 0.5, None]}
    stream = read(TABLE.assign(**numbers), time="sold", label_time="paid")
    assert stream.time.tolist() == [250_000, 1_000_000, 2_000_000]
    assert stream.label_time.tolist() == [300_000, 5_000_000_000_500_000, NEVER]


def test_no_time_is_an_input_even_if_it_is_dropped_too(tmp_path):
    path = tmp_path / "sales.csv"
    TABLE.to_csv(path, index=False)
    stream = read_any(path, "y", drop=["sold", "paid"], time="sold", label_time="paid")
    assert [attribute.name for attribute in stream.schema.attributes] == ["x"]
    assert stream.time.tolist() == [10, 20, 30]


def test_arff_has_times_too(tmp_path):
    path = tmp_path / "sales.arff"
    lines = ["@relation r", "@attribute sold date 'yyyy-MM-dd'", "@attribute x numeric"]
    lines += ["@attribute paid date 'yyyy-MM-dd'", "@attribute y {b, a}", "@data"]
    rows = ["1970-01-03,1,1970-01-04,a", "1970-01-02,2,?,?", "1970-01-02,3,1970-01-02,b"]
    path.write_text("\n".join([*lines, *rows]), encoding="utf-8")
    stream = read_any(path, time="sold", label_time="paid")
    assert stream.time.tolist() == [86_400, 86_400, 172_800]
    assert stream.label_time.tolist() == [NEVER, 86_400, 259_200]
    assert stream.schema.classes == ("b", "a")
    assert [stream.y[1], stream.y[2]] == [0, 1]
    assert stream.X.tolist() == [[2], [3], [1]]
    assert stream.file_rows.tolist() == [1, 2, 0]


SOLD = {"time": "sold"}
BOTH = {**SOLD, "label_time": "paid"}
DAYS = ["2024-02-28", "2024-02-29", "2024-03-01"]
ZONED = [f"{day}T12:00:00Z" for day in DAYS]
FIRST, SECOND = "(line 2|row 1|iloc 0): expected times", "(line 3|row 2|iloc 1): expected"


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"label_time": "paid"}, "needs the option time"),
        ({}, {"time": "sould"}, "no column 'sould'.*'sold'"),
        ({}, {**SOLD, "label_time": "sold"}, "different columns .*found y, sold, sold"),
        ({"sold": [10, None, None]}, SOLD, f"{SECOND}.* 'sold', .*no value, and so in 1 other"),
        ({"sold": [10, 1e17, 30]}, SOLD, r"up to 2\^53 or a date, found 1e\+17"),
        ({"paid": [15, 15, 29]}, BOTH, f"{SECOND}.* 15 in 'paid' and 20 in 'sold', and so in 1"),
        ({"sold": ["1/2/2024"] * 3}, SOLD, rf"{FIRST} .* '1/2/2024'\. .*dayfirst=True"),
        ({"sold": DAYS}, BOTH, "dates without a zone in 'sold' and numbers in 'paid'.*Convert"),
        ({"sold": DAYS, "paid": ZONED}, BOTH, "zone in 'paid' and .* zone in 'sold'.*both a zone"),
        ({"sold": [DAYS[0], *ZONED[1:]]}, SOLD, "that all have a zone, .* no zone, found both"),
        ({"paid": [None] * 3}, BOTH, "found none: no label has arrived"),
    ],
)
def test_what_is_no_time_is_refused(read, change, options, message):
    with pytest.raises((ConfigError, DataError), match=message):
        read(TABLE.assign(**change), **options)


def test_times_alone_are_no_inputs_to_learn_from(read):
    with pytest.raises(DataError, match=r"no input column .*target .*times"):
        read(TABLE.drop(columns="x"), **BOTH)


def test_a_damaged_date_is_found_among_many(tmp_path):
    days = pd.Series(pd.date_range("1900-01-01", periods=40_000).strftime("%Y-%m-%d"))
    days[33_333] = "1999-13-01"
    path = tmp_path / "many.csv"
    pd.DataFrame({"day": days, "x": np.arange(40_000), "y": "a"}).to_csv(path, index=False)
    with pytest.raises(DataError, match=r"line 33335: .* found '1999-13-01'"):
        read_csv(path, "y", time="day")


def dated(days, **more):
    """A table with a row for each of these days of 2021, and inputs that say which it was."""
    when = pd.Timestamp("2021-01-01") + pd.to_timedelta(days, unit="D")
    labels = ["ab"[day % 3 == 0] for day in days]
    return pd.DataFrame({"when": when, "x": days, "y": labels, **more})


@pytest.mark.parametrize(
    ("days", "message"),
    [
        ([*range(40), *range(20, 30)], r"go back at {}\. .*; --time when"),
        ([*range(40, 0, -1)], "go from the newest to the oldest"),
        ([*range(40), 39, 40], ""),
    ],
)
def test_dates_that_are_not_in_order_are_named(read, request, days, message):
    unit = {"csv": "line 42", "parquet": "row 41", "frame": "iloc 40"}
    if not message:
        days = sorted(days)
        read(dated(days))
        return
    expected = message.format(unit[request.node.callspec.params["read"]])
    with pytest.warns(StreamWarning, match=expected):
        read(dated(days))
    # Another column of dates may say in which order the rows are; times are in order anyway.
    read(dated(days, sent=pd.Timestamp("2022-01-01") + pd.to_timedelta(range(len(days)), "D")))
    stream = read(dated(days), time="when")
    assert stream.X[:, 0].tolist() == sorted(days)
    assert [stream.schema.classes[code] for code in stream.y] == [
        "ab"[day % 3 == 0] for day in sorted(days)
    ]
    assert (np.diff(stream.time) >= 0).all()


def test_rows_of_one_time_stay_in_their_order(read):
    table = pd.DataFrame({"t": [3, 1, 3, 1, 2], "x": range(5), "y": [*"abaab"]})
    stream = read(table, time="t")
    assert stream.X[:, 0].tolist() == [1, 3, 4, 0, 2]
    assert "".join(stream.schema.classes[code] for code in stream.y) == "babaa"


def test_an_hour_that_occurs_twice_needs_a_zone(read):
    hours = pd.date_range("2021-10-30 22:00", periods=9, freq="30min", tz="Europe/Berlin")
    table = pd.DataFrame({"when": hours, "x": range(9), "y": [*"ababababa"]})
    local = table.assign(when=table["when"].dt.tz_localize(None))
    back = pd.date_range("2021-10-31 00:30", periods=9, freq="30min", tz="Europe/Berlin")
    for zone in (table, table.assign(when=back)):
        assert read(zone, time="when").X[:, 0].tolist() == [*range(9)]
    assert read(local, time="when").X[:, 0].tolist() == [*range(9)]
    twice = table.assign(when=back.tz_localize(None))
    with pytest.raises(DataError, match="occurs twice, found 2021-10-31 02:00 after"):
        read(twice, time="when")
    # By day, or twice in a month, no clock is set back.
    later = twice.assign(when=twice["when"] + pd.Timedelta("10h"))
    assert read(later, time="when").X[:, 0].tolist() != [*range(9)]


def test_times_are_shown_in_the_zone_in_which_they_are_given(read, request):
    hours = pd.date_range("2024-03-01 00:30", periods=3, freq="h", tz="Europe/Berlin")
    table = pd.DataFrame({"when": hours, "x": [1.5, 2.5, 3.5], "y": ["a", "b", "a"]})
    name = "+01:00" if request.node.callspec.params["read"] == "csv" else "Europe/Berlin"
    stream = read(table, time="when")
    assert stream.zone == name
    assert repr(stream).endswith(f", 2024-03-01 00:30 to 2024-03-01 02:30 ({name})>")
    in_utc = read(table.assign(when=hours.tz_convert("UTC")), time="when")
    assert stream.time.tolist() == in_utc.time.tolist()
    assert stream.digest == in_utc.digest
    texts = table.assign(when=[f"{hour:%Y-%m-%dT%H:%M:%S}Z" for hour in hours])
    assert repr(read(texts, time="when")).endswith(", 2024-03-01 00:30 to 2024-03-01 02:30 (UTC)>")
    mixed = ["2024-03-01T00:30+01:00", "2024-03-01T00:30Z", "2024-03-01T03:30Z"]
    several = table.assign(when=mixed)
    assert repr(read(several, time="when")).endswith("2024-02-29 23:30 to 2024-03-01 03:30 (UTC)>")
    local = read(table.assign(when=hours.tz_localize(None)), time="when")
    assert repr(local).endswith(", 2024-03-01 00:30 to 2024-03-01 02:30>")


def test_labels_that_arrive_some_time_after_their_instance(tmp_path):
    """Durations are added to the times, in a file as in a frame."""
    arrived = pa.array([0, 86_400, 172_800], pa.timestamp("s"))
    wait = pa.array([60, None, 120], pa.duration("s"))
    table = pa.table({"x": [1, 2, 3], "t": arrived, "wait": wait, "c": [*"uvu"]})
    pq.write_table(table, tmp_path / "a.parquet")
    times = {"time": "t", "label_time": "wait"}
    stream = read_parquet(tmp_path / "a.parquet", "c", **times)
    assert stream.label_time.tolist() == [60, NEVER, 172_920]
    assert stream.digest == read_frame(table, "c", **times).digest


@pytest.mark.parametrize("none", [None, float("nan")])
def test_label_times_that_are_all_missing_have_no_form(tmp_path, none):
    """Beside dates, NaN is no number that these cannot be compared with."""
    dates = pa.array([18_000, 18_001], pa.date32())
    label_times = pa.array([none, none], pa.float64())
    table = pa.table({"x": [1, 2], "t": dates, "d": label_times, "c": [*"uv"]})
    pq.write_table(table, tmp_path / "a.parquet")
    for read, source in ((read_parquet, tmp_path / "a.parquet"), (read_frame, table)):
        with pytest.raises(DataError, match="expected times of labels in 'd', found none"):
            read(source, "c", time="t", label_time="d")
