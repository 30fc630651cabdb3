"""The `Learner` contract, and the loop that all compiled learners share.

Several modules hold the state of compiled learners: `trees.tree`, `trees.alternates`,
`trees.subsets`, `bayes.class_statistics`, `regression.tree`, `regression.rules` and
`regression.search_trees`. They use the same function names for the same steps, so these functions
are called with their module, as in ``tree.make``:

- `make` makes an empty state.
- `grow` and `repack` copy the state into larger arrays; `has_room` tells whether they are needed.
- `used_bytes` is the size of the part that is in use.
- `new_leaf`, `learn` and `split` change the model.

Every other public function of the learners has a unique name.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, ClassVar, Generic, TypeAlias

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Codes
from streameval.base.errors import ConfigError, DataError
from streameval.base.memory import check_room
from streameval.base.params import Configurable, Count, Whole
from streameval.learners.by_entity import run_by_entity
from streameval.learners.kernel_arguments import (
    EventRange,
    Outputs,
    with_vote_flags,
    without_vote_flags,
)
from streameval.learners.predictions import NO_PREDICTION, P, Predictions, split_predictions
from streameval.learners.stepped_run import SteppedRun
from streameval.learners.tape_checks import check_tape
from streameval.learners.tasks import BOTH, CLASSIFICATION, REGRESSION, Tasks
from streameval.protocols.tape import Tape, join_tapes
from streameval.streams.stream import Schema, Stream

#: Largest magnitude of a target, such that the squares of some millions of targets have a finite
#: sum.
LARGEST_TARGET = 1e150
#: Events that a kernel runs in one call; progress is reported after each call.
EVENTS_PER_CALL = 65_536

#: Type of a parameter: number of members of an ensemble. It is bounded as memory grows with it.
Members = Annotated[Count, Meta(le=10_000)]
#: Type of a parameter: number of additional inputs that are always 0. It is bounded, too.
ConstantInputs = Annotated[Whole, Meta(le=10_000)]

#: Called with the number of events completed since the last call.
Progress = Callable[[int], object]


def score_table(predictions: int, n_classes: int, dtype: type = np.float32) -> NDArray[Any]:
    """Table of zeros for the class scores of `predictions` instances, shape (p, k).

    Raises
    ------
    DataError
        If the table does not fit into the memory.
    """
    check_room(
        np.dtype(dtype).itemsize * predictions * n_classes,
        f"Scores of {n_classes:,} classes for each of {predictions:,} predictions",
        "Merge classes, or choose a learner and a wrapper without scores, or free memory.",
    )
    return np.zeros((predictions, n_classes), dtype=dtype)


class AnyLearner(Configurable, ABC, Generic[P]):
    """A learner that runs over tapes: a classifier or a regressor.

    Subclasses are frozen dataclasses that hold parameters only. A run never changes them: its
    state lives inside `run`.
    """

    #: The learner's name in the registry.
    name: ClassVar[str]
    #: The publication that describes the learner.
    reference: ClassVar[str]
    #: Tasks of the class; if it has both, the target of the stream decides.
    tasks: ClassVar[Tasks] = BOTH
    #: Whether predictions depend only on past labels.
    ignores_inputs: ClassVar[bool] = False
    #: Whether the learner has one model per entity of a stream with several entities; see
    #: `run_by_entity`.
    one_model_per_entity: ClassVar[bool] = False
    #: Whether a learner with one model per entity predicts nothing before the first label of an
    #: entity. Otherwise the model over all entities predicts until then.
    waits_for_label_of_entity: ClassVar[bool] = False
    #: Whether predictions refer to the class codes of the stream, which are then never reordered;
    #: see `class_order`.
    uses_class_codes: ClassVar[bool] = False
    #: Whether the learner learns from labels; predictions that are read from a file do not.
    learns: ClassVar[bool] = True
    #: Whether predictions may depend on the seed of a run. A user's class that sets it to False
    #: runs once where others run with several seeds. For the package's learners see
    #: `registry.RANDOMISED_LEARNERS`.
    is_random: ClassVar[bool] = True

    @property
    def possible_tasks(self) -> Tasks:
        """Tasks of this learner; an adapter omits the tasks for which its model is not made."""
        return self.tasks

    @abstractmethod
    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> P:
        """Run over a tape: predict and learn its rows in the order of its events.

        Parameters
        ----------
        stream : Stream
            The instances that the tape's rows refer to.
        tape : Tape
            The predict and learn events.
        seed : int
            Seed of a randomised learner; other learners ignore it.
        scores : bool
            Also return class scores. Regressors have none.
        progress : callable, optional
            Called with the number of events completed since the last call.

        Returns
        -------
        Predictions or PredictedValues
            One prediction for each predict event, in tape order.
        """

    def run_segments(self, stream: Stream, tapes: Iterable[Tape], seed: int = 1) -> Iterator[P]:
        """Run over a tape that arrives in segments; predictions equal those over the joined tape.

        Compiled learners, and models that learn instance by instance, hold one segment at a time.
        All other learners, such as wrappers that look ahead in a tape, first join the segments.

        Parameters
        ----------
        stream, seed
            See `run`.
        tapes : iterable of Tape
            The segments.

        Yields
        ------
        Predictions or PredictedValues
            The predictions of each segment. The seconds of the segments sum to the seconds of the
            run. The size of the model is measured after the segment; if segments were joined, at
            the end of the run.

        Raises
        ------
        DataError
            If segments that must be joined do not fit into the memory.
        """
        segments = [*tapes]
        if segments:
            predictions = self.run(stream, join_tapes(segments), seed)
            yield from split_predictions(predictions, [len(tape.predict_rows) for tape in segments])

    def begin(self, stream: Stream, tape: Tape, seed: int = 1) -> SteppedRun[P]:
        """Begin a run with class scores that advances step by step.

        For the parameters see `run`. The caller may change the weights of later events between
        two steps. Raises ConfigError if the learner needs the whole tape at once.
        """
        raise ConfigError(
            f"Expected a learner that runs event by event, since it has to request labels, found "
            f"{self.name}, which needs the whole tape first. Choose one of the package's learners "
            "without a wrapper, or a class with learn and predict; or the strategy random or every."
        )

    def check_scores(self, stream: Stream) -> None:
        """Raise an error if the learner has no class scores for a stream.

        A wrapper has class scores if its inner learner, the attribute `learner`, has them.

        Raises
        ------
        ConfigError
            If the learner has no class scores.
        """
        inner = getattr(self, "learner", None)
        if isinstance(inner, AnyLearner):
            inner.check_scores(stream)

    def _check_can_run(self, stream: Stream, tape: Tape) -> None:
        """Refuse a target of the other task, infinite targets, and a tape of another stream."""
        is_numeric = stream.schema.classes is None
        if (REGRESSION if is_numeric else CLASSIFICATION) not in self.possible_tasks:
            raise wrong_target_error(self.name, stream)
        if is_numeric:
            _check_targets(self.name, stream)
        check_tape(stream, tape)


#: Type of a parameter that accepts any classifier: a `Learner`, or an adapter.
Classifier: TypeAlias = AnyLearner[Predictions]


class Learner(AnyLearner[Predictions]):
    """A classifier that runs over tapes."""

    tasks: ClassVar[Tasks] = (CLASSIFICATION,)


def wrong_target_error(learner: str, stream: Stream) -> DataError:
    """Error for a learner whose task is not the task of the stream."""
    target = f"the target {stream.schema.target!r} of stream {stream.name!r}"
    if stream.schema.classes is None:
        predicts, kind = "classes", "numeric"
        expected = "a regressor, such as fimt_dd, or a nominal target column"
    else:
        predicts, kind = "numbers", "nominal"
        expected = (
            "a classifier, such as naive_bayes, or numbers as the target (numeric_target, "
            "--numeric-target)"
        )
    return DataError(
        f"Learner {learner!r} predicts {predicts}, and {target} is {kind}: expected {expected}. "
        "`streameval learners` lists what each predicts."
    )


def _check_targets(learner: str, stream: Stream) -> None:
    """Refuse numeric targets that are not finite, or above `LARGEST_TARGET`."""
    wrong_rows = np.flatnonzero(~(np.abs(stream.y) <= LARGEST_TARGET) & stream.labelled)
    if wrong_rows.size:
        row = wrong_rows[0]
        raise DataError(
            f"{learner}: expected finite numbers as the target {stream.schema.target!r} of "
            f"stream {stream.name!r}, up to {LARGEST_TARGET:g}, found {stream.y[row]} at row "
            f"{stream.file_row_of(row)}. Remove rows without a target; give large targets in "
            "another unit."
        )


class Compiled(AnyLearner[P]):
    """A learner whose state is a NamedTuple of arrays and whose loop is one kernel."""

    @abstractmethod
    def _outputs(self, n_predictions: int, schema: Schema, scores: bool) -> Any:
        """Arrays for `n_predictions` predictions, which `_advance` fills."""

    @abstractmethod
    def _results(self, rows: Codes, outputs: Any, scores: bool, costs: dict[str, Any]) -> P:
        """Predictions of a run for `rows`; `costs` has the keys seconds, model_bytes and size."""

    @abstractmethod
    def _start(self, schema: Schema, seed: int) -> Any:
        """State before the first event."""

    @abstractmethod
    def _advance(self, state: Any, events: EventRange, outputs: Any) -> tuple[int, int]:
        """Run over a range of the events of a tape.

        Returns the number of the next event and the next free entry of the outputs. A kernel whose
        arrays are full returns early, before it changes anything for that event. After `_grow` it
        continues there.
        """

    def _prepared(self, stream: Stream) -> Stream:
        """Stream in the form that the kernel reads."""
        return stream

    def _grow(self, state: Any) -> Any:
        """Copy of the state with larger arrays; only for learners whose arrays can be full."""
        raise MemoryError(f"{self.name}: the state is full and cannot grow.")

    @abstractmethod
    def _model_bytes(self, state: Any) -> int:
        """Bytes of the state that are in use."""

    def _model_counts(self, state: Any) -> dict[str, int]:
        """Size of the model in the learner's own terms, such as leaves."""
        return {}

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> P:
        """See `Learner.run`."""
        if self.one_model_per_entity and stream.groups is not None:
            # `run_by_entity` calls this method again, on streams without groups.
            run: Callable[..., P] = partial(self.run, seed=seed, scores=scores)
            return run_by_entity(
                run,
                stream,
                stream.groups,
                tape,
                waits_for_label=self.waits_for_label_of_entity,
                progress=progress,
            )
        return _complete(CompiledRun(self, stream, tape, seed, scores=scores), tape, progress)

    def begin(self, stream: Stream, tape: Tape, seed: int = 1) -> CompiledRun[P]:
        """See `AnyLearner.begin`."""
        return CompiledRun(self, stream, tape, seed, scores=True, vote_flags=True)

    def run_segments(self, stream: Stream, tapes: Iterable[Tape], seed: int = 1) -> Iterator[P]:
        """See `AnyLearner.run_segments`."""
        if self.one_model_per_entity and stream.groups is not None:
            yield from super().run_segments(stream, tapes, seed)
            return
        run = None
        for tape in tapes:
            if run is None:
                run = CompiledRun(self, stream, tape, seed)
            else:
                run.continue_with(tape)
            yield _complete(run, tape)


