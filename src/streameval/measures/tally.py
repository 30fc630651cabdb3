"""The tally: the counts from which every classification measure is computed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.compiled.kernels import kernel, part
from streameval.errors import DataError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """Counts of a stretch of predictions, or of many stretches: "..." are any leading axes.

    No measure depends on which class was mistaken for which. Counts by true class, by predicted
    class and of correct predictions are enough: 3 k + 1 of them, where a confusion matrix has
    k (k + 1). With two classes they determine the matrix.

    Errors of the classifier and of the baselines are stored beside these counts, not derived from
    them. With faded weights, only sums taken in the same order agree to the last bit, and a
    baseline measured against itself must give exactly 0.

    Parameters
    ----------
    true_counts : ndarray of float64, shape (..., k)
        Weight of each true class.
    predicted_counts : ndarray of float64, shape (..., k + 1)
        Weight of each predicted class; the last column is "no prediction".
    class_correct : ndarray of float64, shape (..., k)
        Weight of the correct predictions by class.
    wrong : ndarray of float64, shape (...)
        Weight of the wrong predictions, missing ones included.
    no_change_wrong, majority_wrong : ndarray of float64, shape (...)
        Weight of the wrong predictions of the two baselines at the same events; NaN if unknown.

    Raises
    ------
    DataError
        If the shapes contradict each other.
    """

    true_counts: Floats
    predicted_counts: Floats
    class_correct: Floats
    wrong: Floats
    no_change_wrong: Floats
    majority_wrong: Floats

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(
                self, field.name, np.asarray(getattr(self, field.name), dtype=np.float64)
            )
        if self.true_counts.ndim == 0:
            raise DataError("Tally: expected counts by class, found a single number.")
        k = self.n_classes
        last = {"true_counts": (k,), "predicted_counts": (k + 1,), "class_correct": (k,)}
        for field in fields(self):
            expected = (*self.shape, *last.get(field.name, ()))
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
        """Build a tally from a finished confusion matrix.

        Parameters
        ----------
        confusion : array-like, shape (..., k, k) or (..., k, k + 1)
            Counts by true and predicted class; the column of missing predictions is optional.
        no_change_correct, majority_correct : array-like, shape (...)
            Correct predictions of the baselines, where they are known.

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
        by_class = marginals(counts)
        return cls(
            *by_class,
            n - total(by_class[2]),
            n - np.asarray(no_change_correct, dtype=np.float64),
            n - np.asarray(majority_correct, dtype=np.float64),
        )

    def __getitem__(self, index: Any) -> Tally:
        """Return the tallies that `index` selects from the leading axes."""
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
        # From the class sums, so that n equals the class count exactly in a stretch of one class.
        return total(self.true_counts)

    @property
    def correct(self) -> Floats:
        """Weight of the correct predictions, shape (...)."""
        return np.maximum(self.n - self.wrong, 0)  # faded sums may differ in the last bit

    @property
    def no_change_correct(self) -> Floats:
        """Weight of No-Change's correct predictions, shape (...)."""
        return np.maximum(self.n - self.no_change_wrong, 0)

    @property
    def majority_correct(self) -> Floats:
        """Weight of Majority's correct predictions, shape (...)."""
        return np.maximum(self.n - self.majority_wrong, 0)


class Events(NamedTuple):
    """Checked predictions in the form that the compiled counting loops need."""

    true: NDArray[np.int32]  # (n,)
    column: NDArray[np.int32]  # (n,) predicted class, k for a missing prediction
    wrong: NDArray[np.bool_]  # (n, 3) classifier, No-Change, Majority
    n_classes: int


