"""Binomial test: is the accuracy of a run equal to a value that is known beforehand."""

from __future__ import annotations

from typing import NamedTuple

import scipy

from streameval.base.errors import DataError
from streameval.significance.significance_test import SignificanceResult, SignificanceTest


class Correct(NamedTuple):
    """Number of correct predictions, number of predictions, and the proportion to compare with."""

    correct: int
    n: int
    proportion: float


def _test(evidence: Correct) -> SignificanceResult:
    """Accuracy and exact two-sided p-value."""
    correct, n, proportion = evidence
    if not 0 <= correct <= n or n == 0:
        raise DataError(
            f"Binomial test: expected a number of correct predictions from 0 to {n:,}, of at least "
            f"1 prediction, found {correct:,}. Count both over the same instances."
        )
    return SignificanceResult(correct / n, scipy.stats.binomtest(correct, n, proportion).pvalue)


TEST = SignificanceTest(
    name="binomial",
    title="Binomial test of accuracy",
    null="a prediction is correct with the given probability",
    estimand="the accuracy of one run on one stream",
    assumptions="predictions are correct independently of each other",
    reference="Clopper, Pearson (1934)",
    evidence=Correct,
    function=_test,
)
