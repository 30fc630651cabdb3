"""Numbers of the worked examples of Bifet et al. (2015), as this run computes them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.report.results import Finding, Results


def value_of(results: Results, item: str, **where: str) -> Finding:
    """Return the value of the first row of a table that holds this, or why there is none."""
    frame = results.frame(item, ("value", *where))
    if frame is None:
        return Finding(np.nan, f"this run has no {item}")
    fits = pd.Series(True, index=frame.index)
    for name, wanted in where.items():
        fits &= frame[name].astype(str) == wanted
    if not fits.any():
        return Finding(np.nan, f"{item} of this run does not have {' '.join(where.values())}")
    value = float(frame.loc[fits, "value"].iloc[0])
    return Finding(value, "undefined in this run" if np.isnan(value) else "")
