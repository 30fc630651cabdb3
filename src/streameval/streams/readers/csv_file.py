"""Reading CSV: pyarrow reads the values, `readers.csv_text` checks the records."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from streameval.errors import ConfigError, DataError, excerpt
from streameval.streams.readers import csv_text
from streameval.streams.readers.columns import is_plain_number, to_stream
from streameval.streams.readers.content import open_content
from streameval.streams.readers.dialect import (
    PLAIN,
    Asked,
    Dialect,
    asked,
    decimal_of,
    named_in_first_line,
    separator_of,
    unpacked,
)
from streameval.streams.readers.roles import MISSING, Roles
from streameval.streams.readers.table import (
    BLANKS,
    Origin,
    StreamWarning,
    check_columns,
    check_names,
    kept,
)
from streameval.streams.stream import Stream
from streameval.values import name_of, names_of

#: Smallest number of bytes that pyarrow parses at a time.
BLOCK = 1 << 22
_LONGEST_BLOCK = 2**31 - 1
_TEXT = pa.dictionary(pa.int32(), pa.string())


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
    day_first: bool | None = None,
) -> Stream:
    """Read a CSV file, plain or inside gzip, bzip2, xz or zip.

    Values in double quotes may contain separators, line breaks and doubled quotes.
    `streameval.streams.readers.table` defines the meaning of values.

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
        Texts that mean a missing value; the empty one always does.
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
    day_first : bool, optional
        Whether dates such as 03/04/2020 start with the day; by default each column says it by a
        date that can be read in one way only.

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
    if first is not None and (isinstance(first, bool) or not isinstance(first, int) or first < 1):
        raise ConfigError(
            f"The option 'first': expected a whole number of at least 1, found {first!r}."
        )
    roles = Roles(
        target,
        names_of(nominal, "nominal"),
        names_of(numeric, "numeric"),
        names_of(missing, "missing"),
        numeric_target,
        strip_label_suffix,
        None if classes is None else names_of(classes, "classes"),
        time=time,
        label_time=label_time,
        day_first=day_first,
    )
    given = asked(separator, decimal, encoding)
    with open_content(path, member) as file:
        text = _text(path, file.read(), names, header, first, given)
    if note := text.how.note(given):
        warnings.warn(f"{path}: read with {note}.", StreamWarning, stacklevel=2)
    roles = replace(roles, decimal=text.how.decimal)
    origin = Origin(path, text.line_of)
    keep = None if keep is None else [*names_of(keep, "keep"), *filter(None, (time, label_time))]
    wanted = kept(path, text.names, target, drop, keep)
    roles.check(origin, text.names)
    return to_stream(origin, _columns(text, wanted, roles), roles, name)


def read_columns(
    path: Path,
    needed: Iterable[str],
    roles: Roles,
    optional: Iterable[str] = (),
    member: str | None = None,
) -> tuple[Origin, dict[str, pa.ChunkedArray]]:
    """Read columns of a CSV file with a header, for `streameval.streams.readers.columns.encode`.

    Parameters
    ----------
    path : Path
        The file.
    needed : iterable of str
        Columns that must be there.
    roles : Roles
        Their requested kinds.
    optional : iterable of str
        Columns to read where they are there.
    member : str, optional
        The member to read, if the file is a zip archive with several.

    Raises
    ------
    DataError
        If a needed column is missing, or the content is wrong.
    """
    with open_content(path, member) as file:
        text = _text(path, file.read(), None, header=True, first=None, given=PLAIN)
    check_columns(path, text.names, needed)
    wanted = {*needed, *optional}
    found = _columns(text, [name for name in text.names if name in wanted], roles)
    return Origin(path, text.line_of), found


@dataclass(frozen=True)
class _Text:
    """The text of a file, its column names, and the position of its first byte of data."""

    path: Path
    body: bytes
    names: list[str]
    at: int
    how: Dialect

    @property
    def begin(self) -> int:
        """The position where pyarrow starts: the end of the header's line.

        At the start of a file, pyarrow would skip a byte order mark, which may be a value here.
        """
        return max(self.at - 1, 0)

    @cached_property
    def quoted(self) -> bool:
        """True if the data have a quote."""
        return self.body.find(b'"', self.at) >= 0

    @cached_property
    def layout(self) -> csv_text.Layout:
        """Number, size and line breaks of the records."""
        return csv_text.layout(self.path, self.body, self.at, self.how)

    def line_of(self, row: int) -> int:
        """Return the line in which a row of data starts."""
        return csv_text.line_of(self.path, self.body, self.at, row, self.how)


