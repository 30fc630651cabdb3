"""The axis of instances over time: their dates in the zone of the stream, or their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from pandas.api.types import is_datetime64_any_dtype

from streameval.base.arrays import Floats
from streameval.drawing import style

#: Room beside the only instance that is drawn: a day, as dates of matplotlib count days.
_ALONE = 1.0


def on_axis(places: Any) -> Floats:
    """Numbers of an axis: days of matplotlib for dates, all else as it is."""
    index = pd.Index(places)
    if not isinstance(index, pd.DatetimeIndex):
        return np.asarray(places, dtype=np.float64)
    days = date2num(index.to_pydatetime())  # type: ignore[no-untyped-call]
    return np.asarray(days, dtype=np.float64)


def places_of(curves: pd.DataFrame, count: str = "instance") -> Any:
    """Where rows of a frame stand on the axis: at the dates in ``time``, or else at a `count`."""
    has_dates = "time" in curves and is_datetime64_any_dtype(curves["time"])
    return curves["time" if has_dates else count]


def begin_of(curves: pd.DataFrame) -> Any:
    """Where the axis of a frame begins: at its ``begin``, if it has one; see `tune_time_axis`."""
    return curves["begin"].head(1) if "begin" in curves else ()


def tune_time_axis(
    axes: Axes,
    places: Any,
    begin: Any = (),
    *,
    what: str = "instances",
    ticks: int = 8,
    room: float = 1.0,
) -> None:
    """Set limits, ticks and label of the x axis of instances, or of labels that arrive.

    Parameters
    ----------
    axes : Axes
        The lowest panel.
    places : pandas.DatetimeIndex or array-like
        What is drawn: dates, or numbers of what is counted.
    begin : pandas.DatetimeIndex or array-like
        Where the axis begins: by default at the first date, or at 0.
    what : str
        What is counted, where there are no dates.
    ticks : int
        Number of ticks, at most.
    room : float
        The axis is so much longer than what is drawn.
    """
    index, known = pd.Index(places), on_axis(places)
    if not isinstance(index, pd.DatetimeIndex):
        axes.set_xlim(0, max(known.max(initial=0.0) * room, 1.0))
        style.thousands(axes, what, ticks)
        return
    first = on_axis(begin)[0] if len(begin) else known.min()
    last = known.max()
    axes.set_xlim(first, first + room * (last - first) if last > first else first + _ALONE)
    zone = index.tz
    few = {"minticks": min(3, ticks), "maxticks": ticks}
    locator = AutoDateLocator(tz=zone, **few)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    words = ConciseDateFormatter(locator, tz=zone)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_formatter(words)
    axes.set_xlabel("time" if zone is None else f"time ({zone})")
