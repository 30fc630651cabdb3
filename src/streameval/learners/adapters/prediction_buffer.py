"""Buffers that check and collect the predictions of other tools: classes and scores, or numbers."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from numbers import Real
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Floats
from streameval.base.errors import DataError, excerpt, listing, warn_caller
from streameval.learners.adapters.number_meaning import NumberMeaning
from streameval.learners.kernel_arguments import (
    Outputs,
    RegressionOutputs,
    with_vote_flags,
    without_vote_flags,
)
from streameval.learners.learner import AnyLearner, score_table
from streameval.learners.predictions import NO_PREDICTION, PredictedValues, Predictions
from streameval.learners.regression.regressor import no_scores
from streameval.learners.tasks import CLASSIFICATION, task_name
from streameval.streams.class_names import ClassNames
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Stream

#: Added to messages about a model whose numbers are class names; see `number_meaning`.
_NUMBERS_ARE_NAMES = (
    " Its numbers are read as class names, since it uses no labels, from which it could learn "
    "codes. If they are codes, predict the names: stream.schema.classes[code]."
)

PredictionsT = TypeVar("PredictionsT", Predictions, PredictedValues, covariant=True)


class PredictionBuffer(Protocol[PredictionsT]):
    """Predictions that are collected in the order of a tape."""

    #: The predictions so far: `Outputs` or `RegressionOutputs`.
    outputs: Any

    def add_vote_flags(self) -> None:
        """Add a vote flag to each prediction, 1 with votes and 0 without votes.

        See `streameval.learners.stepped_run.SteppedRun`.
        """

    def add(self, predicted: Sequence[Any], votes: Any, columns: Any = None) -> None:
        """Add predictions with their votes.

        `votes` are class scores in classification, prediction intervals in regression, or empty.
        `columns` are the classes of the columns of scores, like ``classes_`` of a model. By default
        they are the classes of the stream in its order.
        """

    def predictions(self, seconds: float, model_bytes: int) -> PredictionsT:
        """All predictions, with the cost of the run."""


class LabelBuffer:
    """Predicted classes; `rows` has the row of each predict event of a tape.

    `numbers` says whether numbers that the model predicts are class codes or class names.
    """

    def __init__(
        self,
        rows: Codes,
        stream: Stream,
        scores: bool,
        model_name: str,
        numbers: NumberMeaning = NumberMeaning.CODES,
    ) -> None:
        self._rows, self._stream, self._scores, self._model_name = rows, stream, scores, model_name
        self._classes = stream.schema.classes or ()
        self._names = ClassNames(self._classes)
        #: For each predicted name that is no class, the first row with it.
        self._unknown: dict[str, int] = {}
        code_by_number = self._names.by_number()
        self._numbers_are_names = bool(code_by_number) and numbers is NumberMeaning.NAMES
        #: Codes of the classes that predicted numbers mean if the numbers are names. Empty unless
        #: numbers may be names or codes.
        self._code_if_name = code_by_number if numbers is NumberMeaning.UNCLEAR else {}
        self._predicted_numbers: set[int] = set()
        self._code_by_key: dict[Any, Any] = {}
        self._n_classes = n_classes = len(self._classes)
        self.outputs = Outputs(
            np.full(len(rows), NO_PREDICTION, dtype=np.int16),
            score_table(len(rows) if scores else 0, n_classes),
        )
        self._n_added, self._has_vote_flags = 0, False

    def add_vote_flags(self) -> None:
        """See `PredictionBuffer`."""
        self.outputs, self._has_vote_flags = with_vote_flags(self.outputs), True

    def add(self, predicted: Sequence[Any], votes: Any, columns: Any = None) -> None:
        """See `PredictionBuffer`."""
        new = slice(self._n_added, self._n_added + len(predicted))
        labels, table = self.outputs
        rows = self._stream.file_row_of(self._rows[new])
        labels[new] = class_codes(
            predicted, self._names, rows, self._model_name, self._unknown, self._numbers_are_names
        )
        if self._code_if_name:
            self._predicted_numbers.update(
                _code(label)
                for label in predicted
                if label is not None and not isinstance(label, str)
            )
        if self._scores or self._has_vote_flags:
            votes = self._by_class(votes, columns, rows)
        if self._scores:
            table[new, : self._n_classes] = normalised_scores(
                votes, labels[new], self._n_classes, self._model_name
            )
        if self._has_vote_flags:
            table[new, self._n_classes] = _has_votes(np.asarray(votes, dtype=np.float64))
        self._n_added = new.stop

    def _by_class(self, votes: Any, columns: Any, rows: NDArray[np.integer[Any]]) -> Any:
        """Votes with one column per class of the stream, in its order."""
        if len(rows) and isinstance(votes[0], Mapping):
            return self._from_mappings(votes)
        if columns is None or len(rows) == 0:
            return votes
        column_rows = np.full(len(columns), rows[0])  # an error of a column names the first row
        codes = class_codes(
            columns, self._names, column_rows, self._model_name, {}, self._numbers_are_names
        )
        votes = check_votes(votes, len(rows), len(codes), self._model_name)
        table = np.zeros((len(rows), self._n_classes))
        is_class = codes >= 0  # the model may also know other classes
        table[:, codes[is_class]] = votes[:, is_class]
        return table

    def _from_mappings(self, votes: Sequence[Mapping[Any, float]]) -> Floats:
        """Votes with a column for each class, from mappings of classes to scores.

        Keys that are no classes are left out.
        """
        table = np.zeros((len(votes), self._n_classes))
        for i, scores in enumerate(votes):
            for key, score in scores.items():
                if (code := self._code_of_key(key)) >= 0:
                    table[i, code] = score
        return table

    def _code_of_key(self, key: Any) -> int:
        """Code of the class that is a key of the model's scores; -1 if it is no class."""
        if key not in self._code_by_key:
            is_name = isinstance(key, str) or self._numbers_are_names
            code = self._names.code(str(_name_of_number(key))) if is_name else key
            self._code_by_key[key] = code if code in range(self._n_classes) else NO_PREDICTION
        return int(self._code_by_key[key])

    def predictions(self, seconds: float, model_bytes: int) -> Predictions:
        """See `PredictionBuffer`."""
        self._warn_of_numbers()
        label, table = without_vote_flags(self.outputs) if self._has_vote_flags else self.outputs
        if self._unknown and not (label >= 0).any():  # the model was trained on other classes
            name, row = next(iter(self._unknown.items()))
            raise _unknown_class_error(
                self._model_name, name, row, self._classes, self._numbers_are_names
            )
        may_be_codes = not self._unknown.keys().isdisjoint(map(str, range(self._n_classes)))
        hint = _NUMBERS_ARE_NAMES if self._numbers_are_names and may_be_codes else ""
        warn_of_unknown_classes(self._model_name, self._unknown, self._classes, hint)
        scores = table if self._scores else None
        return Predictions(self._rows, label, self._n_classes, scores, seconds, model_bytes)

    def _warn_of_numbers(self) -> None:
        """Warn if all predicted numbers are codes and names, but of different classes."""
        code_if_name, numbers = self._code_if_name, sorted(self._predicted_numbers)
        if not all(number in code_if_name for number in numbers):
            return  # some numbers can only be codes
        if all(code_if_name[number] == number for number in numbers):
            return
        if_codes = [self._classes[i] if i >= 0 else "no prediction" for i in numbers]
        if_names = [self._classes[code_if_name[number]] for number in numbers]
        pairs = [f"{number} as {name}" for number, name in zip(numbers, if_codes, strict=True)]
        warn_caller(
            f"{self._model_name} learns class codes, and predicted only whole numbers that are "
            f"codes as well as names of classes: {listing(numbers)}. They were read as codes: "
            f"{listing(pairs)}. If names are meant, predict them as texts, "
            f"{listing(map(repr, if_names))}.",
            StreamWarning,
        )


