"""Reading CSV: pyarrow reads the values, `readers.csv_text` checks the records.

It is read block by block where these are in no doubt, else as a whole, to find wrong lines.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa

from streameval.base.errors import DataError
from streameval.base.values import name_of, names_of, whole
from streameval.streams.readers import csv_text
from streameval.streams.readers.blocks import Numbers, blocks, divided, in_order
from streameval.streams.readers.columns import converted, to_stream
from streameval.streams.readers.content import check_whole, open_content
from streameval.streams.readers.csv_values import (
    TEXT,
    Text,
    columns_of,
    opened,
    parsed,
    with_missing_labels,
)
from streameval.streams.readers.dialect import (
    STRETCH,
    UTF8,
    Asked,
    ambiguity_note,
    ambiguous_columns,
    asked,
)
from streameval.streams.readers.parts import (
    REFUSED,
    MoreTextsError,
    Parts,
    UnclearError,
)
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import Origin, kept, remark
from streameval.streams.readers.texts import Texts
from streameval.streams.readers.values import MISSING, ValueRules, are_plain
from streameval.streams.stream import Stream

#: Bytes at the start of a file that are looked at before it is read block by block.
_HEAD = 2 * STRETCH
#: How often a file is begun anew, with more columns of texts, before it is read as a whole.
_ATTEMPTS = 3
_MINUS_ZERO = np.array(-0.0).view(np.int64)


def read_csv(
    path: str | Path,
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
        Columns whose numbers are names: they become nominal.
    numeric : iterable of str
        Columns that must be numbers: other texts are errors with their line, instead of making the
        column nominal.
    drop : iterable of str
        Columns to leave out.
    keep : iterable of str, optional
        The only inputs to keep, in the order of the file.
    missing : sequence of str
        Texts that mean a missing value; the empty one always does. Numbers among them do so in any
        spelling.
    strip_label_suffix : str
        Removed from the end of every label (those of KDD Cup 1999 end with a full stop).
    classes : sequence of str, optional
        Class names in the order of their codes, by default the labels in sorted order.
    numeric_target : bool
        The target is a number, not a class.
    first : int, optional
        Number of rows to read from the start; by default all.
    name : str, optional
        Name of the stream, by default that of the file.
    member : str, optional
        The member to read, if the file is a zip archive with several.
    time, label_time : str, optional
        Columns that say when each instance and each label arrives; see `timed_stream`.
    separator, decimal, encoding : str, optional
        What stands between values, the decimal sign, and the encoding of the text; by default
        they are found: see `streameval.streams.readers.dialect`.
    skip_rows : int
        How many rows below the header are no data, such as one of units.
    thousands : str, optional
        The mark that groups digits, as in ``1,234.5``; by default digits are not grouped.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Warns
    -----
    StreamWarning
        If the file is written otherwise than as plain CSV, and the options do not say so.

    Raises
    ------
    DataError
        If the content is wrong.
    """
    path, target = Path(path), name_of(target, "target")
    first = None if first is None else whole(first, "The option 'first'")
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
    given = asked(separator, decimal, encoding, thousands)
    keep = None if keep is None else [*names_of(keep, "keep"), *filter(None, (time, label_time))]
    drop, skip = names_of(drop, "drop"), whole(skip_rows, "skip_rows (--skip-rows)", least=0)
    options = _Options(path, names, header, first, given, drop, keep, roles, name, skip)
    read = _read_blocks(options, member)
    if read is None:
        with open_content(path, member) as file:
            text = options.opened(file.read())
    note = options.note(text if read is None else read.text)
    try:
        return _read_whole(options, text) if read is None else read.stream
    finally:  # behind the remarks of the stream, and before an error
        if note:
            remark(note)


@dataclass(frozen=True)
class _Options:
    """What is read of a file; see `read_csv`."""

    path: Path
    names: Sequence[str] | None
    header: bool
    first: int | None
    given: Asked
    drop: Sequence[str]
    keep: Sequence[str] | None
    roles: Roles
    name: str | None
    skip: int = 0

    def opened(self, body: bytes) -> Text:
        """Return a text with its names and dialect."""
        how = self.names, self.header, self.first, self.given
        return opened(self.path, body, *how, skip=self.skip)

    def wanted(self, text: Text, origin: Origin) -> tuple[list[str], Roles]:
        """Return the columns to read, and what they are to be."""
        rules = replace(self.roles.rules, decimal=text.how.decimal, thousands=self.given.thousands)
        roles = replace(self.roles, rules=rules)
        wanted = kept(self.path, text.names, roles.target, self.drop, self.keep)
        roles.check(origin, text.names)
        return wanted, roles

    def note(self, text: Text) -> str:
        """Note on how a text is read where the options do not say so, or ""."""
        parts = []
        if written := text.how.note(self.given):
            parts.append(f"read with {written}.")
        if self.given.decimal is None and self.given.thousands is None:
            wanted, roles = self.wanted(text, Origin(self.path, lambda row: row))
            found = ambiguous_columns(text.body[text.at :], text.how)
            examples = {text.names[j]: number for j, number in found.items()}
            numeric = {one: n for one, n in examples.items() if one in wanted}
            numeric = {one: n for one, n in numeric.items() if not roles.is_nominal(one)}
            if numeric:
                parts.append(ambiguity_note(numeric, text.how.decimal))
        return f"{self.path}: {' '.join(parts)}" if parts else ""


