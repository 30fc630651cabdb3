"""Reading tables in Parquet format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streameval.base.errors import DataError, excerpt
from streameval.base.matrices import matrix_bytes
from streameval.base.memory import is_large
from streameval.base.values import name_of, names_of, whole
from streameval.streams.columnar import DAMAGE
from streameval.streams.readers.blocks import Numbers
from streameval.streams.readers.columns import converted, form_of_type, to_stream
from streameval.streams.readers.content import check_whole, parquet_files
from streameval.streams.readers.parquet_parts import ParquetParts
from streameval.streams.readers.parts import REFUSED, Parts, UnclearError
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import Origin, check_names, kept
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
    path: str | Path,
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
    path, target = Path(path), name_of(target, "target")
    parquet_files(path)  # is there any?
    origin = _origin(path)
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
    selection = _Selection(
        names_of(drop, "drop"), keep, None if first is None else whole(first, "The option 'first'")
    )
    return _read_batches(origin, roles, selection, name) or to_stream(
        origin, _columns(origin, roles, selection), roles, name
    )


class _Selection(NamedTuple):
    """The columns of a table to leave out or to keep, and how many of its rows to read."""

    drop: Sequence[str]
    keep: Sequence[str] | None = None
    first: int | None = None

    def names(self, origin: Origin, names: Sequence[str], target: str) -> list[str]:
        """Return the names of the columns to read, in the order of the file."""
        return kept(origin.path, names, target, self.drop, self.keep)

    def rows(self, n: int) -> int:
        """Return how many of n rows to read."""
        return n if self.first is None else min(self.first, n)


def _origin(path: Path) -> Origin:
    # A table has no lines: messages give its rows, counted from 1.
    is_folder = path.is_dir()
    return ParquetParts.of(path).origin if is_folder else Origin(path, lambda row: row + 1, "row")


def _read_batches(
    origin: Origin, roles: Roles, selection: _Selection, name: str | None
) -> Stream | None:
    """Return the stream, read some rows at a time, or None if there is anything to say of it."""
    try:
        table, wanted, coded = _opened(origin, roles, selection)
        dates = {field.name: form_of_type(field.type) for field in table.schema}
        zones = {one.name: getattr(one.type, "tz", None) for one in table.schema}
        n = selection.rows(table.rows)
        parts = Parts(origin, wanted, roles, dates, max(1, n / _ROWS))
        at_once = _MAPPED_COLUMNS if is_large(matrix_bytes(n, len(wanted))) else _COLUMNS
        for first in range(0, len(wanted), at_once):
            parts.again(first)
            some = wanted[first : first + at_once]
            for columns in _batches(table, origin, some, roles, coded, n):
                parts.add(columns)
            if parts.at != n:  # in a damaged file columns may end early
                raise UnclearError(f"{origin.path}: {parts.at:,} rows of {n:,} in {some}.")
        stream, zone = parts.stream(name), zones.get(roles.time or "")
        return replace(stream, zone=zone) if zone else stream
    except (*REFUSED, *DAMAGE) as error:
        check_whole(origin.path, error)
        return None


def _opened(
    origin: Origin, roles: Roles, selection: _Selection
) -> tuple[ParquetParts, list[str], list[str]]:
    """Return a table, the columns to read, and those of texts that come as codes.

    Without their codes, Arrow would have to find them anew, by its library of computations.
    """
    table = ParquetParts.of(origin.path)
    names = table.schema.names
    wanted = selection.names(origin, names, roles.target)
    roles.check(origin, names)
    most = _CODED * table.rows + _SMALL
    texts = [one.name for one in table.schema if one.type == pa.string() and one.name in wanted]
    sizes = zip(texts, table.bytes_of(texts), strict=True)
    return table, wanted, [name for name, size in sizes if size <= most]


def _batches(
    parts: ParquetParts,
    origin: Origin,
    wanted: Sequence[str],
    roles: Roles,
    coded: Sequence[str],
    rows: int | None = None,
) -> Iterator[list[Numbers | Texts]]:
    """Yield the columns of some rows after the other, of all rows or of so many first ones."""
    left = parts.rows if rows is None else rows
    for batch in parts.batches(_ROWS, wanted, coded):
        if not left:
            return
        batch = batch.slice(0, left)
        left -= batch.num_rows
        batch.validate(full=True)
        table = pa.Table.from_batches([batch])
        chunks = {name: table.column(name) for name in wanted}
        if rows is not None and rows < parts.rows:
            chunks |= {name: _plain(chunks[name]) for name in {*wanted} - {*coded}}
        columns = [_column(origin, one, chunks[one], roles, one in coded) for one in wanted]
        if any(np.isinf(one).any() for one in columns if not isinstance(one, Texts)):
            raise UnclearError(f"{origin.path}: an infinite number.")
        yield columns


def _column(
    origin: Origin, name: str, chunks: pa.ChunkedArray, roles: Roles, is_coded: bool
) -> Numbers | Texts:
    """Return the values of some rows; codes are those of a group of rows, which may have more."""
    is_coded = is_coded and pa.types.is_dictionary(chunks.type)  # not if a part has no values
    if is_coded and len(chunks.chunk(0).dictionary) > _MOST_CODES:
        chunks = chunks.cast(pa.string())
    found = converted(origin, name, chunks, roles)
    return found.occurring() if is_coded and isinstance(found, Texts) else found


def _columns(origin: Origin, roles: Roles, selection: _Selection) -> dict[str, pa.ChunkedArray]:
    try:
        table = ParquetParts.of(origin.path)
        names = table.schema.names
        check_names(origin.path, names)
        wanted = selection.names(origin, names, roles.target)
        roles.check(origin, names)
        content = table.read(wanted)
        if (rows := selection.rows(content.num_rows)) < content.num_rows:
            content = content.slice(0, rows)
            return {column: _plain(content.column(column)) for column in wanted}
        return {column: content.column(column) for column in wanted}
    except DAMAGE as error:
        raise DataError(
            f"{origin.path}: expected a Parquet file, found {excerpt(error)}. Check the file."
        ) from error


def _plain(chunks: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return some rows of a column without the values of a dictionary that only others have."""
    kind = chunks.type
    return chunks.cast(kind.value_type) if pa.types.is_dictionary(kind) else chunks
