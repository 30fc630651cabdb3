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
from streameval.base.errors import ConfigError, DataError, excerpt, listing
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

#: Column of row numbers.
ROW = "row"
#: Column of predicted classes.
LABEL = "label"
#: Column of predicted numbers.
VALUE = "value"
#: Prefix of the columns of class scores; the name of the class follows.
SCORE = "score_"
#: Columns of the ends of prediction intervals.
LOW, HIGH = "low", "high"


@dataclass(frozen=True)
class PredictionsFile(AnyLearner[Any]):
    """Predictions from a file: a table with one line for each row of the stream.

    A column ``label`` has the predicted class, possibly in another spelling (`ClassNames`). An
    empty cell is no prediction. A class that the stream does not have counts as wrong. If a
    protocol predicts an instance several times, the same prediction is used each time.

    A column ``row`` assigns each prediction to a row of the stream's file or frame, counted from 0;
    the lines may then be in any order. Without this column, a pandas series or frame is matched by
    its index; see `streameval.streams.source_rows`. Other lines are in the order of the stream's
    file, even if `time` has sorted the stream. If the number of lines differs from the number of
    rows, there is one line per prediction, in the order of the tape. This form is needed if a
    protocol predicts a row several times with different results.

    Columns ``score_CLASS``, one for each class, have the class scores. The learner learns nothing,
    and the cost of its predictions is unknown.

    For regression, a column ``value`` has the predicted number. The optional columns ``low`` and
    ``high`` have the ends of its prediction interval; empty cells mean no interval.

    Parameters
    ----------
    file : str
        A CSV file with a header, also in ``.gz``, ``.bz2``, ``.xz`` or ``.zip``, or a Parquet file
        (``.parquet``). ``{stream}`` in the path is replaced by the name of the stream.
    labels : {"names", "codes"}
        Whether ``label`` and the names of the score columns hold class names, or class codes
        0, 1, ... in the order of the stream's classes.
    column : str
        The column of the predictions. By default it is the only column other than ``row``. If there
        are several, it is ``label`` for classification and ``value`` for regression.
    table : pyarrow.Table, optional
        The predictions in memory; `file` is then their name in messages.
    index : pandas.Index, optional
        The pandas index of the lines of `table`.

    Raises
    ------
    ConfigError
        If `labels` is neither "names" nor "codes".
    """

    file: str
    labels: Literal["names", "codes"] = "names"
    column: str = field(default="", kw_only=True)
    table: pa.Table | None = field(default=None, repr=False, compare=False, kw_only=True)
    index: pd.Index | None = field(default=None, repr=False, compare=False, kw_only=True)

    name: ClassVar[str] = "predictions_file"
    reference: ClassVar[str] = "none: predictions of other programs"
    uses_class_codes: ClassVar[bool] = True
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
        self._check_can_run(stream, tape)
        read = self._read_classes if task_name(stream) == CLASSIFICATION else self._read_numbers
        predictions = read(stream, tape, scores)
        if progress is not None:
            progress(len(tape))
        return predictions

    def _read_classes(self, stream: Stream, tape: Tape, scores: bool) -> Predictions:
        """Predicted classes in the order of a tape."""
        k, classes = stream.n_classes, stream.schema.classes or ()
        class_texts = classes if self.labels == "names" else tuple(map(str, range(k)))
        path, table, column = self._read_table(stream.name, LABEL)
        lines = _lines_of_predictions(path, table, self.index, tape.predict_rows, stream)
        label = _labels(path, table, column, class_texts, self.labels)[lines]
        votes = _score_columns(path, table, class_texts)[lines] if scores else None
        return Predictions(
            row=tape.predict_rows,
            label=label,
            n_classes=k,
            scores=None if votes is None else normalised_scores(votes, label, k, str(path)),
        )

    def _read_numbers(self, stream: Stream, tape: Tape, scores: bool) -> PredictedValues:
        """Predicted numbers in the order of a tape."""
        if scores:
            raise no_scores(self.name)
        path, table, name = self._read_table(stream.name, VALUE)
        lines = _lines_of_predictions(path, table, self.index, tape.predict_rows, stream)
        column = _column(path, table, name, pa.float64(), "numbers")
        values = column.to_numpy()[lines]  # NaN without a prediction
        if np.isinf(values).any():
            line = int(lines[np.argmax(np.isinf(values))])
            raise DataError(
                f"{path}, prediction {line + 1}: expected a finite number in column {name!r}, "
                "found an infinite number. Correct it, or leave it empty if there is no prediction."
            )
        low, high = _interval_ends(path, table, lines)
        return PredictedValues(tape.predict_rows, values, low=low, high=high)

    def _read_table(self, stream: str, default_column: str) -> tuple[Path, pa.Table, str]:
        """Path for messages, table of predictions, and name of the column of predictions."""
        path, table = self.path(stream), self.table
        if not self.file:
            raise ConfigError(
                f"Predictions in a column of the stream, here {self.column!r}, are fixed, so no "
                "wrapper applies to them. They can be evaluated and compared."
            )
        if table is None:
            table = _read_file(path, self.column, default_column)
        column = _prediction_column(table.column_names, self.column, default_column)
        if column not in table.column_names:
            raise DataError(
                f"{path}: expected a column {column!r} of predictions, found "
                f"{excerpt(', '.join(table.column_names))}. Name the column: {path.name}:COLUMN."
            )
        return path, table, column


