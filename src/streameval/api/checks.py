"""Checks of what evaluations and comparisons are given."""

from __future__ import annotations

import numpy as np

from streameval.errors import ConfigError, DataError, excerpt
from streameval.streams.stream import Stream


def check_stream(stream: Stream) -> None:
    """Refuse what is not a stream."""
    if not isinstance(stream, Stream):
        raise DataError(
            f"Expected a stream, found {type(stream).__name__} {excerpt(repr(stream), 60)}. Make "
            "one with read(), load(), from_pandas(), from_arrays() or generate()."
        )


def check_seed(seed: int) -> None:
    """Refuse what is not a whole number."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool):
        raise ConfigError(f"seed: expected a whole number, found {excerpt(repr(seed), 60)}.")
