"""The rows of the file or frame that a stream was read from, and values given for these rows.

A stream may be sorted by time, shuffled, or only a part of its file. Instances keep the numbers of
their rows: values from elsewhere are matched by these numbers, and results state them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

_RESET = (
    "Give the series the index of the frame, or one that counts 0, 1, 2, ... in the order of its "
    "rows (reset_index(drop=True))."
)


@dataclass(frozen=True)
class SourceRows:
    """The row of the file or frame of each instance of a stream.

    Parameters
    ----------
    row_number : ndarray of int64, shape (n,)
        Row of each instance, counted from 0.
    count : int
        Number of rows of the file or frame.
    index : pandas.Index of length count, optional
        The labels of the frame's rows; None if they are 0, 1, 2, ...
    """

    row_number: Integers
    count: int
    index: pd.Index | None = None

    def __len__(self) -> int:
        return len(self.row_number)

    def select(self, instances: NDArray[Any] | slice) -> SourceRows:
        """The rows of some instances, in the given order."""
        return SourceRows(self.row_number[instances], self.count, self.index)

    def indices_into(
        self, count: int, index: pd.Index | None = None, what: str = "values"
    ) -> NDArray[np.intp] | None:
        """Index of the value of each instance in values without row numbers, shape (n,).

        Parameters
        ----------
        count : int
            Number of values: one for each row of the file or frame, in its order, or one for each
            instance of a part of it, in the order of the stream.
        index : pandas.Index, optional
            The labels of the values; see `rows_of`.
        what : str
            What to call the values in messages.

        Returns
        -------
        ndarray of int or None
            None if `count` is neither of these numbers.

        Raises
        ------
        ConfigError
            If the index is not the frame's, or lacks a row.
        """
        rows = None if index is None else self.rows_of(index, what)
        if rows is not None:
            line = np.full(self.count, -1)
            line[rows] = np.arange(count)
            missing = line[self.row_number] < 0
            if missing.any():
                raise ConfigError(
                    f"{what}: expected a value for each row, found none for row "
                    f"{self.row_number[missing.argmax()]}: the index lacks its label. {_RESET}"
                )
            return line[self.row_number]
        if count == self.count:
            return self.row_number.astype(np.intp)
        return np.arange(count) if count == len(self) else None

    def rows_of(self, index: pd.Index, what: str) -> Integers | None:
        """Rows that the index of a series names; None if the index does not name rows.

        Values are matched by the index, as in pandas. An index does not name rows if it equals the
        frame's, if it has no label of the frame, or if it counts 0, 1, 2, ... and the frame's
        index does not have these labels.

        Parameters
        ----------
        index : pandas.Index
            The labels of the values.
        what : str
            What to call the values in messages.

        Raises
        ------
        ConfigError
            If only some labels are in the frame, or labels occur more than once.
        """
        import pandas as pd

        source = pd.RangeIndex(self.count) if self.index is None else self.index
        if index.equals(source):
            return None
        is_range = index.equals(pd.RangeIndex(len(index)))
        if (is_range and len(index) != self.count) or not source.isin(index).any():
            return None
        if not (source.is_unique and index.is_unique):
            if is_range:
                return None
            labels = index if source.is_unique else source
            raise ConfigError(
                f"{what}: expected an index whose labels occur once, found "
                f"{labels[labels.duplicated()][0]!r} more than once. {_RESET}"
            )
        rows = source.get_indexer(index)
        unknown = rows < 0
        if not unknown.any():
            return rows.astype(np.int64)
        if is_range:
            return None
        raise ConfigError(
            f"{what}: expected an index of labels of the frame, found "
            f"{np.count_nonzero(unknown):,} of {len(index):,} labels that it does not have, such "
            f"as {index[int(unknown.argmax())]!r}. {_RESET}"
        )
