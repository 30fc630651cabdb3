"""The dependence of labels on lagged labels (Žliobaitė et al. 2015, Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from streameval.base.arrays import Codes
from streameval.items.dependence import DependenceSettings
from streameval.items.inputs import StreamInput

#: Smallest number of cases for a proportion; with fewer it is undefined.
MIN_CASES = 30


def study(stream_input: StreamInput[DependenceSettings]) -> dict[str, pd.DataFrame]:
    """The frame of the figure: ``dependence``."""
    orders = stream_input.settings.orders
    return {
        "dependence": dependence_by_order(
            stream_input.labelled_stream.y, stream_input.classes, orders
        )
    }


def dependence_by_order(labels: Codes, classes: Sequence[str], orders: int) -> pd.DataFrame:
    """The dependence of a label on ℓ previous labels, for each ℓ (Figure 5).

    `cases` counts instances whose ℓ previous labels are all of class i, `proportion` is P(y_t = i |
    y_t-1 = i, ..., y_t-ℓ = i), and `delta` is the increase of `proportion` from ℓ - 1 to ℓ. The
    text of Section 6.8 in the paper defines `delta` like this; its formula has the opposite sign
    and starts with ℓ = 0.
    """
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    lengths = np.diff(starts, append=len(labels))
    order = np.arange(orders + 1)
    parts = []
    for code, name in enumerate(classes):
        runs = lengths[labels[starts] == code]
        # In a run of r labels, r - ℓ instances follow ℓ others of the run. If r ≥ ℓ, the instance
        # after the run is a case, too, unless the stream ends there.
        within_runs = np.maximum(runs[:, None] - order, 0)
        repeats = within_runs.sum(axis=0)
        after_runs = np.count_nonzero(runs[:, None] >= order, axis=0)
        if len(labels) and labels[-1] == code:
            after_runs -= lengths[-1] >= order
        cases = repeats + after_runs
        # For ℓ = 0 every instance is a case.
        repeats[0], cases[0] = np.count_nonzero(labels == code), len(labels)
        proportion = np.where(cases >= MIN_CASES, repeats / np.maximum(cases, 1), np.nan)
        delta = np.diff(proportion, prepend=np.nan)
        columns = {"order": order, "cases": cases, "proportion": proportion, "delta": delta}
        parts.append(pd.DataFrame({"class": name, **columns}))
    return pd.concat(parts, ignore_index=True)
