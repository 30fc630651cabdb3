"""Friedman's test of several learners over several streams, and Nemenyi's test of pairs of them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy  # loads its submodules on first use: most jobs need none
from numpy.typing import ArrayLike

from streameval.base.errors import DataError
from streameval.significance.significance_test import LEVEL, SignificanceResult, SignificanceTest


def nemenyi_critical_difference(n_learners: int, n_streams: int, level: float = LEVEL) -> float:
    """Smallest difference of mean ranks that Nemenyi's test rejects.

    Parameters
    ----------
    n_learners, n_streams : int
        k and N.
    level : float
        Probability of at least one rejection if all learners are equal.

    Returns
    -------
    float
        CD = q √(k (k + 1) / 6 N), with q the quantile of the Studentized range of k means and
        infinite degrees of freedom, divided by √2 (Demšar, 2006, Section 3.2.2).
    """
    q = float(scipy.stats.studentized_range.ppf(1 - level, n_learners, np.inf)) / math.sqrt(2)
    return q * math.sqrt(n_learners * (n_learners + 1) / (6 * n_streams))


class StreamScores(NamedTuple):
    """A measure of each learner on each stream; greater values are better."""

    scores: ArrayLike  # (streams, learners)


def _test(evidence: StreamScores) -> SignificanceResult:
    """Compute Friedman's χ², corrected for ties, and its p-value.

    If all learners are tied on each stream, χ² is 0 and the p-value 1. `details` has the
    ``mean_ranks``.

    Raises
    ------
    DataError
        If there are fewer than two streams or learners, or a score is NaN.
    """
    scores = np.asarray(evidence.scores, dtype=np.float64)
    if scores.ndim != 2 or min(scores.shape) < 2 or np.isnan(scores).any():
        raise DataError(
            "Friedman's test: expected scores without NaN of at least 2 learners on at least 2 "
            f"streams, found shape {scores.shape} with {int(np.isnan(scores).sum())} NaN. Leave "
            "out streams on which a measure is undefined."
        )
    n, k = scores.shape
    ranks = scipy.stats.rankdata(-scores, axis=1)  # 1 is best; ties get the mean of their ranks
    mean_ranks = ranks.mean(axis=0)
    middle = (k + 1) / 2
    # Without ties the sum is n k (k² - 1) / 12. Ties make it smaller, which corrects χ².
    sum_of_squares = float(((ranks - middle) ** 2).sum())
    squares_of_means = float(((mean_ranks - middle) ** 2).sum())
    chi2 = (k - 1) * n**2 * squares_of_means / sum_of_squares if sum_of_squares else 0.0
    p_value = float(scipy.special.chdtrc(k - 1, chi2))
    return SignificanceResult(chi2, p_value, details={"mean_ranks": mean_ranks})


TEST = SignificanceTest(
    name="friedman",
    title="Friedman's test over streams",
    null="all learners are equal: each order of their ranks on a stream is equally likely",
    estimand="the mean ranks of the learners across domains, of which each stream is one",
    assumptions=(
        "streams are independent of each other and each stands for a domain; this does not hold "
        "for folds of a stream, or for streams of one generator; there are enough learners and "
        "streams for the χ² approximation"
    ),
    reference="Friedman (1937); Demšar (2006), Section 3.2.2",
    evidence=StreamScores,
    function=_test,
)
