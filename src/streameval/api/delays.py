"""The protocol that suits the labels of a stream."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from streameval.errors import ConfigError, some
from streameval.protocols.delayed import Delayed, typical_delay
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import NEVER, Stream


def protocol_for(
    stream: Stream,
    protocol: str | Mapping[str, Any] | Protocol | None,
    delay: int | None = None,
    every: int | None = None,
    label_first: bool = False,
) -> tuple[Stream, Protocol]:
    """Return the protocol of an evaluation, and the stream with the times that it needs.

    Parameters
    ----------
    stream : Stream
        The stream.
    protocol : str, mapping or Protocol, optional
        By default re-evaluation if labels are delayed, and prequential evaluation otherwise.
    delay : int, optional
        Number of instances that arrive between an instance and its label.
    every : int, optional
        Number of labels between two predictions of an instance; by default 10.
    label_first : bool
        Whether a label comes before an instance of the same time.

    Raises
    ------
    ConfigError
        If the parameters contradict each other or the stream.
    """
    given = {"delay": delay is not None, "every": every is not None, "label_first": label_first}
    found = None if protocol is None else parse(protocol)
    if found is not None:
        if found.needs_times:
            del given["delay"]
        if any(given.values()):
            raise ConfigError(
                f"Expected either the protocol {found} or {_listed(given)}, found both. Leave one "
                "out: without a protocol, delayed labels are learnt when they arrive."
            )
    if delay is not None:
        if label_first:
            raise ConfigError(
                "label_first is for streams with times: a delay counts the instances that come "
                "before the label, so that there is no tie. Leave one of the two out."
            )
        stream = with_delay(stream, delay)
    if found is not None:
        return stream, found
    if stream.label_time is None:
        if any(given.values()):
            raise ConfigError(
                f"Expected delayed labels for {_listed(given)}, found none in stream "
                f"{stream.name!r}. Give a delay (--delay N), or name the columns that say when "
                "instances and labels arrive (--time COLUMN --label-time COLUMN)."
            )
        return stream, parse(DEFAULT)
    # By its name: its module loads numba, which a check of a usual stream does without.
    settings: dict[str, Any] = {} if every is None else {"every": every}
    ties = "label" if label_first else "instance"
    return stream, parse({"name": "reevaluation", **settings, "ties": ties})


def warn_of_delays(stream: Stream, protocol: Protocol) -> None:
    """Warn that a protocol uses labels of a stream before they are known, or that never are."""
    if stream.label_time is None or protocol.needs_times:
        return
    remarks = []
    if not protocol.delays_labels:
        remarks.append(
            f"Labels of {stream.name!r} are delayed, but here each label is known before the next "
            "instance. "
            + (
                "All errors are smaller than in practice."
                if stream.schema.classes is None
                else "All accuracies, also that of the previous label, are higher than in practice."
            )
        )
    never = int(np.count_nonzero(stream.label_time == NEVER))
    if never:
        remarks.append(
            f"Labels of {stream.name!r} that never arrive are scored and learnt here: {never:,}."
        )
    delay = typical_delay(stream)
    if remarks and delay:
        remarks.append(
            f"To respect it, evaluate without a protocol, or with protocol='delayed:{delay}' "
            f"(--protocol delayed:{delay})."
        )
    if remarks:
        warnings.warn(" ".join(remarks), StreamWarning, stacklevel=3)


def _listed(given: Mapping[str, bool]) -> str:
    return some([name for name, is_given in given.items() if is_given])


def with_delay(stream: Stream, delay: int) -> Stream:
    """Return a stream each of whose labels arrives after so many further instances.

    Its instances arrive at 0, 1, 2, ...: in the order of their times if the stream has any, else of
    their rows. The last labels arrive after the last instance.

    Raises
    ------
    ConfigError
        If the delay is not a whole number, or the stream has label times of its own.
    """
    if stream.label_time is not None:
        raise ConfigError(
            f"Expected either a delay or label times, found both: stream {stream.name!r} has times "
            "of its labels. Leave the delay out, or the column of label times (label_time)."
        )
    instances = Delayed(delay).delay
    if instances >= len(stream):
        warnings.warn(
            f"No label of {stream.name!r} arrives before its last instance: the delay is "
            f"{instances:,}, and there are {len(stream):,} instances. On arrival, all predictions "
            "are those of untrained learners.",
            StreamWarning,
            stacklevel=3,
        )
    time = np.arange(len(stream))
    if stream.time is not None:
        time = np.argsort(np.argsort(stream.time, kind="stable"), kind="stable")
    label_time = np.where(stream.labelled, time + instances, NEVER)
    return replace(stream, time=time, label_time=label_time, _digest=[])
