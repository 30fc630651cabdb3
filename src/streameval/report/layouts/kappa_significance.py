"""Lay out κ with its standard error and its test."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.items.subject import Subject
from streameval.report.frames import as_flags
from streameval.report.layouts.streams import stream_name
from streameval.report.tables import NO_VALUE, Layout, number_text
from streameval.significance.significance_test import LEVEL

SIGNIFICANCE = (
    "stream",
    "simulated",
    "learner",
    "kappa",
    "kappa_standard_error",
    "kappa_z",
    "kappa_p_value",
)


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
        See `streameval.studies.kappa_significance.kappa_significance`.
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
