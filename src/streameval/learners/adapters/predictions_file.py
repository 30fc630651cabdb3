"""Predictions of other programs, from a file, from memory, or from a column of the stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError, DataError, excerpt, some
from streameval.learners.adapters.prediction_buffer import (
    normalised_scores,
    warn_of_unknown_classes,
)
from streameval.learners.learner import AnyLearner, Progress
from streameval.learners.predictions import NO_PREDICTION, PredictedValues, Predictions
from streameval.learners.regression.regressor import no_scores
from streameval.learners.tasks import CLASSIFICATION, Tasks, task_name
from streameval.protocols.tape import Tape
from streameval.streams.class_names import ClassNames
from streameval.streams.readers.content import check_readable, open_content
from streameval.streams.readers.table import check_column_names
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

#: Names of columns of the file; the name of a class follows the prefix of its score column.
ROW, LABEL, VALUE, SCORE, LOW, HIGH = "row", "label", "value", "score_", "low", "high"


@dataclass(frozen=True)
class PredictionsFile(AnyLearner[Any]):
    """Predictions from a file: a table with one line for each row of the stream.

    A column ``label`` has the predicted class, possibly in another spelling (`ClassNames`). An
    empty cell is no prediction. A class that the stream does not have counts as wrong. The
    prediction on arrival is used again whenever a protocol predicts the instance again.

    A column ``row`` assigns each prediction to a row of the stream's file or frame, counted from 0;
    the lines may then be in any order. Without this column, lines are in the order of the stream's
    file, even if `time` has sorted the stream, and a pandas series or frame is matched by its
    index; see `streameval.streams.source_rows`. If the number of lines differs from the number of
    rows, there is one line per prediction, in the order of the tape. A protocol that predicts a row
    several times needs this form for different predictions.

    Columns ``score_CLASS``, one for each class, have the class scores. Nothing is learnt, and the
    cost of the predictions is unknown.

    For regression, a column ``value`` has the predicted number. The optional columns ``low`` and
    ``high`` have the ends of its prediction interval; empty cells mean no interval.

    Parameters
    ----------
    file : str
        A CSV file with a header, also in ``.gz``, ``.bz2``, ``.xz`` or ``.zip``, or a Parquet file
        (``.parquet``). ``{stream}`` in it is replaced by the name of the stream.
    labels : {"names", "codes"}
        Whether ``label`` and the names of the score columns hold class names, or class codes
        0, 1, ... in the order of the stream's classes.
    column : str
        The column of the predictions. By default it is the only column other than ``row``, or
        else ``label`` for classification and ``value`` for regression.
    table : pyarrow.Table, optional
        The predictions in memory; `file` is then their name in messages.
    index : pandas.Index, optional
        The labels of the table's lines.

    Raises
    ------
    ConfigError
        If `labels` is neither.
    """

    file: str
    labels: Literal["names", "codes"] = "names"
    column: str = field(default="", kw_only=True)
    table: pa.Table | None = field(default=None, repr=False, compare=False, kw_only=True)
    index: pd.Index | None = field(default=None, repr=False, compare=False, kw_only=True)

    name: ClassVar[str] = "predictions_file"
    reference: ClassVar[str] = "none: predictions from outside"
    knows_codes: ClassVar[bool] = True
    learns: ClassVar[bool] = False

    @property
    def possible_tasks(self) -> Tasks:
        """Both tasks; only classification if labels are codes."""
        return self.tasks if self.labels == "names" else (CLASSIFICATION,)

    def path(self, stream: str) -> Path:
        """File with the predictions for a stream."""
        return Path(self.file.replace("{stream}", stream))

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Any:
        """See `Learner.run`."""
        self._check(stream, tape)
        read = self._classes if task_name(stream) == CLASSIFICATION else self._numbers
        predictions = read(stream, tape, scores)
        if progress is not None:
            progress(len(tape))
        return predictions

    def _classes(self, stream: Stream, tape: Tape, scores: bool) -> Predictions:
        """Predicted classes in the order of a tape."""
        k, classes = stream.n_classes, stream.schema.classes or ()
        words = classes if self.labels == "names" else tuple(map(str, range(k)))
        path, table, column = self._read(stream.name, LABEL)
        order = _order(path, table, self.index, tape.predict_rows, stream)
        label = _labels(path, table, column, words, self.labels)[order]
        votes = _votes(path, table, words)[order] if scores else None
        return Predictions(
            row=tape.predict_rows,
            label=label,
            n_classes=k,
            scores=None if votes is None else normalised_scores(votes, label, k, str(path)),
        )

    def _numbers(self, stream: Stream, tape: Tape, scores: bool) -> PredictedValues:
        """Predicted numbers in the order of a tape."""
        if scores:
            raise no_scores(self.name)
        path, table, name = self._read(stream.name, VALUE)
        order = _order(path, table, self.index, tape.predict_rows, stream)
        column = _column(path, table, name, pa.float64(), "numbers")
        values = column.to_numpy()[order]  # NaN where there is none
        if np.isinf(values).any():
            line = int(order[np.argmax(np.isinf(values))])
            raise DataError(
                f"{path}, prediction {line + 1}: expected a finite number as the {name}, found an "
                "infinite one. Correct it, or leave it empty if there is no prediction."
            )
        low, high = _ends(path, table, order)
        return PredictedValues(tape.predict_rows, values, low=low, high=high)

    def _read(self, stream: str, usual: str) -> tuple[Path, pa.Table, str]:
        """(path for messages, table, name of the column with predictions)."""
        path, table = self.path(stream), self.table
        if not self.file:
            raise ConfigError(
                f"Predictions in a column of the stream, here {self.column!r}, learn nothing, so "
                "no wrapper applies to them. They can be evaluated and compared."
            )
        if table is None:
            table = _read(path, self.column, usual)
        column = _prediction_column(table.column_names, self.column, usual)
        if column not in table.column_names:
            raise DataError(
                f"{path}: expected a column {column!r} of predictions, found "
                f"{excerpt(', '.join(table.column_names))}. Name the column: {path.name}:COLUMN."
            )
        return path, table, column


def _ends(
    path: Path, table: pa.Table, order: NDArray[np.intp]
) -> tuple[Floats | None, Floats | None]:
    """Ends of prediction intervals in the order of the tape; None without such columns."""
    present = [name for name in (LOW, HIGH) if name in table.column_names]
    if not present:
        return None, None
    if len(present) == 1:
        raise DataError(
            f"{path}: expected both columns {LOW!r} and {HIGH!r} of prediction intervals, or "
            f"neither, found {present[0]!r} alone."
        )
    low, high = (
        _column(path, table, name, pa.float64(), "numbers").to_numpy()[order] for name in present
    )
    wrong = ~(low <= high) & ~(np.isnan(low) & np.isnan(high))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise DataError(
            f"{path}, prediction {int(order[at]) + 1}: expected the lower end of an interval up to "
            f"the upper one, found {low[at]} and {high[at]}. Correct them, or leave both empty."
        )
    return low, high


def _prediction_column(names: Sequence[str], column: str, usual: str) -> str:
    """Name of the column of predictions: the requested, the only, or the usual column."""
    others = [name for name in names if name != ROW]
    return column or (others[0] if len(others) == 1 else usual)


def _read(path: Path, column: str, usual: str) -> pa.Table:
    if path.exists():
        check_readable(path)  # refuses folders and pipes
    else:
        raise DataError(f"{path}: expected a file with predictions, found none. Check the path.")
    try:
        if path.suffix == ".parquet":
            from pyarrow import parquet  # only such files need it

            table = parquet.read_table(path)
        else:
            table = _read_csv(path, column, usual)
        table.validate(full=True)  # Arrow does not check texts while it reads them
        names = table.column_names
    # A damaged file can also have names that are not UTF-8, and types that do not exist.
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError, MemoryError) as error:
        raise DataError(
            f"{path}: expected predictions in CSV or Parquet format, encoded in UTF-8, found "
            f"{excerpt(error)}."
        ) from error
    check_column_names(path, names)
    return table


def _read_csv(path: Path, column: str, usual: str) -> pa.Table:
    with open_content(path) as file, csv.open_csv(file) as reader:
        names = reader.schema.names
    name = _prediction_column(names, column, usual)
    options = csv.ConvertOptions(
        # A class may be called 007, true or NA.
        column_types={name: pa.string()} if usual == LABEL else {},
        null_values=[""],
        strings_can_be_null=True,
    )
    with open_content(path) as file:
        # In a single column, an empty line is an empty cell.
        parsing = csv.ParseOptions(ignore_empty_lines=len(names) > 1)
        return csv.read_csv(file, parse_options=parsing, convert_options=options)


def _order(
    path: Path, table: pa.Table, index: pd.Index | None, instances: Codes, stream: Stream
) -> NDArray[np.intp]:
    """Line of the file for each prediction of the tape, shape (p,)."""
    source, lines = stream.rows_of_source, len(table)
    named = None
    if ROW in table.column_names:
        named = _row_numbers(path, table)
    elif index is not None:
        named = source.rows_of(index, str(path))
    if named is not None:
        return _by_number(path, named, source.row[instances], source.count)
    if lines == len(instances) != source.count:
        return np.arange(lines)
    line = source.lines(lines)
    if line is None and len(source) < source.count and lines > source.row.max():
        line = source.row  # only rows at the end are missing, and they are not in the stream
    if line is None:
        raise DataError(
            f"{path}: expected {source.count:,} lines, one for each row of stream {stream.name!r}, "
            f"found {lines:,}. To assign them to rows, add a column {ROW!r}."
        )
    return line[instances].astype(np.intp)


def _by_number(path: Path, numbers: Integers, wanted: Integers, count: int) -> NDArray[np.intp]:
    """Lines of the `wanted` rows; `numbers` has the row of each line, below `count`."""
    if np.array_equal(numbers, wanted):
        return np.arange(len(wanted))
    _check_rows(path, numbers, wanted, count)
    position = np.empty(count, dtype=np.intp)
    position[numbers] = np.arange(len(numbers))
    return position[wanted]


def index_of(values: Any) -> pd.Index | None:
    """Index of a pandas series or frame; None for anything else."""
    import pandas as pd

    return values.index if isinstance(values, pd.Series | pd.DataFrame) else None


def predictions_table(values: Any, name: str) -> pa.Table:
    """Convert predictions in memory, a frame or a single column, to a table.

    Raises
    ------
    ConfigError
        If `values` is neither.
    """
    try:
        if hasattr(values, "columns") and hasattr(values, "__arrow_c_stream__"):
            return pa.table(values)
        if isinstance(values, pa.Table):
            return values
        column = pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise ConfigError(
            f"{name}: expected a prediction for each row, class names or numbers, found "
            f"{type(values).__name__} ({excerpt(error)})."
        ) from error
    return pa.table({LABEL: column})


def _row_numbers(path: Path, table: pa.Table) -> Integers:
    column = table[ROW]
    if len(column) == 0:  # without any type
        return np.empty(0, dtype=np.int64)
    if column.null_count or not pa.types.is_integer(column.type):
        raise DataError(f"{path}: expected a whole number in each line of the column {ROW!r}.")
    numbers: Integers = column.to_numpy().astype(np.int64)
    return numbers


def _check_rows(path: Path, numbers: Integers, rows: Integers, count: int) -> None:
    """Refuse a file unless each predicted row occurs in it exactly once."""
    values, times = np.unique(numbers, return_counts=True)
    beyond = (values < 0) | (values >= count)
    problems = {
        "lacks": np.setdiff1d(rows, values),
        "has more than once": values[times > 1],
        "has, though the stream does not,": values[beyond],
    }
    wrong = [f"{what} {_some(which)}" for what, which in problems.items() if which.size]
    if wrong:
        distinct = np.unique(rows)
        hint = " Rows count from 0." if np.array_equal(values - 1, distinct) else ""
        twice = len(distinct) < len(rows)
        hint += (
            f" Or give a line for each of the {len(rows):,} predictions, in their order: some rows "
            "are predicted more than once."
            if twice
            else ""
        )
        raise DataError(
            f"{path}: expected each of the {len(distinct):,} predicted rows once; the file "
            f"{', and '.join(wrong)}.{hint}"
        )


def _some(rows: NDArray[Any]) -> str:
    numbers = ", ".join(map(str, rows[:5].tolist()))
    more = f" and {rows.size - 5:,} more" if rows.size > 5 else ""
    return f"the row{'s' if rows.size > 1 else ''} {numbers}{more}"


def _labels(
    path: Path, table: pa.Table, name: str, words: Sequence[str], kind: str
) -> NDArray[np.int16]:
    """Class code on each line; -1 for no prediction."""
    column = _column(path, table, name, pa.string(), f"class {kind}")
    texts = np.array(column.fill_null("").to_pylist(), dtype=str)
    distinct, inverse = np.unique(texts, return_inverse=True)
    codes = _codes(distinct.tolist(), words, kind)
    unknown = [text for text, code in codes.items() if code is None]
    # Single unknown classes count as wrong; without any known class it must be the wrong file.
    if (
        unknown
        and kind == "names"
        and any(code is not None for text, code in codes.items() if text)
    ):
        warn_of_unknown_classes(str(path), unknown, words)
        codes |= dict.fromkeys(unknown, NO_PREDICTION)
    elif unknown:
        line = int(np.flatnonzero(texts == unknown[0])[0])
        known = excerpt(", ".join(words[:10]) + (", ..." if len(words) > 10 else ""))
        other = "codes" if kind == "names" else "names"
        raise DataError(
            f"{path}, prediction {line + 1}: the label {excerpt(unknown[0])!r} is none of the "
            f"class {kind} {known}. Correct it, leave it empty if there is no prediction, or "
            f"write `labels: {other}` if the file has class {other}."
        )
    labels: NDArray[np.int16] = np.array([*codes.values()], dtype=np.int16)[inverse]
    return labels


def _codes(texts: Sequence[str], words: Sequence[str], kind: str) -> dict[str, int | None]:
    """Class code of each text, None if it is no class."""
    names = ClassNames(words)
    codes = {text: NO_PREDICTION if text == "" else names.code(text) for text in texts}
    silent = {"-1", "-1.0"} & {*texts} if kind == "codes" else set()
    return codes | dict.fromkeys(silent, NO_PREDICTION)


def _votes(path: Path, table: pa.Table, words: Sequence[str]) -> Floats:
    """Scores on each line, shape (lines, k)."""
    names = {
        name.removeprefix(SCORE): name for name in table.column_names if name.startswith(SCORE)
    }
    spelt = [*names]
    places = ClassNames(words).places(spelt)
    missing = [f"{SCORE}{word}" for code, word in enumerate(words) if code not in places]
    if missing:
        raise ConfigError(
            f"{path}: class scores are requested, but there is no column {some(missing)}."
        )
    columns = [
        _column(path, table, names[spelt[places[code]]], pa.float64(), "numbers").to_numpy()
        for code in range(len(words))
    ]
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
