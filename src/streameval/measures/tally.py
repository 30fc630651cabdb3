"""The tally: all that a classification measure needs to know about a stretch of predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import DataError
from streameval.measures.comparators import majority_answers, no_change_answers

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """Counts of a stretch of predictions, or of many stretches: "..." are any leading axes.

    Errors of the classifier and of the baselines are kept beside the confusion counts, not
    derived from them: with faded weights only sums taken in the same order agree to the last
    bit, and a baseline scored against itself must give exactly 0.

    Parameters
    ----------
    confusion : ndarray of float64, shape (..., k, k + 1)
        Weight by true class and predicted class; the last column is "no answer".
    wrong : ndarray of float64, shape (...)
        Weight of the wrong answers, no answer included.
    no_change_wrong, majority_wrong : ndarray of float64, shape (...)
        Weight of the wrong answers of the two baselines to the same predict events; NaN
        where it is not known.

    Raises
    ------
    DataError
        If the shapes contradict each other.
    """

    confusion: Floats
    wrong: Floats
    no_change_wrong: Floats
    majority_wrong: Floats

    def __post_init__(self) -> None:
        for name in ("confusion", "wrong", "no_change_wrong", "majority_wrong"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        shape = self.confusion.shape
        if len(shape) < 2 or shape[-1] != shape[-2] + 1:
            raise DataError(
                f"Tally: expected confusion counts of shape (..., k, k + 1), found {shape}. "
                "The last column counts predictions without an answer; add it, even if zero."
            )
        for name in ("wrong", "no_change_wrong", "majority_wrong"):
            if getattr(self, name).shape != self.shape:
                raise DataError(
                    f"Tally: expected {name} of shape {self.shape}, as the leading axes of the "
                    f"confusion counts, found {getattr(self, name).shape}."
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
            Counts by true and predicted class; the "no answer" column may be left out.
        no_change_correct, majority_correct : array-like, shape (...)
            Right answers of the baselines, where they are known.
        """
        counts = np.asarray(confusion, dtype=np.float64)
        if counts.ndim >= 2 and counts.shape[-1] == counts.shape[-2]:
            counts = np.concatenate([counts, np.zeros((*counts.shape[:-1], 1))], axis=-1)
        n = counts.sum(axis=(-2, -1))
        diagonal = np.diagonal(counts[..., :-1], axis1=-2, axis2=-1)
        return cls(
            counts,
            n - diagonal.sum(axis=-1),
            n - np.asarray(no_change_correct, dtype=np.float64),
            n - np.asarray(majority_correct, dtype=np.float64),
        )

    def __getitem__(self, index: Any) -> Tally:
        """Return the tallies that `index` picks from the leading axes."""
        return Tally(
            self.confusion[index],
            self.wrong[index],
            self.no_change_wrong[index],
            self.majority_wrong[index],
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the leading axes; () for a single tally."""
        return self.confusion.shape[:-2]

    @property
    def n_classes(self) -> int:
        """Declared number of classes, k."""
        k: int = self.confusion.shape[-2]
        return k

    @property
    def true_counts(self) -> Floats:
        """Weight of each true class, shape (..., k)."""
        return total(self.confusion)

    @property
    def answer_counts(self) -> Floats:
        """Weight of each predicted class and of "no answer", shape (..., k + 1)."""
        return total(np.swapaxes(self.confusion, -1, -2))

    @property
    def class_correct(self) -> Floats:
        """Weight of the right answers by class, shape (..., k)."""
        return np.diagonal(self.confusion[..., :-1], axis1=-2, axis2=-1)

    @property
    def n(self) -> Floats:
        """Total weight of the predictions, shape (...)."""
        # Through the class sums, so that a stretch of one class has n == its class count exactly.
        return total(self.true_counts)

    @property
    def correct(self) -> Floats:
        """Weight of the right answers, shape (...)."""
        return np.maximum(self.n - self.wrong, 0)  # faded sums may differ in the last bit

    @property
    def no_change_correct(self) -> Floats:
        """Weight of No-Change's right answers, shape (...)."""
        return np.maximum(self.n - self.no_change_wrong, 0)

    @property
    def majority_correct(self) -> Floats:
        """Weight of Majority Class's right answers, shape (...)."""
        return np.maximum(self.n - self.majority_wrong, 0)


class Events(NamedTuple):
    """Checked predictions as the compiled counting loops take them."""

    true: NDArray[np.int32]  # (n,)
    column: NDArray[np.int32]  # (n,) predicted class, k for no answer
    wrong: NDArray[np.bool_]  # (n, 3) classifier, No-Change, Majority Class
    n_classes: int


def tally(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    no_change: ArrayLike | None = None,
    majority: ArrayLike | None = None,
) -> Tally:
    """Count all predictions into one tally.

    Parameters
    ----------
    true : array-like of int, shape (n,)
        True class codes 0, ..., k - 1, in the order of the predict events.
    predicted : array-like of int, shape (n,)
        Predicted class codes; -1 is no answer and counts as wrong.
    n_classes : int
        Declared number of classes, k.
    no_change, majority : array-like of int, shape (n,), optional
        What the No-Change and the Majority Class learners answered on the same tape. Give them
        whenever labels are delayed or folds leave instances out. Without them the baselines
        of `streameval.measures.comparators` are used, which see every label before the next
        prediction, do not depend on how classes are coded, and have no answer to the first.

    Returns
    -------
    Tally
        With no leading axes.

    Raises
    ------
    DataError
        If lengths differ or a code is out of range.
    """
    events = checked_events(true, predicted, n_classes, no_change, majority)
    cells = events.true.astype(np.int64) * (n_classes + 1) + events.column
    counts = np.bincount(cells, minlength=n_classes * (n_classes + 1)).astype(np.float64)
    return Tally(counts.reshape(n_classes, n_classes + 1), *total(events.wrong.T))


def checked_events(
    true: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    no_change: ArrayLike | None = None,
    majority: ArrayLike | None = None,
) -> Events:
    """Check labels (see `tally`) and return them ready for counting."""
    y = _checked_labels(true, "true", n_classes, lowest=0)
    label = _checked_labels(predicted, "predicted", n_classes, len(y))
    if no_change is None:
        persistent = no_change_answers(y)
    else:
        persistent = _checked_labels(no_change, "no_change", n_classes, len(y))
    if majority is None:
        frequent = majority_answers(y, n_classes)
    else:
        frequent = _checked_labels(majority, "majority", n_classes, len(y))
    wrong = np.stack([label != y, persistent != y, frequent != y], axis=1)
    column = np.where(label < 0, np.int32(n_classes), label)
    return Events(y, column, wrong, int(n_classes))


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


def _checked_labels(
    labels: ArrayLike, name: str, n_classes: int, n: int | None = None, lowest: int = -1
) -> NDArray[np.int32]:
    codes = np.asarray(labels)
    if codes.ndim != 1 or (n is not None and len(codes) != n):
        wanted = "(n,)" if n is None else f"({n},)"
        raise DataError(f"Labels {name!r}: expected shape {wanted}, found {codes.shape}.")
    if codes.size and codes.dtype.kind not in "iu":
        raise DataError(f"Labels {name!r}: expected integer class codes, found {codes.dtype}.")
    outside = np.flatnonzero((codes < lowest) | (codes >= n_classes))
    if outside.size:
        i = int(outside[0])
        raise DataError(
            f"Labels {name!r}: code {int(codes[i])} at position {i} is outside "
            f"{lowest}..{n_classes - 1} ({n_classes} classes declared)."
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
