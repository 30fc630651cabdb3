"""Labels of any type as class codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.errors import ConfigError, DataError, excerpt, some
from streameval.streams.stream import MAX_CLASSES

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Column = pd.Series[Any]


def class_codes(
    y_true: Any, y_pred: Any, labels: Iterable[Any] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
    """Return labels as class codes; equal values are the same class.

    Parameters
    ----------
    y_true, y_pred : array-like, shape (n,)
        True and predicted labels; None and NaN among the latter are missing predictions.
    labels : iterable, optional
        All classes, by default those that occur, sorted if they can be; of columns of categories,
        the categories.

    Returns
    -------
    true, predicted : ndarray of int32, shape (n,)
        Class codes; -1 is no prediction.
    n_classes : int
        How many classes there are.

    Raises
    ------
    DataError
        If these are no labels, their numbers differ, a true one is missing, or one is not among
        `labels`.
    ConfigError
        If `labels` has a class twice.
    """
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
    classes = _occurring(columns) if labels is None else _given(labels)
    if len(classes) > MAX_CLASSES:
        raise DataError(
            f"Expected at most {MAX_CLASSES:,} classes, found {len(classes):,}. Are these numbers "
            "to be predicted rather than classes?"
        )
    true, predicted = (_coded(column, classes, name) for name, column in columns.items())
    return true, predicted, len(classes)


def _column(values: Any, name: str) -> Column:
    import pandas as pd

    expected = f"{name}: expected a sequence of labels, found"
    if not np.iterable(values) or isinstance(values, str | bytes | pd.DataFrame):
        raise DataError(f"{expected} {type(values).__name__} {excerpt(repr(values), 60)}.")
    try:
        column = pd.Series(values)
        column.nunique()  # fails where values cannot be told apart
    except (ValueError, TypeError) as error:
        raise DataError(f"{expected} other values: {excerpt(error)}.") from error
    return column


def _plain(column: Column) -> Column:
    """Return labels as numbers of numpy or as objects, which are equal if their values are."""
    kind = column.dtype
    if isinstance(kind, np.dtype) and kind.kind == "b":
        return column.astype(np.int8)
    return column if isinstance(kind, np.dtype) and kind.kind in "iuf" else column.astype(object)


def _coded(column: Column, classes: pd.Index[Any], name: str) -> NDArray[np.int32]:
    import pandas as pd

    codes = classes.get_indexer(pd.Index(_plain(column)))
    unknown = (codes < 0) & column.notna().to_numpy()
    if unknown.any():
        place = int(unknown.argmax())
        raise DataError(
            f"{name}: expected one of the labels {some(classes)}, found "
            f"{excerpt(repr(column.iloc[place]), 60)} at position {place}."
        )
    return codes.astype(np.int32)


def _given(labels: Iterable[Any]) -> pd.Index[Any]:
    import pandas as pd

    if not np.iterable(labels) or isinstance(labels, str):
        raise ConfigError(f"labels: expected a list, found {excerpt(repr(labels), 60)}.")
    classes = pd.Index(_plain(_column([*labels], "labels")))
    if not classes.is_unique or classes.hasnans:
        raise ConfigError(f"labels: expected each class once, found {some(classes)}.")
    return classes


def _occurring(columns: dict[str, Column]) -> pd.Index[Any]:
    import pandas as pd

    distinct = {name: _plain(pd.Series(c.dropna().unique())) for name, c in columns.items()}
    kinds = {name: _kind(column) for name, column in distinct.items()}
    if set(kinds.values()) == {"numbers", "texts"}:
        found = " and ".join(f"{kind} in {name}" for name, kind in kinds.items())
        raise DataError(
            f"Expected labels of one kind, found {found}, which are never equal. Convert them."
        )
    declared = [
        _plain(pd.Series(column.cat.categories))
        for column in columns.values()
        if isinstance(column.dtype, pd.CategoricalDtype)
    ]
    classes: pd.Index[Any] = pd.Index(pd.concat([*declared, *distinct.values()]).unique())
    try:
        return classes if declared else classes.sort_values()
    except TypeError:  # labels of several types have no order
        return classes


def _kind(values: Sequence[Any] | Column) -> str:
    """Return what labels are, as far as it decides whether some can be equal."""
    if len(values) and all(isinstance(value, str) for value in values):
        return "texts"
    is_number = [isinstance(value, int | float | np.number) for value in values]
    return "numbers" if is_number and all(is_number) else ""
