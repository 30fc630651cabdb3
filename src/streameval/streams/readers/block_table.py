"""The columns of a file, gathered block by block, for CSV and Parquet.

Line numbers of errors are not known here: on an error the file is read as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Flags, Floats, Integers
from streameval.streams.arrow_arrays import texts_in_arrow
from streameval.streams.readers.blocks import ColumnMatrix, UnclearError
from streameval.streams.readers.columns import check_labels, form_of_texts, zone_of_texts
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import ROWS_AT_ONCE, EncodedTable, Origin
from streameval.streams.readers.texts import Texts, attribute_of_texts
from streameval.streams.readers.times import NUMBERS
from streameval.streams.stream import Attribute


class BlockTable:
    """The columns of a table, gathered block by block; there may be times.

    `forms` says how the times of columns with a type are written, and `zone` is that of the times
    of instances. All blocks together are probably `n_blocks` times as long as the first one.
    """

    def __init__(
        self,
        origin: Origin,
        names: Sequence[str],
        roles: Roles,
        forms: Mapping[str, str] | None = None,
        zone: str | None = None,
        n_blocks: float = 1.0,
    ) -> None:
        self.origin, self.names, self.roles = origin, names, roles
        self._forms, self._zone = forms or {}, zone
        self._matrix = ColumnMatrix(names, {roles.target, *roles.times}, n_blocks)
        self._first = 0
        #: By column of texts: the number of each text in the order in which they occur.
        self._known: dict[int, dict[str | None, int]] = {}

    def again(self, first: int) -> None:
        """Return to the first row: the blocks that follow have the columns from this number on."""
        self._first = first
        self._matrix.again(first)

    @property
    def at(self) -> int:
        """How many rows have been added since the first one."""
        return self._matrix.at

    def add(self, columns: Sequence[Floats | Texts]) -> None:
        """Append a block: its values by column."""
        numbered = enumerate(columns, self._first)
        self._matrix.add([self._numbered(j, values) for j, values in numbered])

    def _numbered(self, j: int, values: Floats | Texts) -> Floats:
        """Return the numbers of texts among those of the column; NaN for none."""
        if not isinstance(values, Texts):
            return values
        known = self._known.setdefault(j, {})
        numbers = [known.setdefault(text, len(known)) for text in values.distinct.to_pylist()]
        lookup: Floats = np.array([*numbers, np.nan])
        return lookup[values.place]

    def encoded(self, whole: Collection[int] = ()) -> EncodedTable:
        """Return the table of all blocks.

        Columns of `whole` are unclear if all their numbers are whole.
        """
        if not self._matrix.rows:
            raise UnclearError(f"{self.origin.path}: no rows.")
        columns = self._matrix.columns()
        for j in whole:
            if (np.isnan(columns[j]) | (columns[j] == np.floor(columns[j]))).all():
                raise UnclearError(f"{self.origin.path}: column {j} may be of integers.")
        distinct = {j: texts_in_arrow([*known]) for j, known in self._known.items()}
        forms = {
            column: form_of_texts(distinct[j])
            if j in distinct
            else self._forms.get(column, NUMBERS)
            for j, column in enumerate(self.names)
            if column in self.roles.times and not np.isnan(columns[j]).all()
        }
        attributes: dict[int, Attribute] = {}
        lookups: dict[int, Floats] = {}
        dates = [each for each, form in self._forms.items() if form != NUMBERS]
        dates = [each for each in dates if each in self.names]
        # Whatever stands where a label does not arrive is no class.
        if self.roles.label_time is not None:
            due, target = map(self.names.index, (self.roles.label_time, self.roles.target))
            attributes[due] = self._attribute(due, columns, distinct, lookups)
            arrives = ~np.isnan(columns[due])
            if arrives.any():
                columns[target][~arrives] = np.nan
                if target in distinct:
                    distinct[target] = _occurring(distinct[target], columns[target])
        for j, values in enumerate(columns):
            if j not in attributes:
                attributes[j] = self._attribute(j, columns, distinct, lookups)
                if j in distinct and attributes[j].values is None:
                    dates += [self.names[j]] * (form_of_texts(distinct[j]) != NUMBERS)
            if self.names[j] == self.roles.target:
                check_labels(self.origin, attributes[j], values)
        _decode(columns, lookups)
        in_order = tuple(attributes[j] for j in range(len(columns)))
        matrix, in_matrix = self._matrix.matrix, self._matrix.in_matrix
        time = self.names.index(self.roles.time) if self.roles.time in self.names else -1
        zone = zone_of_texts(distinct[time]) if time in distinct else self._zone or "UTC"
        return EncodedTable(
            self.origin, in_order, columns, matrix, in_matrix, forms, dates, zone=zone
        )

    def _attribute(
        self,
        j: int,
        columns: Sequence[Floats],
        distinct: Mapping[int, pa.Array],
        lookups: dict[int, Floats],
    ) -> Attribute:
        """Return an attribute; of inputs with texts, `lookups` gets the meaning of their numbers.

        Columns beside the inputs have it at once.
        """
        if j not in distinct:
            return Attribute(self.names[j], spelt=True)
        raw = distinct[j]

        def first(which: Flags) -> tuple[int, int]:
            return Texts(raw, _places(columns[j], len(raw))).first(which)

        attribute, lookup = attribute_of_texts(self.origin, self.names[j], raw, self.roles, first)
        if attribute.values is None and np.isinf(lookup).any():
            raise UnclearError(f"{self.origin.path}: an infinite number.")
        if j in self._matrix.in_matrix:
            lookups[j] = lookup
        else:
            _decode(columns, {j: lookup})
        return attribute


def _decode(columns: Sequence[Floats], lookups: Mapping[int, Floats]) -> None:
    """Replace the numbers of texts by what they mean, some rows of all columns at a time."""
    for begin in range(0, len(columns[0]) if lookups else 0, ROWS_AT_ONCE):
        for j, lookup in lookups.items():
            numbers = columns[j][begin : begin + ROWS_AT_ONCE]
            numbers[:] = lookup[_places(numbers, len(lookup) - 1)]


def _places(column: Floats, missing: int) -> Integers:
    return np.where(np.isnan(column), missing, column).astype(np.int64)


def _occurring(distinct: pa.Array, column: Floats) -> pa.Array:
    """Return the texts that occur in a column, in order, and renumber them there."""
    occurring, firsts = np.unique(column[~np.isnan(column)], return_index=True)
    order = occurring[np.argsort(firsts)].astype(np.int64)
    numbers = np.full(len(distinct) + 1, np.nan)
    numbers[order] = np.arange(len(order))
    column[:] = numbers[_places(column, len(distinct))]
    texts = distinct.to_pylist()
    return texts_in_arrow([texts[place] for place in order])
