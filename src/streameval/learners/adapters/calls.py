"""Batches of events for a model that takes many instances per call."""

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
    n_finished: int  # number of events that end in this block; some rows are learnt in the next one


def event_blocks(tape: Tape) -> Iterator[EventBlock]:
    """Blocks of a tape that only predict or only learn, each of at most `BLOCK` rows."""
    # An event that predicts and then learns becomes two operations.
    is_double = tape.op == PREDICT_THEN_LEARN
    event = np.repeat(np.arange(len(tape)), 1 + is_double)
    is_second = np.diff(event, prepend=-1) == 0
    op = np.where(is_second, LEARN, np.where(is_double[event], PREDICT, tape.op[event]))
    starts = np.flatnonzero(np.diff(op, prepend=0))
    for start, stop in pairwise([*starts.tolist(), len(op)]):
        for first in range(start, stop, BLOCK):
            events = event[first : min(first + BLOCK, stop)]
            unfinished = int(is_double[events].sum()) if op[first] == PREDICT else 0
            yield EventBlock(
                int(op[first]), tape.row[events], tape.weight[events], len(events) - unfinished
            )
