"""The `Tape`: which instance is predicted or learnt, in which order, and with which weight.

Each protocol (prequential, folds, hold-out, delayed labels) is a pure function from the length or
time stamps of a stream to a tape. No event depends on predictions, so a single compiled loop per
learner runs all protocols. The exception is active learning, in which class scores decide what is
learnt. It has a special tape, `streameval.protocols.partial.ActiveLearningTape`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags
from streameval.base.errors import DataError
from streameval.base.memory import check_room

#: Values of ``Tape.op``. PREDICT and LEARN are bits: PREDICT_THEN_LEARN is both.
PREDICT, LEARN, PREDICT_THEN_LEARN = 1, 2, 3
#: Bytes of an event: row (4), operation (1) and weight (4).
EVENT_BYTES = 9

NumberT = TypeVar("NumberT", bound=np.number[Any])


@dataclass(frozen=True)
class Tape:
    """Predict and learn events in order.

    Parameters
    ----------
    row : ndarray of int32, shape (e,)
        Row of the stream that each event predicts or learns.
    op : ndarray of uint8, shape (e,)
        1 predict, 2 learn, 3 predict and then learn.
    weight : ndarray of float32, shape (e,)
        Weight of the instance when it is learnt.

    Raises
    ------
    DataError
        If the arrays differ in length or contain an unknown operation.
    """

    row: Codes
    op: NDArray[np.uint8]
    weight: NDArray[np.float32]

    def __post_init__(self) -> None:
        for name, dtype in (("row", np.int32), ("op", np.uint8), ("weight", np.float32)):
            values = np.asarray(getattr(self, name), dtype=dtype)
            # A `constant_array` (stride 0) takes no memory; a contiguous copy would take some.
            if values.strides != (0,):
                values = np.ascontiguousarray(values)
            object.__setattr__(self, name, values)
        if not len(self.row) == len(self.op) == len(self.weight):
            raise DataError(
                f"Tape: expected as many rows as operations and weights, found {len(self.row)}, "
                f"{len(self.op)} and {len(self.weight)}."
            )
        if len(self.op) and (self.op.min() < PREDICT or self.op.max() > PREDICT_THEN_LEARN):
            raise DataError("Tape: expected operations 1 (predict), 2 (learn) or 3 (both).")

    def __len__(self) -> int:
        return len(self.row)

    def events(self, begin: int, end: int) -> tuple[Codes, NDArray[np.uint8], NDArray[np.float32]]:
        """Rows, operations and weights of the events begin:end, as arrays for kernels."""
        part = slice(begin, end)
        return _writable(self.row[part]), _writable(self.op[part]), _writable(self.weight[part])

    @property
    def predict_rows(self) -> Codes:
        """Rows of the predict events, in tape order, shape (p,)."""
        if len(self) and self.op.strides == (0,):  # a `constant_array`: one operation for all
            return self.row if self.op[0] & PREDICT else self.row[:0]
        predicted = (self.op & PREDICT) != 0
        return self.row if predicted.all() else self.row[predicted]


def predicted_after_training(tape: Tape, n: int) -> Flags:
    """Mask without the instances that a model predicts before it has learnt a label.

    Before its first label, a model predicts the class of code 0, or an arbitrary number.

    Parameters
    ----------
    tape : Tape
        Events of a model over some of `n` instances.
    n : int
        Number of instances.

    Returns
    -------
    ndarray of bool, shape (n,)
        False for each instance that is predicted before the first label; True for all others,
        including instances that the tape does not predict.
    """
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    # The event that learns the first label may predict its instance before.
    end = int(learns.argmax()) + 1 if learns.any() else len(tape)
    predicts = (tape.op[:end] & PREDICT) != 0
    is_trained = np.ones(n, dtype=np.bool_)
    is_trained[tape.row[:end][predicts]] = False
    return is_trained


def constant_array(value: int, n_events: int, dtype: type[NumberT]) -> NDArray[NumberT]:
    """Read-only array with one operation or weight for all events; it stores a single number."""
    return np.broadcast_to(dtype(value), n_events)


def _writable(values: NDArray[NumberT]) -> NDArray[NumberT]:
    """Contiguous, writable array; for other arrays, Numba would compile each kernel again."""
    return values if values.flags.c_contiguous and values.flags.writeable else values.copy()


def learn_labelled(tape: Tape, labelled: Flags) -> Tape:
    """A copy of a tape that learns only instances with labels; predictions do not change.

    Parameters
    ----------
    tape : Tape
        Events over n instances.
    labelled : ndarray of bool, shape (n,)
        Whether each instance has a label.
    """
    if labelled.all():
        return tape
    op = np.where(labelled[tape.row], tape.op, tape.op & np.uint8(PREDICT))
    is_event = op > 0
    return replace(tape, row=tape.row[is_event], op=op[is_event], weight=tape.weight[is_event])


@dataclass(frozen=True)
class LabelledTapes(Sequence[Tape]):
    """Several tapes of `learn_labelled`, each computed on access.

    Parameters
    ----------
    tapes : sequence of Tape
        A tape for each model.
    labelled : ndarray of bool, shape (n,)
        Whether each instance has a label.
    """

    tapes: Sequence[Tape]
    labelled: Flags

    def __len__(self) -> int:
        return len(self.tapes)

    @overload
    def __getitem__(self, model: int) -> Tape: ...

    @overload
    def __getitem__(self, model: slice) -> LabelledTapes: ...

    def __getitem__(self, model: int | slice) -> Tape | LabelledTapes:
        """The tape of a model, or the tapes of a slice of models."""
        if isinstance(model, slice):
            return LabelledTapes(self.tapes[model], self.labelled)
        return learn_labelled(self.tapes[model], self.labelled)


def join_tapes(segments: Sequence[Tape]) -> Tape:
    """Concatenate one or more segments to a tape.

    Raises
    ------
    DataError
        If the tape does not fit into memory.
    """
    if len(segments) == 1:
        return segments[0]
    events = sum(map(len, segments))
    check_room(
        EVENT_BYTES * events,
        f"A tape of {events:,} events, not in segments,",
        "Choose learners of the package without a wrapper, which run over segments, or predict "
        "less often.",
    )
    fields = ([getattr(segment, name) for segment in segments] for name in ("row", "op", "weight"))
    return Tape(*map(np.concatenate, fields))


def insert_test_predictions(
    tape: Tape, times: ArrayLike, rows: NDArray[np.integer]
) -> tuple[Tape, Flags]:
    """Interrupt a tape with tests, in which the model predicts other rows and learns nothing.

    Parameters
    ----------
    tape : Tape
        Events over the rows of a stream, in the order of rows, with p predictions.
    times : array-like of int, shape (q,)
        Row of the stream before which each test takes place, ascending. The length of the stream
        stands for a test at its end.
    rows : ndarray of int, shape (q, s)
        Rows that each test predicts.

    Returns
    -------
    tape : Tape
        All events.
    is_test : ndarray of bool, shape (p + q * s,)
        Whether each prediction of the new tape belongs to a test.
    """
    positions = np.repeat(np.searchsorted(tape.row, np.asarray(times)), rows.shape[1])
    row = np.insert(tape.row, positions, rows.ravel())
    op = np.insert(tape.op, positions, PREDICT)
    weight = np.insert(tape.weight, positions, 1)
    is_test = np.insert(np.zeros(len(tape), dtype=np.bool_), positions, True)
    return Tape(row, op, weight), is_test[op & PREDICT > 0]
