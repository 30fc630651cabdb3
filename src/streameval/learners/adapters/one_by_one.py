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
    error_location,
    memory_of_model,
    repeated_warnings_once,
)
from streameval.learners.adapters.number_meaning import NumberMeaning, number_meaning
from streameval.learners.adapters.prediction_buffer import BufferedLearner
from streameval.learners.learner import Progress
from streameval.learners.tasks import CLASSIFICATION, task_name
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Schema, Stream

#: Maximum number of events between two reports of progress, and of instances converted at a time.
BLOCK = 1024
#: Number of events of the first block: small, so that a slow model soon reports progress.
_FIRST_BLOCK = 16
#: After a block that takes less time, the next block has twice as many events, up to `BLOCK`.
_QUICK_SECONDS = 0.05


class Model(Protocol):
    """The methods of a model; ``scores(x)`` and ``interval(x)`` are optional."""

    def learn(self, x: Any, y: Any, w: float) -> object:
        """Learn an instance with the class code or target `y` and a weight `w` above 0."""

    def predict(self, x: Any) -> Any:
        """Predict the class code or name, or the target, of an instance; None if impossible."""


class OneByOneLearner(BufferedLearner):
    """A learner that runs a `Model` over a tape, the predict and learn events of a run.

    ``Predictions.seconds`` is the time inside the model; converting instances to its format is not
    included. ``Predictions.model_bytes`` is the `memory_of_model`.
    """

    #: Models may refer to class codes in their code; see `AnyLearner.uses_class_codes`.
    uses_class_codes: ClassVar[bool] = True

    @abstractmethod
    def _start(self, stream: Stream, seed: int) -> Model:
        """Return an untrained model."""

    @abstractmethod
    def _number_meaning(self, model: Any) -> NumberMeaning:
        """Return whether whole numbers that a model predicts are class codes or class names."""

    @abstractmethod
    def _model_name(self, model: Any) -> str:
        """Return the name of a model for messages."""

    def _instances(self, X: Floats, schema: Schema) -> Sequence[Any]:
        """Convert rows (b, m) to the format of the model. `X` is a copy, which may be changed."""
        return list(X)

    def check_scores(self, stream: Stream) -> None:
        """Raise ConfigError if the model has no class scores."""
        self._check_scores_of(self._start(stream, seed=1))

    def _check_scores_of(self, model: Model) -> None:
        """Raise ConfigError if a model has no method ``scores``."""
        if not hasattr(model, "scores"):
            raise ConfigError(
                f"{self._model_name(model)} has no class scores, and they are requested: there is "
                "no method scores(x). Write one, or run it without scores."
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
        """Run a new model over a tape; see `Learner.run`."""
        self._check_can_run(stream, tape)
        model = self._model(stream, seed, scores)
        with repeated_warnings_once():
            return self._run_over(model, stream, tape, scores, progress)

    def begin(self, stream: Stream, tape: Tape, seed: int = 1) -> ModelSteps:
        """See `AnyLearner.begin`. The outputs have scores and vote flags, which wrappers read."""
        self._check_can_run(stream, tape)
        model = self._model(stream, seed, scores=True)
        return ModelSteps(self, model, stream, tape, scores=True).add_vote_flags()

    def _model(self, stream: Stream, seed: int, scores: bool) -> Model:
        """Untrained model, with class scores if they are requested."""
        model = self._start(stream, seed)
        if scores:
            self._check_scores_of(model)
        return model

    def run_segments(self, stream: Stream, tapes: Iterable[Tape], seed: int = 1) -> Iterator[Any]:
        """Run one model over tapes, one after the other; see `AnyLearner.run_segments`."""
        model = None
        for tape in tapes:
            self._check_can_run(stream, tape)
            model = self._start(stream, seed) if model is None else model
            with repeated_warnings_once():
                predictions = self._run_over(model, stream, tape)
            yield predictions

    def _extra_method(self, model: Model, stream: Stream, scores: bool) -> str:
        """Name of the method called after each `predict`: ``scores``, ``interval``, or empty."""
        return "scores" if scores else ""

    def _run_over(
        self,
        model: Model,
        stream: Stream,
        tape: Tape,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Any:
        """Run a model over a tape."""
        steps = ModelSteps(self, model, stream, tape, scores)
        start, size, seconds_before = 0, _FIRST_BLOCK, 0.0
        while start < len(tape):
            stop = min(start + size, len(tape))
            steps.advance(stop)
            elapsed, seconds_before = steps.seconds - seconds_before, steps.seconds
            size = min(BLOCK, 2 * size) if elapsed < _QUICK_SECONDS else size
            if progress is not None:
                progress(stop - start)
            start = stop
        # A wrapper, in contrast, gives the time of its whole run.
        return steps.predictions(steps.seconds)


class ModelSteps:
    """The run of a `Model` over a tape, step by step; see `SteppedRun`.

    Attributes
    ----------
    seconds : float
        CPU time inside the model so far.
    outputs
        Predictions, scores and intervals so far, with a row for each PREDICT event.
    """

    def __init__(
        self, learner: OneByOneLearner, model: Model, stream: Stream, tape: Tape, scores: bool
    ) -> None:
        self._learner, self._model, self._stream, self._tape = learner, model, stream, tape
        self._model_name = learner._model_name(model)
        self._event = 0  # the next event
        self.seconds = 0.0
        self._extra_method = learner._extra_method(model, stream, scores)
        self._buffer = learner._buffer(
            stream, tape.predict_rows, scores, self._model_name, learner._number_meaning(model)
        )
        self.outputs = self._buffer.outputs

    def add_vote_flags(self) -> ModelSteps:
        """Add flags of the predictions for which the model had votes; see `SteppedRun`."""
        self._buffer.add_vote_flags()
        self.outputs = self._buffer.outputs
        return self

    def advance(self, stop: int) -> None:
        """Run the events before number `stop`."""
        while self._event < stop:
            block = slice(self._event, min(stop, self._event + BLOCK))
            self._run(block)
            self._event = block.stop

    def _run(self, block: slice) -> None:
        """Run over a block of events."""
        stream, tape = self._stream, self._tape
        rows, op, w = tape.row[block], tape.op[block], tape.weight[block]
        x = self._learner._instances(stream.X[rows], stream.schema)
        events = zip(x, stream.y[rows].tolist(), op.tolist(), w.tolist(), strict=True)
        started = time.thread_time()
        predicted, extra_outputs = _run_events(
            self._model, events, self._extra_method, self._model_name, stream.file_row_of(rows)
        )
        self.seconds += time.thread_time() - started
        self._buffer.add(predicted, extra_outputs, getattr(self._model, "classes_", None))

    def predictions(self, seconds: float) -> Any:
        """Predictions of the whole run, which took `seconds`."""
        return self._buffer.predictions(seconds, memory_of_model(self._model))


def _run_events(
    model: Any,
    events: Iterable[tuple[Any, Any, int, float]],
    extra_method: str,
    model_name: str,
    rows: NDArray[np.integer[Any]],
) -> tuple[list[Any], list[Any]]:
    """Predictions of a model for events, and the results of the extra method.

    `rows` has the row of the file for each event; errors name it.
    """
    predicted: list[Any] = []
    extra_outputs: list[Any] = []
    call_extra = getattr(model, extra_method) if extra_method else None
    n_done = 0
    try:
        for x, y, op, w in events:
            if op & PREDICT:
                predicted.append(model.predict(x))
                if call_extra is not None:
                    extra_outputs.append(call_extra(x))
            if op & LEARN and w > 0:
                model.learn(x, y, w)
            n_done += 1
    except (StreamevalError, MemoryError):
        raise
    except Exception as error:
        raise DataError(
            f"{model_name} failed at row {rows[n_done]}: {type(error).__name__}: "
            f"{excerpt(error)} ({error_location(error)})."
        ) from error
    return predicted, extra_outputs


#: Methods that the model of a `CustomLearner` must have.
REQUIRED_METHODS = ("learn", "predict")


@dataclass(frozen=True)
class CustomLearner(OneByOneLearner):
    """A class with the methods ``learn`` and ``predict``, independent of this package.

    ``learn(x, y, w)`` gets three arguments. ``x`` is a float64 array (m,) in which NaN is a missing
    value and a nominal value is its code. ``y`` is the class code or the target. ``w`` is the
    weight; instances of weight 0 are left out. ``predict(x)`` returns a class code, a class name or
    a number, or None for no prediction. Whole numbers are read as class codes, with one exception.
    They are read as class names if the model cannot know the codes, since its ``learn`` ignores
    `y` and its constructor has no `schema`, and the class names are whole numbers that differ from
    the codes (`streameval.learners.adapters.number_meaning`).

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
        If a method is missing, the constructor does not have a parameter, or an object cannot be
        copied.
    """

    model: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)

    name: ClassVar[str] = "custom"
    reference: ClassVar[str] = "none: a custom class"

    def __post_init__(self) -> None:
        missing = [
            method for method in REQUIRED_METHODS if not callable(getattr(self.model, method, None))
        ]
        if missing:
            raise ConfigError(
                f"{_class_path(self._class)!r} is not a subclass of "
                "streameval.learners.learner.Learner, and so it needs the methods learn(x, y, w) "
                f"and predict(x); there is no {' and no '.join(missing)}."
            )
        if isinstance(self.model, type):
            self._arguments()  # ConfigError if the constructor lacks a parameter

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

    def _number_meaning(self, model: Any) -> NumberMeaning:
        has_schema = isinstance(self.model, type) and "schema" in self._arguments()
        return number_meaning(model.learn, has_schema=has_schema)

    def _copy(self) -> Any:
        try:
            return deepcopy(self.model)
        except Exception as error:
            raise ConfigError(
                f"{_class_path(self._class)!r}: expected an object that can be copied, so that it "
                f"is not changed by a run, found {type(error).__name__}: {error}. Give the class "
                "instead."
            ) from error

    def _model_name(self, model: Any) -> str:
        return _class_path(type(model))

    def _extra_method(self, model: Any, stream: Stream, scores: bool) -> str:
        if task_name(stream) == CLASSIFICATION:
            return super()._extra_method(model, stream, scores)
        return "interval" if callable(getattr(model, "interval", None)) else ""


def _class_path(cls: type) -> str:
    """Notation of a class in settings."""
    return f"{cls.__module__}:{cls.__qualname__}"
