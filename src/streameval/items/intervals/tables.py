"""Tables of prediction intervals."""

from __future__ import annotations

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.columns import (
    count,
    laid_out,
    learners,
    number,
    stream_notes,
    streams,
    text,
    with_ends,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.intervals.settings import IntervalCalibrationSettings, IntervalTableSettings
from streameval.view.blocks import Column, Table

#: Columns of the page, with their digits; all measures are in the data.
_SHOWN = {
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
    given: StreamInputs, item: ItemInput[IntervalTableSettings]
) -> pd.DataFrame:
    """Return the table of an item: columns stream, simulated, then those of ``measures``."""
    return item.over_frames(lambda measures: measures, "measures")


def layout_interval_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each stream, delay, step and learner."""
    columns = [
        streams(subject),
        count("Delay", "delay"),
        Column("Step", ["step"], "{:g}".format),
        learners(subject),
        *(number(head, name, decimals) for name, (head, decimals) in _SHOWN.items()),
    ]
    return laid_out(table, columns, stream_notes(table))


def study_interval_calibration(
    given: StreamInputs, item: ItemInput[IntervalCalibrationSettings]
) -> pd.DataFrame:
    """Return the table of an item; see `streameval.items.intervals.calibration`."""
    from streameval.items.intervals.calibration import calibration  # loads numba

    return calibration(item)


def layout_interval_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, kind of intervals and length."""
    columns = [
        text("Targets", "title"),
        text("Intervals", "form"),
        count("Instances", "instances"),
        count("Number", "streams"),
        number("Coverage", "coverage", 3),
        number("with an interval", "interval", 2),
        number("median width", "width"),
        with_ends("misses", "misses", 3),
        number("skill with an interval", "skill_interval", 2),
        with_ends("excludes 0", "excludes", 3),
    ]
    return laid_out(table, columns)
