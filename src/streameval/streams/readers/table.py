"""The columns of a file, encoded, and their division into a `Stream`, for all readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import DataError, did_you_mean, excerpt, listing, warn_caller
from streameval.base.matrices import empty_matrix
from streameval.base.values import NUMBER
from streameval.streams.stream import MAX_CLASSES, NO_LABEL, Attribute, Schema, Stream

#: Advice if the classes are numbers to predict.
IF_NUMBERS = (
    "If it is a number to predict, choose regressors, such as fimt_dd, or give --numeric-target; "
    "Python and the registry read it with the option numeric_target."
)


_NO_HEADER = "Is the header missing? Then say so (--no-header): the columns are x1, x2, ..."
#: All rows of a table.
ALL = slice(None)
#: Number of rows that are converted at a time.
ROWS_AT_ONCE = 1 << 16


class StreamWarning(UserWarning):
    """A stream can be evaluated, but was probably not read as intended."""


def remark(text: str) -> None:
    """Warn about the content of a file at the line that called the reader."""
    warn_caller(text, StreamWarning)


@dataclass(frozen=True)
class Origin:
    """Source of a table for messages; `line_of` returns the line number, from 1, of a row."""

    path: Path
    line_of: Callable[[int], int]
    unit: str = "line"

    def place_of(self, row: int) -> str:
        """File and line of a row, for the start of a message."""
        return f"{self.path}, {self.unit} {self.line_of(row)}"


#: Function of a mask of the distinct texts: the first row with a selected text, and its index.
FirstRow = Callable[[Flags], tuple[int, int]]


@dataclass(frozen=True)
class EncodedTable:
    """The columns of a file, inputs and target, as numbers or codes, with NaN for missing values.

    Columns with the indices `in_matrix` are views of `matrix`, shape (n, m), if they were read
    block by block. `forms` has the form of each column of `Roles.times`, see `readers.times`.
    `dates` are all columns of dates, and `zone` is the time zone of the times of instances.
    `target` is the name of the target if the file determines it, otherwise "".
    """

    origin: Origin
    attributes: tuple[Attribute, ...]
    columns: list[Floats]
    matrix: Floats | None = None
    in_matrix: Sequence[int] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    dates: Sequence[str] = ()
    zone: str = "UTC"
    target: str = ""

    @property
    def names(self) -> list[str]:
        """The column names, in order."""
        return [attribute.name for attribute in self.attributes]

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0


def check_columns(path: Path, names: Sequence[str], required: Iterable[str]) -> None:
    """Refuse required columns that are not in `names`."""
    known = set(names)
    for name in required:
        if name not in known:
            header = f" {_NO_HEADER}" if numeric_names(names) else ""
            raise DataError(
                f"{path}: there is no column {excerpt(name)!r}. The columns are {listing(names)}."
                f"{header} {did_you_mean(name, names)}".rstrip()
            )


def numeric_names(names: Sequence[str]) -> list[str]:
    """Names that are numbers; [] if they are few, or consecutive whole numbers."""
    numbers = [name for name in names if NUMBER.fullmatch(name)]
    if 2 * len(numbers) < len(names) or len(numbers) < 2:
        return []
    values = sorted(map(float, numbers))
    is_count = np.array_equal(values, np.arange(len(values)) + values[0]) and values[0].is_integer()
    return [] if is_count else numbers


def check_column_names(path: Path, names: Sequence[str]) -> None:
    """Refuse repeated column names, and a table without columns."""
    if not names:
        raise DataError(f"{path}: expected columns, found none. Check the file.")
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        header = f"{_NO_HEADER} " if NUMBER.fullmatch(name) else ""
        raise DataError(
            f"{path}: the column name {excerpt(name)!r} occurs {count} times. "
            f"{header}Give each column a name of its own."
        )


def columns_to_read(
    path: Path,
    names: Sequence[str],
    target: str,
    drop: Sequence[str] = (),
    keep: Sequence[str] | None = None,
    times: Sequence[str] = (),
) -> list[str]:
    """Names of the columns to read, in file order: inputs, target and times."""
    check_columns(path, names, [target, *drop, *(keep or ())])
    if target in drop:
        raise DataError(f"{path}: the target {excerpt(target)!r} cannot be dropped.")
    selected = set(names if keep is None else keep) - set(drop) | {target}
    if len(selected) == 1:
        raise DataError(f"{path}: no input column is left besides the target {excerpt(target)!r}.")
    in_file_order = [name for name in names if name in selected]
    check_columns(path, in_file_order, [name for name in times if name in names])
    return in_file_order


def build_stream(
    table: EncodedTable,
    target: str,
    name: str | None = None,
    skipped_columns: Iterable[int] = (),
    time: Integers | None = None,
    label_time: Integers | None = None,
) -> Stream:
    """Divide a table into inputs and target; a nominal target becomes classes."""
    check_row_count(table)
    target_column = table.names.index(target)
    label = table.columns[target_column]
    if np.isnan(label).all():
        raise DataError(
            f"{table.origin.path}: expected labels ({excerpt(target)!r}), found none: all are "
            "missing. Name another target."
        )
    return stream_of_rows(table, target_column, ALL, label, name, skipped_columns, time, label_time)


def check_row_count(table: EncodedTable) -> None:
    """Refuse a table without rows."""
    if len(table) == 0:
        raise DataError(f"{table.origin.path}: expected rows of data, found none. Check the file.")


def stream_of_rows(
    table: EncodedTable,
    target: int,
    rows: NDArray[np.intp] | slice,
    label: Floats,
    name: str | None,
    skipped_columns: Iterable[int] = (),
    time: Integers | None = None,
    label_time: Integers | None = None,
) -> Stream:
    """Stream of `rows`, with their labels and times; `target` is the index of its column."""
    excluded = {target, *skipped_columns}
    inputs = [j for j in range(len(table.columns)) if j not in excluded]
    # The matrix is used without a copy if it has exactly these rows and columns.
    if table.matrix is not None and rows is ALL and inputs == [*table.in_matrix]:
        X = table.matrix
    else:
        X = empty_matrix(len(label), len(inputs))
        for begin in range(0, len(label), ROWS_AT_ONCE):
            block = slice(begin, begin + ROWS_AT_ONCE)
            source_rows = block if isinstance(rows, slice) else rows[block]
            for k, j in enumerate(inputs):
                X[block, k] = table.columns[j][source_rows]
    classes = table.attributes[target].values
    schema = Schema(
        tuple(table.attributes[j] for j in inputs),
        table.attributes[target].name,
        classes,
        table.attributes[target].sorted_by_name,
    )
    y = label if classes is None else _codes(label)
    return Stream(
        X,
        y,
        schema,
        name or table.origin.path.name.split(".")[0],
        table.origin.path.name,
        time=time,
        label_time=label_time,
        missing_label_texts=_missing_labels(table.attributes[target]),
    )


def _missing_labels(target: Attribute) -> str:
    """Texts that stand for missing labels, with advice in case such a text is a class."""
    if not target.missing_texts:
        return ""
    texts = " or ".join(repr(text) if text else "nothing" for text in target.missing_texts)
    classes = [text for text in target.missing_texts if text]
    if not classes:
        return f"{texts} in {excerpt(target.name)!r}"
    first, *others = classes
    # The option needs at least one text, since without it the defaults hold.
    others = others or [next(text for text in ("?", "NA") if text != first)]
    missing = " ".join(map(repr, others))
    return f"{texts} in {excerpt(target.name)!r}; if {first} is a class: --missing {missing}"


def _codes(label: Floats) -> Codes:
    """Class codes, with `NO_LABEL` for NaN; computed in blocks, to save memory."""
    codes = np.empty(len(label), np.int32)
    for begin in range(0, len(label), ROWS_AT_ONCE):
        block = slice(begin, begin + ROWS_AT_ONCE)
        codes[block] = np.where(np.isnan(label[block]), NO_LABEL, label[block])
    return codes


def nominal_codes(
    texts: Sequence[str | None], values: Sequence[str] | None = None
) -> tuple[Floats, tuple[str, ...]]:
    """Codes of distinct texts, and the values in the order of their codes, sorted by default.

    A code is NaN for None, which is missing, and -1 for a text that is not one of `values`.
    """
    if values is None:
        values = sorted({text for text in texts if text is not None})
    code_of = {value: float(i) for i, value in enumerate(values)}
    codes = [np.nan if text is None else code_of.get(text, -1.0) for text in texts]
    return np.array(codes, dtype=np.float64), tuple(values)


def check_class_texts(path: Path, target: str, texts: Sequence[str]) -> None:
    """Refuse a class column with too many values, which is probably a measurement."""
    if len(texts) > MAX_CLASSES:
        raise DataError(
            f"{path}: expected at most {MAX_CLASSES:,} classes in the target {excerpt(target)!r}, "
            f"found {len(texts):,} distinct values. {IF_NUMBERS}"
        )
