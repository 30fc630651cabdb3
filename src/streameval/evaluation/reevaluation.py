"""Re-evaluation of a stream up to a number of labels: its plan, and runs in segments."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags
from streameval.base.errors import DataError
from streameval.learners.class_order import ClassOrder, decoded, is_spelt, with_codes
from streameval.protocols.bins import PUBLISHED, Binned, binned
from streameval.protocols.protocol import nothing_to_score
from streameval.protocols.reevaluation import PredictionEvents, ReevaluationPlan, planned
from streameval.protocols.tape import Tape
from streameval.streams.delay_laws import DelayLaw
from streameval.streams.stream import NEVER, Stream

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner

#: Learners whose votes are never empty in MOA: before a label is learnt they vote for class 0, or
#: with 0 for each class. For all others see `silent` of `Binning.count`. In the paper's Table 1 it
#: decides b = 45 on Agrawal: Naive Bayes has no votes then, the Hoeffding tree has.
ALWAYS_VOTING = frozenset({"no_change", "knn", "hoeffding_tree"})


class Reevaluated(NamedTuple):
    """The needed part of a stream, and the plan of its re-evaluation."""

    stream: Stream
    plan: ReevaluationPlan

    @property
    def tape(self) -> Tape:
        """The whole tape over the stream."""
        return self.plan.whole[0]

    def scored(self, rule: str) -> Flags:
        """Return which instances of the plan's waits are scored in bins, by a rule of these.

        The published program scores also those that come before the first label.
        """
        every = np.ones(len(self.plan.labels), dtype=np.bool_)
        found = every if rule == PUBLISHED else self.plan.knowing
        if len(found) and not found.any():
            raise nothing_to_score(self.stream.name, len(self.stream))
        return found

    @property
    def polls(self) -> PredictionEvents:
        """The events of all predictions."""
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
    """Return the re-evaluation of a stream up to a number of labels, by default to the last.

    A `delay`, or a law of it, is for a stream without times, whose instances arrive at 0, 1, 2, ...
    For `every`, `ties` and `pending` see `streameval.protocols.reevaluation.planned`.
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
    """Return the instances that arrive no later than the last label that is needed."""
    time, label_time = np.asarray(stream.time), np.asarray(stream.label_time)
    known = label_time[label_time != NEVER]
    if len(known) <= labels:
        return stream
    seen = time <= np.partition(known, labels - 1)[labels - 1]
    return stream.take(np.flatnonzero(seen))


def silent(learner: str) -> bool | None:
    """Return the argument `silent` of `streameval.protocols.bins.binned` for a learner."""
    return False if learner in ALWAYS_VOTING else None


def run_in_bins(
    made: Reevaluated,
    learner: AnyLearner[Any],
    ways: Sequence[tuple[int, str]],
    seed: int = 1,
    *,
    scored: Flags | None = None,
) -> tuple[list[Binned], float]:
    """Run a learner in segments; return what counts in each bin, for each way, and its CPU seconds.

    `ways` are numbers of bins and rules, `scored` the wanted instances, by default all.
    """
    waiting, seconds = deque[PredictionEvents](), list[float]()

    def tapes() -> Iterator[Tape]:
        for tape, polls in made.plan.segments():
            waiting.append(polls)
            yield tape

    stream, codes = made.stream, None
    if is_spelt(learner, stream.schema):
        order = ClassOrder(stream.n_classes)
        order.take(stream.y[made.plan.waits.row])
        stream, codes = with_codes(stream, order.codes), order.codes

    def segments() -> Iterator[tuple[PredictionEvents, NDArray[Any]]]:
        for found in learner.play_segments(stream, tapes(), seed):
            polls = waiting.popleft()
            seconds.append(found.seconds)
            given = found if codes is None else decoded(found, codes, polls.untrained)
            yield polls, given.predicted

    k = made.stream.n_classes
    votes = silent(learner.name) if k else None
    found = binned(made.plan.waits, segments(), ways, k, silent=votes)
    if scored is not None and not scored.all():
        found = [Binned(one.values[scored], one.made[scored]) for one in found]
    return found, sum(seconds)
