"""Seasonal baselines under delayed targets: the latest season known on arrival."""

from __future__ import annotations

import numpy as np

from streameval.evaluation.roles import LATEST, SEASONAL
from streameval.protocols.protocol import Protocol
from streameval.streams.stream import NEVER, Stream


def seasonal_name(stream: Stream, protocol: Protocol, period: int, *, label_first: bool) -> str:
    """Id of the baseline that repeats the target one or more seasons of `period` instances earlier.

    The id contains the lag of the latest target that is known on arrival: for a period of 24,
    ``seasonal:48`` if the target 24 instances earlier is not known yet. If the lag differs by
    instance, the id is ``seasonal:24:latest``. `label_first` says whether a label is known to an
    instance that arrives at the same time.
    """
    from streameval.learners.regression.baselines import Seasonal  # compiles kernels

    Seasonal(period)  # refuses a period below 1
    if protocol.needs_times and stream.label_time is not None:
        lag = _lag_on_arrival(stream, period, label_first=label_first)
        return f"{SEASONAL}:{lag}" if lag else f"{SEASONAL}:{period}:{LATEST}"
    # With a delay of d instances, the target of lag d + 1 is the latest that is known.
    seasons = getattr(protocol, "delay", 0) // period + 1
    return f"{SEASONAL}:{seasons * period}"


def _lag_on_arrival(stream: Stream, period: int, *, label_first: bool) -> int:
    """Lag of the latest season with known targets on arrival; 0 if it differs by instance.

    With several entities, lags are within an entity.
    """
    n, groups = len(stream), stream.groups
    order = np.arange(n) if groups is None else groups.order
    entity = np.zeros(n, np.int32) if groups is None else groups.code[order]
    time, label_time = np.asarray(stream.time)[order], np.asarray(stream.label_time)[order]
    for lag in range(period, n, period):
        earlier_label_time = label_time[:-lag]
        has_target = (entity[lag:] == entity[:-lag]) & (earlier_label_time != NEVER)
        is_known = (
            earlier_label_time <= time[lag:] if label_first else earlier_label_time < time[lag:]
        )
        if is_known[has_target].any():
            return lag if is_known[has_target].all() else 0
    return period  # no target is known in time
