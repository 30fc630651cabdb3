"""Reading CSV: pyarrow reads the columns, `readers.csv_text` checks the records.

A file is read block by block if each block can be read on its own. Otherwise the file is read as a
whole, which also finds the line of an error.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, listing
from streameval.base.values import check_integer, name_of, names_of
from streameval.streams.readers import csv_text
from streameval.streams.readers.block_table import BlockTable, encode_table
from streameval.streams.readers.blocks import AmbiguousBlockError, blocks, in_order, split_blocks
from streameval.streams.readers.columns import numbers_or_texts
from streameval.streams.readers.content import Source
from streameval.streams.readers.csv_columns import (
    TEXT,
    parse_columns,
    read_columns,
    restore_missing_labels,
)
from streameval.streams.readers.csv_layout import CsvText, inspect_text
from streameval.streams.readers.dialect import (
    SAMPLE_BYTES,
    UTF8,
    DialectOptions,
    ambiguity_note,
    ambiguous_columns,
    dialect_options,
)
from streameval.streams.readers.reading import BLOCK_ERRORS, read_table, stream_of
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import EncodedTable, Origin, columns_to_read, remark
from streameval.streams.readers.texts import Texts
from streameval.streams.readers.values import MISSING, ValueRules, are_finite_or_missing
from streameval.streams.stream import Stream

#: Bytes at the start of a file from which its layout is inferred. More than `SAMPLE_BYTES`, since
#: the header precedes the data.
_HEAD = 2 * SAMPLE_BYTES
#: Number of attempts to read block by block. A later attempt knows more columns of texts; reading
#: the whole file finds all of them at once.
_ATTEMPTS = 3
#: The bits of -0.0; a comparison of numbers cannot tell it from 0.0.
_MINUS_ZERO = np.array(-0.0).view(np.int64)


def read_csv(
    path: str | Path | Source,
    target: str,
    *,
    names: Sequence[str] | None = None,
    header: bool = True,
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    drop: Iterable[str] = (),
    keep: Iterable[str] | None = None,
    missing: Sequence[str] = MISSING,
    strip_label_suffix: str = "",
    classes: Sequence[str] | None = None,
    numeric_target: bool = False,
    first: int | None = None,
    name: str | None = None,
    member: str | None = None,
    time: str | None = None,
    label_time: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    skip_rows: int = 0,
    thousands: str | None = None,
) -> Stream:
    """Read a CSV file, plain or inside gzip, bzip2, xz or zip.

    Values in double quotes may contain separators, line breaks and doubled quotes.
    `streameval.streams.readers.values` defines the meaning of values.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str
        Name of the column to predict.
    names : sequence of str, optional
        Names of all columns; a header is then ignored. Without names and header the columns are
        ``x1``, ``x2``, ...
    header : bool
        Whether the first row holds the column names.
    nominal : iterable of str
        Columns to read as nominal, even if they contain numbers.
    numeric : iterable of str
        Columns that must be numbers. Other texts raise an error with their line, instead of making
        the column nominal.
    drop : iterable of str
        Columns to leave out.
    keep : iterable of str, optional
        The only inputs to keep, in the order of the file.
    missing : sequence of str
        Texts that mean a missing value; the empty text always does. A number in this list counts in
        any spelling.
    strip_label_suffix : str
        Text to remove from the end of every label (labels of KDD Cup 1999 end with a full stop).
    classes : sequence of str, optional
        Class names in the order of their codes, by default the labels in sorted order.
    numeric_target : bool
        The target is a number, not a class.
    first : int, optional
        Number of rows to read from the start; by default all.
    name : str, optional
        Name of the stream, by default the name of the file.
    member : str, optional
        The member to read, if the file is a zip archive with several.
    time, label_time : str, optional
        Columns that say when each instance and each label arrives; see `timed_stream`.
    separator, decimal, encoding : str, optional
        Separator of values, decimal sign, and encoding of the text. By default they are inferred:
        see `streameval.streams.readers.dialect`.
    skip_rows : int
        Number of rows below the header that are not data, such as a row of units.
    thousands : str, optional
        The mark that groups digits, as in ``1,234.5``; by default digits are not grouped.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Warns
    -----
    StreamWarning
        If the file is not plain CSV, and the options do not say so.

    Raises
    ------
    DataError
        If the content is wrong.
    """
    source, target = Source.of(path, member), name_of(target, "target")
    first = None if first is None else check_integer(first, "The option 'first'")
    roles = Roles(
        target,
        names_of(nominal, "nominal"),
        names_of(numeric, "numeric"),
        ValueRules(names_of(missing, "missing")),
        numeric_target,
        strip_label_suffix,
        None if classes is None else names_of(classes, "classes"),
        time=time,
        label_time=label_time,
    )
    options = dialect_options(separator, decimal, encoding, thousands)
    keep = None if keep is None else [*names_of(keep, "keep"), *filter(None, (time, label_time))]
    drop = names_of(drop, "drop")
    skip_rows = check_integer(skip_rows, "skip_rows (--skip-rows)", least=0)
    reader = _Reader(source, names, header, first, options, drop, keep, roles, skip_rows)
    try:
        return stream_of(read_table(reader), roles, name)
    finally:  # after remarks about the stream, and also if there is an error
        for note in reader.notes:
            remark(note)


class MoreTextsError(AmbiguousBlockError):
    """Columns that had only numbers in earlier blocks have texts."""

    def __init__(self, path: Path, columns: set[str]) -> None:
        super().__init__(f"{path}: texts in {listing(sorted(columns))}.")
        self.columns = columns


@dataclass(frozen=True)
class _Reader:
    """Reader of the selected columns of a file; see `read_csv` and `reading.TableReader`.

    `notes` receives a message if an inferred dialect is not plain CSV.
    """

    source: Source
    names: Sequence[str] | None
    header: bool
    first: int | None
    options: DialectOptions
    drop: Sequence[str]
    keep: Sequence[str] | None
    roles: Roles
    skip_rows: int = 0
    notes: list[str] = field(default_factory=list)
    block_errors: tuple[type[Exception], ...] = BLOCK_ERRORS

    def read_blocks(self) -> EncodedTable | None:
        """See `reading.TableReader`; starts again if more columns turn out to have texts."""
        if self.first is not None:  # only `read_whole` cuts the text after the first rows
            return None
        text_columns: set[str] = set()
        for _ in range(_ATTEMPTS):
            try:
                return self._attempt(text_columns)
            except MoreTextsError as error:
                text_columns |= error.columns
        return None

    def read_whole(self) -> EncodedTable:
        """See `reading.TableReader`."""
        text = self._text(self.source.content())
        origin = Origin(self.source.path, text.line_of)
        names, roles = self._select(text, origin)
        self._note_dialect(text, names, roles)
        return encode_table(origin, read_columns(text, names, roles), roles)

    def check_fits_in_memory(self, error: Exception) -> None:
        """See `reading.TableReader`."""
        self.source.check_fits_in_memory(error)

    def _attempt(self, text_columns: set[str]) -> EncodedTable:
        """Table, read block by block; `text_columns` are known to have texts."""
        origin = Origin(
            self.source.path, lambda row: self._text(self.source.content()).line_of(row)
        )
        with self.source.opened() as file:
            block_reader, first, rest = self._start(file, text_columns)
            n_blocks = self.source.size / max(1, len(first))
            table = BlockTable(origin, block_reader.names, block_reader.roles, n_blocks=n_blocks)
            minus_zero: set[int] = set()
            for columns, minus_zero_in_block in in_order(block_reader.read, chain([first], rest)):
                table.add(columns)
                minus_zero |= minus_zero_in_block
            encoded = table.encode(minus_zero_columns=minus_zero)
        self._note_dialect(block_reader.text, block_reader.names, block_reader.roles)
        return encoded

    def _start(
        self, file: BinaryIO, text_columns: set[str]
    ) -> tuple[_BlockReader, bytes, Iterator[bytes]]:
        """Reader of the blocks of a file, its first block, and the other blocks."""
        head = file.read(_HEAD)
        text = self._text(head if head.endswith(b"\n") else head + file.readline())
        if text.dialect.encoding != UTF8:  # blocks are not converted
            raise AmbiguousBlockError(f"{self.source.path}: a text in {text.dialect.encoding}.")
        # Line numbers are not tracked here: after an error, the whole file is read again.
        origin = Origin(self.source.path, lambda row: row)
        names, roles = self._select(text, origin)
        rest = chain(split_blocks(text.body[text.data_start :]), blocks(file))
        first = next(rest, b"")
        block_reader = _BlockReader(text, names, text_columns, roles, origin)
        text_columns = text_columns | block_reader.text_columns_in(first)
        return replace(block_reader, text_columns=text_columns), first, rest

    def _text(self, body: bytes) -> CsvText:
        """Text with its column names and dialect."""
        options = self.names, self.header, self.first, self.options
        return inspect_text(self.source.path, body, *options, skip_rows=self.skip_rows)

    def _select(self, text: CsvText, origin: Origin) -> tuple[list[str], Roles]:
        """Names of the columns to read, and their roles."""
        rules = replace(
            self.roles.rules, decimal=text.dialect.decimal, thousands=self.options.thousands
        )
        roles = replace(self.roles, rules=rules)
        selection = self.drop, self.keep, self.roles.times
        names = columns_to_read(self.source.path, text.names, roles.target, *selection)
        roles.check(origin, text.names)
        return names, roles

    def _note_dialect(self, text: CsvText, names: list[str], roles: Roles) -> None:
        """Add a note on the parts of the dialect that were inferred and are not plain CSV."""
        parts = []
        if dialect_text := text.dialect.note(self.options):
            parts.append(f"read with {dialect_text}.")
        if self.options.decimal is None and self.options.thousands is None:
            ambiguous = ambiguous_columns(text.body[text.data_start :], text.dialect)
            examples = {text.names[j]: number for j, number in ambiguous.items()}
            numeric = {
                name: number
                for name, number in examples.items()
                if name in names and not roles.is_nominal(name)
            }
            if numeric:
                parts.append(ambiguity_note(numeric, text.dialect.decimal))
        if parts:
            self.notes.append(f"{self.source.path}: {' '.join(parts)}")


@dataclass(frozen=True)
class _BlockReader:
    """Reader of the selected columns of each block; `text_columns` are read as texts."""

    text: CsvText
    names: list[str]
    text_columns: set[str]
    roles: Roles
    origin: Origin

    def text_columns_in(self, block: bytes) -> set[str]:
        """Columns that have texts in a block, and columns that are always read as texts."""
        text = replace(self.text, body=block, data_start=0)
        columns = read_columns(text, self.names, self.roles)
        return {name for name, chunks in columns.items() if chunks.type == TEXT}

    def read(self, block: bytes) -> tuple[list[Floats | Texts], set[int]]:
        """Columns of a block, and the indices of the columns with -0.0.

        pyarrow reads -0 as 0 if all numbers of the file are integers, but as -0.0 in a block of
        doubles. So a file in which such a column has no fraction is read as a whole; see
        `BlockTable.encode`.
        """
        path, rules = self.text.path, self.roles.rules
        if block.startswith(codecs.BOM_UTF8):  # pyarrow would skip it
            raise AmbiguousBlockError(f"{path}: a byte order mark in the text.")
        csv_text.ensure_utf8(path, block, UTF8)
        part = replace(self.text, body=block, data_start=0)
        number_columns = [name for name in self.names if name not in self.text_columns]
        if number_columns and rules.has_doubtful_numbers(part.contains):
            raise AmbiguousBlockError(f"{path}: a blank next to a text that means a missing value.")
        try:
            arrays = parse_columns(part, self.names, self.text_columns, rules, number_columns)
            return self._columns(restore_missing_labels(part, arrays, self.roles))
        except DataError:
            further_columns = self.text_columns_in(block) - self.text_columns
            if further_columns:
                raise MoreTextsError(path, further_columns) from None
            raise

    def _columns(self, arrays: dict[str, pa.ChunkedArray]) -> tuple[list[Floats | Texts], set[int]]:
        columns, minus_zero = [], set()
        for j, name in enumerate(self.names):
            values = numbers_or_texts(self.origin, name, arrays[name], self.roles)
            if not isinstance(values, Texts):
                if not are_finite_or_missing(values, arrays[name].null_count):
                    raise AmbiguousBlockError(f"{self.text.path}: a number that is not finite.")
                if (values.view(np.int64) == _MINUS_ZERO).any():
                    minus_zero.add(j)
            columns.append(values)
        return columns, minus_zero
