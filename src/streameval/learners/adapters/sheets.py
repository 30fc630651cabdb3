"""What models of other tools predicted, checked and gathered: classes, or numbers."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from streameval.errors import DataError, excerpt
from streameval.learners.adapters.predicted_labels import checked_labels, normalised_scores
from streameval.learners.learner import Learner, score_table
from streameval.learners.predictions import NO_PREDICTION, PredictedValues, Predictions
from streameval.learners.regression.regressor import Regressor, no_scores
from streameval.streams.stream import Stream

Q = TypeVar("Q", Predictions, PredictedValues, covariant=True)


class Sheet(Protocol[Q]):
    """Predictions that are gathered in the order of a tape."""

    def add(self, predicted: Sequence[Any], votes: Any) -> None:
        """Add predictions, and the class scores where they are requested."""

    def predictions(self, seconds: float, model_bytes: int) -> Q:
        """Return all predictions."""


class Labels:
    """Predicted classes; `rows` are those of all predict events of a tape."""

    def __init__(self, rows: NDArray[np.int32], n_classes: int, scores: bool, who: str) -> None:
        self._rows, self._k, self._scores, self._who = rows, n_classes, scores, who
        self._label = np.full(len(rows), NO_PREDICTION, dtype=np.int16)
        self._table = score_table(len(rows) if scores else 0, n_classes)
        self._at = 0

    def add(self, predicted: Sequence[Any], votes: Any) -> None:
        """See `Sheet`."""
        now = slice(self._at, self._at + len(predicted))
        self._label[now] = checked_labels(predicted, self._k, self._rows[now], self._who)
        if self._scores:
            self._table[now] = normalised_scores(votes, self._label[now], self._k, self._who)
        self._at = now.stop

    def predictions(self, seconds: float, model_bytes: int) -> Predictions:
        """See `Sheet`."""
        table = self._table if self._scores else None
        return Predictions(self._rows, self._label, self._k, table, seconds, model_bytes)


class Numbers:
    """Predicted numbers; `rows` are those of all predict events of a tape."""

    def __init__(self, rows: NDArray[np.int32], who: str) -> None:
        self._rows, self._who, self._at = rows, who, 0
        self._value = np.full(len(rows), np.nan)

    def add(self, predicted: Sequence[Any], votes: Any) -> None:
        """See `Sheet`."""
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
        return PredictedValues(self._rows, self._value, seconds, model_bytes)


class OfClasses(Learner):
    """The part of an adapter that is about classes."""

    def _sheet(
        self, stream: Stream, rows: NDArray[np.int32], scores: bool, who: str
    ) -> Sheet[Predictions]:
        return Labels(rows, stream.n_classes, scores, who)


class OfNumbers(Regressor):
    """The part of an adapter that is about numbers."""

    def _sheet(
        self, stream: Stream, rows: NDArray[np.int32], scores: bool, who: str
    ) -> Sheet[PredictedValues]:
        if scores:
            raise no_scores(self.name)
        return Numbers(rows, who)
