"""Means of columns over the seeds of each group, and tables of several streams."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from streameval.significance.intervals import mean_interval


def summary(runs: pd.DataFrame, by: Sequence[str], quantities: Sequence[str]) -> pd.DataFrame:
    """Return the means of several columns over the seeds of each group.

    Parameters
    ----------
    runs : pandas.DataFrame
        One row per group and seed.
    by : sequence of str
        Columns that make a group.
    quantities : sequence of str
        Columns with numbers.

    Returns
    -------
    pandas.DataFrame
        Columns `by`, quantity, mean, low, high (interval at `CONFIDENCE`), seeds; groups in
        their first order.
    """
    rows = [
        (*group, quantity, *mean_interval(part[quantity]), len(part))
        for group, part in runs.groupby(list(by), sort=False)
        for quantity in quantities
    ]
    return pd.DataFrame(rows, columns=[*by, "quantity", "mean", "low", "high", "seeds"])


def by_stream(
    frames: Mapping[str, pd.DataFrame], simulated: Collection[str], columns: Sequence[str]
) -> pd.DataFrame:
    """Concatenate the frames of several streams.

    Parameters
    ----------
    frames : mapping of str to pandas.DataFrame
        By stream.
    simulated : collection of str
        The streams that are simulated.
    columns : sequence of str
        Columns of the result: stream, simulated, and those of the frames.
    """
    parts = [
        part.assign(stream=name, simulated=name in simulated)[list(columns)]
        for name, part in frames.items()
    ]
    return pd.concat(parts or [pd.DataFrame(columns=list(columns))], ignore_index=True)
