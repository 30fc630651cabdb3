"""Blocks of events with the same operation, for models that take many instances per call."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes
from streameval.protocols.tape import LEARN, PREDICT, PREDICT_THEN_LEARN, Tape

#: Largest number of instances per call.
BLOCK = 1 << 14


class EventBlock(NamedTuple):
    """Consecutive events with the same operation."""

    op: int  # PREDICT or LEARN
    rows: Codes  # (b,)
    weights: NDArray[np.float32]  # (b,)
    n_finished: int  # number of events that end here; an event may learn in the next block


def event_blocks(tape: Tape) -> Iterator[EventBlock]:
    """Blocks of a tape that only predict or only learn, each of at most `BLOCK` rows."""
    # An event that predicts and then learns becomes two operations, so `event` repeats its number.
    is_double = tape.op == PREDICT_THEN_LEARN
    event = np.repeat(np.arange(len(tape)), 1 + is_double)
    is_second = np.diff(event, prepend=-1) == 0  # -1 is no event, so the first differs
    op = np.where(is_second, LEARN, np.where(is_double[event], PREDICT, tape.op[event]))
    starts = np.flatnonzero(np.diff(op, prepend=0))  # 0 is no operation
    for start, stop in pairwise([*starts.tolist(), len(op)]):
        for first in range(start, stop, BLOCK):
            events = event[first : min(first + BLOCK, stop)]
            n_unfinished = int(is_double[events].sum()) if op[first] == PREDICT else 0
            yield EventBlock(
                int(op[first]), tape.row[events], tape.weight[events], len(events) - n_unfinished
            )