class NumberBuffer:
    """Predicted numbers; `rows` has the row of each predict event of a tape."""

    def __init__(self, rows: Codes, stream: Stream, model_name: str) -> None:
        self._rows, self._stream, self._model_name, self._n_added = rows, stream, model_name, 0
        self._value = np.full(len(rows), np.nan)
        self._interval_ends: Floats | None = None  # (2, p), lower and upper ends
        self.outputs = RegressionOutputs(self._value)

    def add_vote_flags(self) -> None:
        """See `PredictionBuffer`: numbers have no votes."""

    def add(self, predicted: Sequence[Any], votes: Any, columns: Any = None) -> None:
        """See `PredictionBuffer`."""
        if votes:
            if self._interval_ends is None:
                self._interval_ends = np.full((2, len(self._rows)), np.nan)
            for i, ends in enumerate(votes, start=self._n_added):
                if ends is not None:
                    self._interval_ends[:, i] = interval_ends(
                        ends, f"{self._model_name}, row {self._row(i)}"
                    )
        for number in predicted:
            if number is not None:
                self._value[self._n_added] = self._finite_number(number)
            self._n_added += 1

    def _finite_number(self, number: Any) -> float:
        if isinstance(number, Real) and np.isfinite(value := float(number)):
            return value
        raise DataError(
            f"{self._model_name} predicted {excerpt(repr(number), 60)} for row "
            f"{self._row(self._n_added)}: expected a finite number, or None for no prediction."
        )

    def _row(self, i: int) -> int:
        """Row of the file for prediction number `i`."""
        return int(self._stream.file_row_of(self._rows[i]))

    def predictions(self, seconds: float, model_bytes: int) -> PredictedValues:
        """See `PredictionBuffer`."""
        low, high = (None, None) if self._interval_ends is None else self._interval_ends
        return PredictedValues(self._rows, self._value, seconds, model_bytes, low=low, high=high)


