"""Tapes in segments."""

from __future__ import annotations

from collections.abc import Iterator

from streameval.protocols.tape import Tape


def segments(tape: Tape, most: int) -> Iterator[Tape]:
    """Yield the events of a tape, at most so many at a time."""
    for begin in range(0, len(tape), most):
        yield Tape(*tape.events(begin, begin + most))
