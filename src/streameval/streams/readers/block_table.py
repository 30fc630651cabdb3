"""The columns of a table, collected block by block or column by column, and encoded.

CSV, Parquet and frames are read this way; a file that is read as a whole is one block.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import DataError, excerpt
from streameval.streams.arrow_arrays import arrow_texts
from streameval.streams.readers.blocks import AmbiguousBlockError, ColumnMatrix
from streameval.streams.readers.columns import (
    add_times_to_durations,
    check_labels,
    form_of_texts,
    form_of_type,
    numbers_or_texts,
    refuse_infinite,
    zone_of_texts,
)
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import ROWS_AT_ONCE, EncodedTable, Origin
from streameval.streams.readers.texts import Texts, attribute_of_texts
from streameval.streams.readers.times import NUMBERS, ZONED
from streameval.streams.stream import Attribute


def encode_table(origin: Origin, columns: dict[str, pa.ChunkedArray], roles: Roles) -> EncodedTable:
    """Encode whole columns, in their order, target included.

    Each column is removed from `columns` once it is encoded, to save memory.
    """
    add_times_to_durations(origin, columns, roles)
    types = {name: chunks.type for name, chunks in columns.items()}
    table = BlockTable(origin, list(columns), roles, types)
    for j, name in enumerate(table.names):
        chunks = columns.pop(name)
        table.start_pass(first_column=j)
        try:
            values = numbers_or_texts(origin, name, chunks, roles)
            # `BlockTable.encode` checks the target, without labels that never arrive.
            if not isinstance(values, Texts) and name != roles.target:
                refuse_infinite(origin, name, values)
            table.add([values])
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise DataError(
                f"{origin.path}: column {excerpt(name)!r} of type {excerpt(chunks.type)} cannot be "
                f"read: {excerpt(error)}. Convert or drop it."
            ) from error
    return table.encode()


class BlockTable:
    """The columns of a table, collected block by block.

    `types` has the Arrow types of columns that have one. `n_blocks` estimates the number of blocks,
    each as long as the first. The caller ensures that inputs are finite.
    """

    def __init__(
        self,
        origin: Origin,
        names: Sequence[str],
        roles: Roles,
        types: Mapping[str, pa.DataType] | None = None,
        n_blocks: float = 1.0,
    ) -> None:
        self.origin, self.names, self.roles = origin, names, roles
        self._types = types or {}
        self._matrix = ColumnMatrix(names, {roles.target, *roles.times}, n_blocks)
        self._first_column = 0
        #: By column of texts: the number of each text, in the order of first occurrence.
        self._text_numbers: dict[int, dict[str | None, int]] = {}

    def start_pass(self, first_column: int) -> None:
        """Go back to the first row: the next blocks have the columns from `first_column` on."""
        self._first_column = first_column
        self._matrix.start_pass(first_column)

    @property
    def next_row(self) -> int:
        """Number of rows added in this pass."""
        return self._matrix.next_row

    def add(self, columns: Sequence[Floats | Texts]) -> None:
        """Append a block, given by its columns."""
        self._matrix.add(
            [self._as_numbers(j, values) for j, values in enumerate(columns, self._first_column)]
        )

    def _as_numbers(self, j: int, values: Floats | Texts) -> Floats:
        """Values of a block; texts are numbered in order of first occurrence, null becomes NaN."""
        if not isinstance(values, Texts):
            return values
        number_of = self._text_numbers.setdefault(j, {})
        texts = values.distinct.to_pylist()
        numbers = [number_of.setdefault(text, len(number_of)) for text in texts]
        lookup: Floats = np.array([*numbers, np.nan])
        return lookup[values.text_index]

    def encode(self, minus_zero_columns: Collection[int] = ()) -> EncodedTable:
        """Table of all blocks.

        Raises AmbiguousBlockError if one of `minus_zero_columns`, which contain -0, has whole
        numbers only. If it is a column of integers, its -0 is 0.
        """
        names, roles = self.names, self.roles
        columns = self._matrix.columns()
        for j in minus_zero_columns:
            if (np.isnan(columns[j]) | (columns[j] == np.floor(columns[j]))).all():
                raise AmbiguousBlockError(f"{self.origin.path}: column {j} may be of integers.")
        distinct = {j: arrow_texts([*numbers]) for j, numbers in self._text_numbers.items()}
        attributes: dict[int, Attribute] = {}
        lookups: dict[int, Floats] = {}
        # The texts of labels that never arrive are not classes.
        if roles.label_time is not None and roles.label_time in names:
            label_time, target = map(names.index, (roles.label_time, roles.target))
            attributes[label_time] = self._attribute(label_time, columns, distinct, lookups)
            arrives = ~np.isnan(columns[label_time])
            if arrives.any():
                columns[target][~arrives] = np.nan
                if target in distinct:
                    distinct[target] = _drop_unused(distinct[target], columns[target])
        forms, dates = dict[str, str](), list[str]()
        for j, name in enumerate(names):
            if j not in attributes:
                attributes[j] = self._attribute(j, columns, distinct, lookups)
            form = self._form(j, distinct) if attributes[j].values is None else NUMBERS
            if form != NUMBERS:
                dates.append(name)
            if name in roles.times and not np.isnan(columns[j]).all():
                forms[name] = form
            if name == roles.target:
                check_labels(self.origin, attributes[j], columns[j])
        _decode(columns, lookups)
        zone = "UTC"
        if roles.time is not None and forms.get(roles.time) == ZONED:
            zone = self._zone(roles.time, distinct)
        return EncodedTable(
            self.origin,
            tuple(attributes[j] for j in range(len(columns))),
            columns,
            self._matrix.matrix,
            self._matrix.in_matrix,
            forms,
            dates,
            zone=zone,
        )

    def _form(self, j: int, distinct: Mapping[int, pa.Array]) -> str:
        """Form in which a column of times is written, by its type or its texts."""
        arrow_type = self._types.get(self.names[j])
        form = NUMBERS if arrow_type is None else form_of_type(arrow_type)
        return form_of_texts(distinct[j]) if form == NUMBERS and j in distinct else form

    def _zone(self, time: str, distinct: Mapping[int, pa.Array]) -> str:
        """Time zone of the times of instances."""
        zone: str | None = getattr(self._types.get(time), "tz", None)
        texts = distinct.get(self.names.index(time))
        return zone or ("UTC" if texts is None else zone_of_texts(texts))

    def _attribute(
        self,
        j: int,
        columns: Sequence[Floats],
        distinct: Mapping[int, pa.Array],
        lookups: dict[int, Floats],
    ) -> Attribute:
        """Attribute of a column.

        Columns with texts contain the numbers of the texts. For an input, the values that replace
        these numbers are added to `lookups`. In other columns they are replaced at once.
        """
        name = self.names[j]
        if j not in distinct:
            if name == self.roles.target:
                refuse_infinite(self.origin, name, columns[j])
            return Attribute(name, sorted_by_name=True)
        raw = distinct[j]

        def first_row(mask: Flags) -> tuple[int, int]:
            return Texts(raw, _text_indices(columns[j], len(raw))).first_row(mask)

        attribute, lookup = attribute_of_texts(self.origin, name, raw, self.roles, first_row)
        if attribute.values is None and np.isinf(lookup).any():
            refuse_infinite(self.origin, name, lookup[_text_indices(columns[j], len(raw))])
        if j in self._matrix.in_matrix:
            lookups[j] = lookup
        else:
            _decode(columns, {j: lookup})
        return attribute


def _decode(columns: Sequence[Floats], lookups: Mapping[int, Floats]) -> None:
    """Replace the numbers of texts by the values in `lookups`, in blocks of rows."""
    for begin in range(0, len(columns[0]) if lookups else 0, ROWS_AT_ONCE):
        for j, lookup in lookups.items():
            numbers = columns[j][begin : begin + ROWS_AT_ONCE]
            numbers[:] = lookup[_text_indices(numbers, len(lookup) - 1)]


def _text_indices(column: Floats, missing: int) -> Integers:
    """Numbers of texts as indices, with `missing` for NaN."""
    return np.where(np.isnan(column), missing, column).astype(np.int64)


def _drop_unused(distinct: pa.Array, column: Floats) -> pa.Array:
    """Texts that occur in a column, in order; the column is renumbered."""
    occurring, firsts = np.unique(column[~np.isnan(column)], return_index=True)
    order = occurring[np.argsort(firsts)].astype(np.int64)
    numbers = np.full(len(distinct) + 1, np.nan)
    numbers[order] = np.arange(len(order))
    column[:] = numbers[_text_indices(column, len(distinct))]
    texts = distinct.to_pylist()
    return arrow_texts([texts[i] for i in order])
