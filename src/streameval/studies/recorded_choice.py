"""Which test to use, over the streams of a recorded study of type errors."""

from __future__ import annotations

import pandas as pd

from streameval.items.given import OfItem
from streameval.items.recorded import record_of
from streameval.studies.test_choice import frames


def study(given: OfItem) -> dict[str, pd.DataFrame]:
    """Return the frames of a figure; see `streameval.studies.test_choice`."""
    kept = record_of(given)
    return frames(kept.frames("rates"), kept.frames("seconds"), given.settings)
