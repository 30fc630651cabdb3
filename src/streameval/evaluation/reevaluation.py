"""Re-evaluation of a stream up to a number of labels, and its predictions by bin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streameval.base.arrays import Flags
from streameval.base.errors import DataError
from streameval.evaluation.delays import Waiting
from streameval.learners.active_learning import run_learner
from streameval.protocols.bins import PUBLISHED, BinnedPredictions
from streameval.protocols.protocol import nothing_to_score_error
from streameval.protocols.reevaluation import PredictionEvents, Reevaluation
from streameval.protocols.registry import parse
from streameval.protocols.tape import Tape
from streameval.streams.delay_laws import DelayLaw
from streameval.streams.stream import NEVER, Stream

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner


class ReevaluatedStream(NamedTuple):
    """The evaluated part of a stream, its re-evaluation, and the tape and events of this."""

    stream: Stream
    protocol: Reevaluation
    tape: Tape
    prediction_events: PredictionEvents

    def scored(self, rule: str) -> Flags:
        """Mask of the instances that a rule scores in bins, in the order of their labels.

        The published program also scores the instances before the first label.
        """
        rows = self.prediction_events.scored
        if rule == PUBLISHED:
            return np.ones(len(rows), dtype=np.bool_)
        is_scored = self.protocol.scored_rows(self.stream, self.tape)[rows]
        if len(rows) and not is_scored.any():
            raise nothing_to_score_error(self.stream.name, len(self.stream))
        return is_scored


def reevaluate(
    stream: Stream,
    every: int,
    ties: str = "instance",
    *,
    labels: int | None = None,
    delay: int | DelayLaw | None = None,
) -> ReevaluatedStream:
    """Re-evaluation of a stream up to a number of labels, by default to the last.

    A stream without times needs a `delay`, or a distribution of delays; its instances arrive at 0,
    1, 2, ... For `every` and `ties` see `streameval.protocols.reevaluation.reevaluation`. Instances
    whose labels have not arrived are also predicted.
    """
    if (stream.time is None) is (delay is None):
        present = "none" if delay is None else f"both times and a delay of {delay}"
        raise DataError(
            f"Stream {stream.name!r}: expected times of instances and labels, or a delay in the "
            f"item's `delay`, found {present}."
        )
    if delay is not None:
        law = delay if isinstance(delay, DelayLaw) else DelayLaw((float(delay),))
        time = np.arange(len(stream))
        # In regression all instances have the same distribution of delays.
        of = stream.y if stream.schema.classes is not None else np.zeros(len(stream), np.int16)
        due = law.label_times(time, of, max(stream.n_classes, 1), stream.name)
        stream = replace(stream, time=time, label_time=due, _digest=[])
    if labels is not None:
        stream = _until(stream, labels, ties)
    protocol: Any = parse({"name": Reevaluation.name, "every": every, "ties": ties})
    return ReevaluatedStream(stream, protocol, *protocol.tape_and_events(stream))


def _until(stream: Stream, labels: int, ties: str) -> Stream:
    """Part of a stream up to a number of labels, without later labels."""
    time, due = np.asarray(stream.time), np.asarray(stream.label_time)
    if np.count_nonzero(due != NEVER) <= labels:
        return stream
    # Labels with equal times are in the order of their instances, these in the order of rows.
    arrived = np.lexsort((time, due))[:labels]
    label_time = np.full_like(due, NEVER)
    label_time[arrived] = due[arrived]
    last = due[arrived[-1]]
    is_here = time <= last if ties == "instance" else time < last
    place = np.argsort(np.argsort(time, kind="stable"), kind="stable")
    is_here |= place <= place[arrived[-1]]  # a label comes after its instance
    return replace(stream, label_time=label_time, _digest=[]).take(np.flatnonzero(is_here))


def run_in_bins(
    reevaluation: ReevaluatedStream,
    learner: AnyLearner[Any],
    ways: Sequence[tuple[int, str]],
    seed: int = 1,
    *,
    scored: Flags | None = None,
) -> tuple[list[BinnedPredictions], float]:
    """Run a learner; return its predictions by bin, for each binning, and its CPU seconds.

    `ways` has pairs of a number of bins and a rule; `scored` is a mask of instances, by default
    all.
    """
    run = run_learner(learner, reevaluation.stream, reevaluation.tape, seed)
    waiting = Waiting(
        reevaluation.protocol, reevaluation.prediction_events, {learner.name: learner}
    )
    counting = waiting.in_bins(learner.name, run.predicted, ways, reevaluation.stream.n_classes)
    if scored is not None and not scored.all():
        counting = [
            BinnedPredictions(binned.values[scored], binned.is_new[scored]) for binned in counting
        ]
    return counting, run.seconds
