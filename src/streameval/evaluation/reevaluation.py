"""Re-evaluation of a stream up to a number of labels, and its predictions by bin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streameval.base.arrays import Flags
from streameval.base.errors import DataError
from streameval.evaluation.delays import ReevaluationData
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
    """The evaluated part of a stream, with the protocol, tape and events of its re-evaluation."""

    stream: Stream
    protocol: Reevaluation
    tape: Tape
    prediction_events: PredictionEvents

    def scored(self, rule: str) -> Flags:
        """Mask of the instances that are scored in bins, in the order of their labels.

        `rule` is a rule of `streameval.protocols.bins`. The published program also scores the
        instances before the first label.
        """
        rows = self.prediction_events.labelled_rows
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
    """Re-evaluation of a stream up to a number of labels, by default up to the last label.

    A stream without times needs a `delay`, or a distribution of delays; its instances arrive at 0,
    1, 2, ... For `every` and `ties` see `streameval.protocols.reevaluation.reevaluation`. Instances
    that arrive before the last of these labels are predicted even if their own labels come later.
    """
    if (stream.time is None) is (delay is None):
        present = "none" if delay is None else f"both times and a delay of {delay}"
        raise DataError(
            f"Stream {stream.name!r}: expected times of instances and labels, or a delay in the "
            f"item's `delay`, found {present}."
        )
    if delay is not None:
        law = delay if isinstance(delay, DelayLaw) else DelayLaw(latency=(float(delay),))
        time = np.arange(len(stream))
        # In regression all instances have the same distribution of delays.
        classes = stream.y if stream.schema.classes is not None else np.zeros(len(stream), np.int16)
        label_time = law.label_times(time, classes, max(stream.n_classes, 1), stream.name)
        # The digest is computed anew, as the times are part of it.
        stream = replace(stream, time=time, label_time=label_time)
    if labels is not None:
        stream = _up_to_labels(stream, labels, ties)
    protocol: Any = parse({"name": Reevaluation.name, "every": every, "ties": ties})
    return ReevaluatedStream(stream, protocol, *protocol.tape_and_events(stream))


def _up_to_labels(stream: Stream, labels: int, ties: str) -> Stream:
    """Part of a stream up to a number of labels, without later labels."""
    time, all_label_times = np.asarray(stream.time), np.asarray(stream.label_time)
    if np.count_nonzero(all_label_times != NEVER) <= labels:
        return stream
    # Labels with equal times are in the order of their instances. Instances with equal times are in
    # the order of rows.
    arrived = np.lexsort((time, all_label_times))[:labels]
    label_time = np.full_like(all_label_times, NEVER)
    label_time[arrived] = all_label_times[arrived]
    last = all_label_times[arrived[-1]]
    # `ties` says whether instances or labels come first at equal times.
    is_included = time <= last if ties == "instance" else time < last
    # No label comes before its own instance, nor before the instances in front of it.
    rank = np.argsort(np.argsort(time, kind="stable"), kind="stable")
    is_included |= rank <= rank[arrived[-1]]
    return replace(stream, label_time=label_time).take(np.flatnonzero(is_included))


def run_in_bins(
    reevaluation: ReevaluatedStream,
    learner: AnyLearner[Any],
    binnings: Sequence[tuple[int, str]],
    seed: int = 1,
    *,
    scored: Flags | None = None,
) -> tuple[list[BinnedPredictions], float]:
    """Run a learner; return its predictions by bin, for each binning, and its CPU seconds.

    A binning is a number of bins and a rule; `scored` is a mask of instances, by default all.
    """
    stream = reevaluation.stream
    run = run_learner(learner, stream, reevaluation.tape, seed)
    data = ReevaluationData(
        reevaluation.protocol, reevaluation.prediction_events, {learner.name: learner}
    )
    predictions = data.in_bins(learner.name, run.predicted, binnings, stream.n_classes)
    if scored is not None and not scored.all():
        predictions = [
            BinnedPredictions(binned.values[scored], binned.is_new[scored])
            for binned in predictions
        ]
    return predictions, run.seconds
