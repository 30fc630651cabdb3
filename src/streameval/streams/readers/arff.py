"""Reading ARFF, the format of Weka and MOA; `readers.arff_rows` reads its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import DataError, StreamevalError, excerpt, listing
from streameval.base.values import names_of
from streameval.streams.readers.arff_header import Header, has_data, parse_header
from streameval.streams.readers.arff_rows import (
    ArffColumn,
    DataSection,
    as_names,
    as_numeric,
    make_column,
    read_fast,
    read_lines,
)
from streameval.streams.readers.blocks import ColumnMatrix, blocks, in_order
from streameval.streams.readers.content import Source
from streameval.streams.readers.reading import read_table, stream_of
from streameval.streams.readers.roles import Roles
from streameval.streams.readers.table import (
    EncodedTable,
    Origin,
    check_column_names,
    check_columns,
    columns_to_read,
)
from streameval.streams.readers.times import check_times
from streameval.streams.stream import Attribute, Stream


def read_arff(
    path: str | Path | Source,
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

    The codes of nominal values follow the declared order. Dates become seconds since 1970. A bare
    ``?`` is missing, and so is ``NaN`` as a number. Comments, quotes, escapes, sparse rows, and
    tabs and blanks between values are supported. Rows may end with a comma. Weka's instance weights
    are refused: in a stream every row counts once.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str, optional
        The attribute to predict; a numeric target gives a regression stream. The default is the
        attribute that the header names, as in MEKA (``-C 1``) and KEEL (``@outputs``), otherwise
        the last attribute.
    drop, name, keep, member, time, label_time
        As for `streameval.streams.readers.csv_file.read_csv`.
    nominal : iterable of str
        Attributes declared ``string`` or numeric whose texts are names; a ``string`` target always
        has names.
    numeric : iterable of str
        Attributes declared ``string`` or nominal whose texts are numbers.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Raises
    ------
    DataError
        If the content is wrong; the message names the line.
    """
    keep = None if keep is None else [*names_of(keep, "keep"), *filter(None, (time, label_time))]
    reading = _Reader(
        Source.of(path, member),
        target,
        names_of(drop, "drop"),
        names_of(nominal, "nominal"),
        names_of(numeric, "numeric"),
        keep,
        time=time,
        label_time=label_time,
    )
    table = read_table(reading)
    roles = Roles(table.target, time=time, label_time=label_time)
    return stream_of(table, roles, name)


def read_arff_table(
    path: str | Path,
    target: str | None = None,
    drop: Iterable[str] = (),
    *,
    numeric: Iterable[str] = (),
    member: str | None = None,
    default_target_before: str | None = None,
) -> EncodedTable:
    """Read the columns of an ARFF file; parameters as for `read_arff`.

    The default target is the attribute before `default_target_before`, even if that attribute is
    dropped.
    """
    return read_table(
        _Reader(
            Source.of(path, member),
            target,
            names_of(drop, "drop"),
            nominal=(),
            numeric=names_of(numeric, "numeric"),
            keep=None,
            default_target_before=default_target_before,
        )
    )


def _target_in_header(path: Path, header: Header) -> str | None:
    """Target that the header names; None if it names no target."""
    if len(header.targets) > 1:
        raise DataError(
            f"{path}: expected one target, found {len(header.targets):,} in the header: "
            f"{listing(header.targets)}. Name one of them (--target), and leave out the others if "
            "they are not known before the target (--drop)."
        )
    return header.targets[0] if header.targets else None


def _read_header(path: Path, file: BinaryIO) -> tuple[Header, bytes, Iterator[bytes]]:
    """Header of a file, the first block of its rows, and the other blocks."""
    rest = blocks(file)
    beginning = next(rest, b"")
    while not has_data(beginning) and (block := next(rest, b"")):
        beginning += block
    header = parse_header(beginning, str(path))
    return header, beginning[header.start :], rest


def _attribute(column: ArffColumn, values: Floats) -> Attribute:
    """Attribute of a column.

    `values` of a column of undeclared texts are the numbers of these texts. They are replaced by
    codes in sorted order.
    """
    if column.texts is None:
        return Attribute(column.name, column.declaration.values)
    has_value = ~np.isnan(values)
    text_numbers = values[has_value].astype(np.intp)
    occurring = {*np.unique(text_numbers).tolist()}
    names = sorted(text for text, number in column.texts.items() if number in occurring)
    codes = np.empty(len(column.texts))
    codes[[int(column.texts[text]) for text in names]] = np.arange(len(names))
    values[has_value] = codes[text_numbers]
    return Attribute(column.name, tuple(names), sorted_by_name=True)


