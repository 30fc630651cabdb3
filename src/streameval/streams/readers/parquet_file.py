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
from streameval.base.values import check_integer, name_of, names_of
from streameval.streams.columnar import DAMAGE
from streameval.streams.readers.block_table import BlockTable, encode_table
from streameval.streams.readers.blocks import AmbiguousBlockError
from streameval.streams.readers.columns import numbers_or_texts
from streameval.streams.readers.content import Source
from streameval.streams.readers.parquet_parts import ParquetParts
from streameval.streams.readers.reading import BLOCK_ERRORS, read_table, stream_of
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
#: Columns that are decoded at a time: for each, Arrow keeps pages and values of some megabytes.
_COLUMNS = 4
#: The same if the matrix is mapped to a file. More columns mean fewer passes, each of which writes
#: to all rows of the file.
_MAPPED_COLUMNS = 64
#: Maximum bytes per row of a column of texts that is read as a dictionary. More bytes mean many
#: distinct texts.
_DICTIONARY_BYTES = 2
#: Additional bytes that such a column may have, so that small files are read as dictionaries.
_SMALL_BYTES = 1 << 14
#: Maximum number of texts of a dictionary that is searched in Python for texts that do not occur.
#: In larger dictionaries Arrow finds the texts that occur.
_MAX_DICTIONARY = 1 << 12


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
        Columns whose texts must be numbers; texts of other columns are names.
    time, label_time
        As for `streameval.streams.readers.csv_file.read_csv`.

    Returns
    -------
    Stream
        The rows in the order of the file, or of parts sorted by name.

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
        has_types=True,
        time=time,
        label_time=label_time,
    )
    keep = None if keep is None else [*names_of(keep, "keep"), *roles.times]
    first = None if first is None else check_integer(first, "The option 'first'")
    reader = _Reader(source, names_of(drop, "drop"), keep, first, roles)
    return stream_of(read_table(reader), roles, name)


@dataclass(frozen=True)
class _Reader:
    """Reader of the selected columns of a table; `first` limits the number of rows."""

    source: Source
    drop: Sequence[str]
    keep: Sequence[str] | None
    first: int | None
    roles: Roles
    block_errors: tuple[type[Exception], ...] = (*BLOCK_ERRORS, *DAMAGE)

    def read_blocks(self) -> EncodedTable | None:
        """See `reading.TableReader`."""
        parts, roles = self._parts, self.roles
        n = self._n_to_read(parts.rows)
        if not n:
            return None
        origin, names = parts.origin, self._select(parts)
        types = {field.name: field.type for field in parts.schema}
        if roles.label_time in names and pa.types.is_duration(types[roles.label_time]):
            # Durations are added to the column of times, so both columns are needed at once.
            raise AmbiguousBlockError(f"{origin.path}: durations in {roles.label_time}.")
        dictionary_columns = _dictionary_columns(parts, names)
        table = BlockTable(origin, names, roles, types, n_blocks=max(1, n / _ROWS))
        n_columns = _MAPPED_COLUMNS if is_large(matrix_bytes(n, len(names))) else _COLUMNS
        for first in range(0, len(names), n_columns):
            table.start_pass(first)
            group = names[first : first + n_columns]
            for columns in _blocks(parts, origin, group, roles, dictionary_columns, n):
                table.add(columns)
            if table.next_row != n:  # in a damaged file columns may end early
                raise AmbiguousBlockError(
                    f"{origin.path}: {table.next_row:,} rows of {n:,} in {group}."
                )
        return table.encode()

    def read_whole(self) -> EncodedTable:
        """See `reading.TableReader`."""
        try:
            parts = self._parts
            check_column_names(parts.path, parts.schema.names)
            names = self._select(parts)
            content = parts.read(names)
            columns = {name: content.column(name) for name in names}
            if (rows := self._n_to_read(content.num_rows)) < content.num_rows:
                columns = {
                    name: _without_dictionary(chunks.slice(0, rows))
                    for name, chunks in columns.items()
                }
        except DAMAGE as error:
            raise DataError(
                f"{self.source.path}: expected a Parquet file, found {excerpt(error)}. Check the "
                "file."
            ) from error
        return encode_table(parts.origin, columns, self.roles)

    def check_fits_in_memory(self, error: Exception) -> None:
        """See `reading.TableReader`."""
        self.source.check_fits_in_memory(error)

    @cached_property
    def _parts(self) -> ParquetParts:
        return ParquetParts.of(self.source)

    def _select(self, parts: ParquetParts) -> list[str]:
        """Names of the columns to read, in the order of the file."""
        all_names = parts.schema.names
        names = columns_to_read(
            parts.path, all_names, self.roles.target, self.drop, self.keep, self.roles.times
        )
        self.roles.check(parts.origin, all_names)
        return names

    def _n_to_read(self, n: int) -> int:
        """Number of rows to read from `n` rows."""
        return n if self.first is None else min(self.first, n)


def _dictionary_columns(parts: ParquetParts, names: Sequence[str]) -> list[str]:
    """Columns of texts whose dictionaries in the file are used.

    Otherwise Arrow would compute dictionaries again, for which it loads `pyarrow.compute`.
    """
    max_bytes = _DICTIONARY_BYTES * parts.rows + _SMALL_BYTES
    texts = [field.name for field in parts.schema if field.type == pa.string()]
    texts = [name for name in texts if name in names]
    sizes = zip(texts, parts.bytes_of(texts), strict=True)
    return [name for name, size in sizes if size <= max_bytes]


def _blocks(
    parts: ParquetParts,
    origin: Origin,
    names: Sequence[str],
    roles: Roles,
    dictionary_columns: Sequence[str],
    rows: int | None = None,
) -> Iterator[list[Floats | Texts]]:
    """Yield the columns of consecutive blocks of rows, of at most `rows` rows in all."""
    remaining = parts.rows if rows is None else rows
    for block in parts.blocks(_ROWS, names, dictionary_columns):
        if not remaining:
            return
        block = block.slice(0, remaining)
        remaining -= block.num_rows
        block.validate(full=True)
        table = pa.Table.from_batches([block])
        chunks = {name: table.column(name) for name in names}
        if rows is not None and rows < parts.rows:
            others = {*names} - {*dictionary_columns}
            chunks |= {name: _without_dictionary(chunks[name]) for name in others}
        columns = [
            _column(origin, name, chunks[name], roles, is_dictionary=name in dictionary_columns)
            for name in names
        ]
        if any(np.isinf(column).any() for column in columns if not isinstance(column, Texts)):
            raise AmbiguousBlockError(f"{origin.path}: an infinite number.")
        yield columns


def _column(
    origin: Origin, name: str, chunks: pa.ChunkedArray, roles: Roles, is_dictionary: bool
) -> Floats | Texts:
    """Values of a block, without texts that its dictionary lists for other blocks."""
    # Of a part without values, Arrow reads no dictionary.
    is_dictionary = is_dictionary and pa.types.is_dictionary(chunks.type)
    if is_dictionary and len(chunks.chunk(0).dictionary) > _MAX_DICTIONARY:
        chunks = chunks.cast(pa.string())
    values = numbers_or_texts(origin, name, chunks, roles)
    return values.drop_unused() if is_dictionary and isinstance(values, Texts) else values


def _without_dictionary(chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Column without a dictionary, which may list values of rows that are not read."""
    arrow_type = chunks.type
    return chunks.cast(arrow_type.value_type) if pa.types.is_dictionary(arrow_type) else chunks
