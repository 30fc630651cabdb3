"""Tables of drift detectors."""

from __future__ import annotations

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.detection.settings import (
    CHOICE,
    AlarmCalibrationSettings,
    DetectorChoiceSettings,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.report.tables import (
    Layout,
    in_brackets,
    number_text,
    stream_names,
    stream_notes,
)

_TOO_FEW = "Parameters are chosen on other streams: at least two with drifts are needed."
#: The measure by which parameters are chosen, and its column.
_MEASURE = "episode_f1"


def study_detector_choice(
    given: StreamInputs, item: ItemInput[DetectorChoiceSettings]
) -> pd.DataFrame:
    """Return the table of an item: each detector on each stream, with parameters chosen elsewhere.

    Columns detector, stream, simulated, change; chosen, the parameters with the highest mean F1
    over the other streams (the mean of a stream's changes, then of streams); f1, the mean of the
    runs with these, with its interval (low, high); usual, that with the usual parameters; best,
    that of the best ones for this stream, and which these are (hindsight). Changes without drifts
    have no F1. Without two streams with drifts there is no row.
    """
    summaries, size = (item.frames_of_streams(name) for name in ("summary", "size"))
    parts = [frame.assign(stream=stream) for stream, frame in summaries.items()]
    found = pd.concat(parts, ignore_index=True)
    found = found[(found["measure"] == _MEASURE) & found["mean"].notna()]
    if found["stream"].nunique() < 2:
        return pd.DataFrame(columns=list(CHOICE))
    rows = []
    for family, own in found.groupby(found["detector"].str.partition(":")[0], sort=False):
        by_change = own.groupby(["stream", "detector"], sort=False)["mean"].mean()
        for (stream, change), here in own.groupby(["stream", "change"], sort=False):
            others = by_change.drop(stream).groupby("detector", sort=False).mean()
            cells, chosen = here.set_index("detector"), str(others.idxmax())
            simulated = bool(size[str(stream)]["simulated"].iloc[0])
            reached = cells.loc[chosen, ["mean", "low", "high"]]
            f1 = cells["mean"]
            about = (family, stream, simulated, change, chosen)
            rows.append((*about, *reached, f1.iloc[0], f1.max(), f1.idxmax()))
    return pd.DataFrame(rows, columns=list(CHOICE))


def layout_detector_choice(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each detector, stream and change."""
    ends = zip(table["f1"], table["low"], table["high"], strict=True)
    shown = pd.DataFrame(
        {
            "Detector": table["detector"],
            "Stream": stream_names(table, subject.streams),
            "Drift": table["change"],
            "chosen elsewhere": table["chosen"],
            "F1": [in_brackets(*one, 2) for one in ends],
            "usual": [number_text(float(value), 2) for value in table["usual"]],
            "best": [number_text(float(value), 2) for value in table["best"]],
            "best in hindsight": table["hindsight"],
        },
        dtype=object,
    )
    notes = stream_notes(table) if len(table) else (_TOO_FEW,)
    return Layout(shown, "llllrrrl", notes)


def study_alarm_calibration(
    given: StreamInputs, item: ItemInput[AlarmCalibrationSettings]
) -> pd.DataFrame:
    """Return the table of an item; see `streameval.items.detection.alarm_calibration`."""
    from streameval.items.detection.alarm_calibration import calibration  # loads numba

    return calibration(item)


def layout_alarm_calibration(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: a row for each law, length, rate and null."""
    ends = zip(table["excludes"], table["excludes_low"], table["excludes_high"], strict=True)
    shown = pd.DataFrame(
        {
            "Streams": table["title"],
            "Instances": [number_text(int(n)) for n in table["instances"]],
            "Alarms per 1,000": [number_text(1000.0 * rate, 0) for rate in table["rate"]],
            "Alarms": table["alarms"],
            "Number": [number_text(int(n)) for n in table["streams"]],
            "with an interval": [number_text(value, 2) for value in table["interval"]],
            "interval excludes 0": [in_brackets(*one, 3) for one in ends],
        },
        dtype=object,
    )
    return Layout(shown, "lrrlrrr")
