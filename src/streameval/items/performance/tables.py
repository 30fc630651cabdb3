"""Tables of measures over whole streams, and of distances to the hold-out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from streameval.drawing.subject import Subject
from streameval.evaluation.roles import COMPARATORS
from streameval.items.columns import (
    laid_out,
    learners,
    number,
    of_texts,
    plain,
    stream_names,
    stream_notes,
    text,
)
from streameval.items.inputs import ItemInput, StreamInput, StreamInputs, over_streams
from streameval.items.performance.settings import (
    ADWIN,
    WINDOW,
    HoldoutDistancesSettings,
    KappaSignificanceSettings,
    OverallMeasuresSettings,
)
from streameval.measures.registry import MEASURES
from streameval.significance.significance_test import LEVEL
from streameval.significance.stream_mean import LEAST_EFFECTIVE
from streameval.view.blocks import Column, Table
from streameval.view.numbers import NO_VALUE, number_text, p_text, plus_minus

if TYPE_CHECKING:
    from streameval.evaluation.predictions import PredictionTable


def wide_measures(
    predictions: PredictionTable, learners: Sequence[str], measures: Sequence[str]
) -> pd.DataFrame:
    """Return a row for each learner with a column for each measure, NaN where undefined."""
    from streameval.evaluation.measurements import (
        overall_measures,  # layouts do without its kernels
    )

    found = overall_measures(predictions, learners, measures)
    wide = found.pivot(index="learner", columns="measure", values="value")  # noqa: PD010
    return wide.loc[[*learners], [*measures]].rename_axis(columns=None).reset_index()


def study_overall_measures(
    given: StreamInputs, item: ItemInput[OverallMeasuresSettings]
) -> pd.DataFrame:
    """Return the table for several streams: columns stream, simulated, learner and the measures."""
    measures = item.settings.measures
    learners = tuple(dict.fromkeys((*COMPARATORS, *item.settings.learners)))

    def part(one: StreamInput[Any]) -> pd.DataFrame:
        return wide_measures(one.predictions(), learners, measures)

    table = over_streams(given, part, (*item.columns, *measures))
    return table.assign(learner=[item.titles.get(name, name) for name in table["learner"]])


def layout_overall_measures(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: measures by their symbols.

    What is the same in all rows has no column: the only stream stands below.
    """
    measures = list(subject.settings.measures)
    names = stream_names(table, subject.streams)
    shown = table[["learner", *measures]]
    notes = stream_notes(table)
    if len(set(names)) == 1:
        notes = (f"Stream: {names[0]}.", *notes)
    else:
        shown = shown.assign(stream=names)[["stream", *shown.columns]]
    symbols = {name: MEASURES[name].symbol for name in measures}
    return plain(shown, symbols | {"accuracy": "accuracy"}, notes)


def study_kappa_significance(
    given: StreamInputs, item: ItemInput[KappaSignificanceSettings]
) -> pd.DataFrame:
    """Return the significance test of κ > 0 (Section 4.3, Equations 11 and 12)."""

    def part(one: StreamInput[Any]) -> pd.DataFrame:
        return wide_measures(one.predictions(), item.settings.learners, item.columns[3:])

    return over_streams(given, part, item.columns)


def layout_kappa_significance(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out κ with its standard error and test: a line for each stream and learner."""
    level = f"Above chance: by the one-sided test at {100 * LEVEL:g} %."
    caveat = (
        "Both errors take predictions for independent, which they are not where labels come in "
        "runs: z is then too large."
    )
    columns = [
        text("Stream", "name"),
        learners(subject),
        number("κ", "kappa"),
        number("δ_κ", "kappa_standard_error"),
        number("z", "kappa_z", 1),
        Column("above chance", ["kappa_p_value"], _rejects, kind="text"),
    ]
    names = pd.Series(stream_names(table, subject.streams), table.index, dtype=object)
    named = table.assign(name=names.where(names != names.shift(), ""))
    return laid_out(named, columns, (level, caveat))


def _rejects(p_value: float) -> str:
    if np.isnan(p_value):
        return NO_VALUE
    return "yes" if p_value < LEVEL else "no"


def study_holdout_distances(
    given: StreamInputs, item: ItemInput[HoldoutDistancesSettings]
) -> pd.DataFrame:
    """Return the table: columns stream, then those of the frame of `holdout`."""
    parts = [
        frame.assign(stream=name, learner=[item.titles.get(key, key) for key in frame["learner"]])
        for name, frame in item.frames_of_streams("distances").items()
    ] or [pd.DataFrame(columns=[*item.columns])]
    return pd.concat(parts, ignore_index=True)[[*item.columns]]


def layout_holdout_distances(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a line for each stream and learner."""
    names = list(dict.fromkeys(table["estimator"]))
    rows = []
    for (stream, learner), part in table.groupby(["stream", "learner"], sort=False):
        one = part.set_index("estimator")
        ends = one[["distance", "low", "high"]]
        found = [plus_minus(*ends.loc[name]) if name in ends.index else "" for name in names]
        instances = number_text(int(part["instances"].iloc[0]))
        title = subject.streams.get(str(stream), str(stream))
        rows.append([title, learner, instances, *found, number_text(float(part["floor"].iloc[0]))])
    header = ["Stream", "Learner", "Instances", *map(_name, names), "Hold-out's own"]
    note = (
        "Mean absolute distance of estimates of accuracy to the hold-out, ± half of the 95 % "
        "interval, which respects dependence; without it where tests are worth too few "
        f"independent ones for any (fewer than {LEAST_EFFECTIVE})."
    )
    cells = pd.DataFrame(rows, columns=header, dtype=object)
    return of_texts(cells, "ll" + "r" * (len(names) + 2), (note,))


def _name(estimator: str) -> str:
    if estimator == ADWIN:
        return "ADWIN"
    return f"Window of {int(estimator.removeprefix(WINDOW)):,}"


def layout_critical_difference(table: pd.DataFrame, subject: Subject) -> Table:
    """Lay out the table of an item: a row for each learner, the best first."""
    one = table.iloc[0]
    chi2, gap = (number_text(float(one[key]), 2) for key in ("statistic", "critical_difference"))
    about = (
        f"{int(one['streams'])} streams. Friedman: χ² = {chi2}, p {p_text(one['p_value'])}. The "
        f"critical difference is {gap} ranks."
    )
    alike = int(one["simulated"])
    simulated = (
        f"{alike} of the streams only resemble{'s a real one' if alike == 1 else ' real ones'}."
    )
    notes = (about, simulated) if one["simulated"] else (about,)
    name = subject.settings.measure
    symbol = name if name == "accuracy" else MEASURES[name].symbol
    columns = [
        learners(subject),
        number("Mean rank", "mean_rank", 2),
        number(f"Mean {symbol}", "mean"),
        Column("Does not differ from", ["alike"], lambda one: _alike(one, subject), kind="text"),
    ]
    return laid_out(table, columns, notes)


def _alike(names: object, subject: Subject) -> str:
    """Return the titles of learners; an empty cell of a file is NaN."""
    known = str(names).split() if isinstance(names, str) else []
    return ", ".join(subject.titles.get(name, name) for name in known) or "none"
