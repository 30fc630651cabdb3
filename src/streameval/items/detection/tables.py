"""Tables of drift detectors."""

from __future__ import annotations

import pandas as pd

from streameval.items.detection.settings import AlarmCalibrationSettings
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.subject import Subject
from streameval.report.tables import Layout, in_brackets, number_text


def study_alarm_calibration(
    given: StreamInputs, item: ItemInput[AlarmCalibrationSettings]
) -> pd.DataFrame:
    """Return the table of an item; see `streameval.items.detection.alarm_calibration`."""
    from streameval.items.detection.alarm_calibration import calibration  # loads numba

    return calibration(item)


def layout_alarm_calibration(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each law, length, rate and kind of alarms."""
    ends = zip(table["excludes"], table["excludes_low"], table["excludes_high"], strict=True)
    shown = pd.DataFrame(
        {
            "Streams": table["title"],
            "Instances": [number_text(int(n)) for n in table["instances"]],
            "Alarms per 1,000": [number_text(1000.0 * rate, 0) for rate in table["rate"]],
            "Alarms": ["the same in each run" if one else "by seed" for one in table["same"]],
            "Number": [number_text(int(n)) for n in table["streams"]],
            "with an interval": [number_text(value, 2) for value in table["interval"]],
            "interval excludes 0": [in_brackets(*one, 3) for one in ends],
        },
        dtype=object,
    )
    return Layout(shown, "lrrlrrr")
