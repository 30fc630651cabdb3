"""Inputs that become known only after an instance has arrived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError
from streameval.streams.stream import NEVER, Attribute, Stream


class DelayedInput(NamedTuple):
    """An input that becomes known at `time`, after the instance has arrived; NaN until then."""

    attribute: Attribute
    values: Floats
    time: Integers


def split_later_inputs(
    stream: Stream, known_at: Mapping[str, str]
) -> tuple[Stream, list[DelayedInput]]:
    """Split a stream into one with the inputs known at arrival, and the later inputs.

    `known_at` maps a later attribute to the attribute with its time. The result has neither as an
    input. A missing time means that the input never becomes known.
    """
    places = {attribute.name: place for place, attribute in enumerate(stream.schema.attributes)}
    missing = [name for pair in known_at.items() for name in pair if name not in places]
    if missing:
        raise ConfigError(
            f"Stream {stream.name!r}: expected the attributes that `known_at` names, "
            f"found none called {missing[0]!r}. Correct the name."
        )
    delayed = []
    for name, time_name in known_at.items():
        place, times = places[name], stream.X[:, places[time_name]]
        never = np.isnan(times)
        time = np.where(never, NEVER, np.where(never, 0, times).astype(np.int64))
        delayed.append(DelayedInput(stream.schema.attributes[place], stream.X[:, place], time))
    later = {places[name] for pair in known_at.items() for name in pair}
    at_arrival = [place for place in places.values() if place not in later]
    schema = replace(
        stream.schema, attributes=tuple(stream.schema.attributes[place] for place in at_arrival)
    )
    return replace(stream, X=stream.X[:, at_arrival], schema=schema, _digest=[]), delayed