def tally(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> Tally:
    """Count all predictions into one tally.

    Parameters
    ----------
    true : array-like of int, shape (n,)
        True class codes 0, ..., k - 1, in the order of the predict events.
    predicted : array-like of int, shape (n,)
        Predicted class codes; -1 is a missing prediction and counts as wrong.
    n_classes : int
        Declared number of classes, k.
    no_change, majority : array-like of int, shape (n,)
        Predictions of the learners No-Change and Majority on the same tape.

    Returns
    -------
    Tally
        With no leading axes.

    Raises
    ------
    DataError
        If lengths differ or a code is out of range.
    """
    counts = no_counts(n_classes)
    added(counts, true, predicted, n_classes, no_change=no_change, majority=majority)
    return tally_of(counts, n_classes)


def no_counts(n_classes: int) -> Floats:
    """Return the counts of no prediction, to which those of a stretch can be added."""
    return np.zeros(3 * n_classes + 4)


def added(
    counts: Floats,
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> None:
    """Add further predictions to counts; see `tally` for what they are, `tally_of` for the sum."""
    _count_all(checked_events(true, predicted, n_classes, no_change, majority), counts)


@part
def count(events: Events, t: int, weight: float, counts: Floats) -> None:
    """Add event `t` to counts: k of true, k + 1 of predicted, k of correct classes, 3 of errors."""
    k = events.n_classes
    y, wrong = events.true[t], events.wrong[t]
    counts[y] += weight
    counts[k + events.column[t]] += weight
    if wrong[0]:
        counts[3 * k + 1] += weight
    else:
        counts[2 * k + 1 + y] += weight
    for j in range(1, 3):
        if wrong[j]:
            counts[3 * k + 1 + j] += weight


@kernel
def _count_all(events: Events, counts: Floats) -> None:
    for t in range(len(events.true)):
        count(events, t, 1.0, counts)


def tally_of(counts: Floats, n_classes: int) -> Tally:
    """Return the tallies of the counts that `count` fills, shape (..., 3 k + 4)."""
    k = n_classes
    by_class = np.split(counts[..., :-3], [k, 2 * k + 1], axis=-1)
    return Tally(*by_class, *np.moveaxis(counts[..., -3:], -1, 0))


def marginals(confusion: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the counts of true, predicted and correct classes of (..., k, k + 1)."""
    correct = np.diagonal(confusion[..., :-1], axis1=-2, axis2=-1)
    return total(confusion), total(np.swapaxes(confusion, -1, -2)), correct


def checked_events(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    no_change: ArrayLike,
    majority: ArrayLike,
) -> Events:
    """Check labels (see `tally`) and return them ready for counting."""
    y, column = checked_predictions(true, predicted, n_classes)
    persistent = checked_labels(no_change, "no_change", n_classes, len(y))
    frequent = checked_labels(majority, "majority", n_classes, len(y))
    wrong = np.stack([column != y, persistent != y, frequent != y], axis=1)
    return Events(y, column, wrong, int(n_classes))


def checked_predictions(
    true: ArrayLike, predicted: ArrayLike, n_classes: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Check labels and return the true and the predicted ones, k for a missing prediction."""
    y = checked_labels(true, "true", n_classes, lowest=0)
    label = checked_labels(predicted, "predicted", n_classes, len(y))
    return y, np.where(label < 0, np.int32(n_classes), label)


def checked_positions(at: ArrayLike, n: int) -> NDArray[np.int64]:
    """Check sample positions: numbers of predictions made, increasing, within 1..n."""
    positions = np.ascontiguousarray(at)
    if positions.ndim != 1 or not (positions.size == 0 or positions.dtype.kind in "iu"):
        raise DataError(
            "Sample positions: expected a one-dimensional array of integers, found "
            f"{positions.dtype} of shape {positions.shape}."
        )
    positions = positions.astype(np.int64)
    if positions.size and (
        positions[0] < 1 or positions[-1] > n or (np.diff(positions) <= 0).any()
    ):
        raise DataError(
            f"Sample positions: expected increasing numbers of predictions within 1..{n}, "
            f"found {positions.min()}..{positions.max()}. Sort them and drop repetitions."
        )
    return positions


def checked_labels(
    labels: ArrayLike, name: str, n_classes: int, n: int | None = None, lowest: int = -1
) -> NDArray[np.int32]:
    """Check class codes, `lowest`, ..., k - 1, and return them as an array."""
    codes = np.asarray(labels)
    if codes.ndim != 1 or (n is not None and len(codes) != n):
        wanted = "(n,)" if n is None else f"({n},)"
        raise DataError(f"Labels {name!r}: expected shape {wanted}, found {codes.shape}.")
    if codes.size and codes.dtype.kind not in "iu":
        raise DataError(f"Labels {name!r}: expected integer class codes, found {codes.dtype}.")
    if codes.size and (codes.min() < lowest or codes.max() >= n_classes):
        i = int(np.flatnonzero((codes < lowest) | (codes >= n_classes))[0])
        raise DataError(
            f"Labels {name!r}: expected codes {lowest}..{n_classes - 1}, found {int(codes[i])} at "
            f"position {i} ({n_classes} classes declared)."
        )
    return np.ascontiguousarray(codes, dtype=np.int32)


def total(values: ArrayLike) -> Floats:
    """Return the sums over the last axis."""
    return np.asarray(np.sum(values, axis=-1), dtype=np.float64)


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Return the quotient, NaN where the denominator is 0: undefined is never 0 or infinite."""
    above, below = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    quotient = np.full(above.shape, np.nan)
    np.divide(above, below, out=quotient, where=below != 0)
    return quotient
