"""Table and caption of skill over baselines with the same delays."""

from __future__ import annotations

import pandas as pd

from delayed_skill import DelayedSkillSettings
from streameval.drawing.bins import draw_binned_errors as draw_binned_errors
from streameval.drawing.bins import draw_binned_measures as draw_binned_measures
from streameval.drawing.subject import Subject
from streameval.evaluation.roles import CLASSIFICATION_BASELINES
from streameval.items.columns import (
    stream_name,
    stream_notes,
    text_frame_table,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.reevaluation.show import bin_name
from streameval.items.text_templates import TextTemplates
from streameval.report.published_values import LAST_BIN
from streameval.view.numbers import number_text, number_with_interval
from streameval.view.parts import Table

#: Title, menu entry and captions of each kind. Settings in braces are filled in.
TEXTS = {
    "delayed_skill": TextTemplates(
        title="Skill under the same delays",
        menu_entry="skill under the same delays",
        caption=(
            "Skill of learners over No-Change (κ_t) and Majority (κ_m), in some bins of the time "
            "to the label. Published: the program uses baselines without label delay, also in bin "
            "0. Same delays: baselines get labels with the same delays as the learners, and are "
            "scored in the same bin. Intervals are 95 % intervals that account for dependence."
        ),
    ),
}


#: Skill measure of the published program (MOA), by baseline. The baseline has no label delay.
PUBLISHED = dict(zip(CLASSIFICATION_BASELINES, ("kappa_temporal", "kappa_m"), strict=True))


def study_delayed_skill(
    stream_inputs: StreamInputs, item: ItemInput[DelayedSkillSettings]
) -> pd.DataFrame:
    """The table of an item: κ_t and κ_m of MOA's evaluator, and skill over delayed baselines.

    MOA's baseline gets each label without delay. For the column `skill`, the baseline has the
    delays of the learner and is scored in the same bin. The first and last bins are always shown.
    """

    def stream_rows(bins: pd.DataFrame, skills: pd.DataFrame) -> pd.DataFrame:
        last = int(skills["bin"].max())
        table = skills[skills["bin"].isin({0, *item.settings.bins, last})].copy()
        table["which"] = [LAST_BIN if number == last else str(number) for number in table["bin"]]
        measures = bins.set_index(["learner", "bin"])
        keys = zip(table["learner"], table["bin"], table["reference"], strict=True)
        table["published"] = [
            measures[PUBLISHED[baseline]][learner, number] for learner, number, baseline in keys
        ]
        return table.rename(columns={"value": "skill"}).sort_values("bin", kind="stable")

    return item.table_from_frames(stream_rows, "bins", "skills")


#: Columns that identify a row of the table on the page.
_ROW_KEY = ["stream", "which", "learner"]
#: Symbols of skills by baseline.
_SYMBOLS = {"no_change": "κ_t", "majority": "κ_m"}


def layout_delayed_skill(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item."""
    page_rows = []
    for (stream, which, learner), rows in table.groupby(_ROW_KEY, sort=False):
        cells = {
            "Stream": stream_name(str(stream), bool(rows["simulated"].iloc[0]), subject.streams),
            "Bin": bin_name(str(which)),
            "Learner": subject.titles.get(str(learner), str(learner)),
        }
        for row in rows.to_dict("records"):
            symbol = _SYMBOLS[str(row["reference"])]
            cells[f"{symbol}: published"] = number_text(float(row["published"]), 3)
            skill = number_with_interval(row["skill"], row["low"], row["high"], 3)
            cells[f"{symbol}: same delays"] = skill
        page_rows.append(cells)
    frame = pd.DataFrame(page_rows, dtype=object)
    skill_columns = frame.columns[3:]  # after stream, bin and learner
    groups = [str(name).partition(": ")[0] for name in skill_columns]
    notes = stream_notes(table)
    return text_frame_table(frame, "lrl" + "r" * len(groups), notes, ("", "", "", *groups))
