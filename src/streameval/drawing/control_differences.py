"""Differences of a control from other learners, by stream."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from streameval.drawing import style
from streameval.drawing.subject import Subject

#: Height of the row of a learner.
ROW_MM = 7.0
#: Height of title, axis and legend.
MARGINS_MM = 34.0
#: Letters of a line of a name; longer names have several lines.
MAX_LINE_LETTERS = 26
#: Number of other learners that fit on a page.
MAX_ROWS = 26
#: Colour of the region of practical equality.
ROPE_COLOR = "0.88"
#: Colour of intervals and of the line at 0.
DARK = "0.25"


@style.styled
def draw(
    frames: Mapping[str, pd.DataFrame], subject: Subject, rope: float, *, is_error: bool = False
) -> Figure:
    """Draw a row for each other learner: a dot for each stream, and the centre with its interval.

    The frames ``others`` and ``differences`` come from `compare_with_control`. With `is_error`, a
    difference is the error of the other learner minus that of the control.
    """
    others = frames["others"].dropna(subset="center").head(MAX_ROWS)
    rows, settings = frames["differences"], subject.settings
    title = f"Differences from {subject.titles.get(settings.control, settings.control)}"
    if (number := int(frames["others"]["center"].notna().sum())) > len(others):
        title += f": {len(others)} of {number} learners"
    height = (ROW_MM * max(len(others), 2) + MARGINS_MM) / style.FULL_WIDTH_MM
    figure = style.titled_figure(height, title, bool(rows["simulated"].any()))
    axes = figure.subplots()
    if rope > 0:
        axes.axvspan(-rope, rope, color=ROPE_COLOR, linewidth=0, zorder=0)
    axes.axvline(0, color=DARK, linewidth=0.8, zorder=1)
    names = []
    for y, row in enumerate(others.to_dict("records")):
        name = str(row["learner"])
        look = style.learner_look(name)
        names.append(fill(subject.titles.get(name, name), MAX_LINE_LETTERS))
        by_stream = rows[rows["learner"] == name]
        # Dots of streams have different heights, so that equal values do not hide each other. The
        # centre and its interval are below the dots, at y + 0.28.
        dot_positions = y + np.linspace(-0.28, 0.1, len(by_stream))
        for simulated, face in ((False, look.color), (True, "white")):
            is_chosen = (by_stream["simulated"] == simulated).to_numpy()
            axes.plot(
                by_stream["difference"].to_numpy(float)[is_chosen],
                dot_positions[is_chosen],
                linestyle="none",
                marker="o",
                markersize=3.2,
                color=look.color,
                markerfacecolor=face,
                markeredgecolor=look.color,
                markeredgewidth=0.7,
            )
        ends = [row["low"], row["high"]]
        axes.plot(ends, [y + 0.28] * 2, color=DARK, linewidth=1.4, solid_capstyle="butt")
        axes.plot(row["center"], y + 0.28, marker="|", markersize=7, markeredgecolor=DARK)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    sides = "other − control" if is_error else "control − other"
    axes.set_xlabel(f"{sides}: to the right the control is better")
    dot: dict[str, Any] = {"linestyle": "none", "marker": "o", "color": "0.4", "markersize": 3.2}
    handles: list[Artist] = [
        Line2D([], [], label="a stream", **dot),
        Line2D([], [], color=DARK, linewidth=1.4, marker="|", label="centre and interval"),
        Patch(color=ROPE_COLOR, label=f"practically equal, within ±{rope:g}"),
    ]
    if rows["simulated"].any():
        hollow: dict[str, Any] = {"markerfacecolor": "white", "markeredgecolor": "0.4"}
        handles.insert(1, Line2D([], [], label="a simulated stream", **dot, **hollow))
    style.legend(figure, handles if rope > 0 else handles[:-1], columns=4)
    return figure
