"""Streams that are computed from files of the package.

`day_ahead` and `arrivals` make the streams in the event files of Grzenda, Gomes and Bifet, *Delayed
labelling evaluation for data streams*, Data Mining and Knowledge Discovery, 2020. The rules were
found by comparing those files with their sources: the streams are equal in every value and time.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.streams.readers.parquet_file import read_parquet
from streameval.streams.stream import Attribute, Schema, Stream

#: First date of elec2 as a number YYMMDD. The file has dates scaled to [0, 1].
_FIRST_DATE = 960507
#: Last date of elec2 as a number: 31 August 1998, with month and day exchanged.
_LAST_DATE = 983108
#: Half-hours of a day.
_SLOTS = 48
#: Half-hours of a day whose values are inputs, besides the first: the third, the fifth, ...
_ODD_SLOTS = range(3, _SLOTS, 2)
#: Minute 0 of the times of `day_ahead`, in UTC, as in the paper's files.
_ZERO = np.datetime64("1899-12-31T22:35", "m")
_HOUR = np.timedelta64(60, "m")
_DAY = np.timedelta64(1, "D")
#: Minutes of a day.
_MINUTES = 24 * 60
#: A flight is on time if it deviates by at most this number of minutes, as in the paper's files.
_ON_TIME = 10
#: Columns of flights whose values are not known when the instance arrives.
_LATER = ("ArrTime", "DepDelay")


def day_ahead(path: str | Path, name: str | None = None) -> Stream:
    """Stream of the half-hours of Electricity, predicted a day ahead.

    Parameters
    ----------
    path : str or Path
        The Parquet file of elec2.
    name : str, optional
        Name of the stream, by default the name of the file.

    Returns
    -------
    Stream
        For each date, an instance for each half-hour of the next date; its label is the class of
        this half-hour. The instance arrives at 0:00 after the date, the label one day after the end
        of the half-hour: 24.5 to 48 hours after the instance. Inputs are the values of the first
        half-hour of the date, the date, the values and classes of the odd half-hours from the third
        on, and the number of the half-hour to predict.

    Notes
    -----
    Some dates of elec2 have month and day exchanged. Dates are ordered as they are written, and
    exchanged back only if the month is above 12. Dates that occur twice are left out. Times are
    minutes by the clocks of Central Europe; half-hours that they skip in March have no instance.
    """
    elec2 = read_parquet(path, "class", classes=("UP", "DOWN"), name=name)
    values = elec2.X.reshape(-1, _SLOTS, elec2.schema.n_attributes)
    classes = elec2.y.reshape(-1, _SLOTS)
    scaled_dates = values[:, 0, 0]
    date_numbers = _FIRST_DATE + np.rint(scaled_dates * (_LAST_DATE - _FIRST_DATE)).astype(np.int64)
    numbers, day_index, counts = np.unique(date_numbers, return_index=True, return_counts=True)
    numbers, day_index = numbers[counts == 1], day_index[counts == 1]
    dates = _dates(numbers[:-1])
    today, tomorrow = day_index[:-1], day_index[1:]
    # Codes with DOWN as the first class, for all but the input of the first half-hour.
    down_first_codes = 1 - classes
    columns = [*values[today, 0].T, classes[today, 0], _yymmdd(dates)]
    for slot in _ODD_SLOTS:
        # Without the first three inputs: date, day and period.
        columns += [*values[today, slot - 1, 3:].T, down_first_codes[today, slot - 1]]
    slots = np.arange(1, _SLOTS + 1)
    midnights = (dates + 2 * _DAY).astype("M8[m]")
    local_label_time = midnights[:, None] + 30 * slots.astype("m8[m]")
    label_time, exists = _central_european(local_label_time)
    inputs = np.column_stack(columns)
    time, _ = _central_european((dates + _DAY).astype("M8[m]"))
    day, slot_index = np.nonzero(exists)
    by_time = np.argsort(time[day], kind="stable")
    day, slot_index = day[by_time], slot_index[by_time]
    return Stream(
        np.column_stack([inputs[day], slots[slot_index]]),
        down_first_codes[tomorrow[day], slot_index],
        _day_ahead_schema(elec2.schema),
        elec2.name,
        elec2.source,
        time=time[day],
        label_time=label_time[day, slot_index],
    )


def _day_ahead_schema(schema: Schema) -> Schema:
    first = (*schema.attributes, Attribute(schema.target, schema.classes), Attribute("trueDate"))
    repeated = (*schema.attributes[3:], Attribute(schema.target, ("DOWN", "UP")))
    odd = [
        Attribute(f"{attribute.name}{slot}", attribute.values)
        for slot in _ODD_SLOTS
        for attribute in repeated
    ]
    to_predict = Attribute("timeSlotToPredict")
    return Schema((*first, *odd, to_predict), "ValueToPredict", ("DOWN", "UP"))


def _dates(numbers: Integers) -> NDArray[np.datetime64]:
    """Dates of numbers YYMMDD; a number whose month would exceed 12 is read as YYDDMM."""
    year, month, day = numbers // 10_000, numbers // 100 % 100, numbers % 100
    exchanged = month > 12
    month, day = np.where(exchanged, day, month), np.where(exchanged, month, day)
    months = (12 * (1900 + year - 1970) + month - 1).astype("M8[M]")  # numpy counts from 1970
    return months.astype("M8[D]") + (day - 1).astype("m8[D]")


def _yymmdd(dates: NDArray[np.datetime64]) -> Integers:
    months = dates.astype("M8[M]").astype(np.int64)
    day = (dates - dates.astype("M8[M]")).astype(np.int64) + 1
    return 10_000 * (months // 12 + 70) + 100 * (months % 12 + 1) + day


def _central_european(
    local: NDArray[np.datetime64],
) -> tuple[Integers, Flags]:
    """Minutes since `_ZERO` of local times of 1996 to 1998, and a mask of the times that exist.

    Summer time is from the last Sunday of March, 2:00, to the last Sunday of October, 3:00. A time
    that occurs twice in autumn is read as the first of both.
    """
    january = local.astype("M8[Y]").astype("M8[M]")
    spring = _last_sunday(january + 2) + 2 * _HOUR
    autumn = _last_sunday(january + 9) + 3 * _HOUR
    is_summer = (spring <= local) & (local < autumn)
    skipped = (spring <= local) & (local < spring + _HOUR)
    utc = local - np.where(is_summer, 2, 1) * _HOUR
    return (utc - _ZERO).astype(np.int64), ~skipped


def _last_sunday(month: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    last = (month + 1).astype("M8[D]") - 1
    since_sunday = (last.astype(np.int64) + 4) % 7  # 1970 began on a Thursday
    return (last - since_sunday).astype("M8[m]")


def arrivals(path: str | Path, departures: bool = False, name: str | None = None) -> Stream:
    """Stream of the flights to an airport, labelled when they have landed.

    Parameters
    ----------
    path : str or Path
        The Parquet file of the flights that arrived in a month, with columns of the Data Expo 2009.
    departures : bool
        Whether the departure delay is an input. Another input, ``left``, is the time from which it
        is known: the departure, but not before ``time``.
    name : str, optional
        Name of the stream, by default the name of the file.

    Returns
    -------
    Stream
        The flights in the order of ``time``, their planned departure; at equal times in the order
        of the file. ``label_time`` is the arrival. Both times are minutes by the clocks of the
        destination since 0:00 of the day before the first of the month. Classes are
        ``before_time``, more than 10 minutes early, ``delayed``, more than 10 minutes late, and
        ``on_time``.

    Notes
    -----
    Planned and real arrival are assumed to be on the day of the departure. Flights that were
    planned to land before midnight and land after it are left out.
    """
    flights = read_parquet(path, "ArrDelay", numeric_target=True, name=name)
    attributes = flights.schema.attributes
    index_of_column = {attribute.name: j for j, attribute in enumerate(attributes)}

    def column(name: str) -> Floats:
        return flights.X[:, index_of_column[name]]

    arrival_delay, planned = flights.y, _after_midnight(column("CRSArrTime"))
    day = _MINUTES * column("DayofMonth")
    time = day + planned - column("CRSElapsedTime")
    label_time = day + _after_midnight(column("ArrTime"))
    rows = np.flatnonzero(planned + arrival_delay < _MINUTES)
    rows = rows[np.argsort(time[rows], kind="stable")]
    inputs = [j for j, attribute in enumerate(attributes) if attribute.name not in _LATER]
    X, target = flights.X[rows][:, inputs], "ValueToPredict"
    schema = [attributes[j] for j in inputs]
    if departures:
        departure_delay = column("DepDelay")[rows]
        X = np.column_stack([X, departure_delay, time[rows] + np.maximum(departure_delay, 0)])
        schema += [attributes[index_of_column["DepDelay"]], Attribute("left")]
        target = "arrival"
    return Stream(
        X,
        np.select([arrival_delay < -_ON_TIME, arrival_delay > _ON_TIME], [0, 1], default=2)[rows],
        Schema(tuple(schema), target, ("before_time", "delayed", "on_time")),
        flights.name,
        flights.source,
        time=time[rows].astype(np.int64),
        label_time=label_time[rows].astype(np.int64),
    )


def _after_midnight(clock: Floats) -> Floats:
    """Minutes after midnight of times of day, written hhmm."""
    return 60 * (clock // 100) + clock % 100
