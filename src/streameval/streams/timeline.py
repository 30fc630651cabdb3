"""Arrival of instances: dates, places in the order of arrival, and rows of the source file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Integers
from streameval.base.values import NEVER, date_text, iso_text, timezone_of
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

#: First date that Python and matplotlib can show in any time zone.
_FIRST_DATE = np.datetime64("0001-01-02", "s")
#: Last date that they can show.
_LAST_DATE = np.datetime64("9999-12-30", "s")


class Clock(NamedTuple):
    """How times that are dates are counted and shown.

    Parameters
    ----------
    ticks : int
        Number of time units in a second; times are counted from 1970-01-01 UTC.
    zone : str
        Time zone in which dates are shown; "" if the source has no time zone.
    begin_time : int
        Time of the first instance of the whole stream.
    """

    ticks: int
    zone: str
    begin_time: int

    @classmethod
    def of(cls, stream: Stream) -> Clock | None:
        """Clock of a stream; None if it has no dates."""
        if stream.time is None or not are_dates(stream, stream.time):
            return None
        return cls(stream.ticks, stream.zone, int(stream.time.min()))


@dataclass(frozen=True)
class Timeline:
    """Arrival of instances: rows of the file, places in the order of arrival, dates.

    Parameters
    ----------
    row : ndarray of int64, shape (n,)
        Row of the file or frame of each instance, from 0.
    place : ndarray of int64, shape (n,)
        Place of each instance in the order of arrival of the whole stream, from 1.
    time : ndarray of int64, shape (n,), optional
        Time of arrival; None without dates.
    ticks : int
        Number of units of `time` in a second; without meaning if there are no dates.
    zone : str
        Time zone in which dates are shown; "" if the source has no time zone.
    begin_time : int
        Time of the first instance of the whole stream.
    """

    row: Integers
    place: Integers
    time: Integers | None = None
    ticks: int = 1
    zone: str = ""
    begin_time: int = 0

    @classmethod
    def of(cls, stream: Stream) -> Timeline:
        """Timeline of all instances of a stream."""
        n, time = len(stream), stream.time
        row, place = stream.file_rows, np.arange(1, n + 1)
        if time is not None:
            place = np.empty(n, np.int64)
            place[np.argsort(time, kind="stable")] = np.arange(1, n + 1)
        clock = Clock.of(stream)
        # A clock has the last three fields.
        return cls(row, place) if clock is None else cls(row, place, time, *clock)

    def __len__(self) -> int:
        return len(self.row)

    def take(self, instances: NDArray[Any]) -> Timeline:
        """Timeline of some instances, in the given order."""
        time = None if self.time is None else self.time[instances]
        return replace(self, row=self.row[instances], place=self.place[instances], time=time)

    def label_timeline(self, stream: Stream) -> Timeline | None:
        """Same instances with the dates of their labels; None without such dates."""
        times = stream.label_time
        if times is None or not are_dates(stream, times):
            return None
        # The times of arrival may be no dates, so ticks and zone may not be set yet.
        return replace(self, time=times, ticks=stream.ticks, zone=stream.zone)

    @property
    def dates(self) -> pd.DatetimeIndex | None:
        """Dates of arrival, in the zone of the stream; None without dates."""
        return None if self.time is None else dates_of(self.time, self.ticks, self.zone)

    @property
    def axis(self) -> pd.DatetimeIndex | Integers:
        """Positions of instances on an axis of time: their dates, or else their places."""
        dates = self.dates
        return self.place if dates is None else dates

    @property
    def begin(self) -> pd.DatetimeIndex | Integers:
        """Start of the axis of time, shape (1,): the first date, or 0 for places."""
        if self.time is None:
            return np.zeros(1, np.int64)
        return dates_of(np.array([self.begin_time]), self.ticks, self.zone)

    @property
    def rows(self) -> pd.Series[int]:
        """Rows of the file or frame, indexed by the dates if there are any."""
        import pandas as pd

        return pd.Series(self.row, index=self.dates, dtype=np.int64, name="row")

    def columns(self) -> dict[str, Any]:
        """Columns of a frame: ``instance``, the place, and ``time``, if there are dates."""
        dates = self.dates
        return {"instance": self.place, **({} if dates is None else {"time": dates})}

    def iso_texts(self) -> list[str]:
        """Dates as ISO texts, for JSON; empty without dates."""
        times = [] if self.time is None else self.time.tolist()
        return [iso_text(time, self.ticks, self.zone) for time in times]

    def date_texts(self) -> list[str]:
        """Dates as texts for people; empty without dates."""
        times = [] if self.time is None else self.time.tolist()
        return [date_text(time / self.ticks, self.zone) for time in times]


def are_dates(stream: Stream, times: Integers) -> bool:
    """Whether times of a stream are dates that Python and matplotlib can show."""
    known = times[times != NEVER]
    if not stream.ticks or not len(known):
        return False
    ends = np.array([known.min(), known.max()]) // stream.ticks
    first, last = ends.astype("datetime64[s]")
    return bool(first >= _FIRST_DATE and last <= _LAST_DATE)


def dates_of(times: Integers, ticks: int, zone: str) -> pd.DatetimeIndex:
    """Times as pandas dates in a time zone ("" for none); NaT for a label that never arrives."""
    import pandas as pd

    known = times != NEVER
    dates = np.full(len(times), np.datetime64("NaT", "us"))
    # Microseconds; exact, as readers set ticks to 1 or 10**6.
    dates[known] = (times[known] * (10**6 // ticks)).astype("datetime64[us]")
    index = pd.DatetimeIndex(dates, name="time")
    return index.tz_localize("UTC").tz_convert(timezone_of(zone)) if zone else index
