"""Tests over independent runs: Student's t-test, and a permutation test that flips signs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.errors import DataError
from streameval.base.seeds import generator
from streameval.significance.significance_test import SignificanceResult, SignificanceTest
from streameval.significance.t_over_folds import as_differences, student_t

_ESTIMAND = (
    "the mean difference of the two algorithms over their seeds, on this stream; or on streams of "
    "this kind, if each run has its own draw of a generated stream"
)


class RunDifferences(NamedTuple):
    """The mean difference A - B in each of several independent runs with different seeds."""

    differences: ArrayLike  # (..., runs)


RUNS_T = SignificanceTest(
    name="runs_t",
    title="t-test over independent runs",
    null="the mean difference over all seeds is 0",
    estimand=_ESTIMAND,
    assumptions=(
        "runs are independent of each other, and their mean differences normally distributed"
    ),
    reference="Student (1908)",
    evidence=RunDifferences,
    function=lambda evidence: student_t(evidence.differences, "runs"),
)


#: Largest number of runs for which all combinations of signs are tried.
MAX_EXACT = 14
#: Number of random combinations of signs that are tried for more runs.
DRAWS = 9999


def _by_signs(evidence: RunDifferences) -> SignificanceResult:
    """Compare the absolute mean with its distribution under all combinations of signs.

    For more than `MAX_EXACT` runs the p-value is simulated by `DRAWS` combinations, which are the
    same in every call. The observed signs count as a further combination.

    Raises
    ------
    DataError
        If the differences are not a single list.
    """
    differences = as_differences(evidence.differences, 1, "runs")
    if differences.ndim > 1:
        raise DataError(
            "Permutation test over runs: expected one difference per run, found an array of shape "
            f"{differences.shape}. Test each row alone."
        )
    runs, mean = len(differences), float(differences.mean())
    if np.isnan(mean):
        return SignificanceResult(mean, mean)
    if runs <= MAX_EXACT:
        # Row i has the bits of i.
        flips = np.arange(1 << runs)[:, None] >> np.arange(runs) & 1
    else:
        flips = generator("significance", "runs_permutation").integers(0, 2, (DRAWS, runs))
    # Sums that are equal in exact arithmetic may differ by rounding.
    threshold = abs(differences.sum()) - 1e-12 * np.abs(differences).sum()
    n_as_large = int(np.count_nonzero(np.abs((1 - 2 * flips) @ differences) >= threshold))
    if runs <= MAX_EXACT:
        return SignificanceResult(mean, n_as_large / len(flips))
    p_value = (n_as_large + 1) / (DRAWS + 1)
    return SignificanceResult(mean, p_value, float(np.sqrt(p_value * (1 - p_value) / DRAWS)))


RUNS_PERMUTATION = SignificanceTest(
    name="runs_permutation",
    title="Permutation test over independent runs",
    null="a difference of any size is positive or negative with equal probability",
    estimand=_ESTIMAND,
    assumptions="runs are independent of each other, and the distribution is symmetric",
    reference="Fisher (1935), The design of experiments, Section 21",
    evidence=RunDifferences,
    function=_by_signs,
)
