"""Pictures of the labels, or of the numeric target, of a stream."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter

from streameval.base.arrays import Integers
from streameval.drawing import style
from streameval.drawing.canvas import NARROW, PageLegend, canvas
from streameval.drawing.class_distribution import (
    draw_autocorrelation,
    draw_proportions,
    largest_classes,
)
from streameval.drawing.dot_rows import ZERO_COLOR
from streameval.drawing.time_axis import axis_numbers, set_time_axis
from streameval.streams.timeline import Timeline
from streameval.view.numbers import number_text

#: Height of a panel in pixels.
_PANEL_HEIGHT = 190
#: Height of the title and the axis of a panel in pixels.
_PANEL_MARGINS = 60
#: Height of the figure of the lags of a target in pixels, with its title and axis: the plot is
#: 20 pixels less high than other panels.
_LAGS_HEIGHT = _PANEL_HEIGHT + _PANEL_MARGINS - 20
#: Colour of the line of a mean.
MEAN_COLOR = "#000000"


def draw_classes_over_time(
    class_proportions: pd.DataFrame, timeline: Timeline, window: int, width: int
) -> Figure:
    """Draw the proportion of each class over a sliding window, with small classes summed.

    `class_proportions` has the columns ``instance``, ``class`` and ``proportion``. `timeline` has
    the labelled instances; ``instance`` is the number of the last of them in a window, from 1.
    """
    proportions = largest_classes(
        class_proportions.pivot_table("proportion", "instance", "class", sort=False, observed=True)
    )
    looks = [*style.CLASS_LOOKS, style.OTHER_CLASSES_LOOK]
    names = [str(name) for name in proportions.columns]
    lines = zip(looks, style.shorten_names(names), strict=False)
    legend = PageLegend([style.handle(look, name, marker="") for look, name in lines], width)
    figure = canvas(width, _PANEL_MARGINS + _PANEL_HEIGHT + legend.height)
    axes = figure.subplots()
    times = timeline.take(proportions.index.to_numpy() - 1).axis
    draw_proportions(axes, proportions, times)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    axes.set_title(f"classes, last {window:,} labels")
    set_time_axis(axes, times, timeline.begin, ticks=8 if width > NARROW else 4)
    legend.add(figure)
    return figure


def draw_runs_and_lags(lengths: Integers, lags: pd.DataFrame | None, width: int) -> Figure:
    """Draw the lengths of runs of equal labels, and the autocorrelation of the label."""
    panels = 1 if lags is None else 2
    n_columns = panels if width > NARROW else 1
    n_rows = panels // n_columns
    figure = canvas(width, n_rows * (_PANEL_HEIGHT + _PANEL_MARGINS))
    grid = figure.subplots(n_rows, n_columns, squeeze=False).flat
    _draw_runs(grid[0], lengths)
    if lags is not None:
        _draw_lags(grid[1], lags, "the label")
    return figure


def draw_target_over_time(
    frame: pd.DataFrame, timeline: Timeline, window: int, width: int
) -> Figure:
    """Draw the mean, the median and two ranges of a target over a sliding window.

    `frame` is from `quantiles_over_time`. `timeline` has the instances with targets; the column
    ``instance`` is the number of the last of them in a window, from 1.
    """
    look = style.CLASS_LOOKS[0]
    darker = 1 - (1 - style.BAND_OPACITY) ** 2  # opacity where two bands overlap
    handles = [
        Line2D([], [], color=MEAN_COLOR, linestyle=style.CLASS_LOOKS[1].dash, label="mean"),
        Line2D([], [], color=look.color, label="median"),
        Patch(facecolor=look.color, linewidth=0, alpha=darker, label="half of all"),
        Patch(facecolor=look.color, linewidth=0, alpha=style.BAND_OPACITY, label="90 %"),
    ]
    legend = PageLegend(handles, width)
    figure = canvas(width, _PANEL_MARGINS + _PANEL_HEIGHT + legend.height)
    axes = figure.subplots()
    times = timeline.take(frame["instance"].to_numpy() - 1).axis
    positions = axis_numbers(times)
    # "least" to "most" is the central 90 % of the targets, "low" to "high" the central half.
    for low, high in (("least", "most"), ("low", "high")):
        style.band(axes, positions, frame[low], frame[high], look)
    axes.plot(positions, frame["median"], **look.line)
    axes.plot(positions, frame["mean"], color=MEAN_COLOR, linestyle=style.CLASS_LOOKS[1].dash)
    axes.set_title(f"last {window:,} targets")
    set_time_axis(axes, times, timeline.begin, ticks=8 if width > NARROW else 4)
    legend.add(figure)
    return figure


def draw_lags_of_target(lags: pd.DataFrame, width: int) -> Figure:
    """Draw the autocorrelation of a target by lag."""
    figure = canvas(width, _LAGS_HEIGHT)
    _draw_lags(figure.subplots(), lags, "the target")
    return figure


def _draw_lags(axes: Axes, frame: pd.DataFrame, subject: str) -> None:
    axes.axhline(0, color=ZERO_COLOR, linewidth=1.0)
    draw_autocorrelation(axes, frame)
    axes.set_title(f"autocorrelation of {subject}")


def _draw_runs(axes: Axes, lengths: Integers) -> None:
    """Draw the proportion of labels by the length of their run, in powers of two."""
    power = np.log2(lengths).astype(np.int64)
    proportions = np.bincount(power, weights=lengths) / lengths.sum()
    powers = np.arange(len(proportions))
    axes.bar(powers, proportions, color=style.CLASS_LOOKS[0].color, width=0.8)
    ticks = powers[:: max(1, -(-len(powers) // 7))]  # at most seven ticks
    axes.set_xticks(ticks, [_short(2 ** int(tick)) for tick in ticks])
    # The tick of a bar is its shortest length: the bar at "4" has runs of 4 to 7 labels.
    axes.set_xlabel("length of the run, from … on")
    axes.set_title("labels by the length of their run")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.grid(visible=False, axis="x")


def _short(number: int) -> str:
    return str(number) if number < 10_000 else f"{number_text(number / 1000, 0)}k"
