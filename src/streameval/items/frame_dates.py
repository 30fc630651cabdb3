"""Dates of the rows of frames: texts in files, and dates in drawings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from streameval.base.values import iso_text
from streameval.streams.timeline import Timeline, dates_of

#: Columns that a frame has in addition if the stream has dates: the date of the row, the date of
#: the stream's first instance, and the time zone of both ("" for none).
DATE_COLUMNS = ("date", "first_date", "zone")
#: The column of frames with the number of instances up to the row, this one included.
POSITION = "instance"
#: Ticks of a second, as times here are in microseconds.
_PER_SECOND = 10**6


def date_columns(instances: Timeline) -> dict[str, Any]:
    """The columns `DATE_COLUMNS` of a frame with a row for each instance; empty without dates."""
    if instances.time is None:
        return {}
    first = iso_text(instances.begin_time, instances.ticks, instances.zone)
    return dict(zip(DATE_COLUMNS, (instances.iso_texts(), first, instances.zone), strict=True))


def with_dates(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame with dates in ``time`` and ``begin`` instead of the texts of `DATE_COLUMNS`.

    A frame without these columns, or without rows, is returned as it is.
    """
    if DATE_COLUMNS[0] not in frame or frame.empty:
        return frame
    date, first, zone = (frame[name].tolist() for name in DATE_COLUMNS)
    times = {"time": _dates(date, zone[0]), "begin": _dates(first, zone[0])}
    return frame.drop(columns=[*DATE_COLUMNS]).assign(**times)


def _dates(texts: Sequence[str], zone: str) -> pd.DatetimeIndex:
    moments = map(datetime.fromisoformat, texts)
    in_utc = [moment.astimezone(UTC).replace(tzinfo=None) if zone else moment for moment in moments]
    times = np.array(in_utc, "datetime64[us]").astype(np.int64)
    return dates_of(times, _PER_SECOND, zone)
