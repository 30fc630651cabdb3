"""Continuous re-evaluation: instances are predicted again and again until their labels arrive.

Each instance is predicted when it arrives, again after every so many labels of other instances, and
a last time just before its own label is learnt. All of this follows from the times of instances and
labels, so the tape is made beforehand and no list of waiting instances is ever searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.compiled.kernels import kernel
from streameval.errors import ConfigError, DataError
from streameval.label_times import NEVER
from streameval.protocols.protocol import Instances, Protocol, parameter
from streameval.protocols.tape import PREDICT, PREDICT_THEN_LEARN, Tape
from streameval.room import check_room

#: Values of `Polls.which`.
FIRST, AGAIN, LAST = 0, 1, 2
#: Bytes of an event: 9 on the tape, 9 in `Polls` beside the rows, which the two share.
_EVENT_BYTES = 18

Rows = NDArray[np.int32]
Times = NDArray[np.int64]


@dataclass(frozen=True)
class Polls:
    """What each of the p predictions of a re-evaluation is for, in the order of the tape.

    Parameters
    ----------
    row : ndarray of int32, shape (p,)
        The instance.
    time : ndarray of int64, shape (p,)
        When it is predicted: the time of the instance, or of the label that is processed.
    which : ndarray of uint8, shape (p,)
        0 the first prediction, 1 a further one, 2 the last one, just before the own label is
        learnt. Instances whose label never arrives have no last one.
    scored : ndarray of int32, shape (s,)
        Rows of the instances whose labels arrive, in the order of their labels.
    untrained : int
        The first so many predictions are made before any label is learnt.
    """

    row: Rows
    time: Times
    which: NDArray[np.uint8]
    scored: Rows
    untrained: int

    def __len__(self) -> int:
        return len(self.row)


def reevaluation(
    time: ArrayLike,
    label_time: ArrayLike,
    every: int = 10,
    ties: str = "instance",
    *,
    pending: bool = False,
) -> tuple[Tape, Polls]:
    """Return the tape of continuous re-evaluation, and what each of its predictions is for.

    A label is processed in this order: waiting instances whose turn it is are predicted in the
    order of their arrival; then its own instance is predicted for the last time, and learnt. It is
    the turn of an instance if a positive multiple of `every` labels has been learnt since it
    arrived. Labels of the same time are processed in the order in which their instances arrive.

    Parameters
    ----------
    time, label_time : array-like of int, shape (n,)
        Arrival of each instance and of its label; `NEVER` for a label that never arrives.
        Instances of the same time arrive in the order of their rows.
    every : int
        Number of labels between two predictions of an instance, K in the paper.
    ties : {"instance", "label"}
        What comes first at equal times. No label comes before its own instance.
    pending : bool
        Also predict the instances whose labels never arrive. It changes no other prediction.

    Returns
    -------
    tape : Tape
        One event for each prediction; the last one of an instance is also the event at which its
        label is learnt. All weights are 1.
    polls : Polls
        Its predictions.

    Raises
    ------
    ConfigError
        If `every` or `ties` is out of range.
    DataError
        If a label arrives before its instance, or the tape does not fit into the memory.

    References
    ----------
    Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams, Algorithm 1.
    """
    if every < 1 or ties not in ("instance", "label"):
        raise ConfigError(
            "Re-evaluation: expected a prediction every 1 or more labels, and instance or label "
            f"as what comes first at equal times, found {every} and {ties!r}."
        )
    arrival, due = _checked(time, label_time)
    rows = np.argsort(arrival, kind="stable").astype(np.int32)
    if not pending:
        rows = rows[due[rows] != NEVER]
    arrival, due = arrival[rows], due[rows]
    labels = np.argsort(due, kind="stable")[: np.count_nonzero(due != NEVER)].astype(np.int32)
    due = due[labels]
    # How many instances have arrived before each label, and labels before each instance.
    arrived = np.searchsorted(arrival, due, "right" if ties == "instance" else "left")
    arrived = np.maximum(arrived, labels + 1).astype(np.int32)
    known = np.searchsorted(arrived, np.arange(len(rows)), "right").astype(np.int32)
    own = np.full(len(rows), len(labels), dtype=np.int32)
    own[labels] = np.arange(len(labels), dtype=np.int32)
    every = min(every, len(labels) + 1)
    further = int((np.maximum(own - known - 1, 0) // every).sum())
    events = len(rows) + len(labels) + further
    check_room(
        _EVENT_BYTES * events,
        f"A tape of {events:,} predictions, one every {every:,} labels of each waiting instance,",
        "Predict less often.",
    )
    again = np.zeros(len(labels), dtype=np.int64)
    _count_again(known, own, every, again)
    before = np.cumsum(again + 1) - again - 1  # events of earlier labels
    first_at = np.arange(len(rows)) + np.append(before, len(labels) + further)[known]
    begins = arrived + before
    row = np.empty(events, dtype=np.int32)
    when = np.empty(events, dtype=np.int64)
    which = np.full(events, AGAIN, dtype=np.uint8)
    row[first_at], when[first_at], which[first_at] = rows, arrival, FIRST
    last_at = begins + again
    row[last_at], when[last_at], which[last_at] = rows[labels], due, LAST
    _predict_again(known, own, every, rows, due, begins, row, when)
    op = np.where(which == LAST, np.uint8(PREDICT_THEN_LEARN), np.uint8(PREDICT))
    tape = Tape(row, op, np.ones(events, dtype=np.float32))
    untrained = int(arrived[0]) + 1 if len(labels) else events
    return tape, Polls(row, when, which, rows[labels], untrained)


def _checked(time: ArrayLike, label_time: ArrayLike) -> tuple[Times, Times]:
    """Return the times as arrays, after a check that no label precedes its instance."""
    arrival, due = (np.asarray(times, dtype=np.int64) for times in (time, label_time))
    if arrival.ndim != 1 or arrival.shape != due.shape:
        raise DataError(
            "Re-evaluation: expected as many times of labels as of instances, found "
            f"{due.shape} and {arrival.shape}."
        )
    early = np.flatnonzero(due < arrival)
    if early.size:
        row = int(early[0])
        raise DataError(
            "Re-evaluation: expected labels to arrive after their instances, found instance "
            f"{row} at {arrival[row]} and its label at {due[row]}. Correct the times."
        )
    return arrival, due


@kernel
def _count_again(known: Rows, own: Rows, every: int, counts: Times) -> None:
    """Count the waiting instances that are predicted at each label."""
    for i in range(len(known)):
        for label in range(known[i] + every, own[i], every):
            counts[label] += 1


@kernel
def _predict_again(
    known: Rows,
    own: Rows,
    every: int,
    rows: Rows,
    time: Times,
    place: Times,
    row: Rows,
    when: Times,
) -> None:
    """Write rows and times of the further predictions; `place` is where each label's begin."""
    for i in range(len(known)):
        for label in range(known[i] + every, own[i], every):
            at = place[label]
            row[at], when[at] = rows[i], time[label]
            place[label] += 1