@dataclass(frozen=True)
class _Reader:
    """The columns to read of a file; see `read_arff` and `reading.TableReader`."""

    source: Source
    target: str | None
    drop: Sequence[str]
    nominal: Sequence[str]
    numeric: Sequence[str]
    keep: Sequence[str] | None
    default_target_before: str | None = None
    time: str | None = None
    label_time: str | None = None
    block_errors: tuple[type[Exception], ...] = (StreamevalError,)

    def read_blocks(self) -> EncodedTable:
        """See `reading.TableReader`."""
        with self.source.opened() as file:
            header, first, rest = _read_header(self.source.path, file)
            columns, target = self._columns(header)
            separate = {target, *self._times}
            # For a compressed file this number is too small: the matrix grows then.
            n_blocks = self.source.size / max(1, len(first))
            matrix = ColumnMatrix([column.name for column in columns], separate, n_blocks)

            def read(block: bytes) -> list[Floats]:
                section = DataSection(self.source.path, header, block)
                return read_fast(section, columns) or read_lines(section, columns)

            for values in in_order(read, chain([first], rest)):
                matrix.add(values)
        arrays = matrix.columns()
        return self._table(columns, target, arrays, matrix.matrix, matrix.in_matrix)

    def read_whole(self) -> EncodedTable:
        """Table, read line by line; an error names the line."""
        section = self._section()
        columns, target = self._columns(section.header)
        return self._table(columns, target, read_lines(section, columns))

    def check_fits_in_memory(self, error: Exception) -> None:
        """See `reading.TableReader`."""
        self.source.check_fits_in_memory(error)

    @property
    def _times(self) -> list[str]:
        return [name for name in (self.time, self.label_time) if name is not None]

    def _section(self) -> DataSection:
        """All rows."""
        content = self.source.content()
        header = parse_header(content, str(self.source.path))
        return DataSection(self.source.path, header, content[header.start :])

    def _table(
        self,
        columns: Sequence[ArffColumn],
        target: str,
        arrays: list[Floats],
        matrix: Floats | None = None,
        in_matrix: Sequence[int] = (),
    ) -> EncodedTable:
        attributes = tuple(map(_attribute, columns, arrays))
        origin = Origin(self.source.path, lambda row: self._section().line_of(row))
        return EncodedTable(origin, attributes, arrays, matrix, in_matrix, target=target)

    def _columns(self, header: Header) -> tuple[list[ArffColumn], str]:
        """Columns to read, and the target."""
        path, target = self.source.path, self.target
        if not target and self.default_target_before is None:
            target = _target_in_header(path, header)
        names = [declaration.name for declaration in header.declarations]
        check_column_names(path, names)
        if target is None and self.default_target_before is not None:
            if self.default_target_before in names:
                target = names[max(names.index(self.default_target_before) - 1, 0)]
            else:
                target = self.default_target_before
        target = target or names[-1]
        check_times(path, target, self.time, self.label_time)
        check_columns(path, names, self._times)
        selected = set(columns_to_read(path, names, target, self.drop, self.keep, self._times))
        numeric, nominal = {*self.numeric}, {*self.nominal}
        check_columns(path, names, [*self.numeric, *self.nominal])
        if in_both := sorted(numeric & nominal):
            raise DataError(
                f"{path}: expected column {excerpt(in_both[0])!r} to be nominal or numeric, found "
                "both. Name it once."
            )
        columns = []
        for j, declaration in enumerate(header.declarations):
            name = declaration.name
            if name in numeric:
                declaration = as_numeric(declaration)
            elif name in nominal or (name == target and declaration.kind == "string"):
                declaration = as_names(declaration)
            if name in selected:
                columns.append(make_column(declaration, j, has_names=name in {*nominal, target}))
        for column in columns:
            if column.encode is None:
                raise DataError(_string_type_message(path, column.name))
        return columns, target


def _string_type_message(path: Path, name: str) -> str:
    name = excerpt(name)
    how_to = {
        option: f"({option}=[{name!r}] in Python, --{option} {name!r} on the command line, "
        f"{option}: [{name!r}] in the registry)"
        for option in ("drop", "nominal", "numeric")
    }
    return (
        f"{path}: attribute {name!r} is of type string, which no learner can use. "
        f"Leave it out {how_to['drop']}, or read its texts as names {how_to['nominal']} or as "
        f"numbers {how_to['numeric']}."
    )
