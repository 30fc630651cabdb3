"""The practitioner's test: whether the labels of a small sample depend on the previous label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy  # loads its parts when they are first used: most commands need none
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL

#: Proportion of samples whose interval holds the stream's own P(T).
CONFIDENCE = 0.95

_ONE_CLASS = (
    "All labels of the sample are of one class, so nothing can be said about their order: look at "
    "more labels."
)
_PERSISTENT = (
    "Repeating the last label beats the most frequent one: judge learners by Kappa-Temporal or the "
    "combined kappa, and give them previous labels, by temporally_augmented or "
    "temporal_correction."
)
_DEPENDENT = (
    "Labels depend on the previous label, but repeating it does not surely beat the most frequent "
    "label: judge learners by the combined kappa, and try temporally_augmented or "
    "temporal_correction."
)
_AVOIDING = (
    "Labels repeat less often than by chance, so Kappa-Temporal, which compares with repeating the "
    "last label, flatters every learner: judge learners by Kappa and Kappa-M, and give them "
    "previous labels, by temporally_augmented or temporal_correction."
)
_INDEPENDENT = (
    "No dependence on the previous label shows in this sample: Kappa and Kappa-M are enough. A "
    "larger sample would show weaker dependence."
)


@dataclass(frozen=True)
class PersistenceCheck:
    """What a sample of consecutive labels says about their order.

    Parameters
    ----------
    n : int
        Labels in the sample.
    majority : float
        P(M), the proportion of the most frequent class: the accuracy of always predicting it.
    persistent : float
        P(T), the proportion of labels that equal the previous one, among the n - 1 that have one:
        the accuracy of repeating the last label.
    low, high : float
        Interval for the P(T) of the stream: Wilson's, on the confidence level `CONFIDENCE`.
    independent : float
        What P(T) would be if labels of these proportions came in any order, the sum of squares.
    p_value : float or None
        Two-sided, of the number of repeated labels if all orders of the sample were equally likely;
        None with one class only.
    p_value_error : float
        Standard error of the p-value: 0 where it is exact, not simulated.
    second_class_at : int or None
        The first label of the whole stream, from 1, that is of another class than the first one.
    """

    n: int
    majority: float
    persistent: float
    low: float
    high: float
    independent: float
    p_value: float | None
    p_value_error: float
    second_class_at: int | None

    @property
    def advice(self) -> str:
        """What to do, in one sentence."""
        if self.p_value is None:
            at = self.second_class_at
            where = "The stream has no other." if at is None else f"Label {at:,} is of another."
            return f"{_ONE_CLASS} {where}"
        if self.low > self.majority:
            return _PERSISTENT
        if self.p_value >= LEVEL:
            return _INDEPENDENT
        expected = self.n * (self.independent - 1 / self.n) / (self.n - 1)
        return _DEPENDENT if self.persistent > expected else _AVOIDING


def check_persistence(labels: NDArray[np.int32], sample: int = 100) -> PersistenceCheck:
    """Compare the Persistent with the Majority classifier on the first labels of a stream.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in the order of the stream.
    sample : int
        How many to look at, at least 2; of a shorter stream all.

    Returns
    -------
    PersistenceCheck
        The two accuracies, an interval, and advice.

    Raises
    ------
    DataError
        If there are fewer than two labels to look at.

    Notes
    -----
    The interval takes the events "equal to the previous label" for independent, which they are in a
    Markov chain whose classes persist alike. P(M) is that of the very sample, so rather too high
    than too low: the Persistent classifier must beat the best that could have been known.

    References
    ----------
    Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of
    streaming data with temporal dependence, Section 7.
    """
    seen = labels[: max(sample, 0)]
    if len(seen) < 2:
        raise DataError(
            f"A check of temporal dependence needs at least 2 labels one after the other; found "
            f"{len(seen)} (the stream has {len(labels)}, the sample was to have {sample})."
        )
    shares = np.bincount(seen) / len(seen)
    order = TESTS["label_order"](seen)
    others = np.flatnonzero(labels != labels[0])
    result = scipy.stats.binomtest(order.statistic, len(seen) - 1)
    interval = result.proportion_ci(CONFIDENCE, method="wilson")
    return PersistenceCheck(
        n=len(seen),
        majority=float(shares.max()),
        persistent=float(result.statistic),
        low=float(interval.low),
        high=float(interval.high),
        independent=float(np.sum(shares**2)),
        p_value=None if np.isnan(order.p_value) else order.p_value,
        p_value_error=order.p_value_error,
        second_class_at=int(others[0]) + 1 if others.size else None,
    )
