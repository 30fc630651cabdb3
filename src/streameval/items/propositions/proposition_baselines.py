"""Comparison of baselines by simulation (Žliobaitė et al. 2015, Table 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.propositions.propositions import RESOLUTION, verdict
from streameval.items.propositions.settings import PropositionBaselinesSettings
from streameval.items.propositions.table_propositions import counted_seeds
from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text


def study(
    given: Mapping[str, StreamInput[Any]],
    item: ItemInput[PropositionBaselinesSettings],
) -> pd.DataFrame:
    """Return the table; see `streameval.items.propositions.propositions.baselines_table`."""
    return item.frame("baselines")


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return baselines_layout(table)


def baselines_layout(
    table: pd.DataFrame, decimals: int = 4, resolution: float = RESOLUTION
) -> Layout:
    """Lay out Table 2 of Žliobaitė et al. (2015), three lines per setting.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.items.propositions.propositions.baselines_table`.
    decimals : int
        Decimals of the differences.
    resolution : float
        What counts as equal.

    Returns
    -------
    Layout
        Above, which baseline is better; below, at which P(T), and by how much.
    """
    kinds = list(dict.fromkeys(table["dependence"]))
    rows = []
    for shares, part in table.groupby("shares", sort=False):
        one = part.set_index("dependence")
        found = [one.loc[kind] for kind in kinds]
        name = f"{str(one['classes'].iloc[0]).capitalize()}, {shares}"
        rows.append([name, "better", *(_better(cell, resolution) for cell in found)])
        rows.append(["", "P(T)", *(f"{cell['persistence']:g}" for cell in found)])
        rows.append(["", "Persistent − Majority", *(_plus_minus(cell, decimals) for cell in found)])
    header = ["Classes", "", *(kind[0].upper() + kind[1:] for kind in kinds)]
    notes = (
        counted_seeds(table),
        "The paper's table has no column for dependent labels whose P(T) is below P(M).",
    )
    return Layout(pd.DataFrame(rows, columns=header), "ll" + "l" * len(kinds), notes)


def _better(cell: pd.Series, resolution: float) -> str:
    if cell["low"] > 0:
        return "Persistent"
    if cell["high"] < 0:
        return "Majority"
    equal = verdict("= 0", cell["low"], cell["high"], resolution) == "as stated"
    return "equal" if equal else "not decided"


def _plus_minus(cell: pd.Series, decimals: int) -> str:
    half = (cell["high"] - cell["low"]) / 2
    return f"{number_text(float(cell['mean']), decimals)} ± {number_text(float(half), decimals)}"
