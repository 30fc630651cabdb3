"""Tables of curves over a stream. Figures import this module, so it loads no kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def wide_curves(tidy: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """Curves with a row per position and a column per learner, by dates if there are dates."""
    wide = tidy.pivot(index="instance", columns="learner", values="value")  # noqa: PD010
    wide = wide[[*learners]].rename_axis(columns=None)
    wide.index = axis_coordinates(tidy, wide.index)
    return wide


def axis_coordinates(tidy: pd.DataFrame, instances: pd.Index[Any]) -> pd.Index[Any]:
    """Coordinates of instances on an axis: their dates in the table, or else their numbers."""
    import pandas as pd

    if "time" not in tidy:
        return instances
    dates = tidy.drop_duplicates("instance").set_index("instance")["time"]
    return pd.DatetimeIndex(dates.loc[instances], name="time")
