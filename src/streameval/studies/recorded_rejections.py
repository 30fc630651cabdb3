"""How often tests reject, over the streams of a recorded study of type errors."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from streameval.items.given import Given, OfItem
from streameval.items.recorded import record_of
from streameval.studies.rejections import table


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
    """Return the table of an item; its columns are those of `streameval.studies.rejections`."""
    kept = record_of(item)
    return table(kept.frames("rates"), kept.frames("gaps"), item)
