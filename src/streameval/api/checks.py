"""Checks of what evaluations and comparisons are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from streameval.errors import ConfigError, DataError, excerpt
from streameval.streams.stream import Stream

#: Seeds are 64 bits wide, as in compiled learners.
_SEEDS = 2**63


def check_stream(stream: Stream) -> None:
    """Refuse what is not a stream."""
    if not isinstance(stream, Stream):
        raise DataError(
            f"Expected a stream, found {type(stream).__name__} {excerpt(repr(stream), 60)}. Make "
            "one with read(), load(), from_pandas(), from_arrays() or generate()."
        )


def check_seed(seed: Any) -> None:
    """Refuse what is not a whole number of 64 bits."""
    is_whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if not is_whole or not -_SEEDS <= seed < _SEEDS:
        raise ConfigError(
            "seed: expected a whole number, of 64 bits with its sign, found "
            f"{excerpt(repr(seed), 60)}."
        )
