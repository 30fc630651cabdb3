"""Dates of the rows of frames: as texts in files, and as dates for drawings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from streameval.base.values import iso_text
from streameval.streams.timeline import Timeline, dates_of

#: Columns behind those of a frame, where the stream has dates: the date of the row, that of the
#: first instance of the stream, and the zone of both, "" for none.
DATED = ("date", "first_date", "zone")
#: The column of frames with the number of instances up to the row, this one included.
POSITION = "instance"
_PER_SECOND = 10**6


def date_columns(instances: Timeline) -> dict[str, Any]:
    """The columns `DATED` of a frame with a row for each instance; none without dates."""
    if instances.time is None:
        return {}
    first = iso_text(instances.begin_time, instances.ticks, instances.zone)
    return dict(zip(DATED, (instances.iso_texts(), first, instances.zone), strict=True))


def with_dates(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame with dates in ``time`` and ``begin`` instead of the texts of `DATED`.

    A frame without these columns, or without rows, is returned as it is.
    """
    if DATED[0] not in frame or frame.empty:
        return frame
    date, first, zone = (frame[name].tolist() for name in DATED)
    times = {"time": _dates(date, zone[0]), "begin": _dates(first, zone[0])}
    return frame.drop(columns=[*DATED]).assign(**times)


def _dates(texts: Sequence[str], zone: str) -> pd.DatetimeIndex:
    moments = map(datetime.fromisoformat, texts)
    in_utc = [moment.astimezone(UTC).replace(tzinfo=None) if zone else moment for moment in moments]
    times = np.array(in_utc, "datetime64[us]").astype(np.int64)
    return dates_of(times, _PER_SECOND, zone)
