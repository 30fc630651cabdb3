"""Skill of learners over comparators under the same delays, with intervals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import stream_mean

COLUMNS = ("learner", "bin", "reference", "value", "low", "high")

Flags = NDArray[np.bool_]


def skills(correct: Mapping[str, Flags], references: Mapping[str, Flags]) -> pd.DataFrame:
    """Return by how much learners err less than comparators in the same bin.

    Parameters
    ----------
    correct, references : mapping of str to ndarray of bool, shape (s, B + 2)
        By learner, and by comparator, whether what counts is correct, in the order of the labels.

    Returns
    -------
    DataFrame
        `COLUMNS`; see `skill`.
    """
    rows = [
        (name, b, reference, *skill(right[:, b], beside[:, b]))
        for name, right in correct.items()
        for reference, beside in references.items()
        for b in range(right.shape[1])
    ]
    return pd.DataFrame(rows, columns=[*COLUMNS])


def skill(correct: Flags, reference: Flags) -> Interval:
    """Return (p - p_r) / (1 - p_r) for the accuracies of a learner and a reference.

    It is κ_t with No-Change and κ_m with Majority as the reference: 1 if the learner is always
    correct, 0 if it is as accurate as the reference.

    Parameters
    ----------
    correct, reference : ndarray of bool, shape (s,)
        Whether the predictions of the same instances are correct, in order.

    Returns
    -------
    Interval
        With its 95 % interval by linearisation, of the mean of a series in time (`stream_mean`),
        NaN for too few effective instances and at most 1; all NaN if the reference is always
        correct.
    """
    wrong, others = ~correct, ~reference
    errors = float(others.mean()) if len(others) else 0.0
    if not errors:
        return Interval(np.nan, np.nan, np.nan)
    ratio = float(wrong.mean()) / errors
    # The ratio of two means moves with each instance by this, divided by their number.
    pulls = (wrong - ratio * others) / errors
    found = stream_mean(pulls)
    high = float(np.minimum(1.0 - ratio - found.low, 1.0))
    return Interval(1.0 - ratio, 1.0 - ratio - found.high, high)
