"""Continuous re-evaluation: instances are predicted again and again until their labels arrive.

Each instance is predicted when it arrives, again after every so many labels of other instances, and
a last time just before its own label is learnt. All of this follows from the times of instances and
labels, so the tape is made beforehand and no list of waiting instances is ever searched. A long
tape is made in segments, each from the instances that wait in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Integers
from streameval.base.errors import ConfigError, DataError
from streameval.base.memory import check_room
from streameval.base.params import Count, parameter
from streameval.base.values import NEVER
from streameval.protocols.predicting_again import count_again, predict_again
from streameval.protocols.protocol import Instances, Protocol
from streameval.protocols.tape import EVENT_BYTES, PREDICT, PREDICT_THEN_LEARN, Tape

#: Values of `PredictionEvents.which`.
FIRST, AGAIN, LAST = 0, 1, 2
#: Bytes of an event: 9 on the tape, 9 in `PredictionEvents` beside the rows, which the two share.
_EVENT_BYTES = EVENT_BYTES + 9
#: Events of a segment: 151 MB, twice while the next one is made, and predictions and their bins.
SEGMENT = 2**23

Rows = Codes
Times = Integers


class LabelArrivals(NamedTuple):
    """Arrivals of the s instances with labels, and of these labels, in the order of the labels."""

    row: Rows  # (s,)
    begin: Times  # (s,) when the instance arrives
    end: Times  # (s,) when the label does


@dataclass(frozen=True)
class PredictionEvents:
    """Instance, time and kind of the p predictions of a re-evaluation, in the order of the tape.

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

    def of(self, rows: Flags) -> PredictionEvents:
        """Return the predictions for some instances, given as a mask of the stream's rows."""
        at = rows[self.row]
        return PredictionEvents(
            self.row[at],
            self.time[at],
            self.which[at],
            self.scored[rows[self.scored]],
            int(np.count_nonzero(at[: self.untrained])),
        )

    def waits(self) -> LabelArrivals:
        """Return the waits of the scored instances, if all of their predictions are here."""
        is_first = self.which == FIRST
        arrival = np.zeros(int(self.row.max(initial=-1)) + 1, dtype=np.int64)
        arrival[self.row[is_first]] = self.time[is_first]
        return LabelArrivals(self.scored, arrival[self.scored], self.time[self.which == LAST])


@dataclass(frozen=True)
class ReevaluationPlan:
    """A re-evaluation of n instances and s labels, from which `planned` makes the tape.

    Parameters
    ----------
    rows : ndarray of int32, shape (n,)
        The instances in the order of their arrival, which numbers them from 0.
    arrival : ndarray of int64, shape (n,)
        When they arrive.
    labels : ndarray of int32, shape (s,)
        Numbers of the instances whose labels arrive, in the order of the labels.
    due : ndarray of int64, shape (s,)
        When the labels arrive.
    arrived : ndarray of int32, shape (s,)
        How many instances arrive before each label.
    every : int
        Number of labels between two predictions of an instance.
    """

    rows: Rows
    arrival: Times
    labels: Rows
    due: Times
    arrived: Rows
    every: int

    @cached_property
    def _known(self) -> Rows:
        """Return the number of labels that arrive before each instance, shape (n,)."""
        numbers = np.arange(len(self.rows))
        return np.searchsorted(self.arrived, numbers, "right").astype(np.int32)

    @cached_property
    def _own(self) -> Rows:
        """The number of the label of each instance, s if it does not arrive, shape (n,)."""
        s = len(self.labels)
        own = np.full(len(self.rows), s, dtype=np.int32)
        own[self.labels] = np.arange(s, dtype=np.int32)
        return own

    @cached_property
    def _before(self) -> Times:
        """Return the number of further predictions before each label and in all, shape (s + 1,)."""
        counts = count_again(self._known, self._own, self.every, len(self.labels))
        return np.append(0, np.cumsum(counts))

    def __len__(self) -> int:
        """Return the number of events."""
        return len(self.rows) + len(self.labels) + int(self._before[-1])

    @property
    def waits(self) -> LabelArrivals:
        """The waits of the instances whose labels arrive."""
        return LabelArrivals(self.rows[self.labels], self.arrival[self.labels], self.due)

    @property
    def knowing(self) -> Flags:
        """Instances of `waits` that arrive after a label has been learnt; see `trained_rows`."""
        first = int(self.arrived[0]) if len(self.arrived) else 0
        return self.labels >= first

    @cached_property
    def whole(self) -> tuple[Tape, PredictionEvents]:
        """Return the tape, and the instance of each of its predictions.

        Raises
        ------
        DataError
            If it does not fit into the memory.
        """
        check_room(
            _EVENT_BYTES * len(self),
            f"A tape of {len(self):,} predictions, one every {self.every:,} labels of each "
            "waiting instance,",
            "Predict less often.",
        )
        (made,) = self._made([0, len(self.labels)])
        return made

    def segments(self, most: int = SEGMENT) -> Iterator[tuple[Tape, PredictionEvents]]:
        """Make the tape in segments, one after another; together they are the whole.

        Parameters
        ----------
        most : int
            Number of events in a segment. A segment has whole labels and so may have more events if
            it has one label; the last one has more if instances arrive after all labels.

        Yields
        ------
        tape : Tape
            The next events.
        polls : PredictionEvents
            Their predictions. Of the scored instances it has those whose labels arrive in the
            segment.
        """
        s = len(self.labels)
        if len(self) <= most or s == 0:
            yield self.whole
            return
        until = self._before[1:] + self.arrived + np.arange(1, s + 1)  # events up to each label
        stops, done = [0], 0
        while stops[-1] < s:
            stops.append(max(int(np.searchsorted(until, done + most, "right")), stops[-1] + 1))
            done = int(until[stops[-1] - 1])
        yield from self._made(stops)

    def _made(self, stops: Sequence[int]) -> Iterator[tuple[Tape, PredictionEvents]]:
        """Yield the segment of the labels from each stop to the next one."""
        seen, waiting = 0, np.empty(0, dtype=np.int32)
        for start, stop in pairwise(stops):
            to = len(self.rows) if stop == len(self.labels) else int(self.arrived[stop - 1])
            waiting = np.append(waiting, np.arange(seen, to, dtype=np.int32))
            yield self._segment(slice(start, stop), slice(seen, to), waiting)
            seen, waiting = to, waiting[self._own[waiting] >= stop]

    def _segment(self, at: slice, new: slice, waiting: Rows) -> tuple[Tape, PredictionEvents]:
        """Return the segment of some labels; `new` instances arrive in it, `waiting` ones wait."""
        before = self._before[at.start : at.stop + 1] - self._before[at.start]
        known, due = self._known[new] - at.start, self.due[at]
        events = len(known) + len(due) + int(before[-1])
        row = np.empty(events, dtype=np.int32)
        time = np.empty(events, dtype=np.int64)
        which = np.full(events, AGAIN, dtype=np.uint8)
        first_at = np.arange(len(known)) + known + before[known]
        row[first_at], time[first_at], which[first_at] = self.rows[new], self.arrival[new], FIRST
        again_at = self.arrived[at] - new.start + np.arange(len(due)) + before[:-1]
        last_at = again_at + np.diff(before)
        scored = self.rows[self.labels[at]]
        row[last_at], time[last_at], which[last_at] = scored, due, LAST
        turns = (waiting, self._known, self._own, self.every)
        predict_again(*turns, self.rows, due, at.start, again_at, row, time)
        op = np.where(which == LAST, np.uint8(PREDICT_THEN_LEARN), np.uint8(PREDICT))
        tape = Tape(row, op, np.ones(events, dtype=np.float32))
        untrained = 0 if at.start else int(self.arrived[0]) + 1 if len(due) else events
        return tape, PredictionEvents(row, time, which, scored, untrained)


