"""Student's t-test over independent runs."""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from streameval.significance.fold_differences import as_differences
from streameval.significance.paired_t import t_of_differences
from streameval.significance.significance_test import SignificanceResult, SignificanceTest


class RunDifferences(NamedTuple):
    """The mean difference A - B of each of several independent runs, each with its own seeds."""

    differences: ArrayLike  # (..., runs)


def _test(evidence: RunDifferences) -> SignificanceResult:
    """Compare the mean with Student's t of R - 1 degrees of freedom; two-sided.

    Without variance the p-value is 1 if all differences are 0, and 0 otherwise. `details` are those
    of `paired_t`.
    """
    differences = as_differences(evidence.differences, 2, "runs")
    runs = differences.shape[-1]
    return t_of_differences(differences, 1.0 / runs).result(runs - 1)


TEST = SignificanceTest(
    name="runs_t",
    title="t-test over independent runs",
    null="the mean difference over all seeds is 0",
    estimand=(
        "the mean difference of the two algorithms over their seeds, on this stream; on streams of "
        "this kind, if each run has its own draw of a generated stream"
    ),
    assumptions=(
        "runs are independent of each other, and their mean differences normally distributed"
    ),
    reference="Student (1908)",
    evidence=RunDifferences,
    function=_test,
)
