"""Known drifts of a stream as places on an axis over its instances, for figures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streameval.base.errors import ConfigError
from streameval.base.values import EPOCH, iso_text, timezone_of
from streameval.streams.stream import Stream
from streameval.streams.timeline import Clock, dates_of

if TYPE_CHECKING:
    import pandas as pd

#: A drift of at least this proportion of the stream is gradual; a narrower one is sudden.
_MIN_GRADUAL = 0.005


class DriftMarks(NamedTuple):
    """Places of drifts among the instances of a stream that have labels.

    Parameters
    ----------
    starts : sequence of int
        Number of labelled instances up to and including the first instance of each new concept.
    widths : sequence of int
        Number of instances during which each new concept replaces the previous one.
    n : int
        Number of instances of the stream with labels.
    start_dates, end_dates : pandas.DatetimeIndex, optional
        Date of the first instance of each new concept, and of the first instance after the
        transition; None without dates.
    """

    starts: Sequence[int]
    widths: Sequence[int]
    n: int
    start_dates: pd.DatetimeIndex | None = None
    end_dates: pd.DatetimeIndex | None = None


def is_gradual(width: int, n: int) -> bool:
    """Whether a drift of this width takes a visible part of `n` instances."""
    return width >= _MIN_GRADUAL * n


def drift_marks(drifts: Sequence[Sequence[Any]], rows: int = 0, file: str = "") -> DriftMarks:
    """Marks of drifts in a stream with `rows` labelled rows, or in the stream of a file.

    A drift is a pair: its first row (counted from 0) or date, and its width. With a file, `rows` is
    not used, since the stream has its own number of rows.
    """
    if file:
        from streameval.streams.columnar import read_arrivals  # not loaded for generated streams

        return marks_of_stream(drifts, read_arrivals(file))
    return DriftMarks([start + 1 for start, _ in drifts], [width for _, width in drifts], rows)


def marks_of_stream(drifts: Sequence[Sequence[Any]], stream: Stream) -> DriftMarks:
    """Marks of any stream, whose instances may lack labels and may have dates.

    Rows of drifts count all instances; see `drift_row` for dates. A drift that begins with an
    unlabelled instance is marked at the next labelled instance.
    """
    n, time, clock = len(stream), stream.time, Clock.of(stream)
    n_labelled = np.concatenate(([0], np.cumsum(stream.labelled)))  # before each row
    starts = np.array([drift_row(start, stream) for start, _ in drifts], dtype=np.int64)
    ends = np.minimum(starts + [width for _, width in drifts], n)
    widths = n_labelled[ends] - n_labelled[starts]
    marks = DriftMarks((n_labelled[starts] + 1).tolist(), widths.tolist(), int(n_labelled[-1]))
    if time is None or clock is None:
        return marks
    start_dates, end_dates = (
        dates_of(time[np.minimum(rows, n - 1)], clock.ticks, clock.zone) for rows in (starts, ends)
    )
    return marks._replace(start_dates=start_dates, end_dates=end_dates)


def drift_row(start: int | str, stream: Stream) -> int:
    """Row at which a new concept begins: `start`, or the first row at or after a date.

    A date without an offset is in the time zone of the stream. Rows are in the order of arrival.

    Raises
    ------
    ConfigError
        If the stream has no dates, or the date is not between the first and the last instance.
    """
    if isinstance(start, int):
        return start
    time, clock = stream.time, Clock.of(stream)
    prefix = f"Stream {stream.name!r}: drifts"
    if time is None or clock is None:
        raise ConfigError(
            f"{prefix}: expected rows, as the stream has no dates, found {start!r}. Write rows, "
            "counted from 0, or name the column of dates as its time."
        )
    moment = datetime.fromisoformat(start)
    if moment.tzinfo is not None and not clock.zone:
        raise ConfigError(
            f"{prefix}: expected dates without an offset, like the dates of the stream, found "
            f"{start!r}. Leave the offset out."
        )
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone_of(clock.zone))
    microseconds = (moment - EPOCH) // timedelta(microseconds=1)
    first_tick = -(-microseconds // (10**6 // clock.ticks))  # rounded up
    row = int(np.searchsorted(time, first_tick))
    if not 0 < row < len(stream):
        ends = (iso_text(int(time[i]), clock.ticks, clock.zone) for i in (0, -1))
        raise ConfigError(
            f"{prefix}: expected dates after the first instance, {next(ends)}, and not after the "
            f"last one, {next(ends)}, found {start!r}. Correct it, or leave it out."
        )
    return row
