"""The accuracy in some bins, from the frames of a study by bin."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.errors import ConfigError
from streameval.studies.given import Given, OfItem

#: What the table calls the last bin.
LAST = "B+1"


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table of an item.

    Columns stream, simulated, labels, attributes, bin, which (the bin's number, or "B+1"), learner,
    accuracy_percent, low, high. The last two are the ends of the interval for this bin and learner
    alone, in per cent.
    """
    bins, sizes = (item.frames_of_streams(name) for name in ("bins", "size"))
    parts = [_of_stream(name, bins[name], sizes[name], item.settings.shown) for name in bins]
    return pd.concat(parts, ignore_index=True)[list(item.columns)]


def _of_stream(
    stream: str, bins: pd.DataFrame, size: pd.DataFrame, shown: tuple[int, ...]
) -> pd.DataFrame:
    last = int(bins["bin"].max())
    wrong = [b for b in shown if not 0 < b < last]
    if wrong:
        raise ConfigError(
            f"Table of bins: expected bins from 1 to {last - 1} in `shown`, which the item has for "
            f"{stream}, found {wrong[0]}."
        )
    names = {0: "0", **{b: str(b) for b in sorted(shown)}, last: LAST}
    rows = bins[bins["bin"].isin(names)].copy()
    about = {name: size[name].iloc[0] for name in ("simulated", "labels", "attributes")}
    # As the published program computes it: halves of the last digit are rounded as floats fall.
    correct = np.rint(rows["accuracy"] * rows["predictions"])
    rows["accuracy_percent"] = correct / rows["predictions"] * 100
    rows[["low", "high"]] *= 100
    rows["place"] = rows["bin"].map({b: i for i, b in enumerate(names)})
    rows = rows.assign(stream=stream, which=rows["bin"].map(names), **about)
    return rows.sort_values("place", kind="stable")
