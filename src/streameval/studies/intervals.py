"""Means over independent seeds, with the interval that their scatter allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used: figures need the names alone
from numpy.typing import ArrayLike

from streameval.errors import ConfigError

#: Share of intervals that hold the mean of all seeds there could be.
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean over seeds and the ends of its interval."""

    mean: float
    low: float
    high: float


def mean_interval(values: ArrayLike, confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of independent values and Student's t interval for its expectation.

    Parameters
    ----------
    values : array_like of float, shape (seeds,)
        One value per seed; NaN in one makes all three NaN.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Interval
        Of width 0 where all values are the same.

    Raises
    ------
    ConfigError
        If there are fewer than two values: one says nothing about how values scatter.
    """
    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        raise ConfigError(
            f"An interval over seeds: expected 2 seeds or more, found {len(sample)}. Raise the "
            "number of seeds."
        )
    mean = float(sample.mean())
    if (sample == sample[0]).all():  # else rounding of the mean would look like scatter
        return Interval(float(sample[0]), float(sample[0]), float(sample[0]))
    error = float(sample.std(ddof=1)) / np.sqrt(len(sample))
    half = float(scipy.special.stdtrit(len(sample) - 1, (1.0 + confidence) / 2.0)) * error
    return Interval(mean, mean - half, mean + half)


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