@dataclass(frozen=True)
class Reevaluation(Protocol):
    """Continuous re-evaluation: predict each instance again until its label arrives."""

    every: int = parameter(
        "number of labels between two predictions of an instance", 10, at_least=1
    )
    ties: Literal["instance", "label"] = parameter("what comes first at equal times", "instance")

    name: ClassVar[str] = "reevaluation"
    reference: ClassVar[str] = "Grzenda, Gomes, Bifet (2019)"
    delays_labels: ClassVar[bool] = True
    needs_times: ClassVar[bool] = True

    @property
    def title(self) -> str:
        """What captions call it."""
        labels = "label" if self.every == 1 else f"{self.every:,} labels"
        return f"continuous re-evaluation every {labels}"

    @property
    def explanation(self) -> str:
        """A sentence for captions: what each learner does."""
        labels = "each label" if self.every == 1 else f"every {self.every:,} labels"
        return (
            "Each learner predicts an instance when it arrives, again after "
            f"{labels} of others, and a last time before learning from it."
        )

    def polls(self, stream: Instances) -> tuple[Tape, Polls]:
        """Return the tape of a stream, and what its predictions are for; see `reevaluation`."""
        return reevaluation(*self._times(stream), self.every, self.ties)

    def _tapes(self, stream: Instances) -> list[Tape]:
        return [self.polls(stream)[0]]
