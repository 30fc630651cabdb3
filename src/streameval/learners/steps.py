"""The contract for a run that goes on step by step."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

Q = TypeVar("Q", covariant=True)


class Steps(Protocol[Q]):
    """The run of a learner over a tape, step by step, as `Play` of compiled learners.

    Attributes
    ----------
    outputs : Outputs
        The predictions of completed events. The scores, shape (p, k + 1), end with 0 where a
        learner has no votes for any class, and with 1 elsewhere.
    """

    outputs: Any

    def advance(self, stop: int) -> None:
        """Run up to the event number `stop`, which is not run itself."""

    def predictions(self, seconds: float) -> Q:
        """Return the predictions of the whole run, with its time in seconds."""
