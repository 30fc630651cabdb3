"""Measures as functions of true and predicted labels, in scikit-learn's manner.

All take ``(y_true, y_pred, *, labels=None)``:

- ``y_true``: the true labels in the order of the predictions;
- ``y_pred``: the predicted labels; None and NaN are missing predictions, which count as wrong;
- ``labels``: all classes, by default those that occur in either of the two, sorted; of columns of
  categories, the categories. The first of them is what No-Change and Majority predict before the
  first label, and it settles ties of Majority.

Labels may be of any type and in any array, list or Series. Where a measure is undefined, it is NaN,
and an `UndefinedMeasureWarning` gives the reason. Arrays that cannot be labels raise a
`StreamevalError`.

κ_t compares with No-Change, the previous true label, and κ_m with Majority, the most frequent
label so far: the learners of these names, run over ``y_true``. With delayed labels or folds that is
not what the labels known at the time allow; there, take the measures of a `Result`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.labels import class_codes
from streameval.learners.baselines import Majority, NoChange
from streameval.measures.registry import MEASURES
from streameval.measures.tally import tally
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Schema, Stream

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class UndefinedMeasureWarning(UserWarning):
    """A measure is undefined for these labels, so its value is NaN."""


def accuracy(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return the proportion of correct predictions.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.accuracy([0, 1, 1, 0], [0, 1, 0, 0]), 4)
    0.75
    """
    return _value("accuracy", y_true, y_pred, labels)


def chance_accuracy(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the accuracy of chance: the same predictions in random order.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.chance_accuracy([0, 1, 1, 0], [0, 1, 0, 0]), 4)
    0.5
    """
    return _value("chance_accuracy", y_true, y_pred, labels)


def kappa(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return Cohen's κ: the accuracy, compared with that of chance.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.kappa([0, 1, 1, 0], [0, 1, 0, 0]), 4)
    0.5
    """
    return _value("kappa", y_true, y_pred, labels)


def kappa_temporal(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return κ_t: the accuracy, compared with that of repeating the last label.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.kappa_temporal(["up", "up", "down", "down"], ["up", "up", "down", "up"]), 4)
    0.5
    """
    return _value("kappa_temporal", y_true, y_pred, labels)


def kappa_m(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return κ_m: the accuracy, compared with that of the most frequent label so far.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.kappa_m(["up", "up", "down", "down"], ["up", "up", "down", "up"]), 4)
    0.6667
    """
    return _value("kappa_m", y_true, y_pred, labels)


def kappa_combined(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return κ⁺ = √(max(0, κ) max(0, κ_t)), which chance and No-Change both keep low.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.kappa_combined([0, 1, 1, 0, 0, 1], [0, 1, 1, 0, 0, 0]), 4)
    0.6667
    """
    return _value("kappa_combined", y_true, y_pred, labels)


def kappa_standard_error(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the standard error of κ.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.kappa_standard_error([0, 1, 1, 0], [0, 1, 0, 0]), 4)
    0.433
    """
    return _value("kappa_standard_error", y_true, y_pred, labels)


def kappa_z(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return the z that tests whether κ is above 0.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.kappa_z([0, 1, 1, 0], [0, 1, 0, 0]), 4)
    1.0
    """
    return _value("kappa_z", y_true, y_pred, labels)


def kappa_p_value(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the one-sided p-value of `kappa_z`.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.kappa_p_value([0, 1, 1, 0], [0, 1, 0, 0]), 4)
    0.1587
    """
    return _value("kappa_p_value", y_true, y_pred, labels)


def arithmetic_mean(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the arithmetic mean of the class accuracies.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.arithmetic_mean([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.6667
    """
    return _value("arithmetic_mean", y_true, y_pred, labels)


def geometric_mean(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the geometric mean of the class accuracies.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.geometric_mean([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.5774
    """
    return _value("geometric_mean", y_true, y_pred, labels)


def harmonic_mean(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the harmonic mean of the class accuracies.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.harmonic_mean([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.5
    """
    return _value("harmonic_mean", y_true, y_pred, labels)


def precision(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the mean precision of the classes that were predicted.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.precision([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.6667
    """
    return _value("precision", y_true, y_pred, labels)


def recall(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return the mean recall of the classes that occur.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.recall([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.6667
    """
    return _value("recall", y_true, y_pred, labels)


def f1(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return the mean F1 of the classes that occur or were predicted.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.f1([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.5
    """
    return _value("f1", y_true, y_pred, labels)


def f1_prime(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return the symmetric F1 of two classes.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.f1_prime([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.5
    """
    return _value("f1_prime", y_true, y_pred, labels)


def mcc(y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None) -> float:
    """Return Matthews' correlation; for more than two classes Gorodkin's R_K.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.mcc([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    0.3333
    """
    return _value("mcc", y_true, y_pred, labels)


def determinant(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
) -> float:
    """Return the determinant of the confusion matrix of two classes, in squared counts.

    Examples
    --------
    >>> import streameval as se
    >>> round(se.determinant([0, 1, 1, 1], [0, 1, 0, 0]), 4)
    1.0
    """
    return _value("determinant", y_true, y_pred, labels)


def _value(name: str, y_true: Any, y_pred: Any, labels: Iterable[Any] | None) -> float:
    true, predicted, n_classes = class_codes(y_true, y_pred, labels)
    counts = tally(true, predicted, n_classes, **_baselines(true, n_classes))
    measure = MEASURES[name]
    value = float(measure.value(counts))
    if math.isnan(value):
        warnings.warn(
            f"{name} is undefined: {measure.reason(counts).item()}.",
            UndefinedMeasureWarning,
            stacklevel=3,
        )
    return value


def _baselines(true: NDArray[np.int32], n_classes: int) -> dict[str, NDArray[np.int16]]:
    """Return what the two baselines predict when each label is known before the next instance."""
    if len(true) == 0:
        return {}
    schema = Schema((), classes=tuple(map(str, range(n_classes))))
    stream = Stream(np.empty((len(true), 0)), true, schema)
    tape = prequential(len(true))
    return {each.name: each.play(stream, tape).label for each in (NoChange(), Majority())}
