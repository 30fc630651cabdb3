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
from typing import TYPE_CHECKING, Any, Protocol

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


class LabelMeasure(Protocol):
    """A measure of true and predicted labels."""

    def __call__(
        self, y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
    ) -> float:
        """Return its value."""


def _function(name: str, example: str, value: float) -> LabelMeasure:
    """Return a measure of the registry as a function, with an example of it."""

    def measured(
        y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
    ) -> float:
        return _value(name, y_true, y_pred, labels)

    summary = str(MEASURES[name].function.__doc__).splitlines()[0]
    measured.__name__ = measured.__qualname__ = name
    measured.__doc__ = f"""{summary}

    Examples
    --------
    >>> import streameval as se
    >>> round(se.{name}({example}), 4)
    {value}
    """
    return measured


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


accuracy = _function("accuracy", "[0, 1, 1, 0], [0, 1, 0, 0]", 0.75)
chance_accuracy = _function("chance_accuracy", "[0, 1, 1, 0], [0, 1, 0, 0]", 0.5)
kappa = _function("kappa", "[0, 1, 1, 0], [0, 1, 0, 0]", 0.5)
kappa_temporal = _function("kappa_temporal", "[1, 1, 0, 0], [1, 1, 0, 1]", 0.5)
kappa_m = _function("kappa_m", "['up', 'up', 'down', 'down'], ['up', 'up', 'down', 'up']", 0.6667)
kappa_combined = _function("kappa_combined", "[0, 1, 1, 0, 0, 1], [0, 1, 1, 0, 0, 0]", 0.6667)
kappa_standard_error = _function("kappa_standard_error", "[0, 1, 1, 0], [0, 1, 0, 0]", 0.433)
kappa_z = _function("kappa_z", "[0, 1, 1, 0], [0, 1, 0, 0]", 1.0)
kappa_p_value = _function("kappa_p_value", "[0, 1, 1, 0], [0, 1, 0, 0]", 0.1587)
arithmetic_mean = _function("arithmetic_mean", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.6667)
geometric_mean = _function("geometric_mean", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.5774)
harmonic_mean = _function("harmonic_mean", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.5)
precision = _function("precision", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.6667)
recall = _function("recall", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.6667)
f1 = _function("f1", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.5)
f1_prime = _function("f1_prime", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.5)
mcc = _function("mcc", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.3333)
determinant = _function("determinant", "[0, 1, 1, 1], [0, 1, 0, 0]", 1.0)
