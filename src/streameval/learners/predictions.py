"""Predictions of a classifier and of a regressor, with the cost of the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats

#: Value of ``Predictions.label`` for a missing prediction; measures count it as wrong.
NO_PREDICTION = -1

#: Result of a run: `Predictions` of a classifier, `PredictedValues` of a regressor.
P = TypeVar("P", bound="Predictions | PredictedValues")


@dataclass(frozen=True)
class Predictions:
    """The predictions of the predict events of a tape, in tape order.

    Parameters
    ----------
    row : ndarray of int32, shape (p,)
        Row of the stream that each prediction is for.
    label : ndarray of int16, shape (p,)
        Predicted class code; -1 for a missing prediction.
    n_classes : int
        Declared number of classes, k.
    scores : ndarray of float32, shape (p, k), optional
        Class scores that sum to one, if they were requested.
    seconds : float
        CPU seconds of the thread that ran the learner, without compilation; NaN if unknown.
    model_bytes : int
        Size of the model at the end: the state that is in use, without spare capacity; 0 if
        unknown.
    size : dict of str to int
        Size of the model in the learner's own terms, for example the leaves of a tree.
    """

    row: Codes
    label: NDArray[np.int16]
    n_classes: int
    scores: NDArray[np.float32] | None = None
    seconds: float = float("nan")
    model_bytes: int = 0
    size: dict[str, int] = field(default_factory=dict)

    @property
    def predicted(self) -> NDArray[np.int16]:
        """Predicted class codes; the same as `label`."""
        return self.label


@dataclass(frozen=True)
class PredictedValues:
    """The predicted numbers of the predict events of a tape, in tape order.

    Parameters
    ----------
    row : ndarray of int32, shape (p,)
        Row of the stream that each prediction is for.
    value : ndarray of float64, shape (p,)
        Predicted target.
    seconds, model_bytes, size
        See `Predictions`.
    low, high : ndarray of float64, shape (p,), optional
        The ends of the prediction interval; NaN for a prediction without interval. None if the
        regressor gives no intervals.
    """

    row: Codes
    value: Floats
    seconds: float = float("nan")
    model_bytes: int = 0
    size: dict[str, int] = field(default_factory=dict)
    low: Floats | None = None
    high: Floats | None = None

    @property
    def predicted(self) -> Floats:
        """Predicted targets; the same as `value`."""
        return self.value


#: Fields with one entry per prediction, without the scores. `limited` is a field of the conformal
#: wrapper's predictions.
_PER_PREDICTION = ("row", "label", "value", "low", "high", "limited")
#: The same fields and the scores.
_PER_PREDICTION_OR_SCORE = (*_PER_PREDICTION, "scores")


def split_predictions(predictions: P, lengths: Sequence[int]) -> Iterator[P]:
    """Split predictions into consecutive segments of a tape.

    The first segment gets all seconds, so that sums over segments stay right.

    Parameters
    ----------
    predictions : Predictions or PredictedValues
        The predictions for the whole tape, without scores.
    lengths : sequence of int
        Number of predictions of each segment.
    """
    whole: Any = predictions  # for mypy, which does not know the fields of `P`
    names = [name for name in _PER_PREDICTION if getattr(whole, name, None) is not None]
    begin, seconds = 0, whole.seconds
    for length in lengths:
        columns = {name: getattr(whole, name)[begin : begin + length] for name in names}
        yield replace(whole, **columns, seconds=seconds)
        begin, seconds = begin + length, 0.0


def columns_of(predictions: P) -> dict[str, NDArray[Any]]:
    """Per-prediction arrays by field name."""
    fields = {name: getattr(predictions, name, None) for name in _PER_PREDICTION_OR_SCORE}
    return {name: values for name, values in fields.items() if values is not None}


def join_predictions(folds: Sequence[P]) -> P:
    """Concatenate the predictions of folds, and add up their costs.

    Of `size` only the number of fits of a retrained model is kept: sizes of models do not add up.
    """
    if len(folds) == 1:
        return folds[0]
    any_folds: Sequence[Any] = folds  # for mypy, which does not know the fields of `P`
    names = [*columns_of(folds[0])]
    fits = [fold.size["fits"] for fold in any_folds if "fits" in fold.size]
    whole: P = replace(
        any_folds[0],
        **{name: np.concatenate([getattr(fold, name) for fold in any_folds]) for name in names},
        seconds=sum(fold.seconds for fold in any_folds),
        model_bytes=sum(fold.model_bytes for fold in any_folds),
        size={"fits": sum(fits)} if fits else {},
    )
    return whole
