"""Tests of two learners over several streams: Wilcoxon's signed-rank test and the sign test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.significance.sign_test import sign_test
from streameval.significance.significance_test import SignificanceTest
from streameval.significance.wilcoxon import signed_rank_test

_INDEPENDENT = (
    "streams are independent of each other and each stands for a domain; this does not hold for "
    "streams of one generator, or for a real stream and its simulated stand-in"
)


class StreamDifferences(NamedTuple):
    """The difference A - B of a measure on each stream, where the measure is a mean over seeds.

    Ties are exact: 0.3 - 0.2 and 0.2 - 0.1 differ by rounding, so they are not tied. Round the
    differences if they should be. A NaN makes the result NaN.
    """

    differences: ArrayLike  # (..., streams)


def rank_biserial(differences: ArrayLike) -> Floats:
    """Effect size of Wilcoxon's test: difference of the rank sums over their sum.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences A - B. Zeros are dropped.

    Returns
    -------
    ndarray, shape (...)
        From -1 (B is better on all streams) to 1 (A is better on all streams); 0 if all
        differences are 0, NaN if a difference is NaN.

    References
    ----------
    Kerby (2014), The simple difference formula: an approach to teaching nonparametric correlation,
    Comprehensive Psychology 3, Article 1.
    """
    details = signed_rank_test(differences, "streams").details
    positive, negative = np.asarray(details["positive"]), np.asarray(details["negative"])
    total = positive + negative
    return np.asarray((positive - negative) / np.where(total == 0, 1.0, total))


def smallest_p_value(streams: int) -> float:
    """Smallest p-value of both tests: the p-value if one learner is better on all streams."""
    return min(1.0, 2.0 ** (1 - streams))


def smallest_n_streams(level: float, tests: int = 1) -> int:
    """Smallest number of streams with which one of `tests` tests, corrected by Holm, can reject."""
    streams = 1
    while smallest_p_value(streams) * tests > level:
        streams += 1
    return streams


STREAMS_WILCOXON = SignificanceTest(
    name="streams_wilcoxon",
    title="Wilcoxon's signed-rank test over streams",
    null="the differences on the streams are distributed symmetrically about 0",
    estimand="the centre of the differences of two learners across domains",
    assumptions=f"{_INDEPENDENT}; the distribution of differences is symmetric",
    reference="Wilcoxon (1945); Demšar (2006), Section 3.1.3",
    evidence=StreamDifferences,
    function=lambda evidence: signed_rank_test(evidence.differences, "streams"),
)

STREAMS_SIGN = SignificanceTest(
    name="streams_sign",
    title="Sign test over streams",
    null="on a stream, each learner is better with probability 1/2",
    estimand="the median difference of two learners across domains",
    assumptions=_INDEPENDENT,
    reference="Demšar (2006), Section 3.1.4",
    evidence=StreamDifferences,
    function=lambda evidence: sign_test(evidence.differences, "streams"),
)
