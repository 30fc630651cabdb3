"""Simulated errors with a known dependence, and predictions with random noise.

Bifet et al. (2015, Section 4.1) print p = p_0 (1 - p_noise) + (1 - p_0) p_noise / c for their noise
filter. A filter needs the true label for it. Without the label, a new label from all classes often
keeps a correct prediction; one from the other classes corrects a wrong prediction with probability
1 / (c - 1).
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

    def __init__(self, labels: Labels, classes: int, draws: np.random.Generator) -> None:
        self._labels = labels
        self._chance = draws.random(len(labels), dtype=np.float32)
        shift = draws.integers(1, max(classes, 2), size=len(labels), dtype=np.int16)
        self._instead = ((labels + shift) % max(classes, 2)).astype(np.int16)

    def at(self, level: float, where: Flags | None = None) -> Labels:
        """Predictions with noise.

        A prediction is replaced with the probability `level`, p_noise; by default all can be.
        """
        replaced = self._chance < level
        if where is not None:
            replaced &= where
        return np.where(replaced, self._instead, self._labels)


def printed_accuracy(accuracy: float, level: float, classes: int) -> float:
    """Accuracy with noise that Bifet et al. (2015, Section 4.1) print."""
    return accuracy * (1 - level) + (1 - accuracy) * level / classes


def dependent_errors(
    draws: np.random.Generator, rates: ArrayLike, memory: float, runs: int
) -> Flags:
    """Errors, (runs, n), of a stationary two-state Markov chain.

    `rates` may vary over time: an error occurs where `dependent_numbers` is below the rate.
    `memory` is the autocorrelation of successive errors of equal rate.
    """
    rate = np.asarray(rates, dtype=np.float64)
    return dependent_numbers(draws, len(rate), memory, runs) < rate


def dependent_numbers(draws: np.random.Generator, n: int, memory: float, runs: int) -> Floats:
    """Uniform numbers, (runs, n); each repeats the previous number with probability `memory`."""
    fresh = draws.random((runs, n))
    kept = draws.random((runs, n)) < memory
    kept[:, 0] = False
    source = np.maximum.accumulate(np.where(kept, 0, np.arange(n)), axis=1)
    numbers: Floats = np.take_along_axis(fresh, source, axis=1)
    return numbers


def proportion_interval(hits: int, runs: int) -> Interval:
    """A proportion and the exact interval of Clopper and Pearson (1934)."""
    ends = scipy.stats.binomtest(hits, runs).proportion_ci(CONFIDENCE, method="exact")
    # Versions of scipy differ in the last digits.
    return Interval(hits / runs, round(float(ends.low), 12), round(float(ends.high), 12))
