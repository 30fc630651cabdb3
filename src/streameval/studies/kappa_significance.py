"""Significance test of κ > 0 (Žliobaitė et al. 2015, Section 4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from streameval.evaluation.measuring import overall_measures
from streameval.items.given import Given, OfItem, over_streams

#: κ and the quantities of its significance test.
SIGNIFICANCE = ("kappa", "kappa_standard_error", "kappa_z", "kappa_p_value")
MEASURED = ("stream", "simulated", "learner", "measure", "value")


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table for several streams; see `kappa_significance`."""
    learners = item.settings.learners

    def part(one: Given) -> pd.DataFrame:
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