def interval_ends(ends: Any, where: str) -> tuple[float, float]:
    """Lower and upper end of a prediction interval.

    Raises
    ------
    DataError
        If `ends` is not two numbers, the lower one first.
    """
    try:
        low, high = map(float, ends)
    except (TypeError, ValueError):
        low = high = np.nan  # NaN fails the comparison below
    if low <= high:
        return low, high
    raise DataError(
        f"{where}: expected the lower and the upper end of an interval, found "
        f"{excerpt(repr(ends), 60)}. Return two numbers, the lower one first, or None for no "
        "interval."
    )


class BufferedLearner(AnyLearner[Any]):
    """A learner whose predictions, classes or numbers, are checked and collected in a buffer."""

    def _buffer(
        self, stream: Stream, rows: Codes, scores: bool, model_name: str, numbers: NumberMeaning
    ) -> PredictionBuffer[Any]:
        """Empty buffer for the predictions of `rows`."""
        if task_name(stream) == CLASSIFICATION:
            return LabelBuffer(rows, stream, scores, model_name, numbers)
        if scores:
            raise no_scores(self.name)
        return NumberBuffer(rows, stream, model_name)


def predictions_per_row(predicted: Any, rows: NDArray[np.integer[Any]], model_name: str) -> Any:
    """Predictions of b rows as an array of shape (b,); shape (b, 1) is accepted too.

    Raises
    ------
    DataError
        If there is not exactly one prediction for each row.
    """
    array: Any = None
    if hasattr(predicted, "__array__") or isinstance(predicted, list | tuple):
        is_array = hasattr(predicted, "__array__")
        array = np.asarray(predicted) if is_array else np.asarray(predicted, dtype=object)
        if array.shape in ((len(rows),), (len(rows), 1)):
            return array.reshape(len(rows))
    if array is None or array.ndim == 0:
        returned = excerpt(repr(predicted), 60)
    elif array.ndim == 1:
        returned = f"{len(array):,} predictions"
    else:
        returned = f"an array of shape {array.shape}"
    row_text = f"row {rows[0]}"
    if len(rows) > 1:
        row_text = f"{len(rows):,} rows, {rows[0]} to {rows[-1]}"
    raise DataError(
        f"{model_name} was given {row_text}, and its predict(X) returned {returned}. Return one "
        "prediction for each row of X, or None for a row without a prediction."
    )


def warn_of_unknown_classes(
    model_name: str, names: Collection[str], classes: Sequence[str], hint: str = ""
) -> None:
    """Warn of predicted names that are no classes of the stream."""
    if names:
        warn_caller(
            f"{model_name} predicted {listing(names)}, which is no class of the stream ("
            f"{listing(classes)}). Such predictions count as wrong.{hint}",
            StreamWarning,
        )


def class_codes(
    predicted: Sequence[Any],
    names: ClassNames,
    rows: NDArray[np.integer[Any]],
    model_name: str,
    unknown: dict[str, int] | None = None,
    numbers_are_names: bool = False,
) -> NDArray[np.int16]:
    """Class codes of predictions that are names or codes.

    Parameters
    ----------
    predicted : sequence, length p
        Class names or codes. None is no prediction. So is -1 unless a class has this name.
    names : ClassNames
        The classes.
    rows : ndarray of int, shape (p,)
        Row of the file for each prediction.
    model_name : str
        The name of the model, for messages.
    unknown : dict, optional
        Unknown names are added to this dict with their first row. If None, an unknown name is an
        error.
    numbers_are_names : bool
        Whether whole numbers are class names instead of class codes.

    Returns
    -------
    ndarray of int16, shape (p,)
        Class codes; -1 is no prediction.

    Raises
    ------
    DataError
        If a prediction is not a class.
    """
    labels = np.full(len(predicted), NO_PREDICTION, dtype=np.int16)
    n_classes = len(names.classes)
    for i, label in enumerate(predicted):
        code: int | None = None
        name = _name_of_number(label) if numbers_are_names else label
        if isinstance(name, str):
            code = names.code(name)
            if code is None and name == "-1" and not isinstance(label, str):
                continue  # the number -1 is no prediction; the text "-1" is an unknown name
            if code is None and unknown is not None:
                unknown.setdefault(str(name), int(rows[i]))
                continue
        else:
            with suppress(TypeError):
                code = _code(label)
        if code is None or not NO_PREDICTION <= code < n_classes:
            raise _unknown_class_error(
                model_name, label, int(rows[i]), names.classes, numbers_are_names
            )
        labels[i] = code
    return labels


