"""Inputs that become known only after an instance has arrived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError
from streameval.streams.stream import NEVER, Attribute, Stream


class LaterInput(NamedTuple):
    """An input that is missing until `time`, after the instance has arrived."""

    attribute: Attribute
    values: Floats
    time: Integers


def split_later_inputs(
    stream: Stream, known_at: Mapping[str, str]
) -> tuple[Stream, list[LaterInput]]:
    """Split a stream into one with the inputs known at arrival, and the later inputs.

    `known_at` maps a later input to the attribute with the time at which it becomes known. The
    returned stream has neither of the two. A missing time means that the input is never known.
    """
    index_of = {attribute.name: j for j, attribute in enumerate(stream.schema.attributes)}
    missing = [name for pair in known_at.items() for name in pair if name not in index_of]
    if missing:
        raise ConfigError(
            f"Stream {stream.name!r}: expected the attributes that `known_at` names, "
            f"found none called {missing[0]!r}. Correct the name."
        )
    later_inputs = []
    for name, time_name in known_at.items():
        j, times = index_of[name], stream.X[:, index_of[time_name]]
        never = np.isnan(times)
        # NaN is replaced by 0 first, since it has no integer.
        time = np.where(never, NEVER, np.where(never, 0, times).astype(np.int64))
        later_inputs.append(LaterInput(stream.schema.attributes[j], stream.X[:, j], time))
    removed = {index_of[name] for pair in known_at.items() for name in pair}
    at_arrival = [j for j in index_of.values() if j not in removed]
    schema = replace(
        stream.schema, attributes=tuple(stream.schema.attributes[j] for j in at_arrival)
    )
    return replace(stream, X=stream.X[:, at_arrival], schema=schema), later_inputs
