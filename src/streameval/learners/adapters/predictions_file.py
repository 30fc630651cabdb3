"""Predictions of any other program, read from a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pyarrow import csv

from streameval.errors import ConfigError, DataError, excerpt, some
from streameval.learners.adapters.sheets import normalised_scores
from streameval.learners.learner import Learner, Progress
from streameval.learners.predictions import NO_PREDICTION, PredictedValues, Predictions
from streameval.learners.regression.regressor import Regressor, no_scores
from streameval.protocols.tape import Tape
from streameval.streams.readers.table import check_names
from streameval.streams.stream import Stream

#: Columns of the file; those of scores have the class behind the prefix.
ROW, LABEL, VALUE, SCORE = "row", "label", "value", "score_"
LOW, HIGH = "low", "high"


@dataclass(frozen=True)
class _File:
    """A file with predictions for each stream."""

    file: str

    def path(self, stream: str) -> Path:
        """Return the file with the predictions for a stream."""
        return Path(self.file.replace("{stream}", stream))


@dataclass(frozen=True)
class PredictionsFile(_File, Learner):
    """Predictions from a file: a table with one line per prediction.

    A column ``label`` has the predicted class; an empty cell is no prediction. A column ``row`` has
    the row of the stream, from 0, that the prediction is for: the lines may then be in any
    order. Without it, and where a row is predicted more than once, they are in the order of the
    tape's predictions. Columns ``score_CLASS``, one for each class, have the class scores.
    Nothing is learnt; the cost of the predictions is unknown.

    Parameters
    ----------
    file : str
        A CSV file with a header, or a Parquet file (``.parquet``). ``{stream}`` in it is
        replaced by the name of the stream.
    labels : {"names", "codes"}
        Whether ``label`` and the names of the score columns hold class names, or class codes
        0, 1, ... in the order of the stream's classes.

    Raises
    ------
    ConfigError
        If `labels` is neither.
    """

    labels: Literal["names", "codes"] = "names"

    name: ClassVar[str] = "predictions_file"
    reference: ClassVar[str] = "none: predictions from outside"

    def __post_init__(self) -> None:
        if self.labels not in ("names", "codes"):
            raise ConfigError(f"labels: expected names or codes, found {self.labels!r}.")

    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """See `Learner.play`."""
        self._check(stream, tape)
        path, k = self.path(stream.name), stream.n_classes
        classes = stream.schema.classes or ()
        words = classes if self.labels == "names" else tuple(map(str, range(k)))
        table = _read(path, LABEL)
        order = _order(path, table, tape.predict_rows)
        label = _labels(path, table, words, self.labels)[order]
        votes = _votes(path, table, words)[order] if scores else None
        if progress is not None:
            progress(len(tape))
        return Predictions(
            row=tape.predict_rows,
            label=label,
            n_classes=k,
            scores=None if votes is None else normalised_scores(votes, label, k, str(path)),
        )


@dataclass(frozen=True)
class ValuesFile(_File, Regressor):
    """Predicted numbers from a file: a table with one line per prediction.

    A column ``value`` has the predicted number; an empty cell is no prediction. Columns ``low`` and
    ``high``, if there are both, have the ends of its prediction interval; empty cells are no
    interval. All else is as for `PredictionsFile`.

    Parameters
    ----------
    file : str
        See `PredictionsFile`.
    """

    name: ClassVar[str] = PredictionsFile.name
    reference: ClassVar[str] = PredictionsFile.reference

    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> PredictedValues:
        """See `Learner.play`."""
        self._check(stream, tape)
        if scores:
            raise no_scores(self.name)
        path = self.path(stream.name)
        table = _read(path, VALUE)
        order = _order(path, table, tape.predict_rows)
        column = _column(path, table, VALUE, pa.float64(), "numbers")
        values = column.to_numpy()[order]  # NaN where there is none
        if np.isinf(values).any():
            line = int(order[np.argmax(np.isinf(values))])
            raise DataError(
                f"{path}, prediction {line + 1}: expected a finite number as the {VALUE}, found an "
                "infinite one. Correct it, or leave it empty if there is no prediction."
            )
        if progress is not None:
            progress(len(tape))
        low, high = _ends(path, table, order)
        return PredictedValues(tape.predict_rows, values, low=low, high=high)


def _ends(
    path: Path, table: pa.Table, order: NDArray[np.intp]
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Return the ends of prediction intervals in the order of the tape, None without columns."""
    there = [name for name in (LOW, HIGH) if name in table.column_names]
    if not there:
        return None, None
    if len(there) == 1:
        raise DataError(
            f"{path}: expected both columns {LOW!r} and {HIGH!r} of prediction intervals, or "
            f"neither, found {there[0]!r} alone."
        )
    low, high = (
        _column(path, table, name, pa.float64(), "numbers").to_numpy()[order] for name in there
    )
    wrong = ~(low <= high) & ~(np.isnan(low) & np.isnan(high))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise DataError(
            f"{path}, prediction {int(order[at]) + 1}: expected the lower end of an interval up to "
            f"the upper one, found {low[at]} and {high[at]}. Correct them, or leave both empty."
        )
    return low, high


def _read(path: Path, column: str) -> pa.Table:
    if not path.is_file():
        raise DataError(f"{path}: expected a file with predictions, found none. Check the path.")
    try:
        table = pq.read_table(path) if path.suffix == ".parquet" else _read_csv(path)
        table.validate(full=True)  # Arrow does not look at texts while it reads them
        names = table.column_names
    # Of a damaged file, Arrow also gives names that are not UTF-8, and types that do not exist.
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError, MemoryError) as error:
        raise DataError(
            f"{path}: expected predictions in CSV or Parquet format, encoded in UTF-8, found "
            f"{excerpt(error)}."
        ) from error
    check_names(path, names)
    if column not in names:
        raise DataError(f"{path}: expected a column {column!r}, found {excerpt(', '.join(names))}.")
    return table


