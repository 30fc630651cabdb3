"""Prequential evaluation: each instance is predicted, then learnt immediately or after a delay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError
from streameval.base.params import Whole, parameter
from streameval.protocols.protocol import Instances, Protocol
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape, constant_array


def prequential(n: int, pretrain: int = 0) -> Tape:
    """Test-then-train tape over `n` instances.

    Parameters
    ----------
    n : int
        Length of the stream.
    pretrain : int
        Number of instances at the start that are learnt without being predicted.

    Returns
    -------
    Tape
        An event for each row in order, with weight 1.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    op = constant_array(PREDICT_THEN_LEARN, n, np.uint8)
    if pretrain:
        op = op.copy()
        op[:pretrain] = LEARN
    return Tape(np.arange(n, dtype=np.int32), op, constant_array(1, n, np.float32))


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
        pretrain = f" after {self.pretrain:,} instances of training" if self.pretrain else ""
        return f"test-then-train (prequential){pretrain}"

    def _tapes(self, stream: Instances) -> Sequence[Tape]:
        return [prequential(len(stream), self.pretrain)]


def delayed(n: int, delay: int) -> Tape:
    """Tape over `n` instances whose labels all have the same delay.

    The delay is the number of instances that arrive between an instance and its label: row t is
    predicted, then row t - `delay` is learnt. With a delay of 0, a label is known before the next
    prediction. The labels of the last `delay` rows arrive after the end of the stream and are not
    learnt. ``docs/delays.md`` says how other tools and papers count delays.

    Parameters
    ----------
    n : int
        Length of the stream.
    delay : int
        Number of instances, at least 0; with 0 the tape is `prequential`.

    Returns
    -------
    Tape
        With a delay of 0, `n` events that predict and learn; otherwise separate events for
        predictions and labels. All weights are 1.

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
    time = np.concatenate((predicted, learnt + delay))
    order = np.argsort(time, kind="stable")  # at equal times the prediction comes first
    return Tape(row[order], op[order], constant_array(1, len(row), np.float32))


def typical_delay(stream: Instances) -> int | None:
    """Median delay of the labels of a stream, in instances.

    Parameters
    ----------
    stream : Stream
        The instances.

    Returns
    -------
    int or None
        The delay as `Delayed` counts it. At equal times, an instance counts as earlier than a
        label. None if the stream has no times of instances and labels.
    """
    if stream.time is None or stream.label_time is None:
        return None
    return int(np.median(delays_in_instances(stream)))


def delays_in_instances(stream: Instances) -> Integers:
    """Number of instances that arrive between each instance and its label, shape (n,).

    The stream must have times of instances and labels. If the label has not arrived, the result is
    the number of later instances, which is a lower bound on the delay.
    """
    time, label_time = np.asarray(stream.time), np.asarray(stream.label_time)
    arrivals = np.sort(time)
    n_up_to_instance, n_up_to_label = (
        np.searchsorted(arrivals, times, side="right") for times in (time, label_time)
    )
    delays: Integers = np.maximum(n_up_to_label - n_up_to_instance, 0)
    return delays


def before_first_label(stream: Instances, ties: str = "instance") -> int:
    """Number of instances of a stream with times that arrive before the first label.

    No learner has been trained when it predicts these instances. `ties` says whether an "instance"
    or a "label" comes first at equal times.
    """
    time, label_time = np.asarray(stream.time), np.asarray(stream.label_time)
    order = np.argsort(time, kind="stable")
    rank = np.empty(len(time), dtype=np.int64)
    rank[order] = np.arange(len(time))
    side: Literal["left", "right"] = "left" if ties == "label" else "right"
    # Number of instances before each label; its own instance always comes before it.
    n_arrived = np.maximum(np.searchsorted(time[order], label_time, side), rank + 1)
    return int(n_arrived[stream.labelled].min(initial=len(time)))


@dataclass(frozen=True)
class Delayed(Protocol):
    """Delayed labels: predict each instance, and learn it a number of instances later."""

    delay: Whole = parameter("number of instances that arrive before a label is known")

    name: ClassVar[str] = "delayed"
    reference: ClassVar[str] = "Gomes et al. (2017)"

    @property
    def scores_untrained(self) -> bool:
        """See `Protocol.scores_untrained`; without a delay, this is the prequential protocol."""
        return self.delay == 0

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        return f"labels delayed by {self.delay:,} instance{'s' * (self.delay != 1)}"

    def _tapes(self, stream: Instances) -> Sequence[Tape]:
        return [delayed(len(stream), self.delay)]
