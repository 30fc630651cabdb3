"""Steps from a file to a stream that all formats share.

Reading has five steps; formats differ only in the second and the third.

- The **bytes** of the file are opened and unpacked: `content`, `pipes`.
- Its **layout** determines the columns: the header and the dialect of CSV (`csv_layout`,
  `dialect`), the declarations of ARFF (`arff_header`), the schema of Parquet (`parquet_parts`).
- Its **columns** are read as numbers and texts, block by block or as a whole: `csv_columns`,
  `arff_rows`, `parquet_file`, `frame`; `blocks` and `block_table` gather blocks.
- `values` defines the meaning of **values**; `texts` and `dates` apply it.
- The **stream** is divided into inputs, target and times: `roles`, `table`, `times`; `suspicion`
  warns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import pyarrow as pa

from streameval.base.errors import DataError, StreamevalError, excerpt
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import EncodedTable, Origin, remark
from streameval.streams.readers.times import (
    LOCAL,
    MIXED,
    NUMBERS,
    ZONED,
    order_of_dates,
    refuse_clock_set_back,
    timed_stream,
)
from streameval.streams.stream import Stream

#: Errors of a single block, after which the whole file is read for the exact error.
BLOCK_ERRORS = (StreamevalError, pa.ArrowException, UnicodeDecodeError)


class TableReader(Protocol):
    """Reader of the selected columns of a file in some format.

    After an error of a type in `block_errors`, the file is read as a whole, to name the line.
    """

    @property
    def block_errors(self) -> tuple[type[Exception], ...]:
        """See the class."""

    def read_blocks(self) -> EncodedTable | None:
        """Table, or None if the values cannot be interpreted without reading the whole file."""

    def read_whole(self) -> EncodedTable:
        """Table, or raise an error that names the line."""

    def check_fits_in_memory(self, error: Exception) -> None:
        """Raise an error if the whole file does not fit; `error` is the error in a block."""


def read_table(reader: TableReader) -> EncodedTable:
    """Columns of a file, read block by block, or as a whole if a block is ambiguous or wrong."""
    try:
        table = reader.read_blocks()
    except reader.block_errors as error:
        reader.check_fits_in_memory(error)
        table = None
    return reader.read_whole() if table is None else table


def stream_of(table: EncodedTable, roles: Roles, name: str | None) -> Stream:
    """Stream with the inputs, target and times of a table; warns about dates out of order."""
    _refuse_several_forms(table.origin, table.forms)
    form = table.forms.get(roles.time or "", NUMBERS)
    if roles.time is not None and form == LOCAL:
        refuse_clock_set_back(
            table.origin, roles.time, table.columns[table.names.index(roles.time)]
        )
    stream = timed_stream(
        table, roles.target, name, roles.time, roles.label_time, are_dates=form != NUMBERS
    )
    if form == ZONED:
        stream = replace(stream, zone=table.zone)
    inputs = [column for column in table.dates if column != roles.target]
    if roles.time is None and (sentence := order_of_dates(table, inputs)):
        remark(sentence)
    return stream


def _refuse_several_forms(origin: Origin, forms: Mapping[str, str]) -> None:
    """Refuse times of several forms, such as with and without a zone: differences are unknown."""
    for name in (name for name, form in forms.items() if form == MIXED):
        raise DataError(
            f"{origin.path}: expected dates in {excerpt(name)!r} that all have a zone, such as Z "
            "or +01:00, or that all have no zone, found both. Give the others their zone."
        )
    if len({*forms.values()}) > 1:
        first, second = sorted(forms, key=lambda name: forms[name])
        advice = "Convert one of them." if NUMBERS in forms.values() else "Give both a zone."
        raise DataError(
            f"{origin.path}: expected the times of instances and labels in one form, found "
            f"{forms[first]} in {excerpt(first)!r} and {forms[second]} in {excerpt(second)!r}. "
            f"{advice}"
        )
