"""A table in one Parquet file, or in the parts of a folder, as Spark and Dask write them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from streameval.base.errors import DataError, excerpt, listing
from streameval.streams.columnar import DAMAGE
from streameval.streams.readers.content import Source
from streameval.streams.readers.table import Origin

#: Bytes of a column that are read at a time.
_BUFFER = 1 << 16


@dataclass(frozen=True)
class ParquetParts:
    """The Parquet files of a table, in the order of their rows.

    `schema` holds for all files: if a column has no values in a file, the other files determine its
    type.
    """

    path: Path
    files: Sequence[Path]
    metadata: Sequence[pq.FileMetaData]
    schema: pa.Schema

    @classmethod
    def of(cls, source: Source) -> ParquetParts:
        """Files of a table, after a check of their columns and types.

        Raises
        ------
        DataError
            If a part is damaged, or has other columns or types than the first part. A damaged
            single file raises one of `DAMAGE` instead.
        """
        path, files = source.path, source.files
        schemas, metadata = [], []
        for file in files:
            with _naming_part(file, path), pq.ParquetFile(file) as parquet_file:
                schemas.append(parquet_file.schema_arrow)
                metadata.append(parquet_file.metadata)
        fields = {field.name: field for field in schemas[0]}
        for file, schema in zip(files[1:], schemas[1:], strict=True):
            _check_columns(file, schema, files[0], schemas[0].names)
            for field in schema:
                expected, value_type = _value_type(fields[field.name]), _value_type(field)
                if pa.types.is_null(expected):
                    fields[field.name] = field
                elif not pa.types.is_null(value_type) and value_type != expected:
                    raise DataError(
                        f"{file}: expected values of type {expected} in the column "
                        f"{excerpt(field.name)!r} as in the previous parts, found {value_type}. "
                        "Write all parts with the same types."
                    )
        schema = schemas[0] if len(files) == 1 else pa.schema([*fields.values()])
        return cls(path, files, metadata, schema)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(part.num_rows for part in self.metadata)

    @property
    def origin(self) -> Origin:
        """The source for messages, with rows counted from 1, as a table has no lines."""
        starts = [0, *accumulate(part.num_rows for part in self.metadata)]
        if [*self.files] == [self.path]:  # a single file, not a folder
            return Origin(self.path, lambda row: row + 1, "row")
        return _OriginInParts(self.path, lambda row: row + 1, "row", self.files, starts)

    def bytes_of(self, columns: Sequence[str]) -> list[float]:
        """Bytes of each column in all files, uncompressed; infinite if unknown."""
        total = [0.0] * len(columns)
        for part in self.metadata:
            places = {part.schema.column(j).path: j for j in range(part.num_columns)}
            groups = [part.row_group(g) for g in range(part.num_row_groups)]
            for k, name in enumerate(columns):
                j = places.get(name)
                sizes = (group.column(j).total_uncompressed_size for group in groups)
                total[k] += math.inf if j is None else sum(sizes)
        return total

    def blocks(
        self, rows: int, columns: Sequence[str], dictionary_columns: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        """Yield blocks of at most `rows` rows; `dictionary_columns` are read as dictionaries."""
        # By default a group of rows, often all rows, is read into memory before it is decoded.
        options: Mapping[str, Any] = {
            "buffer_size": _BUFFER,
            "pre_buffer": False,
            "read_dictionary": [*dictionary_columns],
        }
        for path, metadata in zip(self.files, self.metadata, strict=True):
            with (
                _naming_part(path, self.path),
                pq.ParquetFile(path, metadata=metadata, **options) as file,
            ):
                yield from file.iter_batches(rows, columns=[*columns], use_threads=False)

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Columns of all rows."""
        tables = []
        for path in self.files:
            with _naming_part(path, self.path), pq.ParquetFile(path) as file:
                content = file.read(columns=[*columns])
                # A damaged file may have invalid texts, and indices outside their lists.
                content.validate(full=True)
                tables.append(content)
        if len(tables) == 1:
            return tables[0]
        tables = [_with_value_types(table) for table in tables]
        return pa.concat_tables(tables, promote_options="default")


@dataclass(frozen=True)
class _OriginInParts(Origin):
    """The source of the rows of several files; file `i` begins with row ``starts[i]``."""

    files: Sequence[Path] = ()
    starts: Sequence[int] = ()

    def place_of(self, row: int) -> str:
        """See `Origin.place_of`; names the part, and the row in it."""
        i = max(bisect_right(self.starts, row, hi=len(self.files)) - 1, 0)
        return f"{self.files[i]}, row {row - self.starts[i] + 1}"


@contextmanager
def _naming_part(file: Path, path: Path) -> Iterator[None]:
    """Context whose errors name a damaged part of a folder.

    Errors of a single file pass unchanged, as the caller names the file.
    """
    try:
        yield
    except DAMAGE as error:
        if file == path:
            raise
        raise DataError(
            f"{file}: expected a Parquet file, found {excerpt(error)}. Check this part."
        ) from error


def _check_columns(file: Path, schema: pa.Schema, first: Path, names: Sequence[str]) -> None:
    """Refuse a part with other columns than the first part."""
    if sorted(schema.names) == sorted(names):
        return
    missing = [name for name in names if name not in schema.names]
    additional = [name for name in schema.names if name not in names]
    differences = [
        f"{word} {listing(map(repr, columns))}"
        for word, columns in (("without", missing), ("also", additional))
        if columns
    ]
    raise DataError(
        f"{file}: expected the columns of the first part, {first.name}, found them "
        f"{' and '.join(differences) or 'in another number'}. Write all parts with the same "
        "columns."
    )


def _value_type(field: pa.Field) -> pa.DataType:
    """Type of the values of a column, with or without a dictionary."""
    arrow_type = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    return pa.string() if pa.types.is_large_string(arrow_type) else arrow_type


def _with_value_types(table: pa.Table) -> pa.Table:
    """Table whose columns have the types that `_value_type` compares."""
    fields = [(field.name, _value_type(field)) for field in table.schema]
    return table.cast(pa.schema(fields))
