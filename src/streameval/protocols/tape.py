"""The `Tape` contract: which instance is predicted or learnt, when, and with which weight.

Every protocol (prequential, folds, hold-out, delayed labels) is a pure function from a stream's
length or time stamps to a tape. No event depends on predictions, so one compiled loop per learner
runs all protocols. Where a learner asks for its labels, they are offered by a tape of its own kind,
`streameval.protocols.partial.Offered`.
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
#: Bytes of an event.
EVENT_BYTES = 9

N = TypeVar("N", bound=np.number[Any])


@dataclass(frozen=True)
class Tape:
    """Predict and learn events in order.

    Parameters
    ----------
    row : ndarray of int32, shape (e,)
        Row of the stream, for each event.
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
            # A single number may stand for all events; see `alike`.
            found = values if values.strides == (0,) else np.ascontiguousarray(values)
            object.__setattr__(self, name, found)
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
        """Return rows, operations and weights of some events, as kernels read them."""
        part = slice(begin, end)
        return _plain(self.row[part]), _plain(self.op[part]), _plain(self.weight[part])

    @property
    def predict_rows(self) -> Codes:
        """Rows of the predict events, in tape order, shape (p,)."""
        if len(self) and self.op.strides == (0,):
            return self.row if self.op[:1] & PREDICT else self.row[:0]
        predicted = (self.op & PREDICT) != 0
        return self.row if predicted.all() else self.row[predicted]


def trained_rows(tape: Tape, n: int) -> Flags:
    """Instances that a model predicts for the first time after it has learnt a label.

    Before that it predicts the class of code 0, whichever this is, or an arbitrary number.

    Parameters
    ----------
    tape : Tape
        The events of a model over some of `n` instances.
    n : int
        Number of instances.

    Returns
    -------
    ndarray of bool, shape (n,)
        True also for instances that the tape does not predict.
    """
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    until = int(learns.argmax()) + 1 if learns.any() else len(tape)
    predicted = (tape.op[:until] & PREDICT) != 0
    trained = np.ones(n, dtype=np.bool_)
    trained[tape.row[:until][predicted]] = False
    return trained


def alike(value: int, events: int, kind: type[N]) -> NDArray[N]:
    """Return an operation or a weight of all events, in the memory of one."""
    return np.broadcast_to(kind(value), events)


def _plain(values: NDArray[N]) -> NDArray[N]:
    """Return an array that can be written to, as to a kernel others are of another type."""
    return values if values.flags.c_contiguous and values.flags.writeable else values.copy()


def learning(tape: Tape, labelled: Flags) -> Tape:
    """Return a tape that learns only from instances with labels.

    Parameters
    ----------
    tape : Tape
        Events over n instances.
    labelled : ndarray of bool, shape (n,)
        Whether each has a label. Without one an instance is predicted as before, never learnt.
    """
    if labelled.all():
        return tape
    op = np.where(labelled[tape.row], tape.op, tape.op & np.uint8(PREDICT))
    stays = op > 0
    return replace(tape, row=tape.row[stays], op=op[stays], weight=tape.weight[stays])


@dataclass(frozen=True)
class Learning(Sequence[Tape]):
    """Several tapes of `learning`, each computed on access.

    Parameters
    ----------
    tapes : sequence of Tape
        One for each model.
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
    def __getitem__(self, fold: slice) -> Learning: ...

    def __getitem__(self, fold: int | slice) -> Tape | Learning:
        """Return one of the tapes, or some of them."""
        if isinstance(fold, slice):
            return Learning(self.tapes[fold], self.labelled)
        return learning(self.tapes[fold], self.labelled)


def joined(segments: Sequence[Tape]) -> Tape:
    """Return the tape that has these segments, one at least.

    Raises
    ------
    DataError
        If it does not fit into the memory.
    """
    if len(segments) == 1:
        return segments[0]
    events = sum(map(len, segments))
    check_room(
        EVENT_BYTES * events,
        f"A tape of {events:,} events, not in segments,",
        "Choose learners of the package that are not wrapped, which run over segments, or predict "
        "less often.",
    )
    parts = ([getattr(segment, name) for segment in segments] for name in ("row", "op", "weight"))
    return Tape(*map(np.concatenate, parts))


def with_tests(tape: Tape, times: ArrayLike, rows: NDArray[np.integer]) -> tuple[Tape, Flags]:
    """Return a tape on which the model also predicts further rows, without learning them.

    Parameters
    ----------
    tape : Tape
        Events over the rows of a stream, which do not decrease.
    times : array-like of int, shape (q,)
        Rows of the stream, in order: each test comes before all events of its row and of later
        ones. The length of the stream stands for its end.
    rows : ndarray of int, shape (q, s)
        What each test predicts.

    Returns
    -------
    tape : Tape
        All events.
    is_test : ndarray of bool, shape (p + q * s,)
        Which of its p + q * s predictions are tests.
    """
    before = np.repeat(np.searchsorted(tape.row, np.asarray(times)), rows.shape[1])
    op = np.insert(tape.op, before, PREDICT)
    weight = np.insert(tape.weight, before, 1)
    is_test = np.insert(np.zeros(len(tape), dtype=np.bool_), before, True)
    return Tape(np.insert(tape.row, before, rows.ravel()), op, weight), is_test[op & PREDICT > 0]
