"""The `Learner` contract, and the loop that all compiled learners share."""

from __future__ import annotations

import dataclasses
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.errors import DataError
from streameval.learners.predictions import NO_ANSWER, Predictions
from streameval.learners.stretch import Answers, Stretch
from streameval.protocols.tape import Tape
from streameval.room import check_room
from streameval.streams.stream import Schema, Stream

#: Events between two reports of progress.
CHUNK = 65_536

#: Called with the number of events played since the last call.
Progress = Callable[[int], object]


def bounded(default: int, most: int) -> Any:
    """Return the dataclass field of a parameter that a configuration may set up to `most`.

    For numbers that the memory grows with, such as the members of an ensemble.
    """
    return dataclasses.field(default=default, metadata={"most": most})


def score_table(predictions: int, n_classes: int, dtype: type = np.float32) -> NDArray[Any]:
    """Return a table for class scores, shape (p, k).

    Raises
    ------
    DataError
        If it does not fit into the memory.
    """
    check_room(
        np.dtype(dtype).itemsize * predictions * n_classes,
        f"Scores of {n_classes:,} classes for each of {predictions:,} predictions",
        "Merge classes, or choose a learner and a wrapper without scores, or free memory.",
    )
    return np.zeros((predictions, n_classes), dtype=dtype)


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
        play = Play(self, stream, tape, seed, scores=scores)
        seconds = 0.0
        for events in chunks(len(tape), progress):
            begun = time.thread_time()
            play.advance(events.stop)
            seconds += time.thread_time() - begun
        return play.predictions(seconds)


def chunks(events: int, progress: Progress | None) -> Iterator[range]:
    """Yield the numbers of events in portions, and report on each after it has been played."""
    for start in range(0, events, CHUNK):
        chunk = range(start, min(start + CHUNK, events))
        yield chunk
        if progress is not None:
            progress(len(chunk))


class Play:
    """A compiled learner on a tape, which it plays as far as it is told to.

    Between two steps its answers can be read, and inputs of rows that are still to come can
    be written. A step costs some microseconds, so take them as long as they may be.

    Parameters
    ----------
    learner : CompiledLearner
        What is played.
    stream, tape, seed, scores
        See `Learner.play`.

    Attributes
    ----------
    answers : Answers
        One place for each predict event of the tape; those played so far are filled.

    Raises
    ------
    DataError
        If the target is numeric, or the tape refers to rows that do not exist.
    """

    def __init__(
        self,
        learner: CompiledLearner,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
    ) -> None:
        learner._check(stream, tape)
        self._learner, self._rows = learner, tape.predict_rows
        p, k = len(self._rows), stream.n_classes
        self.answers = Answers(
            np.full(p, NO_ANSWER, dtype=np.int16),
            score_table(p if scores else 0, k),
        )
        self._stretch = Stretch(stream.X, stream.y, tape.row, tape.op, tape.weight, 0, 0, 0)
        self._event = self._at = 0
        self._has_scores = scores
        self._state = learner._start(stream.schema, seed)
        learner._advance(self._state, self._stretch, self.answers)  # compiles, or loads the cache

    def advance(self, stop: int) -> None:
        """Play all events before the number `stop` that were not played yet."""
        while self._event < stop:
            stretch = self._stretch._replace(start=self._event, stop=stop, at=self._at)
            self._event, self._at = self._learner._advance(self._state, stretch, self.answers)
            if self._event < stop:
                self._state = self._learner._grow(self._state)

    def predictions(self, seconds: float) -> Predictions:
        """Return the answers and the size of the model; `seconds` is what they cost."""
        return Predictions(
            row=self._rows,
            label=self.answers.label,
            n_classes=self.answers.scores.shape[1],
            scores=self.answers.scores if self._has_scores else None,
            seconds=seconds,
            model_bytes=self._learner._model_bytes(self._state),
            size=self._learner._size(self._state),
        )
