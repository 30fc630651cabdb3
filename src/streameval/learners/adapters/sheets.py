"""Predictions of other tools, checked and gathered: class labels and scores, or numbers."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from numbers import Real
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Floats
from streameval.base.errors import DataError, excerpt, some
from streameval.learners.learner import Learner, score_table
from streameval.learners.predictions import NO_PREDICTION, PredictedValues, Predictions
from streameval.learners.regression.regressor import Regressor, no_scores
from streameval.learners.stretch import Outputs, Values, with_marks, without_marks
from streameval.streams.stream import Stream

Q = TypeVar("Q", Predictions, PredictedValues, covariant=True)


class Sheet(Protocol[Q]):
    """Predictions that are gathered in the order of a tape."""

    #: What has been added so far.
    outputs: Any

    def mark(self) -> None:
        """Also say where there are no votes; see `streameval.learners.steps.Steps`."""

    def add(self, predicted: Sequence[Any], votes: Any) -> None:
        """Add predictions, and the class scores, or intervals, where there are any."""

    def predictions(self, seconds: float, model_bytes: int) -> Q:
        """Return all predictions."""


class Labels:
    """Predicted classes; `rows` are those of all predict events of a tape."""

    def __init__(self, rows: Codes, classes: Sequence[str], scores: bool, who: str) -> None:
        self._rows, self._classes, self._scores, self._who = rows, classes, scores, who
        self._k = n_classes = len(classes)
        self.outputs = Outputs(
            np.full(len(rows), NO_PREDICTION, dtype=np.int16),
            score_table(len(rows) if scores else 0, n_classes),
        )
        self._at, self._marks = 0, False

    def mark(self) -> None:
        """See `Sheet`."""
        self.outputs, self._marks = with_marks(self.outputs), True

    def add(self, predicted: Sequence[Any], votes: Any) -> None:
        """See `Sheet`."""
        now = slice(self._at, self._at + len(predicted))
        label, table = self.outputs
        label[now] = checked_labels(predicted, self._classes, self._rows[now], self._who)
        if self._scores:
            table[now, : self._k] = normalised_scores(votes, label[now], self._k, self._who)
        if self._marks:
            table[now, self._k] = _has_votes(np.asarray(votes, dtype=np.float64))
        self._at = now.stop

    def predictions(self, seconds: float, model_bytes: int) -> Predictions:
        """See `Sheet`."""
        label, table = without_marks(self.outputs) if self._marks else self.outputs
        scores = table if self._scores else None
        return Predictions(self._rows, label, self._k, scores, seconds, model_bytes)


class Numbers:
    """Predicted numbers; `rows` are those of all predict events of a tape."""

    def __init__(self, rows: Codes, who: str) -> None:
        self._rows, self._who, self._at = rows, who, 0
        self._value = np.full(len(rows), np.nan)
        self._ends: Floats | None = None
        self.outputs = Values(self._value)

    def mark(self) -> None:
        """See `Sheet`: numbers have no votes."""

    def add(self, predicted: Sequence[Any], votes: Any) -> None:
        """See `Sheet`."""
        if votes:
            if self._ends is None:
                self._ends = np.full((2, len(self._rows)), np.nan)
            for i, ends in enumerate(votes, start=self._at):
                if ends is not None:
                    self._ends[:, i] = checked_ends(ends, f"{self._who}, row {self._rows[i]}")
        for number in predicted:
            if number is not None:
                self._value[self._at] = self._checked(number)
            self._at += 1

    def _checked(self, number: Any) -> float:
        if isinstance(number, Real) and np.isfinite(value := float(number)):
            return value
        raise DataError(
            f"{self._who} predicted {excerpt(repr(number), 60)} for row {self._rows[self._at]}: "
            "expected a finite number, or None for no prediction."
        )

    def predictions(self, seconds: float, model_bytes: int) -> PredictedValues:
        """See `Sheet`."""
        low, high = (None, None) if self._ends is None else self._ends
        return PredictedValues(self._rows, self._value, seconds, model_bytes, low=low, high=high)


def checked_ends(ends: Any, where: str) -> tuple[float, float]:
    """Return the ends of a prediction interval.

    Raises
    ------
    DataError
        If they are not two numbers, the lower one first.
    """
    try:
        low, high = map(float, ends)
    except (TypeError, ValueError):
        low = high = np.nan
    if low <= high:
        return low, high
    raise DataError(
        f"{where}: expected the lower and the upper end of an interval, found "
        f"{excerpt(repr(ends), 60)}. Return two numbers, the lower one first, or None for no "
        "interval."
    )


class OfClasses(Learner):
    """The part of an adapter that is about classes."""

    def _sheet(self, stream: Stream, rows: Codes, scores: bool, who: str) -> Sheet[Predictions]:
        return Labels(rows, stream.schema.classes or (), scores, who)


class OfNumbers(Regressor):
    """The part of an adapter that is about numbers."""

    def _sheet(self, stream: Stream, rows: Codes, scores: bool, who: str) -> Sheet[PredictedValues]:
        if scores:
            raise no_scores(self.name)
        return Numbers(rows, who)


def checked_labels(
    predicted: Sequence[Any], classes: Sequence[str], rows: Codes, who: str
) -> NDArray[np.int16]:
    """Return predictions as class codes.

    Parameters
    ----------
    predicted : sequence, length p
        Class names or codes; None or -1 is no prediction.
    classes : sequence of str
        The names of the classes.
    rows : ndarray of int32, shape (p,)
        Row of the stream that each prediction is for.
    who : str
        The name of the model, for messages.

    Returns
    -------
    ndarray of int16, shape (p,)
        Class codes; -1 is no prediction.

    Raises
    ------
    DataError
        If a prediction is no class.
    """
    labels = np.full(len(predicted), NO_PREDICTION, dtype=np.int16)
    n_classes, codes = len(classes), {name: code for code, name in enumerate(classes)}
    for i, label in enumerate(predicted):
        try:
            code = codes[label] if isinstance(label, str) else _code(label)
        except (TypeError, KeyError):
            code = n_classes
        if not NO_PREDICTION <= code < n_classes:
            raise DataError(
                f"{who} predicted {excerpt(repr(label), 60)} for row {rows[i]}: expected a class "
                f"code, 0 to {n_classes - 1}, a class name ({some(classes)}), or None for no "
                "prediction."
            )
        labels[i] = code
    return labels


def _code(label: Any) -> int:
    if label is None:
        return NO_PREDICTION
    # numpy's booleans are no integers, Python's are.
    return int(label) if isinstance(label, np.bool_) else operator.index(label)


def normalised_scores(
    votes: ArrayLike, labels: NDArray[np.int16], n_classes: int, who: str
) -> NDArray[np.float32]:
    """Return votes as scores that sum to one.

    Where the votes are all zero, or not finite, the predicted class gets the full score, as in the
    package's learners; without a prediction, all classes get the same score.

    Parameters
    ----------
    votes : array_like, shape (p, k)
        The score of each class, not negative.
    labels : ndarray of int16, shape (p,)
        Its predictions.
    n_classes : int
        Number of declared classes, k.
    who : str
        The name of the model, for messages.

    Returns
    -------
    ndarray of float32, shape (p, k)
        The scores.

    Raises
    ------
    DataError
        If there is not one number per class, or one is negative.
    """
    expected = f"{who}: expected {n_classes} scores, one per class and none negative"
    try:
        found = np.asarray(votes, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{expected}, found {error}.") from error
    found = found.reshape(0, n_classes) if len(labels) == 0 else found
    if found.shape != (len(labels), n_classes):
        raise DataError(f"{expected}, found shape {found.shape[1:]}.")
    if (found < 0).any():
        raise DataError(f"{expected}, found {found.min()}.")
    silent = ~_has_votes(found)
    found[silent] = np.where(
        labels[silent, None] == NO_PREDICTION, 1, np.arange(n_classes) == labels[silent, None]
    )
    scores: Floats = found / found.sum(axis=1, keepdims=True)
    return scores.astype(np.float32)


def _has_votes(votes: Floats) -> Flags:
    """Return which rows of votes (p, k) are neither all zero nor infinite."""
    with np.errstate(over="ignore"):
        total = votes.sum(axis=-1)
    has_votes: Flags = (total > 0) & np.isfinite(total)
    return has_votes


def repetitions(weight: float, who: str) -> int:
    """Return how often a learner without weights learns an instance.

    It learns an instance of weight 2 twice.

    Raises
    ------
    DataError
        If the weight is not a whole number.
    """
    if weight != int(weight):
        raise DataError(
            f"{who} takes no weights: it learns an instance of weight 2 twice. Expected a whole "
            f"number, found the weight {weight:g}. Use a learner that takes weights, or whole ones."
        )
    return int(weight)