def _interval_ends(
    path: Path, table: pa.Table, lines: NDArray[np.intp]
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
        _column(path, table, name, pa.float64(), "numbers").to_numpy()[lines] for name in present
    )
    wrong = ~(low <= high) & ~(np.isnan(low) & np.isnan(high))  # both NaN: no interval
    if wrong.any():
        i = int(np.argmax(wrong))
        raise DataError(
            f"{path}, prediction {int(lines[i]) + 1}: expected an interval whose "
            f"lower end is at most its upper end, found {low[i]} and {high[i]}. Correct the ends, "
            "or leave both empty."
        )
    return low, high


def _prediction_column(names: Sequence[str], column: str, default_column: str) -> str:
    """Name of the column of predictions: the requested, the only, or the default column."""
    candidates = [name for name in names if name != ROW]
    return column or (candidates[0] if len(candidates) == 1 else default_column)


def _read_file(path: Path, column: str, default_column: str) -> pa.Table:
    if path.exists():
        check_readable(path)  # refuses folders and pipes
    else:
        raise DataError(f"{path}: expected a file with predictions, found none. Check the path.")
    try:
        if path.suffix == ".parquet":
            from pyarrow import parquet  # only such files need it

            table = parquet.read_table(path)
        else:
            table = _read_csv(path, column, default_column)
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


def _read_csv(path: Path, column: str, default_column: str) -> pa.Table:
    with open_content(path) as file, csv.open_csv(file) as reader:
        names = reader.schema.names
    name = _prediction_column(names, column, default_column)
    options = csv.ConvertOptions(
        # A class may be called 007, true or NA.
        column_types={name: pa.string()} if default_column == LABEL else {},
        null_values=[""],
        strings_can_be_null=True,
    )
    with open_content(path) as file:
        # In a single column, an empty line is an empty cell.
        parsing = csv.ParseOptions(ignore_empty_lines=len(names) > 1)
        return csv.read_csv(file, parse_options=parsing, convert_options=options)


def _lines_of_predictions(
    path: Path, table: pa.Table, index: pd.Index | None, instances: Codes, stream: Stream
) -> NDArray[np.intp]:
    """Line of the file for each prediction of the tape, shape (p,)."""
    source, n_lines = stream.source_rows_or_all, len(table)
    row_of_line = None
    if ROW in table.column_names:
        row_of_line = _row_numbers(path, table)
    elif index is not None:
        row_of_line = source.rows_of_index(index, str(path))
    if row_of_line is not None:
        return _lines_of_rows(path, row_of_line, source.row_number[instances], source.n_rows)
    # With as many predictions as rows, lines are in the order of rows.
    if n_lines == len(instances) != source.n_rows:
        return np.arange(n_lines)  # one line per prediction
    line = source.value_positions(n_lines)
    if line is None and len(source) < source.n_rows and n_lines > source.row_number.max():
        line = source.row_number  # only lines of rows after the last row of the stream are missing
    if line is None:
        raise DataError(
            f"{path}: expected {source.n_rows:,} lines, one for each row of stream "
            f"{stream.name!r}, found {n_lines:,}. To assign them to rows, add a column {ROW!r}."
        )
    return line[instances].astype(np.intp)


def _lines_of_rows(
    path: Path, row_of_line: Integers, rows: Integers, count: int
) -> NDArray[np.intp]:
    """Line of the file for each of `rows`; the stream's file has `count` rows."""
    if np.array_equal(row_of_line, rows):  # a line per prediction, also if rows are repeated
        return np.arange(len(rows))
    _check_rows(path, row_of_line, rows, count)
    line_of_row = np.empty(count, dtype=np.intp)
    line_of_row[row_of_line] = np.arange(len(row_of_line))
    return line_of_row[rows]


def index_of(values: Any) -> pd.Index | None:
    """Index of a pandas series or frame; None for anything else."""
    import pandas as pd

    return values.index if isinstance(values, pd.Series | pd.DataFrame) else None


