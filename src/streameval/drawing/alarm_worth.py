"""Alarms of drift detectors over time, and the accuracy of a learner that resets at alarms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from streameval.drawing import scales, style
from streameval.drawing.drift_marks import mark_drifts
from streameval.drawing.scales import DotMark
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_numbers, axis_times, set_time_axis

#: Height of the row of a detector.
ROW_MM = 4.6
#: Height of the panel of errors.
ERRORS_MM = 30.0
#: Height of title, axes and legend.
MARGINS_MM = 34.0
#: Relative widths of the panels of alarms over time, of accuracies and of differences.
WIDTHS = (2.2, 1.3, 1.3)
#: DotMark of the accuracy with resets at the alarms of a detector.
AT_ALARMS = DotMark("at its alarms", "o", filled=True)
#: DotMark of the accuracy with resets at shuffled alarms.
SHUFFLED = DotMark("alarms shuffled", "o")
#: Row of the learner without resets. Other rows belong to detectors, and one to No-Change.
_NEVER = "never"
#: The row of No-Change.
_NO_CHANGE = "no_change"
#: Percentage points in an accuracy of 1.
_POINTS = 100.0


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject, begin: Any = ()) -> Figure:
    """Draw the figure of an item from its frames.

    The time axis starts at `begin`, see `set_time_axis`. If resets do not change predictions, the
    figure has only the panels of errors and alarms.
    """
    worth = frames["worth"].set_index("detector")
    (learner,) = subject.settings.learners
    look = style.learner_look(learner)
    detectors = [name for name in worth.index if name not in (_NEVER, _NO_CHANGE)]
    names = scales.wrap_names(detectors)
    rows_mm = scales.row_mm(names, ROW_MM) * len(names)
    figure = style.titled_figure(
        (ERRORS_MM + MARGINS_MM + rows_mm) / style.FULL_WIDTH_MM, **subject.stream_arguments
    )
    changes_predictions = bool(worth["shuffled"].notna().any())
    widths = WIDTHS if changes_predictions else WIDTHS[:1]  # only the panel of alarms
    heights = (ERRORS_MM, rows_mm)
    grid = figure.add_gridspec(2, len(widths), width_ratios=widths, height_ratios=heights)
    alarm_panel = figure.add_subplot(grid[1, 0])
    errors = figure.add_subplot(grid[0, 0], sharex=alarm_panel)
    right_panels = [
        figure.add_subplot(grid[1, i], sharey=alarm_panel) for i in range(1, len(widths))
    ]
    for axes in (alarm_panel, *right_panels):
        scales.dot_rows(axes, names)
    for axes in right_panels:
        axes.tick_params(axis="y", labelleft=False)
    addition = ", no resets" if changes_predictions else ""
    titles = {learner: subject.titles.get(learner, learner) + addition}
    titles |= {_NO_CHANGE: subject.titles.get(_NO_CHANGE, "No-Change")}
    _draw_errors(errors, frames["errors"], learner)
    _draw_alarms(alarm_panel, frames["alarms"], detectors, look.color)
    over_time = [frames[name] for name in ("errors", "alarms")]
    times = pd.concat([axis_times(frame) for frame in over_time if len(frame)])
    set_time_axis(alarm_panel, times, begin, ticks=6, length_factor=style.AXIS_FACTOR)
    handles = [style.learner_handle(name, titles[name]) for name in (learner, _NO_CHANGE)]
    if changes_predictions:
        _draw_accuracies(right_panels[0], worth, detectors, learner)
        _draw_differences(right_panels[1], worth, detectors, look.color)
        handles += [mark.handle() for mark in (AT_ALARMS, SHUFFLED)]
    marks = mark_drifts((errors, alarm_panel), frames["errors"], subject.drifts)
    style.legend(figure, [*handles, *marks], columns=len(handles))
    return figure


def _draw_errors(axes: Axes, errors: pd.DataFrame, learner: str) -> None:
    for name, look_id in ((_NEVER, learner), (_NO_CHANGE, _NO_CHANGE)):
        rows = errors[errors["name"] == name]
        axes.plot(axis_numbers(axis_times(rows)), rows["error"], **style.learner_look(look_id).line)
    axes.set_ylabel("error rate")
    axes.set_ylim(bottom=0.0)
    axes.tick_params(axis="x", labelbottom=False)


def _draw_alarms(axes: Axes, alarms: pd.DataFrame, detectors: list[str], color: str) -> None:
    for row, name in enumerate(detectors):
        positions = axis_numbers(axis_times(alarms[alarms["detector"] == name]))
        axes.vlines(positions, row - 0.3, row + 0.3, color=color, linewidth=0.6)
    axes.set_title("alarms", loc="left")


def _draw_accuracies(axes: Axes, worth: pd.DataFrame, detectors: list[str], learner: str) -> None:
    for name, look_id in ((_NEVER, learner), (_NO_CHANGE, _NO_CHANGE)):
        axes.axvline(float(worth["accuracy"][name]), **style.learner_look(look_id).line)
    color = style.learner_look(learner).color
    for row, name in enumerate(detectors):
        scales.draw_dot(axes, SHUFFLED, float(worth["shuffled"][name]), row, color)
        scales.draw_dot(axes, AT_ALARMS, float(worth["accuracy"][name]), row, color)
    values = worth[["accuracy", "shuffled"]].to_numpy(dtype=float)
    scales.zoom(axes, values, min_length=0.02, along="x")
    axes.set_xlabel("accuracy with resets")


def _draw_differences(axes: Axes, worth: pd.DataFrame, detectors: list[str], color: str) -> None:
    style.zero_line(axes, along="x")
    differences = _POINTS * worth.loc[
        detectors, ["over_shuffled", "over_shuffled_low", "over_shuffled_high"]
    ].astype(float)
    for row, (value, low, high) in enumerate(differences.to_numpy()):
        if np.isfinite(low):
            axes.hlines(row, low, high, color=color, linewidth=style.BAR_WIDTH)
        axes.add_line(Line2D([value], [row], marker="o", color=color, linestyle="none"))
    scales.zoom(axes, differences.to_numpy(), min_length=1.0, bounds=(-_POINTS, _POINTS), along="x")
    axes.set_xlabel("alarms better than\nshuffled ones (points)")
