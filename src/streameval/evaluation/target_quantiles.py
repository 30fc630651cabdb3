"""Quantiles of a numeric target, over all values and over a sliding window."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.evaluation.measurements import window_ends

#: Levels of quantiles by name: "least" and "most" enclose the central 90 % of targets, "low" and
#: "high" the central half.
QUANTILES = {"least": 0.05, "low": 0.25, "median": 0.5, "high": 0.75, "most": 0.95}


def target_quantiles(targets: Floats) -> dict[str, float]:
    """`QUANTILES` of targets, shape (n,), by name."""
    return {name: float(np.quantile(targets, level)) for name, level in QUANTILES.items()}


def quantiles_over_time(targets: Floats, window: int, points: int) -> pd.DataFrame:
    """Mean and `QUANTILES` of targets, shape (n,), over a sliding window.

    The columns are mean, the names of `QUANTILES`, and instance (the last instance of the window,
    from 1).
    """
    ends = window_ends(len(targets), window, points).tolist()
    windows = [targets[max(end - window, 0) : end] for end in ends]
    rows = [{"mean": values.mean(), **target_quantiles(values)} for values in windows]
    return pd.DataFrame(rows).assign(instance=ends)
