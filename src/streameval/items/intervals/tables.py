"""Tables of prediction intervals."""

from __future__ import annotations

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.intervals.settings import IntervalCalibrationSettings, IntervalTableSettings
from streameval.report.tables import (
    Layout,
    in_brackets,
    number_text,
    stream_names,
    stream_notes,
)

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


def layout_interval_table(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each stream, delay, step and learner."""
    shown = {
        "Stream": stream_names(table, subject.streams),
        "Delay": [number_text(int(delay)) for delay in table["delay"]],
        "Step": [f"{step:g}" for step in table["step"]],
        "Learner": [subject.titles.get(str(name), str(name)) for name in table["learner"]],
    }
    for name, (header, digits) in _SHOWN.items():
        shown[header] = [number_text(float(value), digits) for value in table[name]]
    frame = pd.DataFrame(shown, dtype=object)
    return Layout(frame, "lrrl" + "r" * len(_SHOWN), stream_notes(table))


def study_interval_calibration(
    given: StreamInputs, item: ItemInput[IntervalCalibrationSettings]
) -> pd.DataFrame:
    """Return the table of an item; see `streameval.items.intervals.calibration`."""
    from streameval.items.intervals.calibration import calibration  # loads numba

    return calibration(item)


def layout_interval_calibration(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each law, kind of intervals and length."""
    misses = zip(table["misses"], table["misses_low"], table["misses_high"], strict=True)
    false = zip(table["excludes"], table["excludes_low"], table["excludes_high"], strict=True)
    shown = pd.DataFrame(
        {
            "Targets": table["title"],
            "Intervals": table["form"],
            "Instances": [number_text(int(n)) for n in table["instances"]],
            "Number": [number_text(int(n)) for n in table["streams"]],
            "Coverage": [number_text(value, 3) for value in table["coverage"]],
            "with an interval": [number_text(value, 2) for value in table["interval"]],
            "median width": [number_text(value, 4) for value in table["width"]],
            "misses": [in_brackets(*one, 3) for one in misses],
            "skill with an interval": [number_text(value, 2) for value in table["skill_interval"]],
            "excludes 0": [in_brackets(*one, 3) for one in false],
        },
        dtype=object,
    )
    return Layout(shown, "llrrrrrrrr")
