"""Groups: the entities, such as machines, whose instances are interleaved in a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError, DataError, did_you_mean, excerpt
from streameval.significance.entities import order_by_entity
from streameval.streams.source_rows import SourceRows

#: Below this size all whole numbers are exact as doubles; 2^53 + 1 is rounded to 2^53.
_INTEGER_LIMIT = 2.0**53
#: The name of an input, and the names of its values if it is nominal.
Input = tuple[str, Sequence[str] | None]


@dataclass(frozen=True)
class Groups:
    """The entity of each instance, or of each prediction.

    Parameters
    ----------
    column : str
        Name of the column that names the entities, such as ``machine``.
    code : ndarray of int32, shape (n,)
        The entity of each row as an index into `names`.
    names : tuple of str
        Names of the entities, in the order of their first rows.
    """

    column: str
    code: Codes
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.code)

    def select(self, rows: NDArray[Any] | slice) -> Groups:
        """Groups of some rows; `names` keeps all entities."""
        return Groups(self.column, self.code[rows], self.names)

    @cached_property
    def order(self) -> Integers:
        """Indices that sort the rows by entity and keep their order within each, shape (n,)."""
        return order_by_entity(self.code)

    def rows_by_entity(self) -> list[tuple[str, Integers]]:
        """Name and rows of each entity that has rows, in the order of `names`."""
        ends = np.cumsum(np.bincount(self.code, minlength=len(self.names)))
        rows = np.split(self.order, ends[:-1])
        return [
            (name, members) for name, members in zip(self.names, rows, strict=True) if len(members)
        ]


def select_groups(groups: Groups | None, rows: NDArray[Any] | slice) -> Groups | None:
    """Groups of some rows; None if there are no groups."""
    return None if groups is None else groups.select(rows)


def make_groups(
    X: Floats, inputs: Sequence[Input], by: str | ArrayLike, stream: str, source_rows: SourceRows
) -> Groups:
    """Groups of a stream by one of its inputs or by values for its rows; see `Stream.grouped`.

    Raises ConfigError or DataError if these values cannot name entities.
    """
    if isinstance(by, str):
        column_index = _column_index(inputs, by, stream)
        column, names = by, inputs[column_index][1]
        values = _whole_numbers(X[:, column_index], by, source_rows)
    else:
        column, names = str(getattr(by, "name", None) or "group"), None
        values = _row_values(source_rows, by)
    code, first_rows = codes_by_appearance(values)
    distinct = values[first_rows]
    if len(distinct) == len(X):
        raise DataError(
            f"group: expected entities that have several rows each, found {len(distinct):,} values "
            f"of {excerpt(column)!r} in as many rows. Choose a column such as a machine or a user."
        )
    entities = (str(value) if names is None else names[int(value)] for value in distinct.tolist())
    return Groups(column, code, tuple(entities))


def codes_by_appearance(values: NDArray[Any]) -> tuple[Codes, Integers]:
    """Integer codes of values in the order of first appearance, and the first row of each.

    `np.unique` alone would number the entities in alphabetical order, so that their codes would
    depend on the spelling of names.
    """
    _, first, code = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[code], np.sort(first)


def _column_index(inputs: Sequence[Input], name: str, stream: str) -> int:
    """Index of an input; ConfigError if there is no input of this name."""
    names = [input_name for input_name, _ in inputs]
    if name not in names:
        raise ConfigError(
            f"group: expected an input of stream {stream!r}, found {excerpt(name)!r}. "
            f"{did_you_mean(name, names)}".rstrip()
        )
    return names.index(name)


def _whole_numbers(values: Floats, name: str, source_rows: SourceRows) -> NDArray[Any]:
    """Values of an input as integers; DataError or ConfigError if they are not whole numbers."""
    if (missing := np.isnan(values)).any():
        row = source_rows.row_number[missing.argmax()]
        raise DataError(
            f"group: expected a value of {excerpt(name)!r} in each row, found none in row {row}. "
            "Leave such rows out, or give them a value of their own."
        )
    if not np.array_equal(values, np.floor(values)):
        raise ConfigError(
            f"group: expected names or whole numbers in {excerpt(name)!r}, found "
            f"{values[values != np.floor(values)][0]:g}. Choose the column that names the entities."
        )
    _refuse_rounded(values, name, source_rows, f"Read it as names: --nominal {name}.")
    return values.astype(np.int64)


def _refuse_rounded(values: Floats, name: str, source_rows: SourceRows, advice: str) -> None:
    """Raise DataError for doubles so large that several whole numbers are rounded to them."""
    is_inexact = np.abs(values) >= _INTEGER_LIMIT
    if is_inexact.any():
        row = source_rows.row_number[is_inexact.argmax()]
        raise DataError(
            f"group: expected whole numbers below 2^53 in {excerpt(name)!r}, found "
            f"{values[is_inexact][0]:.0f} in row {row}: numbers of this size are "
            f"rounded, so different entities could become one. {advice}"
        )


def _row_values(source_rows: SourceRows, by: ArrayLike) -> NDArray[Any]:
    """Text of each instance's value.

    `by` has one value for each row of the file or frame, or for each instance of the stream.
    """
    import pandas as pd

    try:
        values = np.asarray(by)
    except (ValueError, TypeError):  # sequences of different lengths, or no array at all
        values = np.empty(0)
    index = by.index if isinstance(by, pd.Series) else None
    indices = source_rows.value_positions(len(values), index, "group") if values.ndim == 1 else None
    if indices is None:
        raise ConfigError(
            f"group: expected the name of an input, or {source_rows.n_rows:,} values, one "
            f"for each row, found values of shape {values.shape}."
        )
    values = values[indices]
    if (missing := pd.isna(values)).any():
        row = source_rows.row_number[missing.argmax()]
        raise DataError(
            f"group: expected a value for each row, found none in row {row}. "
            "Leave such rows out, or give them a value of their own."
        )
    # NumPy also turns integers without a common integer type into floats, such as -1 and 2^63.
    if values.dtype.kind == "f":
        name = str(getattr(by, "name", None) or "group")
        _refuse_rounded(values, name, source_rows, "Convert it to texts.")
    return values.astype(np.str_)
