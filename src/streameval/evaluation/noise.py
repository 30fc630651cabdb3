"""Predictions made worse at random: known differences, to find out which tests notice them.

Bifet et al. (2015, Section 4.1) print the accuracy of their noise filter as

    p = p_0 (1 - p_noise) + (1 - p_0) p_noise / c

for c classes. A filter that replaces a prediction without knowing the true label cannot have it:
with labels drawn from all classes, a correct prediction often stays correct; with labels drawn from
the others, a wrong one becomes correct with probability 1 / (c - 1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int16]
#: How labels are replaced.
Filter = Literal["other_labels", "all_labels", "own_labels"]


def _other_labels(labels: Labels, classes: int, draws: np.random.Generator) -> Labels:
    """Return for each label another one, all others alike."""
    shift = draws.integers(1, max(classes, 2), size=len(labels), dtype=np.int16)
    return ((labels + shift) % max(classes, 2)).astype(np.int16)


def _all_labels(labels: Labels, classes: int, draws: np.random.Generator) -> Labels:
    """Return labels drawn from all classes alike."""
    return draws.integers(classes, size=len(labels), dtype=np.int16)


def _own_labels(labels: Labels, classes: int, draws: np.random.Generator) -> Labels:
    """Return the labels in random order: classes are predicted as often as before."""
    return draws.permutation(labels)


FILTERS: dict[str, Callable[[Labels, int, np.random.Generator], Labels]] = {
    "other_labels": _other_labels,
    "all_labels": _all_labels,
    "own_labels": _own_labels,
}


class Noise:
    """Draws that replace a learner's predictions, the same ones at every level of noise.

    Parameters
    ----------
    labels : ndarray of int16, shape (n,)
        The predictions.
    classes : int
        Number of classes, c.
    kind : Filter
        Where the new labels come from.
    draws : numpy.random.Generator
        What they are drawn with.
    """

    def __init__(
        self, labels: Labels, classes: int, kind: Filter, draws: np.random.Generator
    ) -> None:
        self._labels = labels
        self._chance = draws.random(len(labels), dtype=np.float32)
        self._instead = FILTERS[kind](labels, classes, draws)

    def at(self, level: float, where: NDArray[np.bool_] | None = None) -> Labels:
        """Return the predictions with noise.

        Parameters
        ----------
        level : float
            Probability that a prediction is replaced, p_noise.
        where : ndarray of bool, optional
            The predictions that can be; by default all.
        """
        replaced = self._chance < level
        if where is not None:
            replaced &= where
        return np.where(replaced, self._instead, self._labels)


def printed_accuracy(accuracy: float, level: float, classes: int) -> float:
    """Return the accuracy with noise that Bifet et al. (2015, Section 4.1) print."""
    return accuracy * (1 - level) + (1 - accuracy) * level / classes
