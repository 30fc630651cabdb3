"""The practitioner's test: whether a small sample of labels depends on the label before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy  # loads its parts when they are first used: most commands need none
from numpy.typing import NDArray

from streameval.errors import DataError

#: Share of samples whose interval holds the stream's own P(T).
CONFIDENCE = 0.95

_ONE_CLASS = (
    "All labels of the sample are of one class, which says nothing about their order: take a "
    "larger sample, if the stream has more."
)
_PERSISTENT = (
    "Repeating the last label beats the most frequent one: judge learners by Kappa-Temporal or the "
    "combined kappa, and give them the labels before, by temporally_augmented or "
    "temporal_correction."
)
_DEPENDENT = (
    "Labels depend on the one before, though repeating it does not surely beat the most frequent "
    "one: judge learners by the combined kappa, and try temporally_augmented or "
    "temporal_correction."
)
_AVOIDING = (
    "A label follows one of its own class less often than by chance, so Kappa-Temporal, which "
    "compares with repeating it, flatters everyone: judge learners by Kappa and Kappa-M, and give "
    "them the labels before, by temporally_augmented or temporal_correction."
)
_INDEPENDENT = (
    "No dependence on the label before is seen in this sample: Kappa and Kappa-M will do; a larger "
    "sample sees weaker dependence."
)


@dataclass(frozen=True)
class PersistenceCheck:
    """What a sample of consecutive labels says about their order.

    Parameters
    ----------
    n : int
        Labels in the sample.
    majority : float
        P(M), the share of the most frequent class: the accuracy of always answering it.
    persistent : float
        P(T), the share of labels that equal the one before, among the n - 1 that have one: the
        accuracy of repeating the last label.
    low, high : float
        Interval for the P(T) of the stream: Wilson's, on the confidence level `CONFIDENCE`.
    independent : float
        What P(T) would be if labels of these shares came in any order, the sum of their squares.
    """

    n: int
    majority: float
    persistent: float
    low: float
    high: float
    independent: float

    @property
    def advice(self) -> str:
        """What to do, in one sentence."""
        if self.majority == 1.0:
            return _ONE_CLASS
        if self.low > self.majority:
            return _PERSISTENT
        if self.high < self.independent:
            return _AVOIDING
        return _DEPENDENT if self.low > self.independent else _INDEPENDENT


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
    The interval takes the events "equal to the one before" for independent, which they are in a
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
    repeats = int(np.count_nonzero(seen[1:] == seen[:-1]))
    result = scipy.stats.binomtest(repeats, len(seen) - 1)
    interval = result.proportion_ci(CONFIDENCE, method="wilson")
    return PersistenceCheck(
        n=len(seen),
        majority=float(shares.max()),
        persistent=float(result.statistic),
        low=float(interval.low),
        high=float(interval.high),
        independent=float(np.sum(shares**2)),
    )
