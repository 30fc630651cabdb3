"""Measures of class scores by learner, their skills, and how reliable forecasts are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.patches import Patch

from streameval.drawing import scales, style
from streameval.drawing.scales import Mark
from streameval.drawing.subject import Subject
from streameval.evaluation.roles import FORECAST_BASELINES

ROW_MM, AROUND_MM = 4.4, 38.0
#: What stands between rows of panels.
BETWEEN_MM = 13.0
#: Reliability diagrams in a row, and their height.
IN_A_ROW, DIAGRAM_MM = 4, 34.0
#: The panels of measures: what the axis is called, its greatest value and least length.
PANELS = (
    ("area under the\nROC curve", 1.0, 0.1),
    ("log loss (nats)", math.inf, 0.1),
    ("Brier score", 2.0, 0.1),
    ("expected calibration\nerror", 1.0, 0.05),
)
LOSSES = {"log_loss": "skill by log loss", "brier": "skill by Brier score"}
#: A skill over each of the forecasts by past labels.
OVER = {
    "label_proportions": Mark("over label proportions", "o"),
    "label_transitions": Mark("over label transitions", "D", filled=True),
}
VALUE = Mark("learner", "o", filled=True)
BAR_COLOR = "#C9D3DE"


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    measures, bins = frames["measures"], frames["bins"]
    classes = int(frames["size"]["classes"].iloc[0])
    wide = measures.set_index(["measure", "learner"]).sort_index()
    learners = [name for name in dict.fromkeys(measures["learner"]) if name not in OVER]
    names = scales.broken([subject.titles.get(name, name) for name in learners])
    rows_mm = scales.row_mm(names, ROW_MM) * len(names)
    lines = math.ceil(len(learners) / IN_A_ROW)
    heights = (rows_mm, rows_mm, lines * DIAGRAM_MM)
    whole_mm = sum(heights) + 2 * BETWEEN_MM + AROUND_MM
    drawn = style.sheet(whole_mm / style.WIDTH_MM[2], **subject.stream)
    grid = drawn.add_gridspec(3, 1, height_ratios=heights)
    _draw_measures(_row(drawn, grid[0], len(PANELS), names), wide, learners, classes)
    _draw_skills(_row(drawn, grid[1], len(LOSSES), names), wide, learners)
    below = grid[2].subgridspec(lines, IN_A_ROW)
    first, shown = None, bins[bins["learner"].isin(learners)]
    for number, (learner, name) in enumerate(zip(learners, names, strict=True)):
        place = below[number // IN_A_ROW, number % IN_A_ROW]
        axes = drawn.add_subplot(place, sharex=first, sharey=first)
        if first is None:
            first = axes
            first.set_xlim(float(shown["low"].min()), 1.01)
        _draw_diagram(axes, shown[shown["learner"] == learner], learner)
        axes.set_title(name, loc="left", pad=2.5)
        axes.tick_params(labelleft=number % IN_A_ROW == 0)
        if number % IN_A_ROW == 0:
            axes.set_ylabel("fraction correct")
        if number + IN_A_ROW >= len(learners):
            axes.set_xlabel("highest probability")
        else:
            axes.tick_params(labelbottom=False)
    handles = [
        *style.learner_handles(FORECAST_BASELINES, subject.titles),
        *(mark.handle() for mark in OVER.values()),
        Patch(color=BAR_COLOR, label="share of predictions"),
    ]
    style.legend(drawn, handles, columns=3)
    return drawn


def _row(drawn: Figure, place: SubplotSpec, panels: int, names: Sequence[str]) -> list[Axes]:
    """Return panels side by side with the same rows."""
    grid, made = place.subgridspec(1, panels), list[Axes]()
    for column in range(panels):
        axes = drawn.add_subplot(grid[column], sharey=made[0] if made else None)
        scales.dot_rows(axes, names)
        axes.tick_params(axis="y", labelleft=not made)
        made.append(axes)
    return made


def _draw_measures(
    panels: Sequence[Axes], wide: pd.DataFrame, learners: Sequence[str], classes: int
) -> None:
    shown = (
        "auc" if classes == 2 else "auc_one_vs_rest",
        *("log_loss", "brier", "expected_calibration_error"),
    )
    for axes, name, (title, upper, least) in zip(panels, shown, PANELS, strict=True):
        values = wide["value"].xs(name, level="measure").astype(float)
        for baseline in FORECAST_BASELINES:
            if np.isfinite(values[baseline]):
                axes.axvline(values[baseline], **style.learner_look(baseline).line)
        for row, learner in enumerate(learners):
            color = style.learner_look(learner).color
            scales.draw_dot(axes, VALUE, values[learner], row, color)
        scales.zoom(axes, values.to_numpy(), least, bounds=(0.0, upper), along="x")
        scales.thin(axes)
        axes.set_xlabel(title)


def _draw_skills(panels: Sequence[Axes], wide: pd.DataFrame, learners: Sequence[str]) -> None:
    for axes, (loss, title) in zip(panels, LOSSES.items(), strict=True):
        drawn = [0.0]
        for number, (baseline, mark) in enumerate(OVER.items()):
            values = wide["value"].xs(f"{loss}_skill_over_{baseline}", level="measure")
            for row, learner in enumerate(learners):
                y = scales.dot_height(row, number, len(OVER))
                value = float(values[learner])
                scales.draw_dot(axes, mark, value, y, style.learner_look(learner).color)
                drawn.append(value)
        style.zero_line(axes, along="x")
        scales.zoom(axes, drawn, 0.2, bounds=(-math.inf, 1.0), along="x")
        axes.set_xlabel(title)


def _draw_diagram(axes: Axes, bins: pd.DataFrame, learner: str) -> None:
    """Draw how often the most probable class is right, and how many predictions that is."""
    look, total = style.learner_look(learner), bins["predictions"].sum()
    wide = bins["high"] - bins["low"]
    shares = bins["predictions"] / total
    axes.bar(bins["low"] + wide / 2, shares, 0.9 * wide, color=BAR_COLOR, zorder=1)
    axes.plot([0, 1], [0, 1], color="0.4", linewidth=0.6, zorder=1.5)
    axes.plot(
        bins["forecast"], bins["correct"], color=look.color, marker=look.marker or "o", zorder=3
    )
    axes.set_ylim(0.0, 1.02)
