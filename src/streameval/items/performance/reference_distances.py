"""Distances of estimates of accuracy to a reference (Bifet et al. 2015, Section 6.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.detectors.adwin import adwin_trace
from streameval.items.performance import (
    ADWIN,
    DELTA,
    DISTANCE_DIFFERENCES,
    DISTANCES,
    ESTIMATE_CURVES,
    WINDOW,
)
from streameval.significance.stream_mean import stream_mean


def running_accuracies(correct: Flags, windows: Sequence[int]) -> dict[str, Floats]:
    """The accuracy after each prediction by MOA's ADWIN, and over sliding windows.

    A window that is not yet full holds all predictions so far.
    """
    ends = np.arange(1, len(correct) + 1)
    total = np.concatenate(([0], np.cumsum(correct)))
    accuracies = {ADWIN: 1.0 - adwin_trace(~correct, DELTA).mean}
    for window in windows:
        starts = np.maximum(ends - window, 0)
        accuracies[f"{WINDOW}{window}"] = (total[ends] - total[starts]) / (ends - starts)
    return accuracies


#: Smallest number of predictions after those that fill all windows.
_MIN_FOLLOWING = 4


def predictions_until_full(windows: Sequence[int], n: int, name: str) -> int:
    """The number of predictions after which all windows are full.

    Raises ConfigError if fewer than `_MIN_FOLLOWING` of the `n` predictions of the stream `name`
    follow.
    """
    longest = max(windows)
    if longest > n - _MIN_FOLLOWING:
        raise ConfigError(
            f"Stream {name!r}: expected windows at least {_MIN_FOLLOWING} shorter than its {n:,} "
            f"predictions, found one of {longest:,}. Set shorter ones, or more instances."
        )
    return longest


def distances(
    learner: str, estimates: Mapping[str, Floats], reference: Floats, n_instances: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean absolute distances of estimates to a reference, and their differences for each pair.

    A difference below 0 means that the first estimate of the pair is closer to the reference. The
    frames have the mean and the interval (low, high) by `stream_mean`.
    """
    errors = {name: np.abs(values - reference) for name, values in estimates.items()}
    rows = [(learner, name, n_instances, *stream_mean(part)[:3]) for name, part in errors.items()]
    pairs = [
        (learner, first, other, n_instances, *stream_mean(errors[first] - errors[other])[:3])
        for first, other in combinations(errors, 2)
    ]
    return pd.DataFrame(rows, columns=list(DISTANCES)), pd.DataFrame(
        pairs, columns=list(DISTANCE_DIFFERENCES)
    )


def curves(learner: str, estimates: Mapping[str, Floats], positions: Integers) -> pd.DataFrame:
    """Estimates after given numbers of predictions; the columns are `ESTIMATE_CURVES`."""
    keys = {"learner": learner, "instance": positions}
    parts = [
        pd.DataFrame({**keys, "estimator": name, "accuracy": values})[list(ESTIMATE_CURVES)]
        for name, values in estimates.items()
    ]
    return pd.concat(parts, ignore_index=True)
