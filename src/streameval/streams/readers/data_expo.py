"""Reading the flights of the Data Expo 2009, whose labels are known when they have landed.

Each arrives as an instance at its planned departure. Times are counted as in the file of Grzenda,
Gomes and Bifet, *Delayed labelling evaluation for data streams*, Data Mining and Knowledge
Discovery, 2020. The flights are those of doi:10.7910/DVN/HG7NV7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt, near, some
from streameval.streams.readers.columns import encode
from streameval.streams.readers.csv_file import read_columns
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import Origin, Table, assemble
from streameval.streams.readers.times import and_others
from streameval.streams.stream import Attribute, Stream

#: What is known of a flight from the start, in the order of the paper's file.
_PLANNED = (
    *("Year", "Month", "DayofMonth", "DayOfWeek", "UniqueCarrier", "CRSArrTime", "CRSDepTime"),
    *("CRSElapsedTime", "Origin", "Distance"),
)
#: The input that is known when the plane has left, and the time from which it is.
_LATER, _LEFT = "DepDelay", "left"
_TARGET = Attribute("arrival", ("before_time", "delayed", "on_time"))
#: Flights up to so many minutes early or late are on time.
_ON_TIME = 10
_NEEDED = (*_PLANNED, _LATER, "Dest", "ArrTime", "ArrDelay")
#: Files may lack these: flights that were cancelled or diverted have no delay of arrival either.
_UNFINISHED = ("Cancelled", "Diverted", "CancellationCode")
_NAMES = ("UniqueCarrier", "Origin", "Dest", "CancellationCode")
_ROLES = Roles("", _NAMES, tuple(name for name in (*_NEEDED, *_UNFINISHED) if name not in _NAMES))
_DAY = 24 * 60

Numbers = Floats
Days = NDArray[np.datetime64]
Chosen = Flags


def read_data_expo(
    path: str | Path,
    destination: str,
    *,
    first_day: str | None = None,
    last_day: str | None = None,
    true_days: bool = False,
    name: str | None = None,
    member: str | None = None,
) -> Stream:
    """Read the flights to an airport that were neither cancelled nor diverted.

    Parameters
    ----------
    path : str or Path
        A CSV file with the columns of the Data Expo 2009, plain or inside gzip, bzip2, xz or zip.
    destination : str
        The airport, as in the file: ``"ATL"``.
    first_day, last_day : str, optional
        Days of departure, such as ``"2008-01-31"``; by default all days of the file.
    true_days : bool
        Whether times are those at which the flights were in fact to leave, and landed. By default
        times are those of the paper's file: planned and real arrival are on the day of departure,
        also those of flights over night, and flights are left out that land after midnight though
        they are planned before it.
    name : str, optional
        Name of the stream, by default that of the file.
    member : str, optional
        The member to read, if the file is a zip archive with several.

    Returns
    -------
    Stream
        The flights in the order of their times; at equal times in the order of the file. ``time``
        is the planned departure and ``label_time`` the arrival, in minutes by the clocks of the
        destination, from 0:00 of the day before the first one. Changes of these clocks are ignored.
        The target ``arrival`` is "before_time" for more than 10 minutes early, "delayed" for more
        than 10 minutes late, otherwise "on_time". The last two inputs are ``DepDelay``, in minutes,
        and ``left``, the time from which it is known: when the plane has left, but not before
        ``time``. Both are missing where the file lacks the delay.

    Raises
    ------
    ConfigError
        If an option is not a day.
    DataError
        If a column is missing, there is no flight to the airport or of the days, or a value is
        impossible.
    """
    flights = _Flights(*read_columns(Path(path), _NEEDED, _ROLES, _UNFINISHED, member))
    flights = flights.taken(_bound_for(flights, destination))
    number, finished = _chosen(flights, destination, first_day, last_day)
    flights = flights.taken(finished)
    time, label_time, kept = _times(flights, _DAY * number[finished], true_days)
    flights, time, label_time = flights.taken(kept), time[kept], label_time[kept]
    _refuse(
        flights.origin,
        label_time < time,
        "an arrival after the planned departure",
        lambda row: f"one {time[row] - label_time[row]:g} minutes before it",
    )
    delay, late = flights.numbers("ArrDelay", *_MINUTES), flights.numbers(_LATER, *_MAYBE_MINUTES)
    label = np.select([delay < -_ON_TIME, delay > _ON_TIME], [0.0, 1.0], 2.0)
    attributes, columns = zip(*(flights.encoded(one) for one in (*_PLANNED, _LATER)), strict=True)
    table = Table(
        flights.origin,
        (*attributes, Attribute(_LEFT), _TARGET),
        [*columns, time + np.maximum(late, 0), label],
    )
    order = np.argsort(time, kind="stable")
    times = time[order].astype(np.int64), label_time[order].astype(np.int64)
    return assemble(table, len(table.columns) - 1, order, label[order], name, (), *times)


@dataclass(frozen=True)
class _Flights:
    """Columns of flights as they are in the file, and where they are."""

    origin: Origin
    columns: Mapping[str, pa.ChunkedArray]

    def taken(self, chosen: Chosen) -> _Flights:
        """Return some of the flights."""
        rows = np.flatnonzero(chosen)
        columns = {name: chunks.take(pa.array(rows)) for name, chunks in self.columns.items()}
        line_of = self.origin.line_of
        return _Flights(Origin(self.origin.path, lambda row: line_of(int(rows[row]))), columns)

    def encoded(self, name: str) -> tuple[Attribute, Numbers]:
        """Return a column as an input; its values are those that occur."""
        chunks = self.columns[name]
        return encode(
            self.origin, name, chunks.cast(pa.string()) if name in _NAMES else chunks, _ROLES
        )

    def numbers(self, name: str, expected: str, right: Callable[[Numbers], Chosen]) -> Numbers:
        """Return the numbers of a column, all of them right."""
        values = self.encoded(name)[1]
        _refuse(
            self.origin,
            ~right(values),
            f"{expected} in the column {name!r}",
            lambda row: "none" if np.isnan(values[row]) else f"{values[row]:.15g}",
        )
        return values


def _refuse(origin: Origin, wrong: Chosen, expected: str, found: Callable[[int], str]) -> None:
    rows = np.flatnonzero(wrong)
    if rows.size:
        row = int(rows[0])
        raise DataError(
            f"{origin.at(row)}: expected {expected}, found {found(row)}{and_others(rows)}. Correct "
            "or remove such rows."
        )


def _is_whole(values: Numbers) -> Chosen:
    return values == np.floor(values)


#: What is expected of minutes, as arguments of `_Flights.numbers`.
_MINUTES = ("whole minutes", _is_whole)
_MAYBE_MINUTES = ("whole minutes or none", lambda values: np.isnan(values) | _is_whole(values))


def _bound_for(flights: _Flights, destination: str) -> Chosen:
    attribute, codes = flights.encoded("Dest")
    airports = attribute.values or ()
    if destination not in airports:
        raise DataError(
            f"{flights.origin.path}: expected flights to {excerpt(destination)!r}, found those to "
            f"{some(airports) or 'no airport'}. {near(destination, airports)}".rstrip()
        )
    return codes == airports.index(destination)


def _days(flights: _Flights) -> Days:
    """Return the days of departure."""
    import pandas as pd

    parts = {
        part: flights.numbers(name, "a whole number", _is_whole)
        for part, name in (("year", "Year"), ("month", "Month"), ("day", "DayofMonth"))
    }
    found = pd.to_datetime(pd.DataFrame(parts), errors="coerce")
    _refuse(
        flights.origin,
        found.isna().to_numpy(),
        "a day of the calendar in Year, Month and DayofMonth",
        lambda row: "-".join(f"{numbers[row]:g}" for numbers in parts.values()),
    )
    return found.to_numpy().astype("datetime64[D]")


def _chosen(
    flights: _Flights, destination: str, first_day: str | None, last_day: str | None
) -> tuple[Integers, Chosen]:
    """Return the day of each flight, 1 for the first one, and which flights of the days arrived."""
    days = _days(flights)
    earliest, latest = days.min(), days.max()
    first = earliest if first_day is None else _day("first_day", first_day)
    last = latest if last_day is None else _day("last_day", last_day)
    chosen = (first <= days) & (days <= last) & _finished(flights)
    if not (earliest <= first <= last <= latest and chosen.any()):
        raise DataError(
            f"{flights.origin.path}: expected flights to {excerpt(destination)!r} that arrived, on "
            f"days from {first} to {last}; those of the file are from {earliest} to {latest}. "
            "Correct `first_day` and `last_day`."
        )
    return 1 + (days - first).astype(np.int64), chosen


def _day(option: str, text: str) -> np.datetime64:
    try:
        return np.datetime64(date.fromisoformat(text))
    except ValueError as error:
        raise ConfigError(
            f"The option {option!r}: expected a day like 2008-01-31, found {excerpt(text)!r}."
        ) from error


def _finished(flights: _Flights) -> Chosen:
    """Return which flights were neither cancelled nor diverted."""
    finished: Chosen = ~np.isnan(flights.encoded("ArrDelay")[1])
    for name in {*_UNFINISHED} & {*flights.columns}:
        values = flights.encoded(name)[1]
        # A code of cancellation is a text, and 0 the first of them.
        finished &= np.isnan(values) if name in _NAMES else ~(values > 0)
    return finished


def _times(flights: _Flights, day: Integers, true_days: bool) -> tuple[Numbers, Numbers, Chosen]:
    """Return planned departures, arrivals, and which flights are kept."""
    planned, delay = _clock(flights, "CRSArrTime"), flights.numbers("ArrDelay", *_MINUTES)
    elapsed = flights.numbers("CRSElapsedTime", *_MINUTES)
    time = day + planned - elapsed
    if not true_days:
        return time, day + _clock(flights, "ArrTime"), planned + delay < _DAY
    # Clocks of origin and destination differ by less than half a day.
    time += _DAY * np.rint((day + _clock(flights, "CRSDepTime") - time) / _DAY)
    return time, time + elapsed + delay, np.full(len(day), True)


def _clock(flights: _Flights, name: str) -> Numbers:
    """Return times of day as minutes after midnight."""

    def right(clock: Numbers) -> Chosen:
        return _is_whole(clock) & (clock >= 0) & (clock <= 2400) & (clock % 100 < 60)

    clock = flights.numbers(name, "a time of day from 0 to 2400, hours and minutes,", right)
    return 60 * (clock // 100) + clock % 100
