"""Re-evaluation of a stream up to so many labels: its plan, and runs of it in pieces."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streameval.errors import DataError
from streameval.protocols.bins import Binned, Binning
from streameval.protocols.reevaluation import PredictionEvents, ReevaluationPlan, planned
from streameval.protocols.tape import Tape
from streameval.streams.delay_laws import DelayLaw
from streameval.streams.stream import NEVER, Stream

if TYPE_CHECKING:
    from streameval.learners.learner import AnyLearner, Learner
    from streameval.learners.predictions import P, PredictedValues, Predictions

#: Learners whose votes are never empty in MOA: before a label is learnt they vote for class 0, or
#: with 0 for each class. For all others see `silent` of `binned_labels`. In the paper's Table 1 it
#: decides b = 45 on Agrawal: Naive Bayes has no votes then, the Hoeffding tree has.
ALWAYS_VOTING = frozenset({"no_change", "knn", "hoeffding_tree"})


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


def silent(learner: str) -> bool | None:
    """Return the argument `silent` of `streameval.protocols.bins.binned_labels` for a learner."""
    return False if learner in ALWAYS_VOTING else None


def class_bins(
    made: Reevaluated, learner: Learner, ways: Sequence[tuple[int, str]]
) -> tuple[list[Binned], float]:
    """Run a classifier, and return the predictions that count in each bin, and CPU seconds.

    Parameters
    ----------
    made : Reevaluated
        The stream and the plan of its re-evaluation.
    learner : Learner
        The learner.
    ways : sequence of tuple of int and str
        Numbers of bins and rules, as of `streameval.protocols.bins.binned_labels`.

    Returns
    -------
    list of Binned
        For each of the ways.
    seconds : float
    """
    waits, k = made.plan.waits, made.stream.n_classes
    binnings, seconds = [Binning(waits, bins, rule, k) for bins, rule in ways], 0.0
    run: Iterator[tuple[PredictionEvents, Predictions]] = _in_pieces(made, learner, seed=1)
    for polls, found in run:
        seconds += found.seconds
        for binning in binnings:
            binning.labels(polls, found.label, silent=silent(learner.name))
    return [binning.binned for binning in binnings], seconds


def number_bins(
    made: Reevaluated, regressor: AnyLearner[PredictedValues], bins: int, rule: str, seed: int = 1
) -> tuple[Binned, float]:
    """Run a regressor, and return the predictions that count in each bin, and CPU seconds.

    Parameters
    ----------
    made : Reevaluated
        The stream and the plan of its re-evaluation.
    regressor : AnyLearner
        The regressor.
    bins, rule
        See `streameval.protocols.bins.binned_values`.
    seed : int
        Seed of a randomised regressor.
    """
    binning, seconds = Binning(made.plan.waits, bins, rule), 0.0
    for polls, found in _in_pieces(made, regressor, seed):
        seconds += found.seconds
        binning.values(polls, found.value)
    return binning.binned, seconds


def _in_pieces(
    made: Reevaluated, learner: AnyLearner[P], seed: int
) -> Iterator[tuple[PredictionEvents, P]]:
    """Yield the prediction events of each piece, and its predictions."""
    waiting = deque[PredictionEvents]()

    def tapes() -> Iterator[Tape]:
        for tape, polls in made.plan.pieces():
            waiting.append(polls)
            yield tape

    for found in learner.play_pieces(made.stream, tapes(), seed):
        yield waiting.popleft(), found
