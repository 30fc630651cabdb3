"""Reading tables in Parquet format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, excerpt
from streameval.base.matrices import matrix_bytes
from streameval.base.memory import is_large
from streameval.base.values import name_of, names_of, whole
from streameval.streams.columnar import DAMAGE
from streameval.streams.readers.block_table import BlockTable, encoded_table
from streameval.streams.readers.blocks import UnclearError
from streameval.streams.readers.columns import numbers_or_texts
from streameval.streams.readers.content import Source
from streameval.streams.readers.parquet_parts import ParquetParts
from streameval.streams.readers.reading import REFUSALS, read_table, stream_of
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import (
    EncodedTable,
    Origin,
    check_column_names,
    columns_to_read,
)
from streameval.streams.readers.texts import Texts
from streameval.streams.readers.values import MISSING, ValueRules
from streameval.streams.stream import Stream

#: Rows that are decoded at a time.
_ROWS = 1 << 14
#: Columns that are decoded at a time: of each, Arrow keeps pages and values of some megabytes.
#: More of them if the matrix is mapped: each time it is written to from its first row on.
_COLUMNS, _MAPPED_COLUMNS = 4, 64
#: Texts that are coded take fewer bytes each, and those of a small file; more codes are not looked
#: at one by one.
_CODED, _SMALL, _MOST_CODES = 2, 1 << 14, 1 << 12


def read_parquet(
    path: str | Path | Source,
    target: str,
    *,
    drop: Iterable[str] = (),
    keep: Iterable[str] | None = None,
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    missing: Sequence[str] = MISSING,
    classes: Sequence[str] | None = None,
    numeric_target: bool = False,
    first: int | None = None,
    name: str | None = None,
    time: str | None = None,
    label_time: str | None = None,
) -> Stream:
    """Read a table in Parquet format.

    `streameval.streams.readers.values` defines the meaning of values.

    Parameters
    ----------
    path : str or Path
        The file, or a folder of its parts.
    target, drop, keep, nominal, missing, classes, numeric_target, first, name
        As for `streameval.streams.readers.csv_file.read_csv`. Null and NaN are missing, too.
    numeric : iterable of str
        Columns whose texts must be numbers: others are names.
    time, label_time
        As for `streameval.streams.readers.csv_file.read_csv`.

    Returns
    -------
    Stream
        The rows in the order of the file, or of the parts by their names.

    Raises
    ------
    DataError
        If the file is not a table with such a target, or a column cannot be used.
    """
    source, target = Source.of_table(path), name_of(target, "target")
    roles = Roles(
        target,
        names_of(nominal, "nominal"),
        names_of(numeric, "numeric"),
        ValueRules(names_of(missing, "missing")),
        numeric_target,
        classes=None if classes is None else names_of(classes, "classes"),
        typed=True,
        time=time,
        label_time=label_time,
    )
    keep = None if keep is None else [*names_of(keep, "keep"), *roles.times]
    rows = None if first is None else whole(first, "The option 'first'")
    reading = _Reading(source, names_of(drop, "drop"), keep, rows, roles)
    return stream_of(read_table(reading), roles, name)


@dataclass(frozen=True)
class _Reading:
    """The columns to read of a table, of its `first` rows or of all; see `reading.Reading`."""

    source: Source
    drop: Sequence[str]
    keep: Sequence[str] | None
    first: int | None
    roles: Roles
    refusals: tuple[type[Exception], ...] = (*REFUSALS, *DAMAGE)

    def by_blocks(self) -> EncodedTable | None:
        """See `reading.Reading`."""
        parts, roles = self._parts, self.roles
        n = self._rows(parts.rows)
        if not n:
            return None
        origin, wanted = parts.origin, self._wanted(parts)
        due = parts.schema.field(roles.label_time).type if roles.label_time in wanted else None
        if due is not None and pa.types.is_duration(due):  # which are added to the times
            raise UnclearError(f"{origin.path}: durations in {roles.label_time}.")
        coded = _coded(parts, wanted)
        types = {field.name: field.type for field in parts.schema}
        table = BlockTable(origin, wanted, roles, types, max(1, n / _ROWS))
        at_once = _MAPPED_COLUMNS if is_large(matrix_bytes(n, len(wanted))) else _COLUMNS
        for first in range(0, len(wanted), at_once):
            table.again(first)
            some = wanted[first : first + at_once]
            for columns in _blocks(parts, origin, some, roles, coded, n):
                table.add(columns)
            if table.at != n:  # in a damaged file columns may end early
                raise UnclearError(f"{origin.path}: {table.at:,} rows of {n:,} in {some}.")
        return table.encoded()

    def as_a_whole(self) -> EncodedTable:
        """See `reading.Reading`."""
        try:
            parts = self._parts
            check_column_names(parts.path, parts.schema.names)
            wanted = self._wanted(parts)
            content = parts.read(wanted)
            columns = {column: content.column(column) for column in wanted}
            if (rows := self._rows(content.num_rows)) < content.num_rows:
                columns = {name: _plain(chunks.slice(0, rows)) for name, chunks in columns.items()}
        except DAMAGE as error:
            raise DataError(
                f"{self.source.path}: expected a Parquet file, found {excerpt(error)}. Check the "
                "file."
            ) from error
        return encoded_table(parts.origin, columns, self.roles)

    def check_whole(self, error: Exception) -> None:
        """See `reading.Reading`."""
        self.source.check_whole(error)

    @cached_property
    def _parts(self) -> ParquetParts:
        return ParquetParts.of(self.source)

    def _wanted(self, parts: ParquetParts) -> list[str]:
        """Names of the columns to read, in the order of the file."""
        names = parts.schema.names
        wanted = columns_to_read(
            parts.path, names, self.roles.target, self.drop, self.keep, self.roles.times
        )
        self.roles.check(parts.origin, names)
        return wanted

    def _rows(self, n: int) -> int:
        """Number of rows to read, of n rows."""
        return n if self.first is None else min(self.first, n)


def _coded(parts: ParquetParts, wanted: Sequence[str]) -> list[str]:
    """Columns of texts that come as codes.

    Without their codes, Arrow would have to find them anew, by its library of computations.
    """
    most = _CODED * parts.rows + _SMALL
    texts = [field.name for field in parts.schema if field.type == pa.string()]
    texts = [name for name in texts if name in wanted]
    sizes = zip(texts, parts.bytes_of(texts), strict=True)
    return [name for name, size in sizes if size <= most]


def _blocks(
    parts: ParquetParts,
    origin: Origin,
    wanted: Sequence[str],
    roles: Roles,
    coded: Sequence[str],
    rows: int | None = None,
) -> Iterator[list[Floats | Texts]]:
    """Yield the columns of consecutive blocks of rows; `rows` limits them to the first ones."""
    left = parts.rows if rows is None else rows
    for block in parts.blocks(_ROWS, wanted, coded):
        if not left:
            return
        block = block.slice(0, left)
        left -= block.num_rows
        block.validate(full=True)
        table = pa.Table.from_batches([block])
        chunks = {name: table.column(name) for name in wanted}
        if rows is not None and rows < parts.rows:
            chunks |= {name: _plain(chunks[name]) for name in {*wanted} - {*coded}}
        columns = [
            _column(origin, column, chunks[column], roles, column in coded) for column in wanted
        ]
        if any(np.isinf(column).any() for column in columns if not isinstance(column, Texts)):
            raise UnclearError(f"{origin.path}: an infinite number.")
        yield columns


def _column(
    origin: Origin, name: str, chunks: pa.ChunkedArray, roles: Roles, is_coded: bool
) -> Floats | Texts:
    """Values of some rows; codes refer to the texts of a group of rows, which may have more."""
    is_coded = is_coded and pa.types.is_dictionary(chunks.type)  # not if a part has no values
    if is_coded and len(chunks.chunk(0).dictionary) > _MOST_CODES:
        chunks = chunks.cast(pa.string())
    values = numbers_or_texts(origin, name, chunks, roles)
    return values.occurring() if is_coded and isinstance(values, Texts) else values


def _plain(chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Some rows of a column without the values of a dictionary that only others have."""
    kind = chunks.type
    return chunks.cast(kind.value_type) if pa.types.is_dictionary(kind) else chunks
