"""Prequential evaluation: each instance is predicted, then learnt at once or after a delay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError
from streameval.base.params import Whole, parameter
from streameval.protocols.protocol import Instances, Protocol
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape, alike


def prequential(n: int, pretrain: int = 0) -> Tape:
    """Return the test-then-train tape over `n` instances.

    Parameters
    ----------
    n : int
        Length of the stream.
    pretrain : int
        Number of instances at the start that are learnt without prediction.

    Returns
    -------
    Tape
        `n` events, one for each row in order, all with weight 1.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    op = alike(PREDICT_THEN_LEARN, n, np.uint8)
    if pretrain:
        op = op.copy()
        op[:pretrain] = LEARN
    return Tape(np.arange(n, dtype=np.int32), op, alike(1, n, np.float32))


@dataclass(frozen=True)
class Prequential(Protocol):
    """Prequential evaluation: predict each instance, then learn it; see `prequential`."""

    pretrain: Whole = parameter("number of first instances that are learnt without a prediction", 0)

    name: ClassVar[str] = "prequential"
    reference: ClassVar[str] = "Gama, Sebastião, Rodrigues (2013)"

    @property
    def scores_untrained(self) -> bool:
        """See `Protocol.scores_untrained`."""
        return True

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        after = f" after {self.pretrain:,} instances of training" if self.pretrain else ""
        return f"test-then-train (prequential){after}"

    def _tapes(self, stream: Instances) -> Sequence[Tape]:
        return [prequential(len(stream), self.pretrain)]


def delayed(n: int, delay: int) -> Tape:
    """Return the tape over `n` instances whose labels all have the same delay.

    The delay is the number of instances that arrive between an instance and its label: row t is
    predicted, then row t - `delay` is learnt. With 0 a label is known before the next prediction.
    The labels of the last `delay` rows arrive after the end of the stream and are not learnt.
    ``docs/delays.md`` says how other tools and papers count delays.

    Parameters
    ----------
    n : int
        Length of the stream.
    delay : int
        Number of instances, at least 0; with 0 the tape is that of `prequential`.

    Returns
    -------
    Tape
        With a delay of 0, `n` events that predict and learn; otherwise one event for each
        prediction and one for each label. All weights are 1.

    Raises
    ------
    ConfigError
        If the delay is negative.

    References
    ----------
    Gomes et al. (2017), Adaptive random forests for evolving data stream classification, on the
    delayed setting; Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams.
    """
    if delay < 0:
        raise ConfigError(
            f"Delayed labels: expected a delay of at least 0 instances, found {delay}. With 0 a "
            "label is known before the next instance is predicted."
        )
    if delay == 0:
        return prequential(n)
    predicted = np.arange(n, dtype=np.int32)
    learnt = predicted[: max(n - delay, 0)]
    row = np.concatenate((predicted, learnt))
    op = np.repeat(np.array([PREDICT, LEARN], np.uint8), [len(predicted), len(learnt)])
    order = np.argsort(np.concatenate((predicted, learnt + delay)), kind="stable")
    return Tape(row[order], op[order], alike(1, len(row), np.float32))


def typical_delay(stream: Instances) -> int | None:
    """Return the median delay of the labels of a stream, in instances.

    Parameters
    ----------
    stream : Stream
        The instances.

    Returns
    -------
    int or None
        The delay as `Delayed` counts it, where an instance comes before a label of the same
        time. None if the stream has no times of its instances and labels.
    """
    if stream.time is None or stream.label_time is None:
        return None
    return int(np.median(delays_of(stream)))


def delays_of(stream: Instances) -> Integers:
    """Return how many instances arrive between each instance and its label, shape (n,).

    The stream has times of its instances and labels. For labels that have not arrived it is the
    number of instances since, which is less than their delay.
    """
    time, label_time = np.asarray(stream.time), np.asarray(stream.label_time)
    arrivals = np.sort(time)
    until_instance, until_label = (
        np.searchsorted(arrivals, times, side="right") for times in (time, label_time)
    )
    found: Integers = np.maximum(until_label - until_instance, 0)
    return found


def before_first_label(stream: Instances, ties: str = "instance") -> int:
    """Return how many instances of a stream with times arrive before any label does.

    No learner can predict these by what it has learnt. `ties` is what comes first at equal times.
    """
    time, label_time = np.asarray(stream.time), np.asarray(stream.label_time)
    order = np.argsort(time, kind="stable")
    place = np.empty(len(time), dtype=np.int64)
    place[order] = np.arange(len(time))
    side: Literal["left", "right"] = "left" if ties == "label" else "right"
    # No label comes before its own instance.
    until = np.maximum(np.searchsorted(time[order], label_time, side), place + 1)
    return int(until[stream.labelled].min(initial=len(time)))


@dataclass(frozen=True)
class Delayed(Protocol):
    """Delayed labels: predict each instance, and learn it a number of instances later."""

    delay: Whole = parameter("number of instances that arrive before a label is known")

    name: ClassVar[str] = "delayed"
    reference: ClassVar[str] = "Gomes et al. (2017)"

    @property
    def scores_untrained(self) -> bool:
        """See `Protocol.scores_untrained`; without a delay it is the prequential protocol."""
        return self.delay == 0

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        return f"labels delayed by {self.delay:,} instance{'s' * (self.delay != 1)}"

    def _tapes(self, stream: Instances) -> Sequence[Tape]:
        return [delayed(len(stream), self.delay)]
