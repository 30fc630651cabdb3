"""Known drifts of a stream as places on an axis over its instances, for figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streameval.streams.stream import Stream
from streameval.streams.timeline import Clock, dates_of

if TYPE_CHECKING:
    import pandas as pd

#: A drift of at least this proportion of the stream is gradual; a narrower one is sudden.
_LEAST_GRADUAL = 0.005


class DriftMarks(NamedTuple):
    """Places of drifts among the instances of a stream that have labels.

    Parameters
    ----------
    starts : sequence of int
        Number of instances with labels up to the first one of each new concept, this one included.
    widths : sequence of int
        Number of instances during which each new concept replaces the previous one.
    n : int
        Number of instances of the stream with labels.
    start_dates, end_dates : pandas.DatetimeIndex, optional
        Date of the first instance of each new concept, and of the first one after the transition;
        None without dates.
    """

    starts: Sequence[int]
    widths: Sequence[int]
    n: int
    start_dates: pd.DatetimeIndex | None = None
    end_dates: pd.DatetimeIndex | None = None


def is_gradual(width: int, n: int) -> bool:
    """Whether a drift of this width takes a visible part of `n` instances."""
    return width >= _LEAST_GRADUAL * n


def drift_marks(drifts: Sequence[Sequence[int]], rows: int = 0, file: str = "") -> DriftMarks:
    """Marks of drifts in a stream of so many rows with labels, or in the stream of a file.

    Of each drift there is the first row, from 0, and the width.
    """
    if file:
        from streameval.streams.columnar import read_arrivals  # generated streams do without it

        return marks_of_stream(drifts, read_arrivals(file))
    return DriftMarks([start + 1 for start, _ in drifts], [width for _, width in drifts], rows)


def marks_of_stream(drifts: Sequence[Sequence[int]], stream: Stream) -> DriftMarks:
    """Marks of any stream, whose instances may lack labels and may have dates.

    Drifts count all instances in the order of their arrival. One that begins with an instance
    without a label is marked at the next one with a label.
    """
    n, time, clock = len(stream), stream.time, Clock.of(stream)
    order = np.arange(n) if time is None else np.argsort(time, kind="stable")
    known = np.concatenate(([0], np.cumsum(stream.labelled[order])))
    starts = np.array([start for start, _ in drifts], dtype=np.int64)
    ends = np.minimum(starts + [width for _, width in drifts], n)
    widths = known[ends] - known[starts]
    marks = DriftMarks((known[starts] + 1).tolist(), widths.tolist(), int(known[-1]))
    if time is None or clock is None:
        return marks
    start_dates, end_dates = (
        dates_of(time[order[np.minimum(at, n - 1)]], clock.ticks, clock.zone)
        for at in (starts, ends)
    )
    return marks._replace(start_dates=start_dates, end_dates=end_dates)
