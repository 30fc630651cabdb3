"""The contract for a run that advances step by step."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

Q = TypeVar("Q", covariant=True)


class SteppedRun(Protocol[Q]):
    """The run of a learner over a tape, step by step; for example `learner.CompiledRun`.

    Attributes
    ----------
    outputs : Outputs
        The predictions of completed events, with scores (p, k + 1). The last column is not a class:
        it is 0 if the learner has no votes for any class, otherwise 1.
    """

    outputs: Any

    def advance(self, stop: int) -> None:
        """Run the events before number `stop`."""

    def predictions(self, seconds: float) -> Q:
        """Predictions of the whole run; the caller gives its time in seconds."""
