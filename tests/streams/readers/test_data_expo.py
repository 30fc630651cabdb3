"""Flights of the Data Expo 2009: times, classes, and what is known when a plane has left."""

from __future__ import annotations

import bz2
import csv
import io
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from naive import streams as naive

from streameval.base.errors import ConfigError, DataError
from streameval.streams.raw.fetch import fetch, mirror_folder
from streameval.streams.readers.data_expo import read_data_expo
from streameval.streams.registry import find_spec, load_registry

INPUTS = [
    *("Year", "Month", "DayofMonth", "DayOfWeek", "UniqueCarrier", "CRSArrTime", "CRSDepTime"),
    *("CRSElapsedTime", "Origin", "Distance", "DepDelay"),
]
#: A flight as in the original files, which lands two minutes late.
FLIGHT = {
    "Year": "2008",
    "Month": "1",
    "DayofMonth": "31",
    "DayOfWeek": "4",
    "DepTime": "1003",
    "CRSDepTime": "955",
    "ArrTime": "1227",
    "CRSArrTime": "1225",
    "UniqueCarrier": "DL",
    "FlightNum": "7",
    "TailNum": "N1",
    "CRSElapsedTime": "90",
    "ArrDelay": "2",
    "DepDelay": "8",
    "Origin": "MCO",
    "Dest": "ATL",
    "Distance": "404",
    "Cancelled": "0",
    "CancellationCode": "",
    "Diverted": "0",
    "CarrierDelay": "NA",
}


def written(flights, pack=bytes):
    """A file of flights, as bytes."""
    file = io.StringIO()
    table = csv.DictWriter(file, [*flights[0]])
    table.writeheader()
    table.writerows(flights)
    return pack(file.getvalue().encode())


def read(folder, *changes, without=(), **options):
    """The stream of flights that differ from `FLIGHT`."""
    flights = [FLIGHT | change for change in changes or [{}]]
    kept = [{key: one[key] for key in one if key not in without} for one in flights]
    path = folder / "flights.csv"
    path.write_bytes(written(kept))
    return read_data_expo(path, **{"destination": "ATL"} | options)


def test_one_flight(tmp_path):
    stream = read(tmp_path)
    assert [one.name for one in stream.schema.attributes] == [*INPUTS, "left"]
    assert (stream.schema.target, stream.schema.attributes[8].values) == ("arrival", ("MCO",))
    # 1440 minutes for the first day, and 10:55 in Atlanta; 9:55 at its origin, an hour behind.
    assert (stream.time.tolist(), stream.label_time.tolist()) == ([2095], [1440 + 747])
    assert stream.X[0].tolist() == [2008, 1, 31, 4, 0, 1225, 955, 90, 0, 404, 8, 2095 + 8]
    assert stream.schema.classes[stream.y[0]] == "on_time"
    assert stream.name == "flights"


@pytest.mark.parametrize(
    ("delay", "label"),
    [(-11, "before_time"), (-10, "on_time"), (10, "on_time"), (11, "delayed")],
)
def test_classes(tmp_path, delay, label):
    stream = read(tmp_path, {"ArrDelay": str(delay)})
    assert stream.schema.classes[stream.y[0]] == label


def test_flights_that_land_after_midnight(tmp_path):
    over = {"CRSArrTime": "2355", "ArrTime": "5", "ArrDelay": "10", "CRSDepTime": "2125"}
    back = {"CRSArrTime": "5", "ArrTime": "2355", "ArrDelay": "-10", "CRSDepTime": "2135"}
    # 9.5 hours behind, landing on the next day.
    far = {"CRSArrTime": "700", "ArrTime": "702", "CRSDepTime": "1600", "CRSElapsedTime": "330"}
    published = read(tmp_path, over, back, far)
    assert published.time.tolist() == [1440 + 5 - 90, 1440 + 420 - 330]
    assert published.label_time.tolist() == [1440 + 1435, 1440 + 422]
    true = read(tmp_path, over, back, far, true_days=True)
    assert true.time.tolist() == [2880 - 5 - 90, 2880 + 5 - 90, 2880 + 420 - 330]
    assert true.label_time.tolist() == [2880 + 5, 2880 - 5, 2880 + 422]


