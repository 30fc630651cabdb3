"""Reading ARFF, the format of Weka and MOA; `readers.arff_rows` reads its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, StreamevalError, excerpt, some
from streameval.base.values import names_of
from streameval.streams.readers.arff_header import Header, has_data, parse_header
from streameval.streams.readers.arff_rows import (
    ArffColumn,
    DataSection,
    as_names,
    as_numeric,
    column_of,
    read_fast,
    read_lines,
)
from streameval.streams.readers.blocks import Gathered, blocks, in_order
from streameval.streams.readers.content import check_whole, open_content
from streameval.streams.readers.table import (
    EncodedTable,
    Origin,
    check_columns,
    check_names,
    kept,
)
from streameval.streams.readers.times import timed_stream
from streameval.streams.stream import Attribute, Stream


def read_arff(
    path: str | Path,
    target: str | None = None,
    drop: Iterable[str] = (),
    name: str | None = None,
    *,
    keep: Iterable[str] | None = None,
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    member: str | None = None,
    time: str | None = None,
    label_time: str | None = None,
) -> Stream:
    """Read an ARFF file, plain or inside gzip, bzip2, xz or zip.

    The codes of nominal values follow the declared order; dates become seconds since 1970; a bare
    ``?`` is missing, and so is ``NaN`` for a number. Comments, quotes, escapes and sparse rows are
    supported, and tabs and blanks between values. Rows may end with a comma. Weka's instance
    weights are refused: in a stream every row counts once.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str, optional
        The attribute to predict, by default the one that the header names as MEKA's (``-C 1``) and
        KEEL's do (``@outputs``), otherwise the last one; a numeric target gives a regression
        stream.
    drop, name, keep, member, time, label_time
        As for `streameval.streams.readers.csv_file.read_csv`.
    nominal : iterable of str
        Attributes declared ``string`` or numbers whose texts are names; those of a target are.
    numeric : iterable of str
        Attributes declared ``string`` or nominal whose texts are numbers.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Raises
    ------
    DataError
        If the content is wrong; names the line.
    """
    path = Path(path)
    keep = None if keep is None else [*names_of(keep, "keep"), *filter(None, (time, label_time))]
    times = [column for column in (time, label_time) if column is not None]
    target = target or _named_target(path, member)
    table = read_arff_table(
        path,
        target,
        drop,
        keep=keep,
        nominal=nominal,
        numeric=numeric,
        member=member,
        beside=times,
    )
    return timed_stream(table, target or table.names[-1], name, time, label_time)


def read_arff_table(
    path: Path,
    target: str | None = None,
    drop: Iterable[str] = (),
    *,
    keep: Sequence[str] | None = None,
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    member: str | None = None,
    default_before: str | None = None,
    beside: Iterable[str] = (),
) -> EncodedTable:
    """Read the columns of an ARFF file; parameters as for `read_arff`.

    The default target is the last attribute, or that before `default_before`, even if dropped.
    """
    lists = names_of(drop, "drop"), names_of(nominal, "nominal"), names_of(numeric, "numeric")
    options = _Options(path, target, *lists, keep, default_before)
    return _read_blocks(options, member, beside) or _read_whole(options, member)


def _read_blocks(
    options: _Options, member: str | None, beside: Iterable[str]
) -> EncodedTable | None:
    """Return the table, read block by block, or None if there is anything to say about the file."""
    try:
        with open_content(options.path, member) as file:
            start, first, rest = _begun(options, file)
            names = [column.name for column in start.columns]
            size = options.path.stat().st_size
            found = Gathered(names, {start.target, *beside}, size / max(1, len(first)))
            for part in in_order(start.read, chain([first], rest)):
                found.add(part)
    except StreamevalError as error:
        check_whole(options.path, error)
        return None
    matrix = found.columns(), found.matrix, found.in_matrix
    return _table(options, member, start.columns, *matrix)


def _named_target(path: Path, member: str | None) -> str | None:
    """Return the target that the header names, if it names one."""
    with open_content(path, member) as file:
        header, _, _ = _head(path, file)
    if len(header.targets) > 1:
        raise DataError(
            f"{path}: expected one target, found {len(header.targets):,} in the header: "
            f"{some(header.targets)}. Name one of them (--target), and leave out the others if "
            "they are not known before it (--drop)."
        )
    return header.targets[0] if header.targets else None


class _Blocks(NamedTuple):
    """How the blocks of a file are read."""

    path: Path
    header: Header
    columns: list[ArffColumn]
    target: str

    def read(self, block: bytes) -> list[Floats]:
        """Return the columns of a block."""
        section = DataSection(self.path, self.header, block)
        return read_fast(section, self.columns) or read_lines(section, self.columns)


def _begun(options: _Options, file: BinaryIO) -> tuple[_Blocks, bytes, Iterator[bytes]]:
    """Return how the blocks of a file are read, the first one, and the others."""
    header, head, rest = _head(options.path, file)
    return _Blocks(options.path, header, *options.columns(header)), head[header.start :], rest


def _head(path: Path, file: BinaryIO) -> tuple[Header, bytes, Iterator[bytes]]:
    """Return the header of a file, the bytes that were read for it, and the blocks behind."""
    rest = blocks(file)
    head = next(rest, b"")
    while not has_data(head) and (more := next(rest, b"")):
        head += more
    return parse_header(head, str(path)), head, rest


def _read_whole(options: _Options, member: str | None) -> EncodedTable:
    """Return the table, read line by line, or raise an error with the number of its line."""
    header, body = _opened(options.path, member)
    columns, _ = options.columns(header)
    return _table(
        options, member, columns, read_lines(DataSection(options.path, header, body), columns)
    )


def _opened(path: Path, member: str | None) -> tuple[Header, bytes]:
    with open_content(path, member) as file:
        content = file.read()
    header = parse_header(content, str(path))
    return header, content[header.start :]


def _table(
    options: _Options,
    member: str | None,
    columns: Sequence[ArffColumn],
    arrays: list[Floats],
    matrix: Floats | None = None,
    in_matrix: Sequence[int] = (),
) -> EncodedTable:
    def line_of(row: int) -> int:
        return DataSection(options.path, *_opened(options.path, member)).line_of(row)

    attributes = tuple(map(_attribute, columns, arrays))
    return EncodedTable(Origin(options.path, line_of), attributes, arrays, matrix, in_matrix)


def _attribute(column: ArffColumn, values: Floats) -> Attribute:
    """Return the attribute of a column, whose texts get codes in their order."""
    if column.texts is None:
        return Attribute(column.name, column.declaration.values)
    known = ~np.isnan(values)
    found = values[known].astype(np.intp)
    occurring = {*np.unique(found).tolist()}
    named = sorted(text for text, number in column.texts.items() if number in occurring)
    codes = np.empty(len(column.texts))
    codes[[int(column.texts[text]) for text in named]] = np.arange(len(named))
    values[known] = codes[found]
    return Attribute(column.name, tuple(named), spelt=True)


@dataclass(frozen=True)
class _Options:
    """What is read of a file; see `read_arff_table`."""

    path: Path
    target: str | None
    drop: Sequence[str]
    nominal: Sequence[str]
    numeric: Sequence[str]
    keep: Sequence[str] | None
    default_before: str | None

    def columns(self, header: Header) -> tuple[list[ArffColumn], str]:
        """Return the columns to read, and the target."""
        path, target = self.path, self.target
        names = [declaration.name for declaration in header.declarations]
        check_names(path, names)
        if target is None and self.default_before is not None:
            at = names.index(self.default_before) if self.default_before in names else None
            target = self.default_before if at is None else names[max(at - 1, 0)]
        target = target or names[-1]
        wanted = set(kept(path, names, target, self.drop, self.keep))
        as_numbers, as_texts = {*self.numeric}, {*self.nominal}
        check_columns(path, names, [*self.numeric, *self.nominal])
        if both := sorted(as_numbers & as_texts):
            raise DataError(
                f"{path}: expected column {excerpt(both[0])!r} to be nominal or numeric, found "
                "both. Name it once."
            )
        columns = []
        for j, declaration in enumerate(header.declarations):
            name = declaration.name
            if name in as_numbers:
                declaration = as_numeric(declaration)
            elif name in as_texts or (name == target and declaration.kind == "string"):
                declaration = as_names(declaration)
            if name in wanted:
                columns.append(column_of(declaration, j, name in {*as_texts, target}))
        for column in columns:
            if column.encode is None:
                raise DataError(_of_strings(path, column.name))
        return columns, target


def _of_strings(path: Path, name: str) -> str:
    name = excerpt(name)
    ways = {
        option: f"({option}=[{name!r}] in Python, --{option} {name!r} on the command line, "
        f"{option}: [{name!r}] in the registry)"
        for option in ("drop", "nominal", "numeric")
    }
    return (
        f"{path}: attribute {name!r} is of type string, which no learner can use. "
        f"Leave it out {ways['drop']}, or read its texts as names {ways['nominal']} or as numbers "
        f"{ways['numeric']}."
    )
