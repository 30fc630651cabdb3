"""Distances of estimates of accuracy to a reference (Bifet et al. 2015, Section 6.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.detectors.adwin import adwin_trace
from streameval.items.performance import ADWIN, CLOSER, DELTA, DISTANCES, FOLLOWING, WINDOW
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


def require_full(windows: Sequence[int], n: int, name: str) -> int:
    """The number of predictions after which all windows are full.

    Raises ConfigError if fewer than four of the `n` predictions of the stream `name` follow.
    """
    longest = max(windows)
    if longest > n - 4:  # an interval needs at least four values
        raise ConfigError(
            f"Stream {name!r}: expected windows shorter than its {n:,} predictions, found one of "
            f"{longest:,}. Set shorter ones, or more instances."
        )
    return longest


def distances(
    learner: str, estimates: Mapping[str, Floats], reference: Floats, instances: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean absolute distances of estimates to a reference, and their differences for each pair.

    A difference below 0 means that the first of the pair is closer. Intervals are those of
    `stream_mean`.
    """
    errors = {name: np.abs(values - reference) for name, values in estimates.items()}
    rows = [(learner, name, instances, *stream_mean(part)[:3]) for name, part in errors.items()]
    pairs = [
        (learner, first, other, instances, *stream_mean(errors[first] - errors[other])[:3])
        for first, other in combinations(errors, 2)
    ]
    return pd.DataFrame(rows, columns=list(DISTANCES)), pd.DataFrame(pairs, columns=list(CLOSER))


def curves(learner: str, estimates: Mapping[str, Floats], positions: Integers) -> pd.DataFrame:
    """Estimates after given numbers of predictions, as a frame with the columns `FOLLOWING`."""
    keys = {"learner": learner, "instance": positions}
    parts = [
        pd.DataFrame({**keys, "estimator": name, "accuracy": values})[list(FOLLOWING)]
        for name, values in estimates.items()
    ]
    return pd.concat(parts, ignore_index=True)
