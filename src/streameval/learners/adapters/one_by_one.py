"""Models that are Python objects and take one instance at a time."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from streameval.errors import ConfigError, DataError, StreamevalError, excerpt
from streameval.learners.adapters.build import place_of
from streameval.learners.adapters.models import shown_once, size_of
from streameval.learners.adapters.sheets import Sheet
from streameval.learners.learner import AnyLearner, Progress
from streameval.learners.predictions import P
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Schema, Stream

#: Most events between two reports of progress, and instances that are in memory at a time.
BLOCK = 1024
#: A block of fewer events is doubled if it takes less than this, in seconds.
_QUICK = 0.05


class Model(Protocol):
    """The methods of a model; ``scores(x)`` as well, if scores are requested."""

    def learn(self, x: Any, y: Any, w: float) -> object:
        """Learn an instance of class code, or target, `y` with a weight above 0."""

    def predict(self, x: Any) -> Any:
        """Return the class code, or target, of an instance, or None for no prediction."""


class OneByOne(AnyLearner[P]):
    """A learner that runs a `Model` over a tape.

    ``Predictions.seconds`` is the time inside the model, without that of converting instances to
    its format. ``Predictions.model_bytes`` is
    `size_of` the model.
    """

    @abstractmethod
    def _start(self, stream: Stream, seed: int) -> Model:
        """Return the untrained model."""

    @abstractmethod
    def _sheet(self, stream: Stream, rows: NDArray[np.int32], scores: bool, who: str) -> Sheet[Any]:
        """Return the sheet for the predictions of these rows."""

    @abstractmethod
    def _who(self, model: Any) -> str:
        """Return the name of a model in messages."""

    def _instances(self, X: NDArray[np.float64], schema: Schema) -> Sequence[Any]:
        """Return rows (b, m), a copy of the stream's, in the format of the model."""
        return list(X)

    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> P:
        """See `Learner.play`."""
        self._check(stream, tape)
        model = self._start(stream, seed)
        if scores and not hasattr(model, "scores"):
            raise ConfigError(f"{self._who(model)} gives no class scores, and they are requested.")
        with shown_once():
            return self._over(model, stream, tape, scores=scores, progress=progress)

    def play_pieces(self, stream: Stream, tapes: Iterable[Tape], seed: int = 1) -> Iterator[P]:
        """See `AnyLearner.play_pieces`."""
        model = None
        for tape in tapes:
            self._check(stream, tape)
            model = self._start(stream, seed) if model is None else model
            with shown_once():
                predictions = self._over(model, stream, tape)
            yield predictions

    def _over(
        self,
        model: Model,
        stream: Stream,
        tape: Tape,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> P:
        """Run a model over a tape."""
        who, seconds = self._who(model), 0.0
        sheet = self._sheet(stream, tape.predict_rows, scores, who)
        start, size = 0, min(BLOCK, 16)
        while start < len(tape):
            stop = start + size
            rows, op, w = tape.row[start:stop], tape.op[start:stop], tape.weight[start:stop]
            x = self._instances(stream.X[rows], stream.schema)
            events = zip(x, stream.y[rows].tolist(), op.tolist(), w.tolist(), strict=True)
            begun = time.thread_time()
            predicted, votes = _play(model, events, scores, who, rows)
            taken = time.thread_time() - begun
            seconds, start = seconds + taken, stop
            size = min(BLOCK, 2 * size) if taken < _QUICK else size
            sheet.add(predicted, votes)
            if progress is not None:
                progress(len(rows))
        found: P = sheet.predictions(seconds, size_of(model))
        return found


def _play(
    model: Any,
    events: Iterable[tuple[Any, Any, int, float]],
    scores: bool,
    who: str,
    rows: NDArray[np.int32],
) -> tuple[list[Any], list[Any]]:
    predicted: list[Any] = []
    votes: list[Any] = []
    run = 0
    try:
        for x, y, op, w in events:
            if op & PREDICT:
                predicted.append(model.predict(x))
                if scores:
                    votes.append(model.scores(x))
            if op & LEARN and w > 0:
                model.learn(x, y, w)
            run += 1
    except (StreamevalError, MemoryError):
        raise
    except Exception as error:
        raise DataError(
            f"{who} failed at row {rows[run]}: {type(error).__name__}: {excerpt(error)} "
            f"({place_of(error)})."
        ) from error
    return predicted, votes
