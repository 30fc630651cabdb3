"""Figures, tables and captions of prediction intervals."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from prediction_intervals import STEPS, IntervalTableSettings
from streameval.drawing import style
from streameval.drawing.curves import draw_panel, pivot_measure
from streameval.drawing.drift_marks import mark_drifts
from streameval.drawing.subject import Subject
from streameval.drawing.time_axis import axis_start, axis_times, set_time_axis
from streameval.items.columns import (
    count_column,
    frame_table,
    interval_column,
    learner_column,
    number_column,
    stream_column,
    stream_notes,
    text_column,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.text_templates import TextTemplates
from streameval.measures.prediction_intervals import INTERVAL_MEASURES
from streameval.view.parts import Column, Table

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "interval_calibration": TextTemplates(
        title="Error rates of intervals of coverage and skill on fresh streams",
        menu_entry="error rates of intervals of coverage",
        caption=(
            "{origin}Coverage: proportion of its 95 % intervals that miss the mean coverage over "
            "all streams of the row. Skill: proportion of its 95 % intervals that exclude 0, "
            "although both predictions have the same expected interval score. Proportions are "
            "over the streams that have an interval; each has an exact 95 % interval. The "
            "prediction is the previous target plus random noise; a skill compares two "
            "predictions with different noise. Fixed: the width is a quantile of the law of "
            "errors. Split: conformal intervals with a step of 0. Adaptive: with a step of 0.005. "
            "All have a nominal coverage of 0.9. Unequal: a narrow and a wide interval of fixed "
            "width with the same expected score."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "interval_table": TextTemplates(
        title="Prediction intervals of regressors",
        menu_entry="coverage and score of prediction intervals",
        caption=(
            "Adaptive conformal prediction intervals around regressors. Coverage: proportion of "
            "targets within their interval; least: the lowest in any sliding window. Width: the "
            "mean, in the unit of the target, and divided by the range of the targets (NMPIW). "
            "Score: the mean interval score; smaller is better. Limited: proportion of intervals "
            "whose theoretical width is above or below all errors so far. Skill: 1 minus the "
            "ratio of the score to the score of a baseline with the same kind of intervals. With "
            "a step of 0, intervals are split-conformal over a sliding window. No measure has a "
            "confidence interval."
        ),
        evaluation="test-then-train (prequential)",
    ),
    "prediction_intervals": TextTemplates(
        menu_entry="prediction intervals over time",
        caption=(
            "adaptive conformal prediction intervals with a nominal coverage of {coverage} "
            "(dotted), from the last {residuals} absolute errors of each regressor, over the last "
            "{window} predictions. A column for each delay of targets, in instances: coverage for "
            "each step of the level (γ), then the mean width with the last step. The previous "
            "target is the latest known at the prediction."
        ),
        evaluation="test-then-train (prequential), with immediate or delayed targets",
    ),
}


_COVERAGE, _WIDTH = "interval_coverage", "mean_interval_width"
#: Height of a panel.
_PANEL_MM = 34.0
#: Height of the legend and the axis names.
_MARGINS_MM = 26.0


@style.styled
def draw_prediction_intervals(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    curves, settings = frames["curves"], subject.settings
    learners = list(curves["learner"].unique())
    panel_rows = [*((_COVERAGE, step) for step in STEPS), (_WIDTH, STEPS[-1])]
    height = (_MARGINS_MM + _PANEL_MM * len(panel_rows)) / style.FULL_WIDTH_MM
    figure = style.titled_figure(height, **subject.stream_arguments)
    panels = figure.subplots(
        len(panel_rows), len(settings.delays), sharex=True, sharey="row", squeeze=False
    )
    for (name, step), row in zip(panel_rows, panels, strict=True):
        for axes, delay in zip(row, settings.delays, strict=True):
            part = curves[(curves["step"] == step) & (curves["delay"] == delay)]
            draw_panel(axes, INTERVAL_MEASURES[name], pivot_measure(part, name, learners))
            title = f"delay {delay:,} · γ = {step:g}" if delay else f"no delay · γ = {step:g}"
            axes.set_title(title, loc="left", pad=2.5)
            if name == _COVERAGE:
                axes.axhline(settings.coverage, color="black", linewidth=0.8, linestyle=":")
            if axes is not row[0]:
                axes.set_ylabel("")
    marks = list[Artist]()
    for axes, delay, column in zip(panels[-1], settings.delays, panels.T, strict=True):
        set_time_axis(axes, axis_times(curves), axis_start(curves), length_factor=style.AXIS_FACTOR)
        marks += mark_drifts(column, curves[curves["delay"] == delay], subject.drifts)
    marks = list({str(mark.get_label()): mark for mark in marks}.values())
    handles = [*style.learner_handles(learners, subject.titles), *marks]
    style.legend(figure, handles, columns=5)
    figure.align_ylabels([row[0] for row in panels])
    return figure


#: Headers and decimals of measures on the page; the data have all measures.
_MEASURE_COLUMNS = {
    "interval_coverage": ("Coverage", 3),
    "least_coverage": ("least", 3),
    "mean_interval_width": ("Width", 2),
    "normalised_interval_width": ("NMPIW", 3),
    "interval_score": ("Score", 2),
    "limited_intervals": ("Limited", 4),
    "interval_skill_over_previous_target": ("Skill over the previous target", 3),
    "interval_skill_over_target_mean": ("over the mean", 3),
}


def study_interval_table(
    stream_inputs: StreamInputs, item: ItemInput[IntervalTableSettings]
) -> pd.DataFrame:
    """The table of an item: columns stream, simulated, then the columns of ``measures``."""
    return item.table_from_frames(lambda measures: measures, "measures")


def layout_interval_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each stream, delay, step and learner."""
    columns = [
        stream_column(subject),
        count_column("Delay", "delay"),
        Column("Step", ["step"], "{:g}".format),
        learner_column(subject),
        *(
            number_column(head, name, decimals)
            for name, (head, decimals) in _MEASURE_COLUMNS.items()
        ),
    ]
    return frame_table(table, columns, stream_notes(table))


def layout_interval_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, kind of intervals and length."""
    columns = [
        text_column("Targets", "title"),
        text_column("Intervals", "form"),
        count_column("Instances", "instances"),
        count_column("Number", "streams"),
        number_column("Coverage", "coverage", 3),
        number_column("with an interval", "interval", 2),
        number_column("median width", "width"),
        interval_column("misses", "misses", 3),
        number_column("skill with an interval", "skill_interval", 2),
        interval_column("excludes 0", "excludes", 3),
    ]
    return frame_table(table, columns)
