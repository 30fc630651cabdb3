"""Comparison of baselines by simulation (Žliobaitė et al. 2015, Table 2)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.given import Given, OfItem


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table; see `streameval.studies.propositions.baselines_table`."""
    return item.frame("baselines")
