"""Inputs that are always 0, which learners may draw all the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from streameval.streams.stream import Attribute, Stream


def with_constant_inputs(stream: Stream, count: int) -> Stream:
    """Return a stream with so many more inputs, at the end, which are always 0."""
    if count == 0:
        return stream
    names = (f"constant {i + 1}" for i in range(count))
    attributes = (*stream.schema.attributes, *map(Attribute, names))
    return replace(
        stream,
        X=np.hstack((stream.X, np.zeros((len(stream), count)))),
        schema=replace(stream.schema, attributes=attributes),
        _digest=[],
    )