def _unknown_class_error(
    model_name: str, label: Any, row: int, classes: Sequence[str], numbers_are_names: bool
) -> DataError:
    is_name = str(label) in classes
    code = "" if numbers_are_names else f"a class code, 0 to {len(classes) - 1}, "
    hint = f" Predict the class name as a text, {str(label)!r}." if is_name else ""
    return DataError(
        f"{model_name} predicted {excerpt(repr(label), 60)} for row {row}: expected {code}"
        f"a class name ({listing(classes)}), or None for no prediction."
        + (_NUMBERS_ARE_NAMES if numbers_are_names else hint)
    )


def _name_of_number(label: Any) -> Any:
    """Convert a whole number to a text; return anything else unchanged."""
    is_whole = isinstance(label, Real | np.bool_) and float(label).is_integer()
    return str(int(label)) if is_whole else label


def _code(label: Any) -> int:
    if label is None:
        return NO_PREDICTION
    # `operator.index` accepts Python's booleans, but not NumPy's.
    return int(label) if isinstance(label, np.bool_) else operator.index(label)


def normalised_scores(
    votes: ArrayLike, labels: NDArray[np.int16], n_classes: int, model_name: str
) -> NDArray[np.float32]:
    """Normalise votes to scores that sum to one.

    If the votes of a prediction are all zero, or not finite, the predicted class gets the full
    score, as in `streameval.learners.kernel_arguments.write_scores`. Without a prediction, all
    classes get the same score.

    Parameters
    ----------
    votes : array_like, shape (p, k)
        The score of each class, at least 0.
    labels : ndarray of int16, shape (p,)
        The model's predictions, as class codes.
    n_classes : int
        Number of declared classes, k.
    model_name : str
        The name of the model, for messages.

    Returns
    -------
    ndarray of float32, shape (p, k)
        The scores.

    Raises
    ------
    DataError
        If there is not one number per class, or one is negative.
    """
    # A copy, as `votes` may be an array of the model.
    table = check_votes(votes, len(labels), n_classes, model_name).copy()
    without_votes = ~_has_votes(table)
    table[without_votes] = np.where(
        labels[without_votes, None] == NO_PREDICTION,
        1,
        np.arange(n_classes) == labels[without_votes, None],
    )
    scores: Floats = table / table.sum(axis=1, keepdims=True)
    return scores.astype(np.float32)


def check_votes(votes: Any, n_rows: int, n_classes: int, model_name: str) -> Floats:
    """Check that votes are numbers of at least 0; return them as an array of shape (p, k).

    Raises
    ------
    DataError
        If there is not one number per row and class, or one is negative.
    """
    expected = f"{model_name}: expected {n_classes} scores, one per class and none negative"
    try:
        table: Floats = np.asarray(votes, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{expected}, found {error}.") from error
    table = table.reshape(0, n_classes) if n_rows == 0 else table  # an empty list has no columns
    if table.shape[:1] != (n_rows,):
        raise DataError(f"{expected}, for each of {n_rows:,} rows, found shape {table.shape}.")
    if table.shape != (n_rows, n_classes):
        raise DataError(f"{expected}, found shape {table.shape[1:]}.")
    if (table < 0).any():
        raise DataError(f"{expected}, found {table.min()}.")
    return table


def _has_votes(votes: Floats) -> Flags:
    """For each row of votes (p, k), True unless they are all zero or their sum is infinite."""
    with np.errstate(over="ignore"):
        total = votes.sum(axis=-1)
    has_votes: Flags = (total > 0) & np.isfinite(total)
    return has_votes


def repetitions(weight: float, model_name: str) -> int:
    """Number of times that a learner without weights learns an instance of a given weight.

    Raises
    ------
    DataError
        If the weight is not a whole number.
    """
    if weight != int(weight):
        raise DataError(
            f"{model_name} takes no weights: it learns an instance of weight 2 twice. Expected a "
            f"whole number, found the weight {weight:g}. Use a learner that takes weights, or give "
            "whole numbers."
        )
    return int(weight)
