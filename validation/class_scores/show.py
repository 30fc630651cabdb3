"""Figures, tables and captions of class scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.patches import Patch

from class_scores import ScoreTableSettings
from streameval.drawing import scales, style
from streameval.drawing.scales import DotMark
from streameval.drawing.subject import Subject
from streameval.evaluation.roles import FORECAST_BASELINES
from streameval.items.columns import (
    count_column,
    frame_table,
    interval_column,
    number_column,
    stream_names,
    stream_notes,
    text_column,
    text_frame_table,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.text_templates import TextTemplates
from streameval.view.numbers import number_text
from streameval.view.parts import Column, Table

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "score_measures": TextTemplates(
        menu_entry="class scores as forecasts",
        caption=(
            "class scores as probability forecasts. Top: area under the ROC curve (with more "
            "than two classes, the mean over each class against the rest), log loss, Brier score "
            "and expected calibration error. Lines are forecasts by past labels only. Middle: "
            "skill by log loss and Brier score over these forecasts; 0 means equally good. "
            "Below: accuracy of predictions by the probability of the predicted class (dots), and "
            "the proportion of predictions in each bin (bars). Dots of reliable forecasts are on "
            "the diagonal, and dots of overconfident forecasts below it."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "score_table": TextTemplates(
        title="Class scores as forecasts",
        menu_entry="measures of class scores",
        caption=(
            "Measures of class scores as probability forecasts, by stream and learner, and their "
            "skill over forecasts by past labels only: 0 means equally good, 1 means no loss."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "skill_calibration": TextTemplates(
        title="Error rates of intervals of skill on fresh streams",
        menu_entry="error rates of intervals of skill",
        caption=(
            "{origin}Proportion of fresh streams in which the 95 % interval of a skill excludes "
            "0 although both forecasts have the same expected loss, with its exact 95 % "
            "interval, and the proportion in which it lies above 0. Exchangeable: Naive Bayes on "
            "one of two inputs of the same law, each repeated once or several times. Overrated: "
            "forecasts from the previous label and an input with too high a weight, against "
            "forecasts from the previous label alone."
        ),
        evaluation="test-then-train (prequential)",
    ),
}


#: Height of a learner's row.
ROW_MM = 4.4
#: Height of the title and the legend.
MARGINS_MM = 22.0
#: Height of the axes below the panels of measures; names of these axes have two lines.
MEASURES_AXIS_MM = 16.0
#: Height of the axes below the panels of skills.
SKILLS_AXIS_MM = 12.5
#: Number of reliability diagrams side by side.
DIAGRAM_COLUMNS = 4
#: Height of a reliability diagram with its title and axis.
DIAGRAM_MM = 50.0
#: Panels of measures: name of the axis, its maximum, and its minimum length.
PANELS = (
    ("area under the\nROC curve", 1.0, 0.1),
    ("log loss (nats)", math.inf, 0.1),
    ("Brier score", 2.0, 0.1),
    ("expected calibration\nerror", 1.0, 0.05),
)
#: Names of the axes of skills, by loss.
SKILL_TITLES = {"log_loss": "skill by log loss", "brier": "skill by Brier score"}
#: Marks of skills, by baseline.
SKILL_MARKS = {
    "label_proportions": DotMark("over label proportions", "o"),
    "label_transitions": DotMark("over label transitions", "D", filled=True),
}
#: Mark of a measure.
MEASURE_MARK = DotMark("learner", "o", filled=True)
#: Minimum length of an axis of skills.
MIN_SKILL_SPAN = 0.2
#: Colour of the bars of a reliability diagram.
BAR_COLOR = "#C9D3DE"


@style.styled
def draw_score_measures(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    measures, bins = frames["measures"], frames["bins"]
    classes = int(frames["size"]["classes"].iloc[0])
    by_measure = measures.set_index(["measure", "learner"]).sort_index()
    learners = [name for name in dict.fromkeys(measures["learner"]) if name not in SKILL_MARKS]
    names = scales.wrap_names([subject.titles.get(name, name) for name in learners])
    rows_mm = scales.row_mm(names, ROW_MM) * len(names)
    diagram_rows = math.ceil(len(learners) / DIAGRAM_COLUMNS)
    # The height of a row of panels includes its axes.
    heights = (rows_mm + MEASURES_AXIS_MM, rows_mm + SKILLS_AXIS_MM, diagram_rows * DIAGRAM_MM)
    figure = style.titled_figure(
        (sum(heights) + MARGINS_MM) / style.FULL_WIDTH_MM, **subject.stream_arguments
    )
    grid = figure.add_gridspec(3, 1, height_ratios=heights)
    _draw_measures(_add_panels(figure, grid[0], len(PANELS), names), by_measure, learners, classes)
    _draw_skills(_add_panels(figure, grid[1], len(SKILL_TITLES), names), by_measure, learners)
    lower_grid = grid[2].subgridspec(diagram_rows, DIAGRAM_COLUMNS)
    first_axes, learner_bins = None, bins[bins["learner"].isin(learners)]
    for index, (learner, name) in enumerate(zip(learners, names, strict=True)):
        cell = lower_grid[index // DIAGRAM_COLUMNS, index % DIAGRAM_COLUMNS]
        axes = figure.add_subplot(cell, sharex=first_axes, sharey=first_axes)
        if first_axes is None:
            first_axes = axes
            first_axes.set_xlim(float(learner_bins["low"].min()), 1.01)
        _draw_diagram(axes, learner_bins[learner_bins["learner"] == learner], learner)
        axes.set_title(name, loc="left", pad=2.5)
        axes.tick_params(labelleft=index % DIAGRAM_COLUMNS == 0)
        if index % DIAGRAM_COLUMNS == 0:
            axes.set_ylabel("fraction correct")
        if index + DIAGRAM_COLUMNS >= len(learners):
            axes.set_xlabel("highest probability")
        else:
            axes.tick_params(labelbottom=False)
    handles = [
        *style.learner_handles(FORECAST_BASELINES, subject.titles),
        *(mark.handle() for mark in SKILL_MARKS.values()),
        Patch(color=BAR_COLOR, label="proportion of predictions"),
    ]
    style.legend(figure, handles, columns=3)
    return figure


def _add_panels(
    figure: Figure, cell: SubplotSpec, n_panels: int, names: Sequence[str]
) -> list[Axes]:
    """Add panels side by side to a cell of a grid, each with a row for each name."""
    grid, row = cell.subgridspec(1, n_panels), list[Axes]()
    for column in range(n_panels):
        axes = figure.add_subplot(grid[column], sharey=row[0] if row else None)
        scales.dot_rows(axes, names)
        axes.tick_params(axis="y", labelleft=not row)
        row.append(axes)
    return row


def _draw_measures(
    panels: Sequence[Axes], by_measure: pd.DataFrame, learners: Sequence[str], classes: int
) -> None:
    measures = (
        "auc" if classes == 2 else "auc_one_vs_rest",
        *("log_loss", "brier", "expected_calibration_error"),
    )
    for axes, name, (title, upper, min_span) in zip(panels, measures, PANELS, strict=True):
        values = by_measure["value"].xs(name, level="measure").astype(float)
        for baseline in FORECAST_BASELINES:
            if np.isfinite(values[baseline]):
                axes.axvline(values[baseline], **style.learner_look(baseline).line)
        for row, learner in enumerate(learners):
            color = style.learner_look(learner).color
            scales.draw_dot(axes, MEASURE_MARK, values[learner], row, color)
        scales.zoom(axes, values.to_numpy(), min_span, bounds=(0.0, upper), along="x")
        scales.limit_ticks(axes)
        axes.set_xlabel(title)


def _draw_skills(panels: Sequence[Axes], by_measure: pd.DataFrame, learners: Sequence[str]) -> None:
    for axes, (loss, title) in zip(panels, SKILL_TITLES.items(), strict=True):
        limits = [0.0]
        for index, (baseline, mark) in enumerate(SKILL_MARKS.items()):
            values = by_measure["value"].xs(f"{loss}_skill_over_{baseline}", level="measure")
            for row, learner in enumerate(learners):
                y = scales.dot_y(row, index, len(SKILL_MARKS))
                value = float(values[learner])
                scales.draw_dot(axes, mark, value, y, style.learner_look(learner).color)
                limits.append(value)
        style.zero_line(axes, along="x")
        scales.zoom(axes, limits, MIN_SKILL_SPAN, bounds=(-math.inf, 1.0), along="x")
        axes.set_xlabel(title)


def _draw_diagram(axes: Axes, bins: pd.DataFrame, learner: str) -> None:
    """Draw the accuracy and the proportion of predictions in each bin."""
    look, total = style.learner_look(learner), bins["predictions"].sum()
    widths = bins["high"] - bins["low"]
    proportions = bins["predictions"] / total
    axes.bar(bins["low"] + widths / 2, proportions, 0.9 * widths, color=BAR_COLOR, zorder=1)
    axes.plot([0, 1], [0, 1], color="0.4", linewidth=0.6, zorder=1.5)
    axes.plot(
        bins["forecast"], bins["correct"], color=look.color, marker=look.marker or "o", zorder=3
    )
    axes.set_ylim(0.0, 1.02)


#: Headers of the measures on the page; the CSV has all measures.
_MEASURE_HEADERS = {
    "auc": "AUC",
    "auc_one_vs_rest": "AUC against the rest",
    "log_loss": "Log loss",
    "brier": "Brier score",
    "expected_calibration_error": "Calibration error",
}
#: Headers of losses in tables.
_LOSS_HEADERS = {"log_loss": "Log loss", "brier": "Brier"}


def study_score_table(
    stream_inputs: StreamInputs, item: ItemInput[ScoreTableSettings]
) -> pd.DataFrame:
    """The table of an item: columns stream, simulated, then the columns of ``measures``."""
    return item.table_from_frames(lambda measures: measures, "measures")


def layout_score_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each stream and learner."""
    key = ["stream", "simulated", "learner"]
    rows = table[key].drop_duplicates(ignore_index=True)
    cells = table.set_index(["stream", "learner", "measure"])
    pairs = list(zip(rows["stream"], rows["learner"], strict=True))
    columns = {
        "Stream": stream_names(rows, subject.streams),
        "Learner": [subject.titles.get(str(name), str(name)) for name in rows["learner"]],
    }
    for name, header in _MEASURE_HEADERS.items():
        columns[header] = [number_text(cells["value"][(*pair, name)], 3) for pair in pairs]
    groups = [""] * len(columns)  # header above several columns, if any
    for loss, header in _LOSS_HEADERS.items():
        for baseline in FORECAST_BASELINES:
            column = f"{loss}_skill_over_{baseline}"
            baseline_name = baseline.removeprefix("label_")
            columns[f"{header} skill: over {baseline_name}"] = [
                number_text(cells["value"][(*pair, column)], 3) for pair in pairs
            ]
            groups.append(f"{header} skill")
    frame = pd.DataFrame(columns, dtype=object)
    return text_frame_table(
        frame, "ll" + "r" * (len(columns) - 2), stream_notes(table), tuple(groups)
    )


def layout_skill_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, pair of forecasts, loss and length."""
    columns = [
        text_column("Streams", "title"),
        text_column("Forecasts", "pair"),
        Column("Input counts", ["times"], lambda times: f"{number_text(times, 2)} times"),
        Column("Loss", ["loss"], _LOSS_HEADERS.__getitem__, kind="text"),
        count_column("Instances", "instances"),
        count_column("Number", "streams"),
        number_column("with an interval", "interval", 2),
        interval_column("interval excludes 0", "excludes", 3),
        number_column("above 0", "above", 3),
    ]
    return frame_table(table, columns)
