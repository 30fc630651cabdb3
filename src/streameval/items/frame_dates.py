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
#: Column with the position of a row's instance, counted from 1.
INSTANCE_COLUMN = "instance"
#: Times here are in microseconds.
_TICKS_PER_SECOND = 10**6


def date_columns(instances: Timeline) -> dict[str, Any]:
    """The values of `DATE_COLUMNS` for a frame with one row per instance; {} without dates."""
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
    date, first, zones = (frame[name].tolist() for name in DATE_COLUMNS)
    zone = zones[0]  # all rows have the zone of the stream
    times = {"time": _dates(date, zone), "begin": _dates(first, zone)}
    return frame.drop(columns=[*DATE_COLUMNS]).assign(**times)


def _dates(texts: Sequence[str], zone: str) -> pd.DatetimeIndex:
    moments = map(datetime.fromisoformat, texts)
    in_utc = [moment.astimezone(UTC).replace(tzinfo=None) if zone else moment for moment in moments]
    times = np.array(in_utc, "datetime64[us]").astype(np.int64)
    return dates_of(times, _TICKS_PER_SECOND, zone)
