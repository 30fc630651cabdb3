"""Significance test of κ > 0 (Žliobaitė et al. 2015, Section 4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from streameval.evaluation.measuring import overall_measures
from streameval.items.inputs import ItemInput, StreamInput, over_streams
from streameval.items.performance.settings import KappaSignificanceSettings
from streameval.items.subject import Subject
from streameval.report.results import as_flags
from streameval.report.tables import NO_VALUE, Layout, number_text, stream_name
from streameval.significance.significance_test import LEVEL

#: κ and the quantities of its significance test.
SIGNIFICANCE = ("kappa", "kappa_standard_error", "kappa_z", "kappa_p_value")
MEASURED = ("stream", "simulated", "learner", "measure", "value")


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[KappaSignificanceSettings],
) -> pd.DataFrame:
    """Return the table for several streams; see `kappa_significance`."""
    learners = item.settings.learners

    def part(one: StreamInput[Any]) -> pd.DataFrame:
        return overall_measures(one.predictions(), learners, SIGNIFICANCE)

    return kappa_significance(over_streams(given, part, MEASURED), learners)


def kappa_significance(measures: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """Return the significance test of κ > 0 (Section 4.3, Equations 11 and 12).

    Parameters
    ----------
    measures : pandas.DataFrame
        Columns stream, simulated, learner, measure, value: all measures over whole streams.
    learners : sequence of str
        Which to look at.

    Returns
    -------
    pandas.DataFrame
        Columns stream, simulated, learner, kappa, kappa_standard_error, kappa_z, kappa_p_value;
        NaN where undefined. The test is
        `streameval.significance.kappa_z`, which states what it assumes.
    """
    chosen = measures[measures["measure"].isin(SIGNIFICANCE) & measures["learner"].isin(learners)]
    keys = ["stream", "simulated", "learner"]
    wide = chosen.pivot_table("value", keys, "measure", dropna=False, observed=True, sort=False)
    table = wide.reindex(columns=list(SIGNIFICANCE)).reset_index()
    table = table.merge(chosen[keys].drop_duplicates(), on=keys)  # only combinations that occur
    return table.rename_axis(columns=None)


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return significance_layout(table, subject.streams, subject.titles)


def significance_layout(
    table: pd.DataFrame,
    streams: Mapping[str, str],
    learners: Mapping[str, str],
    decimals: int = 4,
) -> Layout:
    """Lay out κ with its standard error and its test, one line per stream and learner.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.items.performance.kappa_significance.kappa_significance`.
    streams, learners : mapping of str to str
        Names, for people.
    decimals : int
        Decimals of κ and its error; z has one.
    """
    simulated = as_flags(table["simulated"], "Significance of kappa")
    names = [
        stream_name(str(name), flag, streams)
        for name, flag in zip(table["stream"], simulated, strict=True)
    ]
    shown = pd.Series(names, dtype=object)
    cells = {
        "Stream": shown.where(shown != shown.shift(), ""),
        "Learner": [learners.get(str(name), str(name)) for name in table["learner"]],
        "κ": [number_text(value, decimals) for value in table["kappa"]],
        "δ_κ": [number_text(value, decimals) for value in table["kappa_standard_error"]],
        "z": [number_text(value, 1) for value in table["kappa_z"]],
        "above chance": [_rejects(float(value)) for value in table["kappa_p_value"]],
    }
    level = f"Above chance: by the one-sided test at {100 * LEVEL:g} %."
    caveat = (
        "Both errors take predictions for independent, which they are not where labels come in "
        "runs: z is then too large."
    )
    notes = (level, caveat)
    return Layout(pd.DataFrame(cells, dtype=object), "llrrrl", notes)


def _rejects(p_value: float) -> str:
    if np.isnan(p_value):
        return NO_VALUE
    return "yes" if p_value < LEVEL else "no"