def test_the_delay_of_a_departure_is_known_when_the_plane_has_left(tmp_path):
    stream = read(tmp_path, {"DepDelay": "-3"}, {"DepDelay": "0"}, {"DepDelay": "NA"})
    late, left = stream.X[:, -2], stream.X[:, -1] - stream.time
    np.testing.assert_array_equal(late, [-3, 0, np.nan])
    np.testing.assert_array_equal(left, [0, 0, np.nan])


@pytest.mark.parametrize(
    "unfinished",
    [{"Cancelled": "1"}, {"Diverted": "1"}, {"CancellationCode": "A"}, {"ArrDelay": "NA"}],
)
def test_flights_that_did_not_arrive_are_left_out(tmp_path, unfinished):
    stream = read(tmp_path, unfinished | {"ArrTime": "NA", "Origin": "LAX"}, {})
    assert len(stream) == 1
    assert stream.schema.attributes[8].values == ("MCO",)


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ([{"Dest": "JFK"}], {}, r"expected flights to 'ATL', found those to JFK\."),
        ([{"Dest": "NA"}], {}, "found those to no airport"),
        ([{}], {"destination": "atl"}, r"found those to ATL\..*'ATL'\?"),
        ([{}], {"without": ["ArrDelay"]}, "there is no column 'ArrDelay'"),
        ([{}], {"first_day": "2008-02-01"}, "from 2008-02-01 to 2008-01-31; those of the file are"),
        ([{}], {"last_day": "2008-05-31"}, "to 2008-05-31; .* from 2008-01-31 to 2008-01-31"),
        ([{"Cancelled": "1"}], {}, "flights to 'ATL' that arrived, on days from 2008-01-31"),
        ([{}, {"ArrTime": "1260"}], {}, r"line 3: .* hours and minutes, .*'ArrTime', found 1260\."),
        ([{"CRSArrTime": "2401"}], {}, "from 0 to 2400.*'CRSArrTime', found 2401"),
        ([{"ArrTime": "-5"}], {}, "from 0 to 2400.*'ArrTime', found -5"),
        ([{"CRSArrTime": "NA"}], {}, "a time of day .*'CRSArrTime', found none"),
        ([{"CRSDepTime": "99"}], {"true_days": True}, "a time of day .*'CRSDepTime', found 99"),
        ([{"CRSElapsedTime": "1.5"}], {}, r"whole minutes in .*'CRSElapsedTime', found 1\.5"),
        ([{"DepDelay": "0.5"}, {}], {}, "line 2: expected whole minutes or none .*'DepDelay'"),
        ([{"ArrTime": "noon"}], {}, r"numbers .*'ArrTime', found .*'noon'"),
        ([{}, {"DayofMonth": "32"}], {}, "line 3: expected a day of the calendar .* 2008-1-32"),
        ([{"Month": "NA"}], {}, "line 2: expected a whole number .*'Month', found none"),
        ([{"ArrTime": "1000"}, {"ArrTime": "900"}], {}, "one 55 minutes before .* 1 other row"),
    ],
)  # fmt: skip
def test_bad_files(tmp_path, changes, options, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, *changes, **options)


def test_bad_days(tmp_path):
    with pytest.raises(ConfigError, match=r"'last_day': .*a day .*found '31 January'"):
        read(tmp_path, last_day="31 January")


CLOCKS = st.builds(
    lambda hour, minute: f"{100 * hour + minute}", st.integers(0, 23), st.integers(0, 59)
)

LINES = st.lists(
    st.fixed_dictionaries(
        {
            "when": st.integers(0, 4),
            "Dest": st.sampled_from(("ATL", "ATL", "ATL", "JFK")),
            "Origin": st.sampled_from("ABC"),
            "CRSArrTime": CLOCKS,
            "CRSDepTime": CLOCKS,
            "ArrTime": CLOCKS,
            # So long that no arrival comes before the planned departure.
            "CRSElapsedTime": st.integers(2000, 3000).map(str),
            "ArrDelay": st.sampled_from(("NA", "-90", "-11", "-10", "0", "10", "11", "400")),
            "DepDelay": st.sampled_from(("NA", "-20", "0", "15", "390")),
            "Cancelled": st.sampled_from("0001"),
            "Diverted": st.sampled_from("0001"),
            "CancellationCode": st.sampled_from(("", "", "", "A", "B")),
        }
    ),
    min_size=1,
    max_size=12,
)


