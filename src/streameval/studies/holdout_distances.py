"""How far estimates are from the hold-out, for several streams (Bifet et al. 2015, Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.given import Given, OfItem

_FRAME = ".distances"


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table: columns stream, then those of `streameval.studies.holdout.DISTANCES`."""
    parts = []
    for name in item.frames:
        if name.endswith(_FRAME):
            part = item.frame(name)
            part.insert(0, "stream", name.removesuffix(_FRAME))
            parts.append(
                part.assign(learner=part["learner"].map(lambda key: item.titles.get(key, key)))
            )
    return pd.concat(parts or [pd.DataFrame(columns=list(item.columns))], ignore_index=True)
