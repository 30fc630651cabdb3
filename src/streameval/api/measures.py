"""Measures as functions of true and predicted labels, with scikit-learn's interface.

All take ``(y_true, y_pred, *, labels=None)``:

- ``y_true``: the true labels in the order of the predictions;
- ``y_pred``: the predicted labels; None and NaN are missing predictions, which count as wrong;
- ``labels``: all classes. By default they are the categories of a categorical column, else the
  sorted classes of ``y_true`` and ``y_pred``. No-Change and Majority predict the first class before
  the first label. In a tie Majority predicts the class whose first label came first.

Labels may be of any type and in any array, list or Series. An undefined measure is NaN, and an
`UndefinedMeasureWarning` gives the reason. Arrays that cannot be labels raise a `StreamevalError`.

κ_t compares with No-Change, which repeats the previous true label. κ_m compares with Majority,
which predicts the most frequent label so far. Both run over ``y_true`` and use each label before
the next prediction. With delayed labels or folds use the measures of a `Result`, whose baselines
use only the labels known at the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from streameval.base.arrays import Codes
from streameval.base.errors import (
    ConfigError,
    DataError,
    UndefinedMeasureWarning,
    excerpt,
    listing,
    warn_caller,
)
from streameval.learners.active_learning import run_learner
from streameval.learners.baselines import Majority, NoChange
from streameval.measures.counting import tally
from streameval.measures.registry import MEASURES
from streameval.protocols.prequential import prequential
from streameval.streams.stream import MAX_CLASSES, Schema, Stream

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    Column = pd.Series[Any]


class LabelMeasure(Protocol):
    """A measure of true and predicted labels."""

    def __call__(
        self, y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
    ) -> float:
        """Value of the measure."""


def _function(name: str, example: str, example_value: float) -> LabelMeasure:
    """Make a public function of a registered measure; its docstring gets the example."""

    def label_measure(
        y_true: ArrayLike, y_pred: ArrayLike, *, labels: Iterable[Any] | None = None
    ) -> float:
        return _value(name, y_true, y_pred, labels)

    summary = str(MEASURES[name].value.__doc__).splitlines()[0]
    label_measure.__name__ = label_measure.__qualname__ = name
    label_measure.__doc__ = f"""{summary}

    Examples
    --------
    >>> import streameval as se
    >>> round(se.{name}({example}), 4)
    {example_value}
    """
    return label_measure


def _value(name: str, y_true: Any, y_pred: Any, labels: Iterable[Any] | None) -> float:
    true, predicted, n_classes = _class_codes(y_true, y_pred, labels)
    counts = tally(true, predicted, n_classes, **_baselines(true, n_classes))
    measure = MEASURES[name]
    value = float(measure.value(counts))
    if math.isnan(value):
        warn_caller(
            f"{name} is undefined: {measure.reason(counts).item()}.", UndefinedMeasureWarning
        )
    return value


def _baselines(true: Codes, n_classes: int) -> dict[str, NDArray[np.int16]]:
    """Predictions of both baselines when each label is known before the next instance."""
    if len(true) == 0:  # a stream cannot be empty
        no_predictions = np.empty(0, np.int16)
        return {NoChange.name: no_predictions, Majority.name: no_predictions}
    # Classes have no declared order, so ties do not depend on their names; see `class_order`.
    schema = Schema((), classes=tuple(map(str, range(n_classes))), sorted_by_name=True)
    stream = Stream(np.empty((len(true), 0)), true, schema)
    tape = prequential(len(true))
    baselines = (NoChange(), Majority())
    return {baseline.name: run_learner(baseline, stream, tape).label for baseline in baselines}


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
macro_precision = _function("macro_precision", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.6667)
macro_recall = _function("macro_recall", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.6667)
macro_f1 = _function("macro_f1", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.5)
f1_prime = _function("f1_prime", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.5)
mcc = _function("mcc", "[0, 1, 1, 1], [0, 1, 0, 0]", 0.3333)
determinant = _function("determinant", "[0, 1, 1, 1], [0, 1, 0, 0]", 1.0)


def _class_codes(
    y_true: Any, y_pred: Any, labels: Iterable[Any] | None
) -> tuple[Codes, Codes, int]:
    """Labels as class codes, -1 for no prediction, and the number of classes."""
    columns = {"y_true": _column(y_true, "y_true"), "y_pred": _column(y_pred, "y_pred")}
    lengths = [len(column) for column in columns.values()]
    if lengths[0] != lengths[1]:
        raise DataError(
            f"Expected a prediction for each label, found y_true of length {lengths[0]:,} and "
            f"y_pred of length {lengths[1]:,}."
        )
    missing = columns["y_true"].isna().to_numpy()
    if missing.any():
        raise DataError(
            f"y_true: expected a label at each position, found none at position "
            f"{missing.argmax()}. Leave such positions out of y_true and y_pred."
        )
    classes = _infer_classes(columns) if labels is None else _check_classes(labels)
    if len(classes) > MAX_CLASSES:
        raise DataError(
            f"Expected at most {MAX_CLASSES:,} classes, found {len(classes):,}. Are these numbers "
            "to be predicted rather than classes?"
        )
    true, predicted = (_to_codes(column, classes, name) for name, column in columns.items())
    return true, predicted, len(classes)


def _column(values: Any, name: str) -> Column:
    import pandas as pd

    expected = f"{name}: expected a sequence of labels, found"
    if not np.iterable(values) or isinstance(values, str | bytes | pd.DataFrame):
        raise DataError(f"{expected} {type(values).__name__} {excerpt(repr(values), 60)}.")
    try:
        column = pd.Series(values)
        column.nunique()  # raises TypeError if values cannot be hashed
    except (ValueError, TypeError) as error:
        raise DataError(f"{expected} other values: {excerpt(error)}.") from error
    return column


def _comparable(column: Column) -> Column:
    """Labels as NumPy numbers or as objects, so that 1, 1.0 and True are the same label."""
    kind = column.dtype
    if isinstance(kind, np.dtype) and kind.kind == "b":
        return column.astype(np.int8)
    return column if isinstance(kind, np.dtype) and kind.kind in "iuf" else column.astype(object)


def _to_codes(column: Column, classes: pd.Index[Any], name: str) -> Codes:
    import pandas as pd

    codes = classes.get_indexer(pd.Index(_comparable(column)))
    unknown = (codes < 0) & column.notna().to_numpy()
    if unknown.any():
        position = int(unknown.argmax())
        raise DataError(
            f"{name}: expected one of the labels {listing(classes)}, found "
            f"{excerpt(repr(column.iloc[position]), 60)} at position {position}."
        )
    return codes.astype(np.int32)


def _check_classes(labels: Iterable[Any]) -> pd.Index[Any]:
    import pandas as pd

    if not np.iterable(labels) or isinstance(labels, str):
        raise ConfigError(f"labels: expected a list, found {excerpt(repr(labels), 60)}.")
    classes = pd.Index(_comparable(_column([*labels], "labels")))
    if not classes.is_unique or classes.hasnans:
        raise ConfigError(f"labels: expected each class once, found {listing(classes)}.")
    return classes


def _infer_classes(columns: dict[str, Column]) -> pd.Index[Any]:
    """Categories of the columns, then other values; without any categories, the sorted values."""
    import pandas as pd

    distinct = {
        name: _comparable(pd.Series(column.dropna().unique())) for name, column in columns.items()
    }
    kinds = {name: _kind(column) for name, column in distinct.items()}
    if set(kinds.values()) == {"numbers", "texts"}:
        actual = " and ".join(f"{kind} in {name}" for name, kind in kinds.items())
        raise DataError(
            f"Expected labels of one kind, found {actual}, which are never equal. Convert them."
        )
    categories = [
        _comparable(pd.Series(column.cat.categories))
        for column in columns.values()
        if isinstance(column.dtype, pd.CategoricalDtype)
    ]
    classes: pd.Index[Any] = pd.Index(pd.concat([*categories, *distinct.values()]).unique())
    try:
        return classes if categories else classes.sort_values()
    except TypeError:  # labels of several types have no order
        return classes


def _kind(values: Sequence[Any] | Column) -> str:
    """Kind of labels, "texts" or "numbers"; empty for mixed and other types."""
    if len(values) and all(isinstance(value, str) for value in values):
        return "texts"
    is_number = [isinstance(value, int | float | np.number) for value in values]
    return "numbers" if is_number and all(is_number) else ""
