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
from streameval.learners.adapters.memory import size_of
from streameval.learners.adapters.predicted_labels import checked_labels, normalised_scores
from streameval.learners.adapters.quiet import shown_once
from streameval.learners.learner import Learner, Progress, score_table
from streameval.learners.predictions import NO_PREDICTION, Predictions
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Schema, Stream

#: Most events between two reports of progress, and instances that are in memory at a time.
BLOCK = 1024
#: A block of fewer events is doubled if it takes less than this, in seconds.
_QUICK = 0.05


class Model(Protocol):
    """The methods of a model; ``scores(x)`` as well, if scores are requested."""

    def learn(self, x: Any, y: int, w: float) -> object:
        """Learn an instance of class `y` with a weight above 0."""

    def predict(self, x: Any) -> Any:
        """Return the class code of an instance, or None for no prediction."""


class OneByOne(Learner):
    """A learner that runs a `Model` over a tape.

    ``Predictions.seconds`` is the time inside the model, without that of converting instances to
    its format. ``Predictions.model_bytes`` is
    `size_of` the model.
    """

    @abstractmethod
    def _start(self, stream: Stream, seed: int) -> Model:
        """Return the untrained model."""

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
    ) -> Predictions:
        """See `Learner.play`."""
        self._check(stream, tape)
        model = self._start(stream, seed)
        if scores and not hasattr(model, "scores"):
            raise ConfigError(f"{self._who(model)} gives no class scores, and they are requested.")
        with shown_once():
            return self._over(model, stream, tape, scores=scores, progress=progress)

    def play_pieces(
        self, stream: Stream, tapes: Iterable[Tape], seed: int = 1
    ) -> Iterator[Predictions]:
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
    ) -> Predictions:
        """Run a model over a tape."""
        who, k = self._who(model), stream.n_classes
        predict_rows = tape.predict_rows
        label = np.full(len(predict_rows), NO_PREDICTION, dtype=np.int16)
        table = score_table(len(predict_rows) if scores else 0, k)
        seconds, at, start, size = 0.0, 0, 0, min(BLOCK, 16)
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
            now = slice(at, at + len(predicted))
            label[now] = checked_labels(predicted, k, predict_rows[now], who)
            if scores:
                table[now] = normalised_scores(votes, label[now], k, who)
            at = now.stop
            if progress is not None:
                progress(len(rows))
        return Predictions(
            row=predict_rows,
            label=label,
            n_classes=k,
            scores=table if scores else None,
            seconds=seconds,
            model_bytes=size_of(model),
        )


def _play(
    model: Any,
    events: Iterable[tuple[Any, int, int, float]],
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
