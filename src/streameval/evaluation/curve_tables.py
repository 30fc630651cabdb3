"""Tables of curves over a stream; no kernels, since drawings use them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def wide_curves(tidy: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """Curves with a row per position and a column per learner, by dates where there are some."""
    import pandas as pd

    wide = tidy.pivot(index="instance", columns="learner", values="value")  # noqa: PD010
    wide = wide[[*learners]].rename_axis(columns=None)
    if "time" in tidy:
        dates = tidy.drop_duplicates("instance").set_index("instance")["time"]
        wide.index = pd.DatetimeIndex(dates.loc[wide.index], name="time")
    return wide