def _text(
    path: Path,
    body: bytes,
    names: Sequence[str] | None,
    header: bool,
    first: int | None,
    given: Asked,
) -> _Text:
    body, encoding = unpacked(path, body, given)
    body, mark = named_in_first_line(csv_text.unmarked(path, body))
    separator = given.separator or mark or separator_of(path, body, header and names is None)
    how = Dialect(separator)
    if first is not None:
        body = csv_text.head(path, body, first, header, how)
    body, encoding = csv_text.checked(path, body, encoding)
    how = Dialect(separator, given.decimal or decimal_of(body, separator), encoding)
    top = next(csv_text.records(path, body, 0, how), None)
    if top is None:
        raise DataError(f"{path}: expected a table, found one line only: sep={separator}")
    width = len(top.cells)
    if names is not None and len(names := names_of(names, "names")) != width:
        raise DataError(
            f"{path}: expected {len(names)} columns, one per given name, found {width}."
        )
    if width == 1 and given.separator is None and " " in top.cells[0].strip():
        raise DataError(
            f"{path}, line {top.line}: expected values separated by commas, semicolons, tabs or "
            f"bars, found blanks: {excerpt(top.cells[0])!r}. Name another separator (--separator)."
        )
    # A column without a name, such as the index that pandas writes, is named by its position.
    result = [f"x{j + 1}" for j in range(width)]
    if names is not None:
        result = list(names)
    elif header:
        result = [cell.strip(BLANKS) or x for cell, x in zip(top.cells, result, strict=True)]
    check_names(path, result)
    return _Text(path, body, result, top.end if header else 0, how)


def _columns(text: _Text, wanted: list[str], roles: Roles) -> dict[str, pa.ChunkedArray]:
    """Return the wanted columns: finite numbers, or dictionaries of texts."""
    if re.compile(rb"\S").search(text.body, text.at) is None:
        raise DataError(f"{text.path}: expected rows of data, found none. Check the file.")
    texts = {name for name in wanted if roles.is_nominal(name)}
    columns = _parsed(text, wanted, texts, roles.missing)
    # Columns that may not be numbers are read again as texts.
    doubtful = _doubtful(text, roles.missing)
    again = [n for n in wanted if n not in texts and not _is_number(columns[n], doubtful)]
    if again:
        columns |= _parsed(text, again, set(again), roles.missing)
    return columns


def _is_number(chunks: pa.ChunkedArray, doubtful: Callable[[pa.DataType], bool]) -> bool:
    return is_plain_number(chunks) and not doubtful(chunks.type)


def _doubtful(text: _Text, missing: Sequence[str]) -> Callable[[pa.DataType], bool]:
    """Return a test for number types that pyarrow may have used for texts that are not numbers.

    Such texts are hexadecimal numbers, and missing texts like ``-1`` next to a blank.
    """

    def occurs(mark: bytes) -> bool:
        return text.body.find(mark, text.at) >= 0

    signs = [sign.encode() for sign in missing if re.search(r"\d", sign)]
    padded = any(occurs(b + sign) or occurs(sign + b) for sign in signs for b in (b" ", b"\t"))
    hexadecimal = occurs(b"0x") or occurs(b"0X")
    return lambda kind: padded or (hexadecimal and pa.types.is_integer(kind))


def _block_size(text: _Text) -> int:
    """Return the number of bytes for pyarrow to parse at a time."""
    longest = text.layout.longest
    if longest > _LONGEST_BLOCK // 2:
        raise DataError(
            f"{text.path}: expected rows of at most {_LONGEST_BLOCK // 2:,} bytes, found one of "
            f"{longest:,}. Is a quote missing?"
        )
    # A row may span at most two blocks.
    if not text.layout.breaks:
        return max(BLOCK, 2 * longest)
    # If a quoted \r\n spans two blocks, pyarrow loses the \n: use one block, or blocks that do not
    # end there.
    total = len(text.body) - text.begin
    size = min(total, _LONGEST_BLOCK)
    while any(
        text.body[text.begin + end - 1 : text.begin + end + 1] == b"\r\n"
        for end in range(size, total, size)
    ):
        size -= 1
    return size


def _parsed(
    text: _Text, wanted: list[str], texts: set[str], missing: Sequence[str]
) -> dict[str, pa.ChunkedArray]:
    """Return columns as read by pyarrow, after a check of the number of records."""
    # Generated names, since those of the file may be any text.
    own = {name: f"f{j}" for j, name in enumerate(text.names)}

    # Arrow may abort a program that ends just after it has started threads (apache/arrow, issue
    # 34314), as one does that reads a small file.
    threads = len(text.body) > BLOCK

    def parse(block: int) -> pa.Table:
        return csv.read_csv(
            pa.BufferReader(pa.py_buffer(text.body).slice(text.begin)),
            csv.ReadOptions(use_threads=threads, block_size=block, column_names=list(own.values())),
            csv.ParseOptions(
                delimiter=text.how.separator,
                quote_char='"' if text.quoted else False,
                newlines_in_values=text.quoted and text.layout.breaks,
            ),
            csv.ConvertOptions(
                column_types={own[name]: _TEXT for name in texts},
                include_columns=[own[name] for name in wanted],
                null_values=list(missing),
                strings_can_be_null=True,
                decimal_point=text.how.decimal,
            ),
        )

    try:
        try:
            table = parse(_block_size(text) if text.quoted else BLOCK)
        except pa.ArrowInvalid:
            # Only now the length of rows matters.
            if text.quoted or _block_size(text) == BLOCK:
                raise
            table = parse(_block_size(text))
    except pa.ArrowInvalid as error:
        raise (
            csv_text.ragged(text.path, text.body, text.at, len(own), text.how)
            or DataError(f"{text.path}: expected a CSV file, found: {excerpt(error)!r}.")
        ) from error
    if text.quoted and len(table) != text.layout.records:
        raise DataError(
            f"{text.path}: expected {text.layout.records:,} rows, found {len(table):,} when the "
            "values were read. Remove quotes and line breaks from the values."
        )
    return {name: table.column(own[name]) for name in wanted}
