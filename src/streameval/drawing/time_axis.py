"""The axis of instances: their dates in the time zone of the stream, or their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from pandas.api.types import is_datetime64_any_dtype

from streameval.base.arrays import Floats
from streameval.drawing import style

#: Length of the axis of a single instance, in days, the unit of matplotlib's dates.
_SINGLE_LENGTH = 1.0


def axis_numbers(times: Any) -> Floats:
    """Numbers on an axis: matplotlib's days for dates; other values unchanged."""
    index = pd.Index(times)
    if not isinstance(index, pd.DatetimeIndex):
        return np.asarray(times, dtype=np.float64)
    days = date2num(index.to_pydatetime())  # type: ignore[no-untyped-call]
    return np.asarray(days, dtype=np.float64)


def axis_times(curves: pd.DataFrame, count: str = "instance") -> Any:
    """Times of rows on the axis: dates in ``time``, or else the counts in the column `count`."""
    has_dates = "time" in curves and is_datetime64_any_dtype(curves["time"])
    return curves["time" if has_dates else count]


def axis_start(curves: pd.DataFrame) -> Any:
    """`begin` of `set_time_axis`: the first value of the column ``begin``; empty without it."""
    return curves["begin"].head(1) if "begin" in curves else ()


def set_time_axis(
    axes: Axes,
    times: Any,
    begin: Any = (),
    *,
    noun: str = "instances",
    ticks: int = 8,
    length_factor: float = 1.0,
) -> None:
    """Set limits, ticks and label of the x axis of instances, or of labels that arrive.

    Parameters
    ----------
    axes : Axes
        The lowest panel.
    times : pandas.DatetimeIndex or array-like
        Times of the drawn values: dates, or counts of instances or labels.
    begin : pandas.DatetimeIndex or array-like
        Start of the axis of dates; if empty, the first date. Counts start at 0.
    noun : str
        Noun for the counted things, if there are no dates.
    ticks : int
        Largest number of ticks.
    length_factor : float
        Length of the axis relative to the drawn range.
    """
    index, numbers = pd.Index(times), axis_numbers(times)
    if not isinstance(index, pd.DatetimeIndex):
        axes.set_xlim(0, max(numbers.max(initial=0.0) * length_factor, 1.0))
        style.label_counts(axes, noun, ticks)
        return
    first = axis_numbers(begin)[0] if len(begin) else numbers.min()
    last = numbers.max()
    length = length_factor * (last - first) if last > first else _SINGLE_LENGTH
    axes.set_xlim(first, first + length)
    zone = index.tz
    limits = {"minticks": min(3, ticks), "maxticks": ticks}
    locator = AutoDateLocator(tz=zone, **limits)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    formatter = ConciseDateFormatter(locator, tz=zone)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_formatter(formatter)
    axes.set_xlabel("time" if zone is None else f"time ({zone})")
