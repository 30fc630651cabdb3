"""The tally: the counts from which each classification measure is computed.

Predictions are counted in `streameval.measures.counting`, a separate module, so that definitions of
measures do not load Numba.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import DataError


@dataclass(frozen=True)
class Tally:
    """Counts over a sequence of predictions. Leading axes, written "...", hold several sequences.

    No measure depends on which class was mistaken for which. So a tally has 3 k + 1 counts by
    class: of true labels, of predicted labels and of correct predictions. A confusion matrix would
    have k (k + 1). With two classes, the counts determine the matrix.

    The wrong predictions of the classifier are counted, too, although the counts by class determine
    them. Kappas compare them with the wrong predictions of the baselines, and a baseline compared
    with itself must give exactly 0. Sums of faded weights are equal to the last bit only if they
    are added in the same order.

    Parameters
    ----------
    true_counts : ndarray of float64, shape (..., k)
        Weight of each true class.
    predicted_counts : ndarray of float64, shape (..., k + 1)
        Weight of each predicted class; the last column is "no prediction".
    class_correct : ndarray of float64, shape (..., k)
        Weight of the correct predictions by class.
    wrong : ndarray of float64, shape (...)
        Weight of the wrong predictions, including missing ones.
    no_change_wrong, majority_wrong : ndarray of float64, shape (...)
        Weight of the wrong predictions of both baselines on the same instances; NaN if unknown.

    Raises
    ------
    DataError
        If the shapes do not match.
    """

    true_counts: Floats
    predicted_counts: Floats
    class_correct: Floats
    wrong: Floats
    no_change_wrong: Floats
    majority_wrong: Floats

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(  # the dataclass is frozen
                self, field.name, np.asarray(getattr(self, field.name), dtype=np.float64)
            )
        if self.true_counts.ndim == 0:
            raise DataError("Tally: expected counts by class, found a single number.")
        k = self.n_classes
        last_axis = {"true_counts": (k,), "predicted_counts": (k + 1,), "class_correct": (k,)}
        for field in fields(self):
            expected = (*self.shape, *last_axis.get(field.name, ()))
            if getattr(self, field.name).shape != expected:
                raise DataError(
                    f"Tally: expected {field.name} of shape {expected}, for {k} classes and the "
                    f"leading axes of true_counts, found {getattr(self, field.name).shape}."
                )

    @classmethod
    def from_confusion(
        cls,
        confusion: ArrayLike,
        no_change_correct: ArrayLike = np.nan,
        majority_correct: ArrayLike = np.nan,
    ) -> Tally:
        """Make a tally from a confusion matrix.

        Parameters
        ----------
        confusion : array-like, shape (..., k, k) or (..., k, k + 1)
            Counts by true and predicted class; the column of missing predictions is optional.
        no_change_correct, majority_correct : array-like, shape (...)
            Correct predictions of the baselines, if known.

        Raises
        ------
        DataError
            If the shape is wrong.
        """
        counts = np.asarray(confusion, dtype=np.float64)
        if counts.ndim >= 2 and counts.shape[-1] == counts.shape[-2]:
            counts = np.concatenate([counts, np.zeros((*counts.shape[:-1], 1))], axis=-1)
        if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2] + 1:
            raise DataError(
                "Tally: expected confusion counts of shape (..., k, k) or, with a last column for "
                f"missing predictions, (..., k, k + 1), found {counts.shape}."
            )
        n = counts.sum(axis=(-2, -1))
        true_counts, predicted_counts, class_correct = counts_by_class(counts)
        return cls(
            true_counts,
            predicted_counts,
            class_correct,
            wrong=n - total(class_correct),
            no_change_wrong=n - np.asarray(no_change_correct, dtype=np.float64),
            majority_wrong=n - np.asarray(majority_correct, dtype=np.float64),
        )

    def __getitem__(self, index: Any) -> Tally:
        """Tallies that `index` selects from the leading axes."""
        return Tally(*(getattr(self, field.name)[index] for field in fields(self)))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the leading axes; () for a single tally."""
        return self.true_counts.shape[:-1]

    @property
    def n_classes(self) -> int:
        """Declared number of classes, k."""
        return int(self.true_counts.shape[-1])

    @property
    def n(self) -> Floats:
        """Total weight of the predictions, shape (...)."""
        # Not correct + wrong: with faded weights that sum may differ in the last bit, and with one
        # class n must equal the count of the class.
        return total(self.true_counts)

    @property
    def correct(self) -> Floats:
        """Weight of the correct predictions, shape (...)."""
        return np.maximum(self.n - self.wrong, 0)  # rounding of faded weights may give -1e-16

    @property
    def no_change_correct(self) -> Floats:
        """Weight of No-Change's correct predictions, shape (...)."""
        return np.maximum(self.n - self.no_change_wrong, 0)

    @property
    def majority_correct(self) -> Floats:
        """Weight of Majority's correct predictions, shape (...)."""
        return np.maximum(self.n - self.majority_wrong, 0)


def counts_by_class(confusion: Floats) -> tuple[Floats, Floats, Floats]:
    """Counts by true class, by predicted class and on the diagonal of a confusion matrix.

    `confusion` has the shape (..., k, k + 1), with a last column for missing predictions.
    """
    correct = np.diagonal(confusion[..., :-1], axis1=-2, axis2=-1)
    return total(confusion), total(np.swapaxes(confusion, -1, -2)), correct


def total(values: ArrayLike) -> Floats:
    """Sums over the last axis, as float."""
    return np.asarray(np.sum(values, axis=-1), dtype=np.float64)


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Quotient, NaN where the denominator is 0: an undefined measure is never 0 or infinite."""
    top, bottom = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    quotient = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=quotient, where=bottom != 0)
    return quotient
