"""A stream with delayed labels, and the plan of its re-evaluation, up to so many labels."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from streameval.errors import DataError
from streameval.protocols.reevaluation import PredictionEvents, ReevaluationPlan, planned
from streameval.protocols.tape import Tape
from streameval.streams.delay_laws import DelayLaw
from streameval.streams.stream import NEVER, Stream


class Reevaluated(NamedTuple):
    """A stream, as far as it is needed, and the plan of its re-evaluation."""

    stream: Stream
    plan: ReevaluationPlan

    @property
    def tape(self) -> Tape:
        """The whole tape over the stream."""
        return self.plan.whole[0]

    @property
    def polls(self) -> PredictionEvents:
        """What all predictions are for."""
        return self.plan.whole[1]


def reevaluated(
    stream: Stream,
    every: int,
    ties: str = "instance",
    *,
    labels: int | None = None,
    delay: int | DelayLaw | None = None,
    pending: bool = False,
) -> Reevaluated:
    """Return the re-evaluation of a stream up to so many labels.

    Parameters
    ----------
    stream : Stream
        Instances with times, or without them if there is a delay.
    every, ties, pending
        See `streameval.protocols.reevaluation.planned`.
    labels : int, optional
        After how many labels it stops; by default, and if there are fewer, after all.
    delay : int or DelayLaw, optional
        Time from each instance to its label, or a law of it, for a stream without times, whose
        instances arrive at 0, 1, 2, ...

    Raises
    ------
    DataError
        If the stream has no times and there is no delay, or has times and there is one.
    ConfigError
        If `every` or `ties` is out of range.
    """
    if (stream.time is None) is (delay is None):
        found = "none" if delay is None else f"both times and a delay of {delay}"
        raise DataError(
            f"Stream {stream.name!r}: expected times of instances and labels, or a delay in the "
            f"item's `delay`, found {found}."
        )
    if delay is not None:
        law = delay if isinstance(delay, DelayLaw) else DelayLaw((float(delay),))
        time = np.arange(len(stream))
        # Numbers are of one class to a law of delays.
        of = stream.y if stream.schema.classes is not None else np.zeros(len(stream), np.int16)
        due = law.label_times(time, of, max(stream.n_classes, 1), stream.name)
        stream = replace(stream, time=time, label_time=due, _digest=[])
    if labels is not None:
        stream = _until(stream, labels)
    times = np.asarray(stream.time), np.asarray(stream.label_time)
    return Reevaluated(stream, planned(*times, every, ties, pending=pending, most=labels))


def _until(stream: Stream, labels: int) -> Stream:
    """Return the instances that have arrived when so many labels have; predictions are the same."""
    time, label_time = np.asarray(stream.time), np.asarray(stream.label_time)
    known = label_time[label_time != NEVER]
    if len(known) <= labels:
        return stream
    seen = time <= np.partition(known, labels - 1)[labels - 1]
    parts = {name: getattr(stream, name)[seen] for name in ("X", "y", "time", "label_time")}
    return replace(stream, **parts, _digest=[])
