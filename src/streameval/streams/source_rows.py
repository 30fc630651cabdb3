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
    n_rows : int
        Number of rows of the file or frame.
    index : pandas.Index of length n_rows, optional
        The labels of the frame's rows; None if they are 0, 1, 2, ...
    """

    row_number: Integers
    n_rows: int
    index: pd.Index | None = None

    def __len__(self) -> int:
        return len(self.row_number)

    def select(self, instances: NDArray[Any] | slice) -> SourceRows:
        """The rows of some instances, in the given order."""
        return SourceRows(self.row_number[instances], self.n_rows, self.index)

    def value_positions(
        self, n_values: int, index: pd.Index | None = None, what: str = "values"
    ) -> NDArray[np.intp] | None:
        """Position of the value of each instance in a list of values, shape (n,).

        Parameters
        ----------
        n_values : int
            Number of values. Without row labels, there is a value for each row of the file or
            frame, in its order, or for each instance of the stream, in the order of the stream.
        index : pandas.Index, optional
            Row labels of the values, which `rows_of_index` matches with the frame.
        what : str
            What to call the values in messages.

        Returns
        -------
        ndarray of int or None
            None if `n_values` is neither of these numbers.

        Raises
        ------
        ConfigError
            If the index has only some labels of the frame or a label twice, or lacks the label of
            an instance.
        """
        rows = None if index is None else self.rows_of_index(index, what)
        if rows is not None:
            position_of_row = np.full(self.n_rows, -1)
            position_of_row[rows] = np.arange(n_values)
            positions = position_of_row[self.row_number]
            missing = positions < 0
            if missing.any():
                raise ConfigError(
                    f"{what}: expected a value for each row, found none for row "
                    f"{self.row_number[missing.argmax()]}: the index lacks its label. {_RESET}"
                )
            return positions
        if n_values == self.n_rows:
            return self.row_number.astype(np.intp)
        return np.arange(n_values) if n_values == len(self) else None

    def rows_of_index(self, index: pd.Index, what: str) -> Integers | None:
        """Rows whose labels are in the index of a series; None to match values by their order.

        Values are matched by the index, as in pandas. They are matched by their order instead if
        the index equals the frame's, or if it has no label of the frame. An index 0, 1, 2, ... is
        also the default of pandas, so it never leads to an error: values are matched by their
        order if it has another length than the frame or cannot be matched.

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

        source = pd.RangeIndex(self.n_rows) if self.index is None else self.index
        if index.equals(source):
            return None
        is_range = index.equals(pd.RangeIndex(len(index)))
        if (is_range and len(index) != self.n_rows) or not source.isin(index).any():
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
