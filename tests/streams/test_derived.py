"""Streams that are computed from files of the package: the rules, and the streams."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from helpers.flights import FLIGHT
from hypothesis import given
from hypothesis import strategies as st
from naive import streams as naive

from streameval.streams.derived import arrivals, day_ahead


def without(rows, column):
    return [{name: row[name] for name in row if name != column} for row in rows]


def write(folder, rows):
    path = folder / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def flights(folder, *changes, **options):
    """The stream of flights that differ from `FLIGHT`."""
    return arrivals(write(folder, [FLIGHT | change for change in changes or [{}]]), **options)


def test_one_flight(tmp_path):
    stream = flights(tmp_path, departures=True)
    names = [attribute.name for attribute in stream.schema.attributes]
    assert names == [*[*FLIGHT][:10], "DepDelay", "left"]
    assert (stream.schema.target, stream.schema.attributes[8].values) == ("arrival", ("MCO",))
    # 1440 minutes for the first day, and 10:55 in Atlanta; 9:55 at its origin, an hour behind.
    assert (stream.time.tolist(), stream.label_time.tolist()) == ([2095], [1440 + 747])
    assert stream.X[0].tolist() == [2008, 1, 1, 2, 0, 1225, 955, 90, 0, 404, 8, 2095 + 8]
    assert stream.schema.classes[stream.y[0]] == "on_time"
    assert stream.name == "rows"
    plain = flights(tmp_path, name="plain")
    assert plain.X[0].tolist() == stream.X[0, :10].tolist()
    assert (plain.schema.target, plain.name) == ("ValueToPredict", "plain")


CLOCKS = st.builds(lambda hour, minute: 100 * hour + minute, st.integers(0, 23), st.integers(0, 59))
LINES = st.lists(
    st.fixed_dictionaries(
        {
            "DayofMonth": st.integers(1, 7),
            "Origin": st.sampled_from("ABC"),
            "CRSArrTime": CLOCKS,
            "ArrTime": CLOCKS,
            "CRSElapsedTime": st.integers(30, 300),
            "ArrDelay": st.sampled_from((-90, -11, -10, 0, 10, 11, 400)),
            "DepDelay": st.sampled_from((None, -20, 0, 15, 390)),
        }
    ),
    min_size=1,
    max_size=12,
).filter(lambda lines: any(line["ArrDelay"] < 0 for line in lines))


@given(lines=LINES)
def test_flights_are_those_of_the_twin(lines, tmp_path_factory):
    rows = [FLIGHT | line for line in lines]
    stream = arrivals(write(tmp_path_factory.mktemp("flights"), rows), departures=True)
    expected = naive.arrivals(rows)
    origin = stream.schema.attributes[8].values
    instances = [
        (time, label_time, stream.schema.classes[label], None if np.isnan(x[-1]) else x[-1])
        for x, label, time, label_time in zip(
            stream.X, stream.y, stream.time, stream.label_time, strict=True
        )
    ]
    assert instances == [flight[:-1] for flight in expected]
    origins = [rows[flight[-1]]["Origin"] for flight in expected]
    assert [origin[int(x[8])] for x in stream.X] == origins


def electricity(dates, seed=1):
    """Rows like those of Electricity: 48 for each date, which is written YYMMDD."""
    rng = np.random.default_rng(seed)
    names = ("period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer")
    return [
        {
            "written": date,
            "date": float(f"{(date - 960507) / 22601:.6f}"),
            "day": str(rng.integers(1, 8)),
            **dict(zip(names, rng.random(6).tolist(), strict=True)),
            "class": str(rng.choice(["UP", "DOWN"])),
        }
        for date in dates
        for _ in range(48)
    ]


#: As written: a date occurs twice, two have month and day exchanged, clocks are set in March and
#: October, and the years change.
DATES = (
    *(960507, 960508, 961026, 961027, 961028, 961231, 970101, 970328, 970329, 970330, 970331),
    *(970503, 970503, 971025, 971026, 973108, 980327, 980328, 980329, 983108),
)


def test_the_day_ahead_is_that_of_the_twin(tmp_path):
    rows = electricity(DATES)
    stream = day_ahead(write(tmp_path, without(rows, "written")))
    expected = naive.day_ahead(rows)
    assert len(stream) == len(expected) < 48 * (len(DATES) - 3)
    for x, label, time, label_time, instance in zip(
        stream.X, stream.y, stream.time, stream.label_time, expected, strict=True
    ):
        inputs = [
            value if attribute.values is None else attribute.values[int(value)]
            for value, attribute in zip(x.tolist(), stream.schema.attributes, strict=True)
        ]
        assert (inputs, stream.schema.classes[label], time, label_time) == instance


def test_columns_of_a_day_ahead(tmp_path):
    rows = electricity((960507, 960508))
    stream = day_ahead(write(tmp_path, without(rows, "written")), name="ahead")
    inputs = {attribute.name: attribute.values for attribute in stream.schema.attributes}
    first = [*rows[0]][1:]
    odd = [f"{name}{slot}" for slot in range(3, 48, 2) for name in first[3:]]
    assert [*inputs] == [*first, "trueDate", *odd, "timeSlotToPredict"]
    assert len(inputs) == 149
    assert (inputs["class"], inputs["class3"]) == (("UP", "DOWN"), ("DOWN", "UP"))
    assert (stream.schema.target, stream.schema.classes) == ("ValueToPredict", ("DOWN", "UP"))
    assert stream.name == "ahead"
