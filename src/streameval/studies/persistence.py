"""The practitioner's test: whether the labels of a small sample depend on the previous label."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import scipy  # loads its parts when they are first used: most commands need none
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.seeds import generator

#: Proportion of samples whose interval holds the stream's own P(T).
CONFIDENCE = 0.95

#: A p-value below this one says that the order of the labels is not random.
LEVEL = 0.05
#: Up to as many labels the p-value for three classes and more is exact.
EXACT = 300
#: Random orders that are drawn where it is not.
DRAWS = 1999

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
        Standard error of the p-value: 0 where it is exact, otherwise that of `DRAWS` random orders.
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
    repeats = int(np.count_nonzero(seen[1:] == seen[:-1]))
    p_value, error = repeats_p_value(seen)
    others = np.flatnonzero(labels != labels[0])
    result = scipy.stats.binomtest(repeats, len(seen) - 1)
    interval = result.proportion_ci(CONFIDENCE, method="wilson")
    return PersistenceCheck(
        n=len(seen),
        majority=float(shares.max()),
        persistent=float(result.statistic),
        low=float(interval.low),
        high=float(interval.high),
        independent=float(np.sum(shares**2)),
        p_value=p_value,
        p_value_error=error,
        second_class_at=int(others[0]) + 1 if others.size else None,
    )


def repeats_p_value(labels: NDArray[np.int32]) -> tuple[float | None, float]:
    """Test whether labels are in random order, by how many equal the previous one.

    Under the null hypothesis all orders of these labels are equally likely, whatever the class
    frequencies. For two classes this is the runs test of Wald and Wolfowitz in its exact form.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Class codes in their order.

    Returns
    -------
    p_value : float or None
        Twice the smaller of the probabilities of as many repeats or more and of as many or fewer,
        at most 1; None where all labels are of one class.
    error : float
        0 where it is exact: for two classes, and for more up to `EXACT` labels. Otherwise the
        standard error from `DRAWS` random orders, which are the same in every run.

    References
    ----------
    Wald, Wolfowitz (1940), On a test whether two samples are from the same population, Annals of
    Mathematical Statistics 11(2), 147-162.
    """
    counts = np.bincount(labels)
    counts = counts[counts > 0]
    if len(counts) < 2:
        return None, 0.0
    repeats = int(np.count_nonzero(labels[1:] == labels[:-1]))
    if len(counts) == 2:
        chances = _two_classes(int(counts[0]), int(counts[1]))
    elif len(labels) <= EXACT:
        chances = _exact([int(count) for count in counts])
    else:
        draws, order = generator("check", "orders"), labels.copy()
        found = np.empty(DRAWS, dtype=np.int64)
        for draw in range(DRAWS):
            draws.shuffle(order)
            found[draw] = np.count_nonzero(order[1:] == order[:-1])
        tails = np.count_nonzero(found >= repeats), np.count_nonzero(found <= repeats)
        p_value = min(1.0, 2.0 * (min(tails) + 1) / (DRAWS + 1))
        return p_value, float(np.sqrt(p_value * max(2.0 - p_value, 0.0) / DRAWS))
    more, fewer = float(chances[repeats:].sum()), float(chances[: repeats + 1].sum())
    return min(1.0, 2.0 * min(more, fewer)), 0.0


def _two_classes(a: int, b: int) -> NDArray[np.float64]:
    """Return the probabilities of 0, 1, ... repeats among `a` labels of one class and `b`."""
    runs = np.arange(2, a + b + 1)
    half = runs // 2

    def ways(runs_a: NDArray[np.int64], runs_b: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.exp(_log_choose(a - 1, runs_a - 1) + _log_choose(b - 1, runs_b - 1) - total)

    total = _log_choose(a + b, np.array([a]))
    even = 2.0 * ways(half, half)
    odd = ways(half, half + 1) + ways(half + 1, half)
    chances = np.zeros(a + b)
    chances[a + b - runs] = np.where(runs % 2 == 0, even, odd)
    return chances


def _log_choose(n: int, k: NDArray[np.int64]) -> NDArray[np.float64]:
    inside = (k >= 0) & (k <= n)
    m = np.where(inside, k, 0)
    value = (
        scipy.special.gammaln(n + 1)
        - scipy.special.gammaln(m + 1)
        - scipy.special.gammaln(n - m + 1)
    )
    return np.where(inside, value, -np.inf)


def _exact(counts: list[int]) -> NDArray[np.float64]:
    """Return the probabilities of 0, 1, ... repeats for any number of classes.

    A class of n labels is cut into j pieces in C(n - 1, j - 1) ways, and the pieces of all classes
    are put in a row in as many ways as multinomial coefficients say. Pieces of one class may stand
    side by side there, so that an order with r repeats is counted C(r, t) times with t of its
    repeats inside pieces; inclusion and exclusion mends that. All numbers are whole.
    """
    rows = [1]  # by the number of pieces
    for n in counts:
        cut = [0, *(comb(n - 1, j - 1) for j in range(1, n + 1))]
        longer = [0] * (len(rows) + n)
        for i, one in enumerate(rows):
            for j, other in enumerate(cut):
                longer[i + j] += one * other * comb(i + j, j)
        rows = longer
    n = sum(counts)
    inside = [rows[n - t] for t in range(n)]  # t repeats are inside pieces
    orders = (sum((-1) ** (t - r) * comb(t, r) * inside[t] for t in range(r, n)) for r in range(n))
    return np.array([number / inside[0] for number in orders])
