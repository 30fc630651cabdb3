"""McNemar's test: by χ², with a signed statistic, and exact by the binomial distribution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # loads its submodules on first use: most jobs need none
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

_NULL = "where exactly one learner is correct, it is either learner with probability 1/2"
_ESTIMAND = (
    "the difference in accuracy of two runs on the same instances of one stream; two runs of one "
    "algorithm with different seeds can differ in it"
)


class DiscordantCounts(NamedTuple):
    """Numbers of predictions on which exactly one learner is correct; arrays of equal shape."""

    only_a: ArrayLike  # correct by A and wrong by B
    only_b: ArrayLike  # correct by B and wrong by A


def discordant_counts(evidence: DiscordantCounts) -> tuple[Floats, Floats]:
    """Both counts as arrays of float.

    Raises
    ------
    DataError
        If a count is negative or not an integer.
    """
    counts = np.asarray(evidence.only_a, np.float64), np.asarray(evidence.only_b, np.float64)
    for name, count in zip(DiscordantCounts._fields, counts, strict=True):
        is_invalid = ~((count >= 0) & (count == np.floor(count)))
        if is_invalid.any():
            raise DataError(
                f"Discordant predictions: expected integers of at least 0 in {name}, found "
                f"{count[is_invalid][0]:g}. Count the instances on which exactly one learner is "
                "correct."
            )
    return counts


def _by_chi_square(evidence: DiscordantCounts) -> SignificanceResult:
    """Compare sign(a - b) (a - b)² / (a + b) with χ² of one degree of freedom; two-sided.

    There is no continuity correction. Without discordant predictions the statistic is 0 and the
    p-value 1. The statistic is positive where A has more correct predictions.
    """
    a, b = discordant_counts(evidence)
    n, difference = a + b, a - b
    chi2 = np.zeros(n.shape)
    np.divide(difference**2, n, out=chi2, where=n > 0)
    # The upper tail of χ² with one degree of freedom.
    return SignificanceResult(np.sign(difference) * chi2, scipy.special.erfc(np.sqrt(chi2 / 2)))


MCNEMAR = SignificanceTest(
    name="mcnemar",
    title="McNemar's test",
    null=_NULL,
    estimand=_ESTIMAND,
    assumptions=(
        "instances are independent of each other, and so many discordant predictions that their "
        "difference is normally distributed; the test rejects too often if errors come in runs, or "
        "if folds that share test instances are pooled"
    ),
    reference="McNemar (1947); Bifet et al. (2015), Section 4",
    evidence=DiscordantCounts,
    function=_by_chi_square,
)


def _by_binomial(evidence: DiscordantCounts) -> SignificanceResult:
    """Compute a - b and the binomial p-value: twice the smaller tail, at most 1.

    Without discordant predictions the p-value is 1.
    """
    a, b = discordant_counts(evidence)
    n = (a + b).astype(np.int64)  # floats would take seven times as long
    p_value = np.minimum(1.0, 2.0 * scipy.special.bdtr(np.minimum(a, b), n, 0.5))
    return SignificanceResult(a - b, p_value)


MCNEMAR_EXACT = SignificanceTest(
    name="mcnemar_exact",
    title="Exact McNemar test",
    null=_NULL,
    estimand=_ESTIMAND,
    assumptions=(
        "instances are independent of each other; the test rejects too often if errors come in "
        "runs, or if folds that share test instances are pooled"
    ),
    reference="McNemar (1947); Dietterich (1998), Section 3.1",
    evidence=DiscordantCounts,
    function=_by_binomial,
)
