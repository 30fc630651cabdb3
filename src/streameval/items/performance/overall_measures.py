"""Measures of learners over whole streams, one column per measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from streameval.evaluation.measuring import overall_measures
from streameval.evaluation.roles import COMPARATORS
from streameval.items.inputs import ItemInput, StreamInput, over_streams
from streameval.items.performance.settings import OverallMeasuresSettings
from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.report.results import as_flags
from streameval.report.tables import DECIMALS, Layout, plain_layout, stream_name, stream_notes

KEYS = ("stream", "simulated", "learner")


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[OverallMeasuresSettings],
) -> pd.DataFrame:
    """Return the table for several streams; see `wide_measures`."""
    measures = item.settings.measures
    learners = tuple(dict.fromkeys((*COMPARATORS, *item.settings.learners)))

    def part(one: StreamInput[Any]) -> pd.DataFrame:
        return overall_measures(one.predictions(), learners, measures)

    measured = over_streams(given, part, (*KEYS, "measure", "value"))
    return wide_measures(measured, measures, item.titles)


def wide_measures(
    measured: pd.DataFrame, measures: Sequence[str], titles: Mapping[str, str]
) -> pd.DataFrame:
    """Return measures with one column per measure.

    Parameters
    ----------
    measured : pandas.DataFrame
        Columns stream, simulated, learner, measure, value.
    measures : sequence of str
        Measures to include.
    titles : mapping of str to str
        Titles of the learners.

    Returns
    -------
    pandas.DataFrame
        Columns stream, simulated, learner and `measures`; NaN where undefined.
    """
    chosen = measured[measured["measure"].isin(measures)]
    keys = list(KEYS)
    order = chosen[keys].drop_duplicates()
    wide = chosen.pivot_table(  # keeps undefined measures: a column is never dropped
        index=keys, columns="measure", values="value", dropna=False, observed=True, aggfunc="first"
    ).reset_index()
    wide = order.merge(wide, on=keys, how="left")
    table = wide.reindex(columns=[*keys, *measures])
    table["learner"] = [titles.get(name, name) for name in table["learner"]]
    return table


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item: measures by their symbols.

    What is the same in all rows has no column: the only stream stands below.
    """
    measures = list(subject.settings.measures)
    simulated = as_flags(table["simulated"], "Measures")
    names = [
        stream_name(str(stream), flag, subject.streams)
        for stream, flag in zip(table["stream"], simulated, strict=True)
    ]
    shown = table[["learner", *measures]]
    notes = stream_notes(table, "Measures")
    if len(set(names)) == 1:
        notes = (f"Stream: {names[0]}.", *notes)
    else:
        shown = shown.assign(stream=names)[["stream", *shown.columns]]
    symbols = {name: MEASURES[name].symbol for name in measures}
    found = plain_layout(shown, DECIMALS, symbols | {"accuracy": "accuracy"})
    return Layout(found.cells, found.align, notes)
