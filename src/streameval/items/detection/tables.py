"""Tables of drift detectors."""

from __future__ import annotations

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.items.columns import count, laid_out, number, stream_notes, streams, text, with_ends
from streameval.items.detection.settings import (
    CHOICE,
    AlarmCalibrationSettings,
    DetectorChoiceSettings,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.view.blocks import Table

_TOO_FEW = "Parameters are chosen on other streams: at least two with drifts are needed."
#: The measure by which parameters are chosen, and its column.
_MEASURE = "episode_f1"


def study_detector_choice(
    given: StreamInputs, item: ItemInput[DetectorChoiceSettings]
) -> pd.DataFrame:
    """Return the table of an item: each detector on each stream, with parameters chosen elsewhere.

    Chosen are those with the highest mean F1 over the other streams (the mean of a stream's
    changes, then of streams); ``best`` are those for this stream, by hindsight. Changes without
    drifts have no F1; without two streams with drifts there is no row.
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


def layout_detector_choice(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each detector, stream and change."""
    columns = [
        text("Detector", "detector"),
        streams(subject),
        text("Drift", "change"),
        text("chosen elsewhere", "chosen"),
        with_ends("F1", "f1", 2, ("low", "high")),
        number("usual", "usual", 2),
        number("best", "best", 2),
        text("best in hindsight", "hindsight"),
    ]
    return laid_out(table, columns, stream_notes(table) if len(table) else (_TOO_FEW,))


def study_alarm_calibration(
    given: StreamInputs, item: ItemInput[AlarmCalibrationSettings]
) -> pd.DataFrame:
    """Return the table of an item; see `streameval.items.detection.alarm_calibration`."""
    from streameval.items.detection.alarm_calibration import calibration  # loads numba

    return calibration(item)


def layout_alarm_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, length, rate and null."""
    columns = [
        text("Streams", "title"),
        count("Instances", "instances"),
        number("Alarms per 1,000", "rate", 0, 1000.0),
        text("Alarms", "alarms"),
        count("Number", "streams"),
        number("with an interval", "interval", 2),
        with_ends("interval excludes 0", "excludes", 3),
    ]
    return laid_out(table, columns)