class _Read(NamedTuple):
    """A stream, and the beginning of its file."""

    stream: Stream
    text: Text


def _read_whole(options: _Options, text: Text) -> Stream:
    """Return the stream of a text that is in memory; an error names the line."""
    origin = Origin(options.path, text.line_of)
    wanted, roles = options.wanted(text, origin)
    return to_stream(origin, columns_of(text, wanted, roles), roles, options.name)


def _read_blocks(options: _Options, member: str | None) -> _Read | None:
    """Return what is read block by block, or None if only the whole file says what it means."""
    texts: set[str] = set()
    for _ in range(_ATTEMPTS if options.first is None else 0):
        try:
            return _attempt(options, member, texts)
        except MoreTextsError as error:
            texts |= error.columns
        except REFUSED as error:
            check_whole(options.path, error)
            break
    return None


def _attempt(options: _Options, member: str | None, texts: set[str]) -> _Read:
    """Read block by block, with some columns of which it is known that they have texts."""
    with open_content(options.path, member) as file:
        start, first, rest = _begun(options, file, texts)
        size = options.path.stat().st_size / max(1, len(first))
        origin = Origin(options.path, lambda row: _line_of(options, member, row))
        parts = Parts(origin, start.wanted, start.roles, parts=size)
        whole: set[int] = set()
        for columns, minus_zero in in_order(start.read, chain([first], rest)):
            parts.add(columns)
            whole |= minus_zero
        return _Read(parts.stream(options.name, whole), start.text)


def _line_of(options: _Options, member: str | None, row: int) -> int:
    """Return the line of a row; all of the file is read anew for it."""
    with open_content(options.path, member) as file:
        return options.opened(file.read()).line_of(row)


def _begun(
    options: _Options, file: BinaryIO, texts: set[str]
) -> tuple[_Blocks, bytes, Iterator[bytes]]:
    """Return how the blocks of a file are read, the first one, and the others."""
    head = file.read(_HEAD)
    text = options.opened(head if head.endswith(b"\n") else head + file.readline())
    if text.how.encoding != UTF8:
        raise UnclearError(f"{options.path}: a text in {text.how.encoding}.")
    origin = Origin(options.path, lambda row: row)
    wanted, roles = options.wanted(text, origin)
    rest = chain(divided(text.body[text.at :]), blocks(file))
    first = next(rest, b"")
    start = _Blocks(text, wanted, texts, roles, origin)
    return replace(start, texts=texts | start.texts_in(first)), first, rest


@dataclass(frozen=True)
class _Blocks:
    """How the blocks of a text are read."""

    text: Text
    wanted: list[str]
    texts: set[str]
    roles: Roles
    origin: Origin

    def texts_in(self, block: bytes) -> set[str]:
        """Return the columns that have texts, as far as a block tells."""
        found = columns_of(replace(self.text, body=block, at=0), self.wanted, self.roles)
        return {name for name, chunks in found.items() if chunks.type == TEXT}

    def read(self, block: bytes) -> tuple[list[Numbers | Texts], set[int]]:
        """Return the columns of a block, and which of them have a minus before a zero.

        Among integers, pyarrow reads 0 instead.
        """
        path, rules = self.text.path, self.roles.rules
        if block.startswith(codecs.BOM_UTF8):  # pyarrow would skip it
            raise UnclearError(f"{path}: a mark in the text.")
        csv_text.checked(path, block, UTF8)
        part = replace(self.text, body=block, at=0)
        numbers = [name for name in self.wanted if name not in self.texts]
        if numbers and rules.doubtful_types(part.has)[0]:
            raise UnclearError(f"{path}: a missing text beside a blank.")
        try:
            found = parsed(part, self.wanted, self.texts, rules, numbers)
            return self._columns(with_missing_labels(part, found, self.roles))
        except DataError:
            more = self.texts_in(block) - self.texts
            if more:
                raise MoreTextsError(path, more) from None
            raise

    def _columns(self, found: dict[str, pa.ChunkedArray]) -> tuple[list[Numbers | Texts], set[int]]:
        columns, minus_zero = [], set()
        for j, name in enumerate(self.wanted):
            values = converted(self.origin, name, found[name], self.roles)
            if not isinstance(values, Texts):
                if not are_plain(values, found[name].null_count):
                    raise UnclearError(f"{self.text.path}: a number that is not finite.")
                if (values.view(np.int64) == _MINUS_ZERO).any():
                    minus_zero.add(j)
            columns.append(values)
        return columns, minus_zero
