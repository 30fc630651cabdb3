"""A learner whose seeds count from a given first seed instead of 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from msgspec import Meta

from streameval.learners.learner import AnyLearner, Progress
from streameval.learners.predictions import P
from streameval.learners.stepped_run import SteppedRun
from streameval.learners.tasks import Tasks
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream

#: Class variables of `AnyLearner` that are copied from the inner learner.
_COPIED = (
    "name",
    "reference",
    "ignores_inputs",
    "one_model_per_entity",
    "waits_for_label_of_entity",
    "uses_class_codes",
    "learns",
    "is_random",
)


@dataclass(frozen=True)
class Reseeded(AnyLearner[P]):
    """A learner whose runs with seeds 1, 2, ... use the seeds `seed`, `seed` + 1, ...

    Parameters
    ----------
    learner : AnyLearner
        The inner learner.
    seed : int
        Seed of the inner learner in the run with seed 1.
    """

    learner: AnyLearner[P]
    seed: Annotated[int, Meta(ge=0, le=2**31 - 1)]

    name: ClassVar[str] = "reseeded"
    reference: ClassVar[str] = "none: see the inner learner"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in _COPIED:
            object.__setattr__(self, name, getattr(self.learner, name))

    @property
    def possible_tasks(self) -> Tasks:
        """See `AnyLearner.possible_tasks`."""
        return self.learner.possible_tasks

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> P:
        """See `AnyLearner.run`."""
        inner_seed = self._inner_seed(seed)
        return self.learner.run(stream, tape, inner_seed, scores=scores, progress=progress)

    def run_segments(self, stream: Stream, tapes: Iterable[Tape], seed: int = 1) -> Iterator[P]:
        """See `AnyLearner.run_segments`."""
        return self.learner.run_segments(stream, tapes, self._inner_seed(seed))

    def begin(self, stream: Stream, tape: Tape, seed: int = 1) -> SteppedRun[P]:
        """See `AnyLearner.begin`."""
        return self.learner.begin(stream, tape, self._inner_seed(seed))

    def _inner_seed(self, seed: int) -> int:
        return seed + self.seed - 1
