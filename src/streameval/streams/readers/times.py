"""Columns with the times of instances and of their labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt, listing
from streameval.base.values import date_text
from streameval.streams.readers.table import EncodedTable, Origin, build_stream
from streameval.streams.stream import NEVER, Stream

# Forms of the times of a column, as messages call them.
NUMBERS = "numbers"
LOCAL = "dates without a zone"
ZONED = "dates with a zone"
MIXED = "dates of which some have a zone"
#: Larger times are not exact as doubles.
_EXACT = 2.0**53
#: Ticks per unit of the column for times with fractions: seconds become microseconds.
_TICKS = 10**6
#: Seconds of an hour.
_HOUR = 3600.0
#: Latest hour of the day at which a clock is set back.
_LAST_HOUR_OF_NIGHT = 4
#: Minimum number of days from one end of summer time to the next.
_MIN_DAYS_BETWEEN = 180
#: Minimum number of rows for a remark about their order.
_MIN_ROWS = 20


def timed_stream(
    table: EncodedTable,
    target: str,
    name: str | None,
    time: str | None,
    label_time: str | None,
    *,
    are_dates: bool = False,
) -> Stream:
    """Stream with the inputs, target and times of a table; times are numbers, or dates in seconds.

    The rows are sorted by time, and keep their numbers. A missing label time means that the label
    has not arrived; its value may be missing, too. If any time has a fraction, the times of the
    stream are in millionths of the unit of the columns, rounded.
    """
    if time is None:
        return build_stream(table, target, name)
    columns = [time] if label_time is None else [time, label_time]
    indices = [table.names.index(column) for column in columns]
    time_columns = [table.columns[j] for j in indices]
    _check_values(table, indices[0], allow_missing=False)
    if label_time is not None:
        _check_values(table, indices[1], allow_missing=True)
        too_early = np.flatnonzero(time_columns[1] < time_columns[0])
        if too_early.size:
            row = int(too_early[0])
            times = [_time_text(column[row]) for column in time_columns]
            raise DataError(
                f"{table.origin.place_of(row)}: expected the label to arrive no earlier than its "
                f"instance, found {times[1]} in {excerpt(label_time)!r} and {times[0]} in "
                f"{excerpt(time)!r}{others_clause(too_early)}. Correct the times, or swap the two "
                "columns."
            )
        if len(table) and np.isnan(time_columns[1]).all():
            raise DataError(
                f"{table.origin.path}: expected times of labels in {excerpt(label_time)!r}, found "
                "none: no label has arrived. Evaluate when some have, or name another column."
            )
    if len(table.columns) == 1 + len(columns):
        raise DataError(
            f"{table.origin.path}: no input column is left besides the target and the times."
        )
    are_whole = all(
        np.array_equal(column, np.floor(column), equal_nan=True) for column in time_columns
    )
    ticks = 1 if are_whole else _TICKS
    arrival, *label_arrival = [_in_ticks(column, ticks) for column in time_columns]
    stream = build_stream(
        table, target, name, indices, arrival, label_arrival[0] if label_arrival else None
    )
    if (arrival[1:] < arrival[:-1]).any():
        stream = stream.take(np.argsort(arrival, kind="stable"))
    return replace(stream, ticks=ticks) if are_dates else stream


def refuse_clock_set_back(origin: Origin, name: str, times: Floats) -> None:
    """Refuse dates without a zone if the clock is set back, as in autumn: an hour occurs twice.

    This is assumed if all steps back are at most an hour, at night, and half a year apart.
    """
    steps_back = np.flatnonzero(times[1:] < times[:-1]) + 1
    if not steps_back.size or (times[steps_back - 1] - times[steps_back] > _HOUR).any():
        return
    at_night = times[steps_back - 1] % (24 * _HOUR) <= _LAST_HOUR_OF_NIGHT * _HOUR
    seconds_between = np.diff(times[steps_back])
    if at_night.all() and (seconds_between > _MIN_DAYS_BETWEEN * 24 * _HOUR).all():
        row = int(steps_back[0])
        raise DataError(
            f"{origin.place_of(row)}: expected dates in {excerpt(name)!r} in which no hour occurs "
            f"twice, found {date_text(times[row])} after {date_text(times[row - 1])}, as if the "
            "clock was set back: without a zone, the hour that is meant is unknown. Give the dates "
            "their zone, such as +01:00; pandas does so by tz_localize."
        )


def order_of_dates(table: EncodedTable, dates: Collection[str]) -> str:
    """Message if no column of dates is in order; "" otherwise."""
    out_of_order = []
    for name in dates if len(table) >= _MIN_ROWS else ():
        times = table.columns[table.names.index(name)]
        rows = np.flatnonzero(~np.isnan(times))
        steps = np.diff(times[rows])
        back = np.flatnonzero(steps < 0)
        if not back.size:
            if steps.any():
                return ""
            continue
        newest_first = bool((steps <= 0).all())
        out_of_order.append((len(back), name, int(rows[back[0] + 1]), newest_first))
    if not out_of_order:
        return ""
    _, name, row, newest_first = min(out_of_order)  # the column with the fewest steps back
    place = f"{table.origin.unit} {table.origin.line_of(row)}"
    order = "go from the newest to the oldest" if newest_first else f"go back at {place}"
    return (
        f"{table.origin.path}: the dates in {excerpt(name)!r} {order}. Rows are read in the order "
        f"of the file; --time {excerpt(name)} sorts them by date."
    )


def check_times(path: Path, target: str, time: str | None, label_time: str | None) -> None:
    """Refuse label times without times, and a column with two roles; see `timed_stream`."""
    if time is None and label_time is not None:
        raise ConfigError(
            f"{path}: the column of label times {excerpt(label_time)!r} needs the option time too "
            "(--time): the column that says when each instance arrives."
        )
    columns = [name for name in (target, time, label_time) if name is not None]
    if len({*columns}) < len(columns):
        raise ConfigError(
            f"{path}: expected different columns as target, time and label_time, found "
            f"{listing(columns)}."
        )


def _check_values(table: EncodedTable, j: int, *, allow_missing: bool) -> None:
    """Refuse values of a column that are not times."""
    attribute, times = table.attributes[j], table.columns[j]
    if attribute.values is not None:
        raise DataError(
            f"{table.origin.path}: expected times in the column {excerpt(attribute.name)!r}, "
            "numbers or dates like 2020-01-31 12:30:00, found names. Convert them."
        )
    wrong = np.abs(times) > _EXACT
    if not allow_missing:
        wrong |= np.isnan(times)
    rows = np.flatnonzero(wrong)
    if rows.size:
        row = int(rows[0])
        value = "no value" if np.isnan(times[row]) else f"{times[row]:.17g}"
        raise DataError(
            f"{table.origin.place_of(row)}: expected a time in the column "
            f"{excerpt(attribute.name)!r}, a number up to 2^53 or a date, found "
            f"{value}{others_clause(rows)}. Correct these rows or remove them."
        )


def others_clause(rows: NDArray[np.intp]) -> str:
    """Clause of a message on the number of further affected rows; "" for one row."""
    others = len(rows) - 1
    return f", and so in {others:,} other row{'s' * (others > 1)}" if others else ""


def _time_text(time: float) -> str:
    return f"{time:.6f}".rstrip("0").rstrip(".")


def _in_ticks(times: Floats, ticks: int) -> Integers:
    """Times as whole numbers, with this number of `ticks` per unit; `NEVER` for NaN."""
    is_known = ~np.isnan(times)
    counts = np.full(len(times), NEVER, dtype=np.int64)
    whole = np.floor(times[is_known])
    rest = np.rint((times[is_known] - whole) * ticks).astype(np.int64)
    counts[is_known] = whole.astype(np.int64) * ticks + rest
    return counts
