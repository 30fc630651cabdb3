"""A stream from the parts of a file, for CSV and Parquet: its columns are gathered as they come.

Line numbers of errors are not known here: on an error the caller reads the file as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Flags, Integers
from streameval.base.errors import DataError, StreamevalError, some
from streameval.streams.arrow_arrays import texts_in_arrow
from streameval.streams.readers.blocks import Gathered, Numbers
from streameval.streams.readers.columns import (
    check_labels,
    form_of_texts,
    joined,
    zone_of_texts,
)
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import STRETCH, EncodedTable, Origin
from streameval.streams.readers.texts import Texts, meaning, missing_texts
from streameval.streams.readers.times import NUMBERS
from streameval.streams.stream import Attribute, Stream

#: Errors that a part raises: that of the whole file may be another one.
REFUSED = (StreamevalError, pa.ArrowException, UnicodeDecodeError)


class UnclearError(DataError):
    """Only a look at the whole file tells what a part of it means."""


class MoreTextsError(UnclearError):
    """Columns that were numbers so far have texts."""

    def __init__(self, path: Path, columns: set[str]) -> None:
        super().__init__(f"{path}: texts in {some(sorted(columns))}.")
        self.columns = columns


class Parts:
    """The columns of a table, gathered part by part; there may be times.

    `dates` are the forms of times that are dates; `parts` is how many times as long as the first
    part all of them together probably are.
    """

    def __init__(
        self,
        origin: Origin,
        names: Sequence[str],
        roles: Roles,
        dates: Mapping[str, str] | None = None,
        parts: float = 1.0,
    ) -> None:
        self.origin, self.names, self.roles = origin, names, roles
        self._dates = dates or {}
        self._gathered, self._first = Gathered(names, {roles.target, *roles.times}, parts), 0
        #: By column of texts: the number of each text in the order in which they occur.
        self._known: dict[int, dict[str | None, int]] = {}

    def again(self, first: int) -> None:
        """Return to the first row: the parts that follow have the columns from this number on."""
        self._first = first
        self._gathered.again(first)

    @property
    def at(self) -> int:
        """How many rows have been added since the first one."""
        return self._gathered.at

    def add(self, columns: Sequence[Numbers | Texts]) -> None:
        """Append a part: its values by column."""
        numbered = enumerate(columns, self._first)
        self._gathered.add([self._numbered(j, values) for j, values in numbered])

    def _numbered(self, j: int, values: Numbers | Texts) -> Numbers:
        """Return the numbers of texts among those of the column; NaN for none."""
        if not isinstance(values, Texts):
            return values
        known = self._known.setdefault(j, {})
        numbers = [known.setdefault(text, len(known)) for text in values.distinct.to_pylist()]
        lookup: Numbers = np.array([*numbers, np.nan])
        return lookup[values.place]

    def stream(self, name: str | None, whole: Collection[int] = ()) -> Stream:
        """Return the stream of all parts.

        Columns of `whole` are unclear if all their numbers are whole.
        """
        if not self._gathered.rows:
            raise UnclearError(f"{self.origin.path}: no rows.")
        columns = self._gathered.columns()
        for j in whole:
            if (np.isnan(columns[j]) | (columns[j] == np.floor(columns[j]))).all():
                raise UnclearError(f"{self.origin.path}: column {j} may be of integers.")
        distinct = {j: texts_in_arrow([*known]) for j, known in self._known.items()}
        forms = {
            column: form_of_texts(distinct[j])
            if j in distinct
            else self._dates.get(column, NUMBERS)
            for j, column in enumerate(self.names)
            if column in self.roles.times and not np.isnan(columns[j]).all()
        }
        attributes: dict[int, Attribute] = {}
        lookups: dict[int, Numbers] = {}
        dates = [one for one, form in self._dates.items() if form != NUMBERS and one in self.names]
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
        matrix, in_matrix = self._gathered.matrix, self._gathered.in_matrix
        table = EncodedTable(self.origin, in_order, columns, matrix, in_matrix)
        time = self.names.index(self.roles.time) if self.roles.time in self.names else -1
        zone = zone_of_texts(distinct[time]) if time in distinct else "UTC"
        return joined(table, self.roles, name, forms, dates, zone)

    def _attribute(
        self,
        j: int,
        columns: Sequence[Numbers],
        distinct: Mapping[int, pa.Array],
        lookups: dict[int, Numbers],
    ) -> Attribute:
        """Return an attribute; of inputs with texts, `lookups` gets the meaning of their numbers.

        Columns beside the inputs have it at once.
        """
        name, values, missing = self.names[j], None, tuple[str, ...]()
        if j in distinct:
            raw = distinct[j]

            def first(which: Flags) -> tuple[int, int]:
                return Texts(raw, _places(columns[j], len(raw))).first(which)

            values, lookup = meaning(self.origin, name, raw, self.roles, first)
            if values is None and np.isinf(lookup).any():
                raise UnclearError(f"{self.origin.path}: an infinite number.")
            if j in self._gathered.in_matrix:
                lookups[j] = lookup
            else:
                _decode(columns, {j: lookup})
            if values is not None and name == self.roles.target:
                missing = missing_texts(raw, lookup, self.roles)
        return Attribute(name, values, spelt=True, missing=missing)


def _decode(columns: Sequence[Numbers], lookups: Mapping[int, Numbers]) -> None:
    """Replace the numbers of texts by what they mean, some rows of all columns at a time."""
    for begin in range(0, len(columns[0]) if lookups else 0, STRETCH):
        for j, lookup in lookups.items():
            part = columns[j][begin : begin + STRETCH]
            part[:] = lookup[_places(part, len(lookup) - 1)]


def _places(column: Numbers, missing: int) -> Integers:
    return np.where(np.isnan(column), missing, column).astype(np.int64)


def _occurring(distinct: pa.Array, column: Numbers) -> pa.Array:
    """Return the texts that occur in a column, in order, and renumber them there."""
    found, firsts = np.unique(column[~np.isnan(column)], return_index=True)
    order = found[np.argsort(firsts)].astype(np.int64)
    numbers = np.full(len(distinct) + 1, np.nan)
    numbers[order] = np.arange(len(order))
    column[:] = numbers[_places(column, len(distinct))]
    texts = distinct.to_pylist()
    return texts_in_arrow([texts[place] for place in order])
