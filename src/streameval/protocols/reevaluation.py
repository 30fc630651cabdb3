"""Continuous re-evaluation: instances are predicted repeatedly until their labels arrive.

Each instance is predicted when it arrives, again after every K labels of other instances, and a
last time just before its own label is learnt. These events follow from the times of instances and
labels. So the tape is computed in advance, and a run does not search a list of waiting instances.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Integers
from streameval.base.errors import ConfigError, DataError
from streameval.base.memory import check_room
from streameval.base.params import Count, parameter
from streameval.base.values import NEVER
from streameval.protocols.protocol import Instances, Protocol
from streameval.protocols.repeated_predictions import count_repeats, write_repeats
from streameval.protocols.tape import PREDICT, PREDICT_THEN_LEARN, Tape, constant_array

#: Values of `PredictionEvents.kind`.
FIRST, REPEATED, LAST = 0, 1, 2
#: Bytes of an event: row (4, shared by the tape and `PredictionEvents`), operation (1), time (8)
#: and kind (1).
_EVENT_BYTES = 14

#: Times in the units of the stream.
Times = Integers


class LabelArrivals(NamedTuple):
    """Arrival times of the s instances with labels and of their labels, in label order."""

    row: Codes  # (s,), row of the instance
    begin: Times  # (s,), arrival of the instance
    end: Times  # (s,), arrival of the label


@dataclass(frozen=True)
class PredictionEvents:
    """Instance, time and kind of the p predictions of a re-evaluation, in the order of the tape.

    Parameters
    ----------
    row : ndarray of int32, shape (p,)
        Row of the instance that is predicted.
    time : ndarray of int64, shape (p,)
        Time of the prediction: the time of the instance, or of the label that is processed.
    kind : ndarray of uint8, shape (p,)
        `FIRST` (0), `REPEATED` (1), or `LAST` (2): the prediction just before the label of the
        instance is learnt. Instances whose label never arrives have no last prediction.
    labelled_rows : ndarray of int32, shape (s,)
        Rows of the instances whose labels arrive, in the order of their labels.
    untrained : int
        Number of predictions before the first label is learnt.
    """

    row: Codes
    time: Times
    kind: NDArray[np.uint8]
    labelled_rows: Codes
    untrained: int

    def __len__(self) -> int:
        return len(self.row)

    def select_rows(self, is_selected: Flags) -> PredictionEvents:
        """Select the predictions of some instances, by a mask of the rows of the stream."""
        mask = is_selected[self.row]
        return PredictionEvents(
            row=self.row[mask],
            time=self.time[mask],
            kind=self.kind[mask],
            labelled_rows=self.labelled_rows[is_selected[self.labelled_rows]],
            untrained=int(np.count_nonzero(mask[: self.untrained])),
        )

    @cached_property
    def label_arrivals(self) -> LabelArrivals:
        """Arrivals of the labelled instances and of their labels."""
        is_first = self.kind == FIRST
        arrival = np.zeros(int(self.row.max(initial=-1)) + 1, dtype=np.int64)
        arrival[self.row[is_first]] = self.time[is_first]
        rows = self.labelled_rows
        return LabelArrivals(rows, arrival[rows], self.time[self.kind == LAST])


def reevaluation(
    time: ArrayLike,
    label_time: ArrayLike,
    every: int = 10,
    ties: str = "instance",
    *,
    pending: bool = False,
) -> tuple[Tape, PredictionEvents]:
    """The tape of continuous re-evaluation, and its predictions.

    When a label arrives, all waiting instances that are due are predicted in the order of their
    arrival. Then the instance of the label is predicted for the last time, and learnt. An instance
    is due if a positive multiple of `every` labels has been learnt since it arrived. Labels of the
    same time are processed in the order in which their instances arrived.

    Parameters
    ----------
    time, label_time : array-like of int, shape (n,)
        Arrival of each instance and of its label; `NEVER` for a label that never arrives.
        Instances of the same time arrive in the order of their rows.
    every : int
        Number of labels between two predictions of an instance, K in the paper.
    ties : {"instance", "label"}
        Whether instances or labels come first at equal times. No label comes before its own
        instance.
    pending : bool
        Whether to predict also instances whose labels never arrive. Other predictions do not
        change.

    Returns
    -------
    tape : Tape
        An event for each prediction. The last prediction of an instance is also the event at which
        its label is learnt. All weights are 1.
    prediction_events : PredictionEvents
        Instance, time and kind of each prediction.

    Raises
    ------
    ConfigError
        If `every` or `ties` is out of range.
    DataError
        If a label arrives before its instance, or the tape does not fit into memory.

    References
    ----------
    Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams, Algorithm 1.
    """
    if every < 1 or ties not in ("instance", "label"):
        raise ConfigError(
            "Re-evaluation: expected a prediction every 1 or more labels, and instance or label "
            f"as what comes first at equal times, found {every} and {ties!r}."
        )
    arrival, label_arrival = _check_times(time, label_time)
    rows = np.argsort(arrival, kind="stable").astype(np.int32)
    if not pending:
        rows = rows[label_arrival[rows] != NEVER]
    arrival, label_arrival = arrival[rows], label_arrival[rows]
    # From here on, instances are numbered in the order of their arrival, and labels are numbered in
    # the order of their own arrival. instance_of[j] is the instance of label j, and label_of[i] is
    # the label of instance i.
    n, s = len(rows), int(np.count_nonzero(label_arrival != NEVER))
    instance_of = np.argsort(label_arrival, kind="stable")[:s].astype(np.int32)
    label_arrival = label_arrival[instance_of]
    # Number of instances that have arrived before each label, which include its own instance.
    side: Literal["left", "right"] = "right" if ties == "instance" else "left"
    n_arrived = np.searchsorted(arrival, label_arrival, side).astype(np.int32)
    n_arrived = np.maximum(n_arrived, instance_of + 1)
    # Number of labels that have arrived before each instance.
    n_known = np.searchsorted(n_arrived, np.arange(n), "right").astype(np.int32)
    label_of = np.full(n, s, dtype=np.int32)  # s: never arrives
    label_of[instance_of] = np.arange(s, dtype=np.int32)
    # From s + 1 on, no prediction is repeated, and `count_repeats` would need more memory.
    every = min(every, s + 1)
    # Number of repeated predictions before each label; the last entry is the total.
    n_repeats = np.append(0, np.cumsum(count_repeats(n_known, label_of, every, s)))
    n_events = n + s + int(n_repeats[-1])
    check_room(
        _EVENT_BYTES * n_events,
        f"A tape of {n_events:,} predictions, one every {every:,} labels of each waiting instance,",
        "Predict less often.",
    )
    row = np.empty(n_events, dtype=np.int32)
    moment = np.empty(n_events, dtype=np.int64)
    kind = np.full(n_events, REPEATED, dtype=np.uint8)
    op = np.full(n_events, PREDICT, dtype=np.uint8)
    # Places in the tape: the first prediction of each instance; the first repeated prediction at
    # each label; and the last prediction, before each label is learnt. A place is the number of
    # earlier predictions: first ones, last ones (one for each label), and repeated ones.
    first_place = np.arange(n) + n_known + n_repeats[n_known]
    row[first_place], moment[first_place], kind[first_place] = rows, arrival, FIRST
    repeat_place = n_arrived + np.arange(s) + n_repeats[:-1]
    last_place = repeat_place + np.diff(n_repeats)
    labelled_rows = rows[instance_of]
    row[last_place], moment[last_place], kind[last_place] = labelled_rows, label_arrival, LAST
    op[last_place] = PREDICT_THEN_LEARN
    write_repeats(n_known, label_of, every, rows, label_arrival, repeat_place, row, moment)
    # The first predictions before the first label, and the last prediction of its instance.
    untrained = int(n_arrived[0]) + 1 if s else n_events
    tape = Tape(row, op, constant_array(1, n_events, np.float32))
    return tape, PredictionEvents(row, moment, kind, labelled_rows, untrained)


def _check_times(time: ArrayLike, label_time: ArrayLike) -> tuple[Times, Times]:
    """Times as arrays, after a check that no label precedes its instance."""
    arrival, label_arrival = (np.asarray(times, dtype=np.int64) for times in (time, label_time))
    if arrival.ndim != 1 or arrival.shape != label_arrival.shape:
        raise DataError(
            "Re-evaluation: expected as many times of labels as of instances, found "
            f"{label_arrival.shape} and {arrival.shape}."
        )
    early_rows = np.flatnonzero(label_arrival < arrival)
    if early_rows.size:
        row = int(early_rows[0])
        raise DataError(
            "Re-evaluation: expected labels to arrive after their instances, found instance "
            f"{row} at {arrival[row]} and its label at {label_arrival[row]}. Correct the times."
        )
    return arrival, label_arrival


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

    def tape_and_events(self, stream: Instances) -> tuple[Tape, PredictionEvents]:
        """The tape of a stream and its predictions; see `reevaluation`.

        Instances whose labels have not arrived are predicted, too.
        """
        return reevaluation(*self._times(stream), self.every, self.ties, pending=True)

    def scored_rows(self, stream: Instances, tape: Tape) -> Flags:
        """See `Protocol.scored_rows`; without any delay, this is the prequential protocol."""
        # Without delays, the events of each row are consecutive.
        has_delay = np.count_nonzero(np.diff(tape.row)) >= len(np.unique(tape.row))
        if stream.n_classes and not has_delay:
            return np.ones(len(stream), dtype=np.bool_)
        return super().scored_rows(stream, tape)

    def _tapes(self, stream: Instances) -> list[Tape]:
        return [self.tape_and_events(stream)[0]]
