"""Simulated errors with a known dependence, and predictions with random noise.

Bifet et al. (2015, Section 4.1) print p = p_0 (1 - p_noise) + (1 - p_0) p_noise / c for the
accuracy after their noise filter, with c classes. A filter has this accuracy only if it knows
the true label. Without the true label, a filter can draw the new label in two ways. A label drawn
from all classes leaves a correct prediction correct with probability 1 / c. A label drawn from the
other classes corrects a wrong prediction with probability 1 / (c - 1).
"""

from __future__ import annotations

import numpy as np
import scipy  # loads its parts when they are first used
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Flags, Floats
from streameval.significance.intervals import CONFIDENCE, Interval

Labels = NDArray[np.int16]


class Noise:
    """Random replacements of predictions, the same at every level of noise.

    The new label of a prediction is drawn uniformly from the other classes.
    """

    def __init__(self, labels: Labels, classes: int, rng: np.random.Generator) -> None:
        self._labels = labels
        self._uniform = rng.random(len(labels), dtype=np.float32)
        # With a single class, the replacement is a class 1 that is always wrong.
        shift = rng.integers(1, max(classes, 2), size=len(labels), dtype=np.int16)
        self._replacements = ((labels + shift) % max(classes, 2)).astype(np.int16)

    def noisy(self, level: float, replaceable: Flags | None = None) -> Labels:
        """Predictions with noise.

        A prediction in the mask `replaceable`, by default all, is replaced with the probability
        `level`, p_noise.
        """
        is_replaced = self._uniform < level
        if replaceable is not None:
            is_replaced &= replaceable
        return np.where(is_replaced, self._replacements, self._labels)


def printed_accuracy(accuracy: float, level: float, classes: int) -> float:
    """Accuracy with noise that Bifet et al. (2015, Section 4.1) print."""
    return accuracy * (1 - level) + (1 - accuracy) * level / classes


def dependent_errors(
    rng: np.random.Generator, rates: ArrayLike, autocorrelation: float, runs: int
) -> Flags:
    """Errors, (runs, n), of a stationary two-state Markov chain.

    `rates` may vary over time: an error occurs where `dependent_numbers` is below the rate. If the
    rate is constant, `autocorrelation` is the autocorrelation of successive errors.
    """
    rate = np.asarray(rates, dtype=np.float64)
    return dependent_numbers(rng, len(rate), autocorrelation, runs) < rate


def dependent_numbers(
    rng: np.random.Generator, n: int, repeat_probability: float, runs: int
) -> Floats:
    """Uniform numbers, (runs, n); each repeats the previous number with the given probability."""
    new_numbers = rng.random((runs, n))
    repeats = rng.random((runs, n)) < repeat_probability
    repeats[:, 0] = False
    source = np.maximum.accumulate(np.where(repeats, 0, np.arange(n)), axis=1)
    numbers: Floats = np.take_along_axis(new_numbers, source, axis=1)
    return numbers


def proportion_interval(hits: int, runs: int) -> Interval:
    """A proportion and the exact interval of Clopper and Pearson (1934)."""
    ends = scipy.stats.binomtest(hits, runs).proportion_ci(CONFIDENCE, method="exact")
    # Versions of scipy differ in the last digits.
    return Interval(hits / runs, round(float(ends.low), 12), round(float(ends.high), 12))
