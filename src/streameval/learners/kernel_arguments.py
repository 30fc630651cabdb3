"""Arguments of the kernels of compiled learners: events of a tape, and arrays for predictions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats
from streameval.compiled import instructions
from streameval.compiled.kernels import inlined

#: Number of events from the prefetch of an instance to its use; affects speed only.
PREFETCH_DISTANCE = np.uint64(32)


class EventRange(NamedTuple):
    """Events of a tape, of which ``start:stop`` are run, with the stream that they refer to.

    Shapes: n instances, m attributes, e events.
    """

    X: Floats  # (n, m)
    y: Codes  # (n,); float64 for a regressor
    row: Codes  # (e,), see `Tape`
    op: NDArray[np.uint8]  # (e,)
    weight: NDArray[np.float32]  # (e,)
    start: int
    stop: int
    entry: int  # the next free entry of `Outputs`


class Outputs(NamedTuple):
    """One prediction for each of the p predict events, k classes."""

    label: NDArray[np.int16]  # (p,)
    scores: NDArray[np.float32]  # (p, k), or (0, k) if scores are not requested


def with_vote_flags(outputs: Outputs) -> Outputs:
    """Outputs with an additional score, the vote flag.

    The flag is 1 at first. A kernel sets it to 0 for a prediction without votes.
    """
    p, k = outputs.scores.shape
    flagged = np.zeros((p, k + 1), dtype=outputs.scores.dtype)
    flagged[:, k] = 1.0
    return outputs._replace(scores=flagged)


def without_vote_flags(outputs: Outputs) -> Outputs:
    """Outputs without the flags that `with_vote_flags` added."""
    return outputs._replace(scores=np.ascontiguousarray(outputs.scores[:, :-1]))


class RegressionOutputs(NamedTuple):
    """One predicted number for each of the p predict events."""

    value: Floats  # (p,)


@inlined
def event_numbers(events: EventRange) -> Any:
    """Numbers of the events to run; for the type see `compiled.kernels`."""
    return range(np.uint64(events.start), np.uint64(events.stop))


@inlined
def event_at(events: EventRange, event: int) -> tuple[Any, Any, float]:
    """Row of the instance, operation and weight of an event.

    Memory is slower than learning, so the instance of a later event is prefetched here.
    """
    later_row = events.row[min(event + PREFETCH_DISTANCE, np.uint64(events.stop - 1))]
    instance = events.X[later_row]
    attribute = 0
    while attribute < instance.shape[0]:
        instructions.prefetch(instance, attribute)
        attribute += instructions.CACHE_LINE // 8  # a float64 has eight bytes
    return np.uint64(events.row[event]), events.op[event], np.float64(events.weight[event])


@inlined
def write_scores(votes: Floats, predicted: int, out: NDArray[np.float32]) -> None:
    """Normalise votes (k,), and write them as scores (k,) that sum to one.

    If the votes are all zero, or not finite, the predicted class gets the full score, and the vote
    flag becomes 0 if `out` has one, with the shape (k + 1,); see `with_vote_flags`.
    """
    total = 0.0
    for vote in votes:
        total += vote
    if total > 0.0 and np.isfinite(total):
        for c in range(votes.shape[0]):
            out[c] = votes[c] / total
    else:
        out[:] = 0.0  # also the vote flag
        out[predicted] = 1.0
