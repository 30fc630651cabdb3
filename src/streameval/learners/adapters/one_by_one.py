"""Models that are Python objects and take one instance at a time."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, DataError, StreamevalError, excerpt
from streameval.base.other_tools import (
    arguments_for,
    construct,
    memory_of_model,
    place_of,
    repeated_warnings_once,
)
from streameval.learners.adapters.number_labels import NumberLabels, number_labels
from streameval.learners.adapters.prediction_buffer import BufferedLearner
from streameval.learners.learner import Progress
from streameval.learners.tasks import CLASSIFICATION, task_name
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Schema, Stream

#: Largest number of events between two reports of progress, and of instances converted at a time.
BLOCK = 1024
#: Seconds: if a block takes less, the next one has twice as many events, up to `BLOCK`.
_QUICK = 0.05


class Model(Protocol):
    """The methods of a model; ``scores(x)`` and ``interval(x)`` are optional."""

    def learn(self, x: Any, y: Any, w: float) -> object:
        """Learn an instance with the class code or target `y` and a weight above 0."""

    def predict(self, x: Any) -> Any:
        """Predict the class code or name, or the target, of an instance; None if it cannot."""


class OneByOne(BufferedLearner):
    """A learner that runs a `Model` over a tape.

    ``Predictions.seconds`` is the time inside the model; converting instances to its format is not
    included. ``Predictions.model_bytes`` is the `memory_of_model`.
    """

    knows_codes: ClassVar[bool] = True

    @abstractmethod
    def _start(self, stream: Stream, seed: int) -> Model:
        """Untrained model."""

    @abstractmethod
    def _numbers(self, model: Any) -> NumberLabels:
        """Whether whole numbers that a model predicts are class codes or class names."""

    @abstractmethod
    def _who(self, model: Any) -> str:
        """Name of a model in messages."""

    def _instances(self, X: Floats, schema: Schema) -> Sequence[Any]:
        """Rows (b, m), a copy of the stream's, in the format of the model."""
        return list(X)

    def check_scores(self, stream: Stream) -> None:
        """See `AnyLearner.check_scores`."""
        self._check_scores_of(self._start(stream, seed=1))

    def _check_scores_of(self, model: Model) -> None:
        """Refuse a model without class scores."""
        if not hasattr(model, "scores"):
            raise ConfigError(
                f"{self._who(model)} has no class scores, and they are requested: there is no "
                "method scores(x). Write one, or run it without scores."
            )

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Any:
        """See `Learner.run`."""
        self._check(stream, tape)
        model = self._model(stream, seed, scores)
        with repeated_warnings_once():
            return self._over(model, stream, tape, scores, progress)

    def begin(self, stream: Stream, tape: Tape, seed: int = 1) -> ModelSteps:
        """See `AnyLearner.begin`."""
        self._check(stream, tape)
        steps = ModelSteps(self, self._model(stream, seed, True), stream, tape, True)
        return steps.marked()

    def _model(self, stream: Stream, seed: int, scores: bool) -> Model:
        """Untrained model; raises ConfigError if scores are requested and it has none."""
        model = self._start(stream, seed)
        if scores:
            self._check_scores_of(model)
        return model

    def run_segments(self, stream: Stream, tapes: Iterable[Tape], seed: int = 1) -> Iterator[Any]:
        """See `AnyLearner.run_segments`."""
        model = None
        for tape in tapes:
            self._check(stream, tape)
            model = self._start(stream, seed) if model is None else model
            with repeated_warnings_once():
                predictions = self._over(model, stream, tape)
            yield predictions

    def _second_method(self, model: Model, stream: Stream, scores: bool) -> str:
        """Name of the method to call after each `predict`; empty for none."""
        return "scores" if scores else ""

    def _over(
        self,
        model: Model,
        stream: Stream,
        tape: Tape,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Any:
        """Run a model over a tape."""
        steps = ModelSteps(self, model, stream, tape, scores)
        start, size, before = 0, min(BLOCK, 16), 0.0
        while start < len(tape):
            stop = min(start + size, len(tape))
            steps.advance(stop)
            elapsed, before = steps.seconds - before, steps.seconds
            size = min(BLOCK, 2 * size) if elapsed < _QUICK else size
            if progress is not None:
                progress(stop - start)
            start = stop
        return steps.predictions(steps.seconds)


class ModelSteps:
    """The run of a `Model` over a tape, step by step; see `SteppedRun`.

    Attributes
    ----------
    seconds : float
        CPU time inside the model so far.
    """

    def __init__(
        self, learner: OneByOne, model: Model, stream: Stream, tape: Tape, scores: bool
    ) -> None:
        self._learner, self._model, self._stream, self._tape = learner, model, stream, tape
        self._who, self._event, self.seconds = learner._who(model), 0, 0.0
        self._second_method = learner._second_method(model, stream, scores)
        self._buffer = learner._buffer(
            stream, tape.predict_rows, scores, self._who, learner._numbers(model)
        )
        self.outputs = self._buffer.outputs

    def marked(self) -> ModelSteps:
        """Add marks of missing votes to the outputs; see `SteppedRun`."""
        self._buffer.mark()
        self.outputs = self._buffer.outputs
        return self

    def advance(self, stop: int) -> None:
        """See `SteppedRun.advance`."""
        while self._event < stop:
            now = slice(self._event, min(stop, self._event + BLOCK))
            self._run(now)
            self._event = now.stop

    def _run(self, now: slice) -> None:
        stream, tape = self._stream, self._tape
        rows, op, w = tape.row[now], tape.op[now], tape.weight[now]
        x = self._learner._instances(stream.X[rows], stream.schema)
        events = zip(x, stream.y[rows].tolist(), op.tolist(), w.tolist(), strict=True)
        begun = time.thread_time()
        predicted, votes = _run_events(
            self._model, events, self._second_method, self._who, stream.file_row_of(rows)
        )
        self.seconds += time.thread_time() - begun
        self._buffer.add(predicted, votes, getattr(self._model, "classes_", None))

    def predictions(self, seconds: float) -> Any:
        """See `SteppedRun.predictions`."""
        return self._buffer.predictions(seconds, memory_of_model(self._model))


def _run_events(
    model: Any,
    events: Iterable[tuple[Any, Any, int, float]],
    second_method: str,
    who: str,
    rows: NDArray[np.integer[Any]],
) -> tuple[list[Any], list[Any]]:
    predicted: list[Any] = []
    votes: list[Any] = []
    second = getattr(model, second_method) if second_method else None
    run = 0
    try:
        for x, y, op, w in events:
            if op & PREDICT:
                predicted.append(model.predict(x))
                if second is not None:
                    votes.append(second(x))
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


METHODS = ("learn", "predict")


@dataclass(frozen=True)
class PlainLearner(OneByOne):
    """A class with the methods ``learn`` and ``predict``, independent of this package.

    ``learn(x, y, w)`` gets three arguments. ``x`` is a float64 array (m,) in which NaN is a missing
    value and a nominal value is its code. ``y`` is the class code or the target. ``w`` is the
    weight; instances of weight 0 are left out. ``predict(x)`` returns a class code, a class name or
    a number, or None for no prediction. Whole numbers are class codes. They are class names if the
    model uses neither the labels nor the schema, and the names of the classes are whole numbers
    other than the codes (`streameval.learners.adapters.number_labels`).

    The optional ``scores(x)`` returns k non-negative numbers in the order of the model's
    ``classes_``, or of the stream's classes if the model has no ``classes_``. The optional
    ``interval(x)`` of a regressor returns the lower and the upper end of its prediction interval,
    which may be infinite, or None for no interval.

    Each run makes a new object. A parameter ``schema`` of the constructor gets the stream's
    `Schema`, and a parameter ``seed`` the seed of the run, unless `parameters` sets them.

    Parameters
    ----------
    model : type or object
        The class, or an object. An object stays unchanged: each run begins with a deep copy of
        it, including its earlier training.
    parameters : mapping
        Arguments of the class's constructor that differ from the defaults.

    Raises
    ------
    ConfigError
        If a method is missing, the constructor does not know a parameter, or an object cannot be
        copied.
    """

    model: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)

    name: ClassVar[str] = "plain"
    reference: ClassVar[str] = "none: a class from outside"

    def __post_init__(self) -> None:
        missing = [method for method in METHODS if not callable(getattr(self.model, method, None))]
        if missing:
            raise ConfigError(
                f"{_path(self._class)!r} is not a subclass of streameval.learners.learner.Learner, "
                "and so it needs the methods learn(x, y, w) and predict(x); there is no "
                f"{' and no '.join(missing)}."
            )
        if isinstance(self.model, type):
            self._arguments()

    @property
    def _class(self) -> type:
        return self.model if isinstance(self.model, type) else type(self.model)

    def _start(self, stream: Stream, seed: int) -> Any:
        if not isinstance(self.model, type):
            return self._copy()
        return construct(self.model, self._arguments(stream.schema, seed))

    def _arguments(self, schema: Schema | None = None, seed: int | None = None) -> dict[str, Any]:
        """Arguments of the constructor."""
        return arguments_for(self.model, self.parameters, {"schema": schema, "seed": seed})

    def _numbers(self, model: Any) -> NumberLabels:
        has_schema = isinstance(self.model, type) and "schema" in self._arguments()
        return number_labels(model.learn, has_schema=has_schema)

    def _copy(self) -> Any:
        try:
            return deepcopy(self.model)
        except Exception as error:
            raise ConfigError(
                f"{_path(self._class)!r}: expected an object that can be copied, so that it is not "
                f"changed by a run, found {type(error).__name__}: {error}. Give the class instead."
            ) from error

    def _who(self, model: Any) -> str:
        return _path(type(model))

    def _second_method(self, model: Any, stream: Stream, scores: bool) -> str:
        if task_name(stream) == CLASSIFICATION:
            return super()._second_method(model, stream, scores)
        return "interval" if callable(getattr(model, "interval", None)) else ""


def _path(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"
