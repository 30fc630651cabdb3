"""Tables of class scores."""

from __future__ import annotations

import pandas as pd

from streameval.drawing.subject import Subject
from streameval.evaluation.roles import FORECAST_BASELINES
from streameval.items.columns import (
    count,
    laid_out,
    number,
    of_texts,
    stream_names,
    stream_notes,
    text,
    with_ends,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.scores.settings import ScoreTableSettings, SkillCalibrationSettings
from streameval.view.blocks import Column, Table
from streameval.view.numbers import number_text

#: Columns of the page; all measures are in the data.
_SHOWN = {
    "auc": "AUC",
    "auc_one_vs_rest": "AUC against the rest",
    "log_loss": "Log loss",
    "brier": "Brier score",
    "expected_calibration_error": "Calibration error",
}
_LOSSES = {"log_loss": "Log loss", "brier": "Brier"}


def study_score_table(given: StreamInputs, item: ItemInput[ScoreTableSettings]) -> pd.DataFrame:
    """Return the table of an item: columns stream, simulated, then those of ``measures``."""
    return item.over_frames(lambda measures: measures, "measures")


def layout_score_table(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each stream and learner."""
    key = ["stream", "simulated", "learner"]
    rows = table[key].drop_duplicates(ignore_index=True)
    cells = table.set_index(["stream", "learner", "measure"])
    about = list(zip(rows["stream"], rows["learner"], strict=True))
    shown = {
        "Stream": stream_names(rows, subject.streams),
        "Learner": [subject.titles.get(str(name), str(name)) for name in rows["learner"]],
    }
    for name, header in _SHOWN.items():
        shown[header] = [number_text(cells["value"][(*one, name)], 3) for one in about]
    groups = [""] * len(shown)
    for loss, header in _LOSSES.items():
        for baseline in FORECAST_BASELINES:
            column = f"{loss}_skill_over_{baseline}"
            over = baseline.removeprefix("label_")
            shown[f"{header} skill: over {over}"] = [
                number_text(cells["value"][(*one, column)], 3) for one in about
            ]
            groups.append(f"{header} skill")
    frame = pd.DataFrame(shown, dtype=object)
    return of_texts(frame, "ll" + "r" * (len(shown) - 2), stream_notes(table), tuple(groups))


def study_skill_calibration(
    given: StreamInputs, item: ItemInput[SkillCalibrationSettings]
) -> pd.DataFrame:
    """Return the table of an item; see `streameval.items.scores.skill_calibration`."""
    from streameval.items.scores.skill_calibration import calibration  # loads numba

    return calibration(item)


def layout_skill_calibration(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each law, pair of forecasts, loss and length."""
    columns = [
        text("Streams", "title"),
        text("Forecasts", "pair"),
        Column("Input counts", ["times"], lambda times: f"{number_text(times, 2)} times"),
        Column("Loss", ["loss"], _LOSSES.__getitem__, kind="text"),
        count("Instances", "instances"),
        count("Number", "streams"),
        number("with an interval", "interval", 2),
        with_ends("interval excludes 0", "excludes", 3),
        number("above 0", "above", 3),
    ]
    return laid_out(table, columns)