def _read_csv(path: Path) -> pa.Table:
    return csv.read_csv(
        path,
        convert_options=csv.ConvertOptions(
            # A class may be called 007, true or NA.
            column_types={LABEL: pa.string()},
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


def _order(path: Path, table: pa.Table, rows: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the line of the file that each prediction of the tape is on, shape (p,)."""
    in_order = np.arange(len(rows))
    if ROW not in table.column_names:
        if len(table) != len(rows):
            raise DataError(
                f"{path}: expected {len(rows):,} lines, one for each prediction, found "
                f"{len(table):,}. To assign them to rows, add a column {ROW!r}."
            )
        return in_order
    found = _row_numbers(path, table)
    if np.array_equal(found, rows):
        return in_order
    if len(np.unique(rows)) < len(rows):
        raise DataError(
            f"{path}: some rows are predicted more than once, so that the lines must be in the "
            f"order of the {len(rows):,} predictions; they are not."
        )
    _check_rows(path, found, rows)
    position = np.empty(int(rows.max()) + 1, dtype=np.intp)
    position[found] = np.arange(len(found))
    return position[rows]


def _row_numbers(path: Path, table: pa.Table) -> NDArray[np.int64]:
    column = table[ROW]
    if len(column) == 0:  # without any type
        return np.empty(0, dtype=np.int64)
    if column.null_count or not pa.types.is_integer(column.type):
        raise DataError(f"{path}: expected a whole number in each line of the column {ROW!r}.")
    numbers: NDArray[np.int64] = column.to_numpy().astype(np.int64)
    return numbers


def _check_rows(path: Path, found: NDArray[np.int64], rows: NDArray[np.int32]) -> None:
    """Refuse a file in which not each of the rows that are predicted occurs once."""
    values, times = np.unique(found, return_counts=True)
    problems = {
        "lacks": np.setdiff1d(rows, values),
        "has more than once": values[times > 1],
        "has, though they are not predicted,": np.setdiff1d(values, rows),
    }
    wrong = [f"{what} {_some(which)}" for what, which in problems.items() if which.size]
    if wrong:
        hint = " Rows count from 0." if np.array_equal(values - 1, np.sort(rows)) else ""
        raise DataError(
            f"{path}: expected each of the {len(rows):,} predicted rows once; the file "
            f"{', and '.join(wrong)}.{hint}"
        )


def _some(rows: NDArray[Any]) -> str:
    shown = ", ".join(map(str, rows[:5].tolist()))
    more = f" and {rows.size - 5:,} more" if rows.size > 5 else ""
    return f"the row{'s' if rows.size > 1 else ''} {shown}{more}"


def _labels(path: Path, table: pa.Table, words: Sequence[str], kind: str) -> NDArray[np.int16]:
    """Return the class code on each line, -1 where there is no prediction."""
    column = _column(path, table, LABEL, pa.string(), f"class {kind}")
    texts = np.array(column.fill_null("").to_pylist(), dtype=str)
    known = _codes(words, kind)
    distinct, inverse = np.unique(texts, return_inverse=True)
    codes = [known.get(text, known.get(_whole(text))) for text in distinct.tolist()]
    if None in codes:
        unknown = distinct[codes.index(None)]
        line = int(np.flatnonzero(texts == unknown)[0])
        shown = excerpt(", ".join(words[:10]) + (", ..." if len(words) > 10 else ""))
        other = "codes" if kind == "names" else "names"
        raise DataError(
            f"{path}, prediction {line + 1}: the label {excerpt(unknown)!r} is none of the class "
            f"{kind} {shown}. Correct it, leave it empty if there is no prediction, or "
            f"write `labels: {other}` if the file has class {other}."
        )
    labels: NDArray[np.int16] = np.array(codes, dtype=np.int16)[inverse]
    return labels


def _codes(words: Sequence[str], kind: str) -> dict[str, int]:
    """Return the code that each text stands for."""
    codes = {_whole(word): code for code, word in enumerate(words)}
    codes |= {word: code for code, word in enumerate(words)}
    return codes | {"": NO_PREDICTION} | ({"-1": NO_PREDICTION} if kind == "codes" else {})


def _whole(text: str) -> str:
    """Return 3 for 3.0: with a gap in it, a column of whole numbers is written as decimals."""
    return text.removesuffix(".0") if re.fullmatch(r"-?\d+\.0", text) else text


def _votes(path: Path, table: pa.Table, words: Sequence[str]) -> NDArray[np.float64]:
    """Return the scores on each line, shape (lines, k)."""
    names = [f"{SCORE}{word}" for word in words]
    missing = [name for name in names if name not in table.column_names]
    if missing:
        raise ConfigError(
            f"{path}: class scores are requested, and there is no column {some(missing)}."
        )
    columns = [_column(path, table, name, pa.float64(), "numbers").to_numpy() for name in names]
    return np.column_stack(columns)


def _column(
    path: Path, table: pa.Table, name: str, kind: pa.DataType, expected: str
) -> pa.ChunkedArray:
    column = table[name]
    try:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        return column.cast(kind)
    except pa.ArrowException as error:
        raise DataError(
            f"{path}: expected {expected} in the column {name!r}: {excerpt(error)}."
        ) from error