@given(lines=LINES, true_days=st.booleans(), data=st.data(), original=st.booleans())
def test_streams_are_those_of_the_twin(lines, true_days, data, original, tmp_path_factory):
    start = date(2008, 2, 27)
    flights = []
    for line in lines:
        day = start + timedelta(line["when"])
        dates = {"Year": day.year, "Month": day.month, "DayofMonth": day.day}
        flights.append(FLIGHT | line | {key: str(value) for key, value in dates.items()})
        del flights[-1]["when"]
        behind = naive.minutes(line["CRSArrTime"]) - int(line["CRSElapsedTime"])
        assume((behind - naive.minutes(line["CRSDepTime"])) % 1440 != 720)
    there = [date(2008, 2, 27) + timedelta(line["when"]) for line in lines if line["Dest"] == "ATL"]
    assume(there)
    first, last = sorted(data.draw(st.tuples(*[st.sampled_from(there)] * 2)))
    if not original:
        for flight in flights:
            for name in ("Cancelled", "Diverted", "CancellationCode", "CarrierDelay"):
                del flight[name]
    expected = naive.flights(flights, "ATL", first, last, true_days)
    assume(expected)
    path = tmp_path_factory.mktemp("flights") / "2008.csv.bz2"
    path.write_bytes(written(flights, bz2.compress))
    days = {"first_day": str(first), "last_day": str(last)}
    stream = read_data_expo(path, "ATL", **days, true_days=true_days)
    attributes = stream.schema.attributes
    origin = attributes[8].values
    assert list(origin) == sorted({flights[one[-1]]["Origin"] for one in expected})
    found = []
    for row, label, time, label_time in zip(
        stream.X, stream.y, stream.time, stream.label_time, strict=True
    ):
        late, left = (None if np.isnan(value) else value for value in row[-2:])
        found.append((time, label_time, stream.schema.classes[label], late, left))
    assert found == [one[:-1] for one in expected]
    for row, one in zip(stream.X, expected, strict=True):
        flight = flights[one[-1]]
        assert origin[int(row[8])] == flight["Origin"]
        for place, name in enumerate(INPUTS[:-1]):
            if attributes[place].values is None:
                assert row[place] == float(flight[name])


@pytest.mark.realdata
def test_the_flights_of_the_paper(real_stream):
    ours, paper = real_stream("dataexpo_atl_evolving"), real_stream("dataexpo_atl")
    assert ours.schema.attributes[:10] == paper.schema.attributes
    assert ours.schema.classes == paper.schema.classes
    np.testing.assert_array_equal(ours.X[:, :10], paper.X)
    for name in ("y", "time", "label_time"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(paper, name))
    # The one flight that landed in the evening before the day of its plan, a day late here.
    assert ours.label_time[ours.time == 8535].max() == 10072
    assert (ours.X[:, 11] == ours.time + np.maximum(ours.X[:, 10], 0)).all()


@pytest.mark.realdata
def test_four_months_of_flights(tmp_path):
    spec = find_spec(load_registry(), "dataexpo_atl_evolving")
    path = fetch(spec, tmp_path, mirror_folder(), offline=True)
    flights = read_data_expo(path, "ATL", true_days=True)
    assert len(flights) == 133_521
    # Clocks of the origins are whole hours apart from those of Atlanta, five behind to one ahead.
    arrival, departure = (60 * (column // 100) + column % 100 for column in flights.X[:, 5:7].T)
    apart = (flights.time - departure) % 1440
    assert set(apart) == {0, 60, 120, 180, 240, 300, 360, 1380}
    assert ((flights.time + flights.X[:, 7] - arrival) % 1440 == 0).all()
    march = read_data_expo(path, "ATL", first_day="2008-02-29", last_day="2008-03-01")
    assert set(march.X[:, 1]) == {2, 3}
    assert march.time.max() < 3 * 1440
