"""The errors of regressors in some bins, from the frames of a study by bin."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.given import Given, OfItem
from streameval.studies.binned_table import chosen_bins


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table of an item.

    Columns stream, simulated, labels, attributes, bin, which (the bin's number, or "B+1"), learner,
    mean_absolute_error, low, high, seeds, seeds_low, seeds_high, skill_over_previous_target,
    skill_over_target_mean. The intervals are for this bin and
    learner alone: over the labels, and over the seeds if there are several.
    """
    bins, sizes = (item.frames_of_streams(name) for name in ("bins", "size"))
    parts = [chosen_bins(name, bins[name], sizes[name], item.settings.shown) for name in bins]
    return pd.concat(parts, ignore_index=True)[list(item.columns)]
