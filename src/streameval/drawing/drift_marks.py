"""Marks of known drifts in panels over the instances of a stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from streameval.base.arrays import Floats
from streameval.drawing.time_axis import axis_numbers, axis_start, axis_times
from streameval.streams.drift_marks import DriftMarks, is_gradual

#: Look of gradual drifts: behind curves, in front of shaded rows.
_BAND: dict[str, Any] = {"color": "0.88", "linewidth": 0, "zorder": 0.55}
#: Look of sudden drifts.
_LINE: dict[str, Any] = {"color": "0.55", "linewidth": 0.9, "linestyle": "-", "zorder": 0.6}


def mark_drifts(
    panels: Iterable[Axes], frame: pd.DataFrame, marks: DriftMarks | None
) -> list[Artist]:
    """Mark drifts in panels whose x axis has the instances of a frame; return legend handles.

    Sudden drifts are lines, gradual drifts are bands. A frame has only scored instances, and the
    first instances of a stream may not be scored. Drifts before the first scored instance, or
    outside the axis, have no mark. A frame with dates needs marks with dates.
    """
    if marks is None or frame.empty or ("time" in frame and marks.start_dates is None):
        return []
    starts, ends, first, last = _drift_positions(frame, marks)
    are_gradual = [is_gradual(width, marks.n) for width in marks.widths]
    visible = [
        (start, end, gradual)
        for start, end, gradual in zip(starts, ends, are_gradual, strict=True)
        if end > first and start <= last
    ]
    bands = [(max(start, first), min(end, last)) for start, end, gradual in visible if gradual]
    lines = [(start + end) / 2 for start, end, gradual in visible if not gradual]
    for axes in panels:
        for start, end in bands:
            axes.axvspan(start, end, **_BAND)
        for x in lines:
            axes.axvline(x, **_LINE)
    handles: list[Artist] = [Line2D([], [], label="sudden drift", **_LINE)] if lines else []
    return [*handles, Patch(label="gradual drift", **_BAND)] if bands else handles


def _drift_positions(frame: pd.DataFrame, marks: DriftMarks) -> tuple[Floats, Floats, float, float]:
    """Starts and ends of drifts on the axis of a frame, and the start and end of the axis."""
    positions = axis_numbers(axis_times(frame))
    if "time" in frame:
        begin = axis_start(frame)
        first = axis_numbers(begin)[0] if len(begin) else positions.min()
        starts, ends = axis_numbers(marks.start_dates), axis_numbers(marks.end_dates)
        return starts, ends, float(first), float(positions.max())
    # The frame counts scored instances; those before them are not counted.
    n_not_scored = marks.n - positions.max()
    starts = np.array(marks.starts, dtype=np.float64) - n_not_scored
    return starts, starts + np.array(marks.widths), 0.0, float(positions.max())