def predictions_table(values: Any, name: str) -> pa.Table:
    """Convert predictions in memory, a frame or a single column, to a table.

    Raises
    ------
    ConfigError
        If `values` is neither a frame nor a column.
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
    if len(column) == 0:  # an empty column has no type
        return np.empty(0, dtype=np.int64)
    if column.null_count or not pa.types.is_integer(column.type):
        raise DataError(f"{path}: expected a whole number in each line of the column {ROW!r}.")
    numbers: Integers = column.to_numpy().astype(np.int64)
    return numbers


def _check_rows(path: Path, row_of_line: Integers, rows: Integers, count: int) -> None:
    """Refuse a file unless each of `rows` occurs in it exactly once."""
    values, counts = np.unique(row_of_line, return_counts=True)
    out_of_range = (values < 0) | (values >= count)
    problems = {
        "lacks": np.setdiff1d(rows, values),
        "has more than once": values[counts > 1],
        "has, though the stream does not,": values[out_of_range],
    }
    wrong = [f"{text} {_list_rows(numbers)}" for text, numbers in problems.items() if numbers.size]
    if wrong:
        distinct = np.unique(rows)
        # Numbers that are all too large by 1 have been counted from 1.
        hint = " Rows are counted from 0." if np.array_equal(values - 1, distinct) else ""
        if len(distinct) < len(rows):
            hint += (
                f" Or give a line for each of the {len(rows):,} predictions, in their order: some "
                "rows are predicted more than once."
            )
        raise DataError(
            f"{path}: expected each of the {len(distinct):,} predicted rows once; the file "
            f"{', and '.join(wrong)}.{hint}"
        )


def _list_rows(rows: NDArray[Any]) -> str:
    numbers = ", ".join(map(str, rows[:5].tolist()))
    more = f" and {rows.size - 5:,} more" if rows.size > 5 else ""
    return f"the row{'s' if rows.size > 1 else ''} {numbers}{more}"


def _labels(
    path: Path, table: pa.Table, name: str, class_texts: Sequence[str], kind: str
) -> NDArray[np.int16]:
    """Class code on each line; -1 for no prediction."""
    column = _column(path, table, name, pa.string(), f"class {kind}")
    texts = np.array(column.fill_null("").to_pylist(), dtype=str)
    distinct, inverse = np.unique(texts, return_inverse=True)
    codes = _codes(distinct.tolist(), class_texts, kind)
    unknown = [text for text, code in codes.items() if code is None]
    # Some unknown classes count as wrong predictions. If all are unknown, it is the wrong file.
    if (
        unknown
        and kind == "names"
        and any(code is not None for text, code in codes.items() if text)
    ):
        warn_of_unknown_classes(str(path), unknown, class_texts)
        codes |= dict.fromkeys(unknown, NO_PREDICTION)
    elif unknown:
        line = int(np.flatnonzero(texts == unknown[0])[0])
        valid_texts = excerpt(
            ", ".join(class_texts[:10]) + (", ..." if len(class_texts) > 10 else "")
        )
        other_kind = "codes" if kind == "names" else "names"
        raise DataError(
            f"{path}, prediction {line + 1}: the label {excerpt(unknown[0])!r} is none of the "
            f"class {kind} {valid_texts}. Correct it, leave it empty if there is no prediction, or "
            f"write `labels: {other_kind}` if the file has class {other_kind}."
        )
    labels: NDArray[np.int16] = np.array([*codes.values()], dtype=np.int16)[inverse]
    return labels


def _codes(texts: Sequence[str], class_texts: Sequence[str], kind: str) -> dict[str, int | None]:
    """Class code of each text, None if it is no class."""
    names = ClassNames(class_texts)
    codes = {text: NO_PREDICTION if text == "" else names.code(text) for text in texts}
    # Among codes, -1 is no prediction; among names, it may be the name of a class.
    without_prediction = {"-1", "-1.0"} & {*texts} if kind == "codes" else set()
    return codes | dict.fromkeys(without_prediction, NO_PREDICTION)


def _score_columns(path: Path, table: pa.Table, class_texts: Sequence[str]) -> Floats:
    """Scores on each line, shape (lines, k)."""
    names = [name for name in table.column_names if name.startswith(SCORE)]
    # Index into `names` by class code; names may be spelt differently.
    indices = ClassNames(class_texts).indices([name.removeprefix(SCORE) for name in names])
    missing = [f"{SCORE}{text}" for code, text in enumerate(class_texts) if code not in indices]
    if missing:
        raise ConfigError(
            f"{path}: class scores are requested, but there is no column {listing(missing)}."
        )
    columns = [
        _column(path, table, names[indices[code]], pa.float64(), "numbers").to_numpy()
        for code in range(len(class_texts))
    ]
    return np.column_stack(columns)


def _column(
    path: Path, table: pa.Table, name: str, kind: pa.DataType, expected: str
) -> pa.ChunkedArray:
    """A column converted to a type; `expected` names its content in messages."""
    column = table[name]
    try:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        return column.cast(kind)
    except pa.ArrowException as error:
        raise DataError(
            f"{path}: expected {expected} in the column {name!r}: {excerpt(error)}."
        ) from error
