"""The columns of a file, encoded, and their division into a `Stream`, for all readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Flags, Floats, Integers
from streameval.base.errors import DataError, excerpt, near, some, warn_caller
from streameval.base.matrices import empty_matrix
from streameval.base.values import NUMBER
from streameval.streams.stream import MAX_CLASSES, NO_LABEL, Attribute, Schema, Stream

#: Advice if the classes are numbers to predict.
IF_NUMBERS = (
    "If it is a number to predict, choose regressors, such as fimt_dd, or give --numeric-target; "
    "Python and the registry read it with the option numeric_target."
)


_NO_HEADER = "Is the header missing? Then say so (--no-header): the columns are x1, x2, ..."
#: All rows of a table, and rows that are converted at a time.
ALL, ROWS_AT_ONCE = slice(None), 1 << 16


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

    def at(self, row: int) -> str:
        """File and line of a row, for the start of a message."""
        return f"{self.path}, {self.unit} {self.line_of(row)}"


#: Function that returns the first row with one of the texts, and the index of that text.
First = Callable[[Flags], tuple[int, int]]


@dataclass(frozen=True)
class EncodedTable:
    """The columns of a file, encoded as numbers or codes, NaN for missing, inputs and target.

    Those of `in_matrix` are also side by side, of shape (n, m), if they were read so. `forms` says
    how each column of times is written, `dates` are all columns of dates, and `zone` is that of the
    times, where they have one. `target` is that of a file which says it.
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


def check_columns(path: Path, names: Sequence[str], wanted: Iterable[str]) -> None:
    """Refuse names of unknown columns."""
    known = set(names)
    for name in wanted:
        if name not in known:
            header = f" {_NO_HEADER}" if are_numbers(names) else ""
            raise DataError(
                f"{path}: there is no column {excerpt(name)!r}. The columns are {some(names)}."
                f"{header} {near(name, names)}".rstrip()
            )


def are_numbers(names: Sequence[str]) -> list[str]:
    """Names that are numbers, if most names are numbers and do not just count the columns."""
    numbers = [name for name in names if NUMBER.fullmatch(name)]
    if 2 * len(numbers) < len(names) or len(numbers) < 2:
        return []
    values = sorted(map(float, numbers))
    counts = np.array_equal(values, np.arange(len(values)) + values[0]) and values[0].is_integer()
    return [] if counts else numbers


def check_column_names(path: Path, names: Sequence[str]) -> None:
    """Refuse repeated column names, and a table without columns."""
    if not names:
        raise DataError(f"{path}: expected columns, found none. Check the file.")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise DataError(
            f"{path}: the column name {excerpt(name)!r} occurs {times} times. "
            + f"{_NO_HEADER} " * (NUMBER.fullmatch(name) is not None)
            + "Give each column a name of its own."
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
    wanted = set(names if keep is None else keep) - set(drop) | {target}
    if len(wanted) == 1:
        raise DataError(f"{path}: no input column is left beside the target {excerpt(target)!r}.")
    selected = [name for name in names if name in wanted]
    check_columns(path, selected, [name for name in times if name in names])
    return selected


def build_stream(
    table: EncodedTable,
    target: str,
    name: str | None = None,
    skip: Iterable[int] = (),
    time: Integers | None = None,
    label_time: Integers | None = None,
) -> Stream:
    """Divide a table into inputs and target: a class if nominal, else a number; see `assemble`."""
    check_row_count(table)
    t = table.names.index(target)
    label = table.columns[t]
    lacking = np.isnan(label)
    if lacking.all():
        raise DataError(
            f"{table.origin.path}: expected labels ({excerpt(target)!r}), found none: all are "
            "missing. Name another target."
        )
    return assemble(table, t, ALL, label, name, skip, time, label_time)


def check_row_count(table: EncodedTable) -> None:
    """Refuse a table without rows."""
    if len(table) == 0:
        raise DataError(f"{table.origin.path}: expected rows of data, found none. Check the file.")


def assemble(
    table: EncodedTable,
    target: int,
    rows: NDArray[np.intp] | slice,
    label: Floats,
    name: str | None,
    skip: Iterable[int] = (),
    time: Integers | None = None,
    label_time: Integers | None = None,
) -> Stream:
    """Stream of the given rows, with their labels and times, without columns `skip`."""
    left_out = {target, *skip}
    inputs = [j for j in range(len(table.columns)) if j not in left_out]
    if table.matrix is not None and rows is ALL and inputs == [*table.in_matrix]:
        X = table.matrix
    else:
        X = empty_matrix(len(label), len(inputs))
        for begin in range(0, len(label), ROWS_AT_ONCE):
            places = slice(begin, begin + ROWS_AT_ONCE)
            source = places if isinstance(rows, slice) else rows[places]
            for k, j in enumerate(inputs):
                X[places, k] = table.columns[j][source]
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
        no_label=_missing_labels(table.attributes[target]),
    )


def _missing_labels(target: Attribute) -> str:
    """Texts that stand for missing labels, with advice in case such a text is a class."""
    if not target.missing:
        return ""
    texts = " or ".join(repr(text) if text else "nothing" for text in target.missing)
    classes = [text for text in target.missing if text]
    if not classes:
        return f"{texts} in {excerpt(target.name)!r}"
    first, *others = classes
    # One text at least has to be named, as there are defaults without it.
    others = others or [next(text for text in ("?", "NA") if text != first)]
    missing = " ".join(map(repr, others))
    return f"{texts} in {excerpt(target.name)!r}; if {first} is a class: --missing {missing}"


def _codes(label: Floats) -> Codes:
    """Class codes, `NO_LABEL` where there is none, without a second column of doubles."""
    codes = np.empty(len(label), np.int32)
    for at in range(0, len(label), ROWS_AT_ONCE):
        some_labels = label[at : at + ROWS_AT_ONCE]
        codes[at : at + ROWS_AT_ONCE] = np.where(np.isnan(some_labels), NO_LABEL, some_labels)
    return codes


def nominal_codes(
    texts: Sequence[str | None], values: Sequence[str] | None = None
) -> tuple[Floats, tuple[str, ...]]:
    """Encode distinct texts as codes; return these and the values, sorted by default.

    A code is NaN for None, which is missing, and -1 for a text that is not one of `values`.
    """
    order = (
        tuple(values) if values is not None else tuple(sorted({t for t in texts if t is not None}))
    )
    code = {value: float(i) for i, value in enumerate(order)}
    codes = [np.nan if text is None else code.get(text, -1.0) for text in texts]
    return np.array(codes, dtype=np.float64), order


def check_class_texts(path: Path, target: str, texts: Sequence[str]) -> None:
    """Refuse a class column with too many values, which is probably a measurement."""
    if len(texts) > MAX_CLASSES:
        raise DataError(
            f"{path}: expected at most {MAX_CLASSES:,} classes in the target {excerpt(target)!r}, "
            f"found {len(texts):,} distinct values. {IF_NUMBERS}"
        )
