"""Skill of learners over comparators under the same delays, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.significance.skill_interval import Skill, skill_interval

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
        `COLUMNS`: the skill is κ_t over No-Change and κ_m over Majority; for its 95 % interval see
        `skill_interval`.
    """
    rows = [
        (name, b, reference, *found[:3])
        for name, right in correct.items()
        for reference, beside in references.items()
        for b, found in enumerate(skills_of_bins(~right, ~beside))
    ]
    return pd.DataFrame(rows, columns=[*COLUMNS])


def skills_of_bins(errors: NDArray[Any], reference: NDArray[Any]) -> Iterator[Skill]:
    """Yield the skill in each bin; often the same predictions count as in the one before.

    Parameters
    ----------
    errors, reference : ndarray, shape (s, B + 2)
        Of a learner and of a reference, in the order of the labels: numbers, NaN where there is no
        prediction, or whether what counts is wrong.
    """
    before = None
    for b in range(errors.shape[1]):
        now = errors[:, b], reference[:, b]
        if before is None or not all(map(_same, now, before)):
            known = ~np.isnan(now[0]) & ~np.isnan(now[1])
            found = skill_interval(now[0][known], now[1][known])
        before = now
        yield found


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return np.array_equal(one, other, equal_nan=True)


def skill(correct: Flags, reference: Flags) -> float:
    """Return (p - p_r) / (1 - p_r) for the accuracies of a learner and a reference.

    It is κ_t with No-Change and κ_m with Majority as the reference: 1 if the learner is always
    correct, 0 if it is as accurate as the reference; NaN if the reference is always correct.

    Parameters
    ----------
    correct, reference : ndarray of bool, shape (s,)
        Whether the predictions of the same instances are correct.
    """
    errors = np.count_nonzero(~reference)
    return 1.0 - np.count_nonzero(~correct) / errors if errors else np.nan
