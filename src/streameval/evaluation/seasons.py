"""Seasonal baselines under delayed targets: the latest season known on arrival."""

from __future__ import annotations

import numpy as np

from streameval.evaluation.roles import LATEST, SEASONAL
from streameval.protocols.protocol import Protocol
from streameval.streams.stream import NEVER, Stream


def seasonal_name(stream: Stream, protocol: Protocol, period: int, *, label_first: bool) -> str:
    """Name of the baseline that repeats the latest known target of a season of `period` instances.

    The name contains the lag of the latest target that is known on arrival: for a period of 24,
    ``seasonal:48`` if the target 24 instances earlier is not known yet. If the lag differs by
    instance, it is ``seasonal:24:latest``.
    """
    from streameval.learners.regression.baselines import Seasonal  # compiles kernels

    Seasonal(period)  # refuses a period below 1
    if protocol.needs_times and stream.label_time is not None:
        lag = _lag_on_arrival(stream, period, label_first=label_first)
        return f"{SEASONAL}:{lag}" if lag else f"{SEASONAL}:{period}:{LATEST}"
    seasons = getattr(protocol, "delay", 0) // period + 1
    return f"{SEASONAL}:{seasons * period}"


def _lag_on_arrival(stream: Stream, period: int, *, label_first: bool) -> int:
    """Lag of the latest season with known targets on arrival; 0 if it differs by instance.

    With several entities, lags are within an entity.
    """
    n, groups = len(stream), stream.groups
    order = np.arange(n) if groups is None else groups.order
    entity = np.zeros(n, np.int32) if groups is None else groups.code[order]
    time, due = np.asarray(stream.time)[order], np.asarray(stream.label_time)[order]
    for lag in range(period, n, period):
        is_counted = (entity[lag:] == entity[:-lag]) & (due[:-lag] != NEVER)
        is_known = due[:-lag] <= time[lag:] if label_first else due[:-lag] < time[lag:]
        if is_known[is_counted].any():
            return lag if is_known[is_counted].all() else 0
    return period
