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

from streameval.base.errors import DataError, excerpt, some
from streameval.streams.columnar import DAMAGE
from streameval.streams.readers.content import Source
from streameval.streams.readers.table import Origin

#: Bytes of a column that are read at a time.
_BUFFER = 1 << 16


@dataclass(frozen=True)
class ParquetParts:
    """The Parquet files of a table, in the order of their rows.

    `schema` is that of all files: a column without any value in a file has the type of the others.
    """

    path: Path
    files: Sequence[Path]
    about: Sequence[pq.FileMetaData]
    schema: pa.Schema

    @classmethod
    def of(cls, source: Source) -> ParquetParts:
        """Files of a table, whose columns and types are checked.

        Raises
        ------
        DataError
            If a part is damaged, or has other columns or types than the first one. A single file
            that is damaged raises one of `DAMAGE`.
        """
        path, files = source.path, source.files
        schemas, about = [], []
        for file in files:
            with _named(file, path), pq.ParquetFile(file) as opened:
                schemas.append(opened.schema_arrow)
                about.append(opened.metadata)
        fields = {field.name: field for field in schemas[0]}
        for file, schema in zip(files[1:], schemas[1:], strict=True):
            _check_columns(file, schema, files[0], schemas[0].names)
            for field in schema:
                known = fields[field.name]
                if pa.types.is_null(known.type):
                    fields[field.name] = field
                elif not pa.types.is_null(field.type) and _kind(field) != _kind(known):
                    raise DataError(
                        f"{file}: expected values of type {_kind(known)} in the column "
                        f"{excerpt(field.name)!r} as in the parts before, found "
                        f"{_kind(field)}. Write all parts with the same types."
                    )
        is_one = len(files) == 1
        return cls(path, files, about, schemas[0] if is_one else pa.schema([*fields.values()]))

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(about.num_rows for about in self.about)

    @property
    def origin(self) -> Origin:
        """The source for messages: the row of a file, counted from 1, as a table has no lines."""
        starts = [0, *accumulate(about.num_rows for about in self.about)]
        if [*self.files] == [self.path]:
            return Origin(self.path, lambda row: row + 1, "row")
        return _OriginInParts(self.path, lambda row: row + 1, "row", self.files, starts)

    def bytes_of(self, columns: Sequence[str]) -> list[float]:
        """Bytes of each column in all files, uncompressed; infinite if they are not known."""
        total = [0.0] * len(columns)
        for about in self.about:
            places = {about.schema.column(j).path: j for j in range(about.num_columns)}
            groups = [about.row_group(g) for g in range(about.num_row_groups)]
            for k, name in enumerate(columns):
                j = places.get(name)
                sizes = (group.column(j).total_uncompressed_size for group in groups)
                total[k] += math.inf if j is None else sum(sizes)
        return total

    def blocks(
        self, rows: int, columns: Sequence[str], coded: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        """Yield at most so many rows at a time; columns of texts that are `coded` come so."""
        # Otherwise a group of rows, often all of them, is in memory before it is decoded.
        how: Mapping[str, Any] = {
            "buffer_size": _BUFFER,
            "pre_buffer": False,
            "read_dictionary": [*coded],
        }
        for path, about in zip(self.files, self.about, strict=True):
            with (
                _named(path, self.path),
                pq.ParquetFile(path, metadata=about, **how) as file,
            ):
                yield from file.iter_batches(rows, columns=[*columns], use_threads=False)

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Columns of all rows."""
        tables = []
        for path in self.files:
            with _named(path, self.path), pq.ParquetFile(path) as file:
                content = file.read(columns=[*columns])
                # A damaged file may have invalid texts, and indices outside their lists.
                content.validate(full=True)
                tables.append(content)
        if len(tables) == 1:
            return tables[0]
        return pa.concat_tables([_plain(table) for table in tables], promote_options="default")


@dataclass(frozen=True)
class _OriginInParts(Origin):
    """The source of rows that come from several files, one after the other."""

    files: Sequence[Path] = ()
    starts: Sequence[int] = ()

    def at(self, row: int) -> str:
        """See `Origin.at`: the part, and the row in it."""
        place = max(bisect_right(self.starts, row, hi=len(self.files)) - 1, 0)
        return f"{self.files[place]}, row {row - self.starts[place] + 1}"


@contextmanager
def _named(file: Path, path: Path) -> Iterator[None]:
    """Name a damaged part of a folder; a single file is named by the caller."""
    try:
        yield
    except DAMAGE as error:
        if file == path:
            raise
        raise DataError(
            f"{file}: expected a Parquet file, found {excerpt(error)}. Check this part."
        ) from error


def _check_columns(file: Path, schema: pa.Schema, first: Path, names: Sequence[str]) -> None:
    """Refuse a part with other columns than the first one."""
    if sorted(schema.names) == sorted(names):
        return
    lacking = [name for name in names if name not in schema.names]
    further = [name for name in schema.names if name not in names]
    differences = [
        f"{word} {some(map(repr, columns))}"
        for word, columns in (("without", lacking), ("also", further))
        if columns
    ]
    raise DataError(
        f"{file}: expected the columns of the first part, {first.name}, found them "
        f"{' and '.join(differences) or 'in another number'}. Write all parts with the same "
        "columns."
    )


def _kind(field: pa.Field) -> pa.DataType:
    """Type of a column, whether its values are coded or not."""
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    return pa.string() if pa.types.is_large_string(kind) else kind


def _plain(table: pa.Table) -> pa.Table:
    """Table whose columns have the types by which `_kind` compares parts."""
    fields = [(field.name, _kind(field)) for field in table.schema]
    return table.cast(pa.schema(fields))
