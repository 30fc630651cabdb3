"""The `Learner` contract, and the loop that all compiled learners share."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from streameval.errors import DataError
from streameval.learners.predictions import NO_ANSWER, Predictions
from streameval.learners.stretch import Answers, Stretch
from streameval.protocols.tape import Tape
from streameval.streams.stream import Schema, Stream

#: Events between two reports of progress.
CHUNK = 65_536

#: Called with the number of events played since the last call.
Progress = Callable[[int], object]


class Learner(ABC):
    """A classifier that plays tapes.

    Subclasses are frozen dataclasses that hold parameters only. Playing never changes
    them: the state of a run lives inside `play`.
    """

    #: The learner's name in the registry, and where it is described.
    name: ClassVar[str]
    reference: ClassVar[str]

    @abstractmethod
    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """Answer the predict events of a tape, learning what it says to learn.

        Parameters
        ----------
        stream : Stream
            The instances that the tape's rows refer to.
        tape : Tape
            What to predict and learn, in order.
        seed : int
            Seed of a randomised learner; the others ignore it.
        scores : bool
            Also return class scores.
        progress : callable, optional
            Called with the number of events played since the last call.

        Returns
        -------
        Predictions
            One answer for each predict event, in tape order.
        """

    def _check(self, stream: Stream, tape: Tape) -> None:
        """Refuse a numeric target, and a tape of another stream."""
        if stream.schema.classes is None:
            raise DataError(
                f"{self.name} is a classifier, and the target {stream.schema.target!r} of stream "
                f"{stream.name!r} is numeric. Name a nominal target column."
            )
        if len(tape) and (tape.row.min() < 0 or tape.row.max() >= len(stream)):
            raise DataError(
                f"The tape refers to rows {tape.row.min()}..{tape.row.max()}, stream "
                f"{stream.name!r} has rows 0..{len(stream) - 1}."
            )


class CompiledLearner(Learner):
    """A learner whose state is a NamedTuple of arrays and whose loop is one kernel."""

    @abstractmethod
    def _start(self, schema: Schema, seed: int) -> Any:
        """Return the empty state."""

    @abstractmethod
    def _advance(self, state: Any, stretch: Stretch, answers: Answers) -> tuple[int, int]:
        """Play a stretch of a tape.

        Returns the first event not played and the next free answer. A kernel that runs out
        of room in its arrays stops early, having done nothing of the event it returns.
        """

    def _grow(self, state: Any) -> Any:
        """Return the same state with more room."""
        raise MemoryError(f"{self.name}: the state is full and cannot grow.")

    @abstractmethod
    def _model_bytes(self, state: Any) -> int:
        """Return the size of the part of the state that is in use."""

    def _size(self, state: Any) -> dict[str, int]:
        """Return the size of the model in the learner's own terms."""
        return {}

    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Predictions:
        """See `Learner.play`."""
        self._check(stream, tape)
        predict_rows = tape.predict_rows
        p, k = len(predict_rows), stream.n_classes
        answers = Answers(
            np.full(p, NO_ANSWER, dtype=np.int16),
            np.empty((p if scores else 0, k), dtype=np.float32),
        )
        stretch = Stretch(stream.X, stream.y, tape.row, tape.op, tape.weight, 0, 0, 0)
        state = self._start(stream.schema, seed)
        self._advance(state, stretch, answers)  # compiles, or loads from the cache
        seconds, event, at = 0.0, 0, 0
        while event < len(tape):
            stop = min(event + CHUNK, len(tape))
            begun = time.thread_time()
            stretch = stretch._replace(start=event, stop=stop, at=at)
            reached, at = self._advance(state, stretch, answers)
            if reached < stop:
                state = self._grow(state)
            seconds += time.thread_time() - begun
            if progress is not None:
                progress(reached - event)
            event = reached
        return Predictions(
            row=predict_rows,
            label=answers.label,
            n_classes=k,
            scores=answers.scores if scores else None,
            seconds=seconds,
            model_bytes=self._model_bytes(state),
            size=self._size(state),
        )
