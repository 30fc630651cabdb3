"""Skill over No-Change and Majority in some bins: as published, and under the same delays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.evaluation.roles import COMPARATORS
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.reevaluation.binned_table import LAST, bin_name
from streameval.items.reevaluation.settings import DelayedSkillSettings
from streameval.items.subject import Subject
from streameval.report.tables import NO_VALUE, Layout, number_text, stream_name, stream_notes

#: The measure of the published program for each comparator, which has no delay.
PUBLISHED = dict(zip(COMPARATORS, ("kappa_temporal", "kappa_m"), strict=True))


def study(
    given: Mapping[str, StreamInput[Any]], item: ItemInput[DelayedSkillSettings]
) -> pd.DataFrame:
    """Return the table of an item: a row for each stream, bin, learner and reference.

    Columns stream, simulated, labels, bin, which (its number, or "B+1"), learner, reference
    (no_change or majority), published (κ_t or κ_m of MOA's evaluator, whose comparator knows each
    label at once), skill (with the reference under the same delays, in the same bin), low, high.
    """
    names = ("bins", "skills", "size")
    bins, found, sizes = (item.frames_of_streams(name) for name in names)
    parts = []
    for stream, rows in found.items():
        last = int(rows["bin"].max())
        shown = rows[rows["bin"].isin({0, *item.settings.shown, last})].copy()
        shown["which"] = [LAST if b == last else str(b) for b in shown["bin"]]
        measured = bins[stream].set_index(["learner", "bin"])
        keys = zip(shown["learner"], shown["bin"], shown["reference"], strict=True)
        shown["published"] = [measured[PUBLISHED[ref]][learner, b] for learner, b, ref in keys]
        about = {name: sizes[stream][name].iloc[0] for name in ("labels", "simulated")}
        shown = shown.rename(columns={"value": "skill"}).assign(stream=stream, **about)
        parts.append(shown.sort_values("bin", kind="stable"))
    return pd.concat(parts, ignore_index=True)[[*item.columns]]


_LINE = ["stream", "which", "learner"]
_SYMBOLS = {"no_change": "κ_t", "majority": "κ_m"}


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    lines = []
    for (stream, which, learner), rows in table.groupby(_LINE, sort=False):
        line = {
            "Stream": stream_name(str(stream), bool(rows["simulated"].iloc[0]), subject.streams),
            "Bin": bin_name(str(which)),
            "Learner": subject.titles.get(str(learner), str(learner)),
        }
        for row in rows.to_dict("records"):
            symbol = _SYMBOLS[str(row["reference"])]
            line[f"{symbol}: published"] = number_text(float(row["published"]), 3)
            value, low, high = (
                number_text(float(row[name]), 3) for name in ("skill", "low", "high")
            )
            ends = "" if NO_VALUE in (low, high) else f" ({low} to {high})"
            line[f"{symbol}: same delays"] = f"{value}{ends}"
        lines.append(line)
    cells = pd.DataFrame(lines, dtype=object)
    groups = [str(name).partition(": ")[0] for name in cells.columns[3:]]
    notes = stream_notes(table, "Skill")
    return Layout(cells, "lrl" + "r" * len(groups), notes, ("", "", "", *groups))