class CompiledLearner(Compiled[Predictions], Learner):
    """A compiled classifier."""

    def _outputs(self, n_predictions: int, schema: Schema, scores: bool) -> Outputs:
        return Outputs(
            np.full(n_predictions, NO_PREDICTION, dtype=np.int16),
            score_table(n_predictions if scores else 0, schema.n_classes),
        )

    def _results(
        self, rows: Codes, outputs: Outputs, scores: bool, costs: dict[str, Any]
    ) -> Predictions:
        label, table = outputs
        return Predictions(rows, label, table.shape[1], table if scores else None, **costs)


def chunks(events: int, progress: Progress | None) -> Iterator[range]:
    """Yield all event numbers in ranges of `EVENTS_PER_CALL`; report each completed range."""
    for start in range(0, events, EVENTS_PER_CALL):
        chunk = range(start, min(start + EVENTS_PER_CALL, events))
        yield chunk
        if progress is not None:
            progress(len(chunk))


class CompiledRun(Generic[P]):
    """The run of a compiled learner over a tape, step by step.

    Between two steps the caller may read the predictions so far and change the inputs of later
    rows. Each step costs some microseconds, so steps should be as long as possible.

    Parameters
    ----------
    learner : Compiled
        The classifier or regressor.
    stream, tape, seed, scores
        See `Learner.run`.
    vote_flags : bool
        Whether an additional score marks predictions without votes; see `with_vote_flags`.

    Attributes
    ----------
    outputs : Outputs or RegressionOutputs
        One entry per predict event of the tape, filled up to the last completed event.
    inputs : ndarray of float64, shape (n, m)
        The inputs that the kernel reads: at first the inputs of the stream.

    Raises
    ------
    DataError
        If the target is of the other task, or the tape refers to rows that do not exist.
    """

    def __init__(
        self,
        learner: Compiled[P],
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        vote_flags: bool = False,
    ) -> None:
        learner._check_can_run(stream, tape)
        self._learner, self._has_scores, self._has_vote_flags = learner, scores, vote_flags
        self._stream = learner._prepared(stream)
        self.inputs = self._stream.X
        self._begin(tape)
        self._state = learner._start(self._stream.schema, seed)
        # A call without events compiles the kernel, or loads it from the cache.
        learner._advance(self._state, self._events, self.outputs)

    def _begin(self, tape: Tape) -> None:
        X, y, schema = self._stream.X, self._stream.y, self._stream.schema
        self._rows = tape.predict_rows
        outputs = self._learner._outputs(len(self._rows), schema, self._has_scores)
        self.outputs = with_vote_flags(outputs) if self._has_vote_flags else outputs
        self._tape = tape
        no_events = tape.events(0, 0)  # `advance` fills in the events
        self._events = EventRange(X, y, *no_events, start=0, stop=0, entry=0)
        self._event = self._entry = 0  # the next event, and the next free entry of the outputs

    def continue_with(self, tape: Tape) -> None:
        """Complete the tape, and continue with another tape of the same stream.

        The model is kept; `outputs` starts again with the first prediction of the new tape.

        Raises
        ------
        DataError
            If the tape refers to rows that do not exist.
        """
        check_tape(self._stream, tape)
        self.advance(len(self._tape))
        self._begin(tape)

    def advance(self, stop: int) -> None:
        """Run the events before number `stop`."""
        while self._event < stop:
            begin = self._event
            row, op, weight = self._tape.events(begin, min(stop, begin + EVENTS_PER_CALL))
            events = self._events._replace(
                row=row, op=op, weight=weight, stop=len(row), entry=self._entry
            )
            n_done, self._entry = self._learner._advance(self._state, events, self.outputs)
            self._event += n_done
            if n_done < len(row):
                self._state = self._learner._grow(self._state)

    def predictions(self, seconds: float) -> P:
        """Predictions so far; the caller gives their time in seconds."""
        costs = {
            "seconds": seconds,
            "model_bytes": self._learner._model_bytes(self._state),
            "size": self._learner._model_counts(self._state),
        }
        outputs = without_vote_flags(self.outputs) if self._has_vote_flags else self.outputs
        return self._learner._results(self._rows, outputs, self._has_scores, costs)


def _complete(run: CompiledRun[P], tape: Tape, progress: Progress | None = None) -> P:
    """Run to the end of a tape, and return the predictions."""
    seconds = 0.0
    for events in chunks(len(tape), progress):
        start_time = time.thread_time()
        run.advance(events.stop)
        seconds += time.thread_time() - start_time
    return run.predictions(seconds)
