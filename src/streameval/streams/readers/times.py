"""Columns with the times of instances and of their labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt, some
from streameval.base.values import date_text
from streameval.streams.readers.table import EncodedTable, Origin, build_stream
from streameval.streams.stream import NEVER, Stream

#: How the times of a column are written, in the words of messages.
NUMBERS, LOCAL, ZONED = "numbers", "dates without a zone", "dates with a zone"
MIXED = "dates of which some have a zone"
#: Larger times are not exact as doubles.
_EXACT = 2.0**53
#: Times with fractions are counted in units so much smaller: seconds as microseconds.
_PARTS = 10**6
_HOUR = 3600.0
#: The order of fewer rows is not worth a remark.
_FEW = 20


def timed_stream(
    table: EncodedTable,
    target: str,
    name: str | None,
    time: str | None,
    label_time: str | None,
    *,
    are_dates: bool = False,
) -> Stream:
    """Divide a table into inputs, target and times, numbers or dates as seconds.

    The rows are sorted by time, and keep their numbers. A missing label time means that the label,
    which may be missing, has not arrived. Where a time has a fraction, the stream's times are
    millionths of those of the columns, rounded.
    """
    if time is None:
        return build_stream(table, target, name)
    columns = [time] if label_time is None else [time, label_time]
    places = [table.names.index(column) for column in columns]
    times_of = [table.columns[place] for place in places]
    _check(table, places[0], missing=False)
    if label_time is not None:
        _check(table, places[1], missing=True)
        early = np.flatnonzero(times_of[1] < times_of[0])
        if early.size:
            row = int(early[0])
            raise DataError(
                f"{table.origin.at(row)}: expected the label to arrive no earlier than its "
                f"instance, found {_shown(times_of[1][row])} in {excerpt(label_time)!r} and "
                f"{_shown(times_of[0][row])} in {excerpt(time)!r}{and_others(early)}. Correct the "
                "times, or swap the two columns."
            )
        if len(table) and np.isnan(times_of[1]).all():
            raise DataError(
                f"{table.origin.path}: expected times of labels in {excerpt(label_time)!r}, found "
                "none: no label has arrived. Evaluate when some have, or name another column."
            )
    if len(table.columns) == 1 + len(columns):
        raise DataError(
            f"{table.origin.path}: no input column is left beside the target and the times."
        )
    whole = all(np.array_equal(times, np.floor(times), equal_nan=True) for times in times_of)
    parts = 1 if whole else _PARTS
    arrival, *due = [_counted(times, parts) for times in times_of]
    stream = build_stream(table, target, name, places, arrival, due[0] if due else None)
    if (arrival[1:] < arrival[:-1]).any():
        stream = stream.take(np.argsort(arrival, kind="stable"))
    return replace(stream, ticks=parts) if are_dates else stream


def refuse_set_back(origin: Origin, name: str, times: Floats) -> None:
    """Refuse dates without a zone whose clock is set back, as in autumn: an hour occurs twice.

    All else is in order, and the clock goes back by an hour at most, at night, once in half a year.
    """
    back = np.flatnonzero(times[1:] < times[:-1]) + 1
    if not back.size or (times[back - 1] - times[back] > _HOUR).any():
        return
    at_night = times[back - 1] % (24 * _HOUR) <= 4 * _HOUR
    if at_night.all() and (np.diff(times[back]) > 180 * 24 * _HOUR).all():
        raise DataError(
            f"{origin.at(int(back[0]))}: expected dates in {excerpt(name)!r} in which no hour "
            f"occurs twice, found {date_text(times[back[0]])} after {date_text(times[back[0] - 1])}"
            ", as where the clock is set back: without a zone nobody knows which of the two hours "
            "is meant. Give the dates their zone, such as +01:00; pandas does so by tz_localize."
        )


def order_of_dates(table: EncodedTable, dates: Collection[str]) -> str:
    """Message if no column of dates is in order; "" for none."""
    backward = []
    for name in dates if len(table) >= _FEW else ():
        times = table.columns[table.names.index(name)]
        rows = np.flatnonzero(~np.isnan(times))
        steps = np.diff(times[rows])
        back = np.flatnonzero(steps < 0)
        if not back.size:
            if steps.any():
                return ""
            continue
        backward.append((len(back), name, int(rows[back[0] + 1]), bool((steps <= 0).all())))
    if not backward:
        return ""
    _, name, row, newest_first = min(backward)
    at = f"{table.origin.unit} {table.origin.line_of(row)}"
    where = "go from the newest to the oldest" if newest_first else f"go back at {at}"
    return (
        f"{table.origin.path}: the dates in {excerpt(name)!r} {where}: rows are taken as they "
        f"stand; --time {excerpt(name)} puts them in order."
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
            f"{some(columns)}."
        )


def _check(table: EncodedTable, place: int, missing: bool) -> None:
    """Refuse values that are no times."""
    attribute, times = table.attributes[place], table.columns[place]
    if attribute.values is not None:
        raise DataError(
            f"{table.origin.path}: expected times in the column {excerpt(attribute.name)!r}, "
            "numbers or dates like 2020-01-31 12:30:00, found names. Convert them."
        )
    wrong = np.abs(times) > _EXACT
    if not missing:
        wrong |= np.isnan(times)
    rows = np.flatnonzero(wrong)
    if rows.size:
        row = int(rows[0])
        value = "no value" if np.isnan(times[row]) else f"{times[row]:.17g}"
        raise DataError(
            f"{table.origin.at(row)}: expected a time in the column {excerpt(attribute.name)!r}, a "
            f"number up to 2^53 or a date, found {value}{and_others(rows)}. Correct these rows or "
            "remove them."
        )


def and_others(rows: NDArray[np.intp]) -> str:
    """Words for a message on the number of further affected rows; "" for none."""
    more = len(rows) - 1
    return f", and so in {more:,} other row{'s' * (more > 1)}" if more else ""


def _shown(time: float) -> str:
    return f"{time:.6f}".rstrip("0").rstrip(".")


def _counted(times: Floats, parts: int) -> Integers:
    known = ~np.isnan(times)
    counted = np.full(len(times), NEVER, dtype=np.int64)
    whole = np.floor(times[known])
    rest = np.rint((times[known] - whole) * parts).astype(np.int64)
    counted[known] = whole.astype(np.int64) * parts + rest
    return counted
