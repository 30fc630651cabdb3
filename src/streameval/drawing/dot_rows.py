"""Rows of dots with intervals, each with its name beside or above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from streameval.drawing.canvas import NARROW, PageLegend, canvas, shorten_middle, wrapped_title
from streameval.evaluation.task import Task
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import StreamMean

#: Height of a row of dots with its name beside it, in pixels.
ROW_HEIGHT = 28
#: Height of a row of dots with its name above it, in pixels.
ROW_HEIGHT_WITH_NAME = 44
#: Height of the title and the axis of a panel, in pixels.
PANEL_MARGINS = 62
#: Colour of the line at 0.
ZERO_COLOR = "#666666"
#: Colour of the region of practical equality.
ROPE_COLOR = "#dddddd"
#: Colour of the page.
PAGE_COLOR = "#ffffff"
#: Largest number of letters of the longest name, times the number of columns of panels, for names
#: beside the dots. Longer names are above the dots.
_MAX_LETTERS_BESIDE = 52
#: Largest number of letters of a name above the dots.
_MAX_LETTERS_ABOVE = 46


class Dot(NamedTuple):
    """A value with its interval, its colour, and whether it is hollow."""

    value: StreamMean | Interval
    color: str
    is_hollow: bool = False


class DotRow(NamedTuple):
    """A row of dots with intervals, and its name."""

    name: str
    dots: Sequence[Dot]


def draw_dot_rows(
    panels: Sequence[tuple[str, Sequence[DotRow]]],
    task: Task,
    width: int,
    *,
    rope: float = 0.0,
    zero_line: bool = True,
    legend: PageLegend | None = None,
) -> Figure:
    """Draw rows of dots with intervals, a panel for each title; narrow figures have one column.

    `rope` is the half-width of the region of practical equality, 0 for none. With `zero_line`,
    values are differences, and a line marks 0.
    """
    n_rows = -(-len(panels) // (3 if width > NARROW else 1))  # rounded up
    n_columns = -(-len(panels) // n_rows)
    max_dot_rows = max(len(rows) for _, rows in panels)
    longest = max(len(row.name) for _, rows in panels for row in rows)
    is_beside = width > NARROW and longest * n_columns <= _MAX_LETTERS_BESIDE
    row_height = ROW_HEIGHT if is_beside else ROW_HEIGHT_WITH_NAME
    height = n_rows * (row_height * max_dot_rows + PANEL_MARGINS) + (legend.height if legend else 0)
    figure = canvas(width, height)
    grid = figure.subplots(n_rows, n_columns, squeeze=False, sharey=is_beside).flat
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    for axes, (title, panel_rows) in zip(grid, panels, strict=False):
        if rope:
            half_width = task.factor * rope
            axes.axvspan(-half_width, half_width, color=ROPE_COLOR, linewidth=0, zorder=0.5)
        if zero_line:
            axes.axvline(0, color=ZERO_COLOR, linewidth=1.0)
        for number, row in enumerate(panel_rows):
            _draw_row(axes, -number, row, task.factor)
            if not is_beside:
                _write_name_above(axes, -number, row.name)
        # A name above the dots needs more room.
        axes.set_ylim(*((0.6 - max_dot_rows, 0.6) if is_beside else (0.65 - max_dot_rows, 0.75)))
        n_tick_labels = max_dot_rows if is_beside else 0
        axes.set_yticks(
            [-n for n in range(n_tick_labels)],
            [row.name for row in panel_rows[:n_tick_labels]],
        )
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_locator(MaxNLocator(5 if n_columns > 1 or width == NARROW else 8))
        axes.margins(x=0.08)
        axes.set_title(wrapped_title(title, width // n_columns))
        if task.unit and zero_line:
            axes.set_xlabel(task.unit.strip())
    if legend:
        legend.add(figure)
    return figure


def _draw_row(axes: Axes, y: float, row: DotRow, factor: float) -> None:
    for value, color, is_hollow in row.dots:
        low, high = factor * value.low, factor * value.high
        axes.hlines(y, low, high, color=color, linewidth=2.2, alpha=0.55)
        look = hollow(color) if is_hollow else {}
        axes.plot([factor * value.mean], [y], "o", color=color, **{"markersize": 8, **look})


def _write_name_above(axes: Axes, y: float, name: str) -> None:
    """Write the name of a row above its dots, on a box that hides the grid."""
    axes.text(
        0.0,
        y + 0.26,
        shorten_middle(name, _MAX_LETTERS_ABOVE),
        transform=axes.get_yaxis_transform(),
        ha="left",
        va="bottom",
        bbox={"facecolor": PAGE_COLOR, "linewidth": 0, "pad": 1.0},
    )


def hollow(color: str) -> dict[str, Any]:
    """The look of a marker that is not filled."""
    return {"markerfacecolor": "none", **marker_edge(color, 1.6)}


def marker_edge(color: str, width: float, size: float = 8.0) -> dict[str, Any]:
    """The look of the edge of a marker."""
    return {"markeredgecolor": color, "markeredgewidth": width, "markersize": size}
