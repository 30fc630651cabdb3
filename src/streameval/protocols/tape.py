"""The `Tape`: which instance is predicted or learnt, in which order, and with which weight.

Each protocol (prequential, folds, hold-out, delayed labels) is a pure function from the length or
time stamps of a stream to a tape. No event depends on predictions, so a single compiled loop per
learner runs all protocols. The exception is active learning, in which class scores decide what is
learnt. It has a special tape, `streameval.protocols.partial.OfferedTape`.
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

N = TypeVar("N", bound=np.number[Any])


@dataclass(frozen=True)
class Tape:
    """Predict and learn events in order.

    Parameters
    ----------
    row : ndarray of int32, shape (e,)
        Row of the stream of each event.
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
        for name, kind in (("row", np.int32), ("op", np.uint8), ("weight", np.float32)):
            values = np.asarray(getattr(self, name), dtype=kind)
            # Arrays of `constant` (stride 0) stay as they are; a contiguous copy would take memory.
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
        if len(self) and self.op.strides == (0,):
            return self.row if self.op[:1] & PREDICT else self.row[:0]
        predicted = (self.op & PREDICT) != 0
        return self.row if predicted.all() else self.row[predicted]


def trained_rows(tape: Tape, n: int) -> Flags:
    """Mask of the instances that a model predicts for the first time after it has learnt a label.

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
        True also for instances that the tape does not predict.
    """
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    # The event that learns the first label may predict its instance before.
    end = int(learns.argmax()) + 1 if learns.any() else len(tape)
    predicts = (tape.op[:end] & PREDICT) != 0
    is_trained = np.ones(n, dtype=np.bool_)
    is_trained[tape.row[:end][predicts]] = False
    return is_trained


def constant(value: int, events: int, kind: type[N]) -> NDArray[N]:
    """Read-only array of the same operation or weight for all events, in the memory of one."""
    return np.broadcast_to(kind(value), events)


def _writable(values: NDArray[N]) -> NDArray[N]:
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
    is_left = op > 0
    return replace(tape, row=tape.row[is_left], op=op[is_left], weight=tape.weight[is_left])


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
    def __getitem__(self, fold: int) -> Tape: ...

    @overload
    def __getitem__(self, fold: slice) -> LabelledTapes: ...

    def __getitem__(self, fold: int | slice) -> Tape | LabelledTapes:
        """The tape of a model, or the tapes of a slice."""
        if isinstance(fold, slice):
            return LabelledTapes(self.tapes[fold], self.labelled)
        return learn_labelled(self.tapes[fold], self.labelled)


def join_tapes(segments: Sequence[Tape]) -> Tape:
    """Concatenate the segments of a tape, at least one.

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


def add_tests(tape: Tape, times: ArrayLike, rows: NDArray[np.integer]) -> tuple[Tape, Flags]:
    """Insert tests into a tape: the model also predicts other rows, without learning them.

    Parameters
    ----------
    tape : Tape
        Events over the rows of a stream, in the order of rows.
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
    position = np.repeat(np.searchsorted(tape.row, np.asarray(times)), rows.shape[1])
    op = np.insert(tape.op, position, PREDICT)
    weight = np.insert(tape.weight, position, 1)
    is_test = np.insert(np.zeros(len(tape), dtype=np.bool_), position, True)
    return Tape(np.insert(tape.row, position, rows.ravel()), op, weight), is_test[op & PREDICT > 0]