def planned(
    time: ArrayLike,
    label_time: ArrayLike,
    every: int = 10,
    ties: str = "instance",
    *,
    pending: bool = False,
    most: int | None = None,
) -> ReevaluationPlan:
    """Return the plan of a continuous re-evaluation, which makes its tape, whole or in segments.

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
    most : int, optional
        After how many labels it ends; by default, and if there are fewer, after all.

    Raises
    ------
    ConfigError
        If `every` or `ties` is out of range.
    DataError
        If a label arrives before its instance.

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
    # How many instances have arrived before each label; none before its own instance.
    side: Literal["left", "right"] = "right" if ties == "instance" else "left"
    arrived = np.searchsorted(arrival, due, side).astype(np.int32)
    arrived = np.maximum(arrived, labels + 1)
    if most is not None and most < len(labels):
        labels, due, arrived = labels[:most], due[:most], arrived[:most]
        rows = rows[: arrived[-1]]
        arrival = arrival[: len(rows)]
    return ReevaluationPlan(rows, arrival, labels, due, arrived, min(every, len(labels) + 1))


def reevaluation(
    time: ArrayLike,
    label_time: ArrayLike,
    every: int = 10,
    ties: str = "instance",
    *,
    pending: bool = False,
) -> tuple[Tape, PredictionEvents]:
    """Return the tape of continuous re-evaluation, and the instance of each of its predictions.

    Parameters
    ----------
    time, label_time, every, ties, pending
        See `planned`.

    Returns
    -------
    tape : Tape
        One event for each prediction; the last one of an instance is also the event at which its
        label is learnt. All weights are 1.
    polls : PredictionEvents
        Its predictions.

    Raises
    ------
    ConfigError
        If `every` or `ties` is out of range.
    DataError
        If a label arrives before its instance, or the tape does not fit into the memory.
    """
    return planned(time, label_time, every, ties, pending=pending).whole


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


@dataclass(frozen=True)
class Reevaluation(Protocol):
    """Continuous re-evaluation: predict each instance again until its label arrives."""

    every: Count = parameter("number of labels between two predictions of an instance", 10)
    ties: Literal["instance", "label"] = parameter("what comes first at equal times", "instance")

    name: ClassVar[str] = "reevaluation"
    reference: ClassVar[str] = "Grzenda, Gomes, Bifet (2019)"
    needs_times: ClassVar[bool] = True

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        labels = "label" if self.every == 1 else f"{self.every:,} labels"
        return f"continuous re-evaluation every {labels}"

    def polls(self, stream: Instances) -> tuple[Tape, PredictionEvents]:
        """Return the tape of a stream, and the instances of its predictions; see `reevaluation`.

        Instances whose labels have not arrived are predicted, too.
        """
        return reevaluation(*self._times(stream), self.every, self.ties, pending=True)

    def scored_rows(self, stream: Instances, tape: Tape) -> Flags:
        """See `Protocol.scored_rows`; without any delay it is the prequential protocol."""
        has_delay = np.count_nonzero(np.diff(tape.row)) >= len(np.unique(tape.row))
        if stream.n_classes and not has_delay:
            return np.ones(len(stream), dtype=np.bool_)
        return super().scored_rows(stream, tape)

    def _tapes(self, stream: Instances) -> list[Tape]:
        return [self.polls(stream)[0]]
