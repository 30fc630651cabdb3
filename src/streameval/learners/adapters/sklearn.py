"""scikit-learn's classifiers and regressors with ``partial_fit`` as learners."""

from __future__ import annotations

import inspect
import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.errors import ConfigError, listing, warn_caller
from streameval.base.other_tools import SKLEARN, ObjectSpec, memory_of_model, repeated_warnings_once
from streameval.learners.adapters.estimators import (
    InputFormat,
    begins_untrained,
    build_model,
    check_estimator,
    check_values,
    class_of,
    estimator_tasks,
    explain_errors,
    has_method,
    join_batches,
    model_tasks,
    read_model,
    steps_of,
    take_rows,
)
from streameval.learners.adapters.event_blocks import EventBlock, event_blocks
from streameval.learners.adapters.number_meaning import number_meaning
from streameval.learners.adapters.prediction_buffer import (
    BufferedLearner,
    predictions_per_row,
    repetitions,
)
from streameval.learners.learner import Progress
from streameval.learners.tasks import BOTH, CLASSIFICATION, REGRESSION, TaskName, Tasks, task_name
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.readers.table import StreamWarning
from streameval.streams.stream import Stream

#: Examples of estimators with ``partial_fit`` by task, for a message.
_INCREMENTAL_EXAMPLES: dict[TaskName, str] = {
    CLASSIFICATION: "SGDClassifier, Perceptron, MLPClassifier, GaussianNB and BernoulliNB",
    REGRESSION: "SGDRegressor, PassiveAggressiveRegressor and MLPRegressor",
}
#: Least number of instances that transformers learn together at the start, if one has no
#: ``partial_fit`` or cannot begin with a single instance.
MIN_FIRST_BATCH = 100


@dataclass(frozen=True)
class SklearnLearner(BufferedLearner):
    """A model of scikit-learn that learns by ``partial_fit``, or an object with its methods.

    The model runs over the events in tape order. Consecutive events with the same operation are one
    call: many rows that are only predicted, or only learnt. Most models learn them as a
    mini-batch, which may differ from learning them one by one; on a prequential tape each call
    has one instance. There is no prediction before the first instance is learnt. A transformer
    without ``partial_fit``, such as ``SimpleImputer``, learns once, from the first
    `MIN_FIRST_BATCH` instances, and a warning says so; until then there is no prediction. A
    transformer whose first call needs several instances, such as ``IncrementalPCA``, waits until it
    can learn them together. Missing numbers are passed on, and most models refuse them. A missing
    nominal value has 0 in all of its columns.

    Weights go to models that take ``sample_weight``; other models learn an instance of weight
    2 twice. Instances of weight 0 are left out. ``Predictions.seconds`` is the time inside
    ``partial_fit``, ``predict`` and ``predict_proba``. ``Predictions.model_bytes`` is
    the `memory_of_model`.

    Parameters
    ----------
    model : str, mapping, list or object of scikit-learn
        A description, see `streameval.base.other_tools`. A list has transformers and, at the
        end, the classifier or regressor: scikit-learn's own pipelines cannot learn step by step.
        Or an estimator or a pipeline, which stays unchanged: each run begins with an untrained
        copy (`sklearn.base.clone`) of each step. Each ``random_state`` that is not set gets the
        seed of the run.
    one_hot : bool
        Whether each value of a nominal attribute gets a column of zeros and ones. Otherwise
        codes are passed on as numbers.
    as_frame : bool
        See `Retrained`.

    Raises
    ------
    ConfigError
        If scikit-learn is not installed, the description is wrong, or the model cannot learn
        step by step.

    References
    ----------
    Pedregosa et al. (2011), Scikit-learn: machine learning in Python.
    """

    uses_class_codes: ClassVar[bool] = True

    model: Any
    one_hot: bool = True
    as_frame: bool = False

    name: ClassVar[str] = "sklearn"
    reference: ClassVar[str] = "Pedregosa et al. (2011), Scikit-learn"

    def _check_combination(self) -> None:
        _check_steps([read_model(step) for step in steps_of(self.model)])

    @property
    def possible_tasks(self) -> Tasks:
        """Tasks of the last step by its declared kind; nothing is constructed."""
        return model_tasks(self.model)

    def _build(self, seed: int, stream: Stream) -> list[Any]:
        steps = [build_model(step, seed) for step in steps_of(self.model)]
        # Checked again, since the methods of an object can depend on its parameters.
        _check_steps(steps, (task_name(stream),))
        return steps

    def check_scores(self, stream: Stream) -> None:
        """See `AnyLearner.check_scores`."""
        _Chain(self._build(1, stream), stream.n_classes).check_scores()

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
        self._check_can_run(stream, tape)
        run = SklearnRun(self, stream, tape, seed, scores=scores)
        with repeated_warnings_once():
            for block in event_blocks(tape):
                run.run_block(block)
                if progress is not None:
                    progress(block.n_finished)
        return run.predictions(run.seconds)

    def begin(self, stream: Stream, tape: Tape, seed: int = 1) -> SklearnRun:
        """See `AnyLearner.begin`."""
        self._check_can_run(stream, tape)
        return SklearnRun(self, stream, tape, seed, scores=True).add_vote_flags()


class SklearnRun:
    """The run of a model of scikit-learn over a tape, a few events at a time; see `SteppedRun`.

    Attributes
    ----------
    seconds : float
        CPU time inside the model so far.
    """

    def __init__(
        self, learner: SklearnLearner, stream: Stream, tape: Tape, seed: int, *, scores: bool
    ) -> None:
        steps = learner._build(seed, stream)
        self._inputs = InputFormat(
            steps, stream.schema, one_hot=learner.one_hot, as_frame=learner.as_frame
        )
        self._chain = _Chain(steps, stream.n_classes, self._inputs.classes)
        if scores:
            self._chain.check_scores()
        self._stream, self._tape, self._scores = stream, tape, scores
        last = self._chain.last
        numbers = number_meaning(last.partial_fit, begins_untrained=begins_untrained(last))
        self._buffer = learner._buffer(
            stream, tape.predict_rows, scores, self._chain.model_name, numbers
        )
        self.outputs, self._event, self.seconds = self._buffer.outputs, 0, 0.0
        self._chain.warn_of_delayed_start()

    def add_vote_flags(self) -> SklearnRun:
        """Add vote flags to the outputs; see `SteppedRun`."""
        self._buffer.add_vote_flags()
        self.outputs = self._buffer.outputs
        return self

    def advance(self, stop: int) -> None:
        """See `SteppedRun.advance`."""
        for block in event_blocks(Tape(*self._tape.events(self._event, stop))):
            # A block in which all weights are 0 is skipped before its inputs are converted.
            if block.op == PREDICT or block.weights.any():
                self.run_block(block)
        self._event = max(stop, self._event)

    def run_block(self, block: EventBlock) -> None:
        """Run over consecutive events with the same operation."""
        chain, stream = self._chain, self._stream
        X, y = self._inputs.rows(stream.X[block.rows]), self._inputs.labels(stream.y[block.rows])
        started = time.thread_time()
        with explain_errors(lambda: chain.step_name, stream, block.rows, X):
            if block.op == LEARN:
                chain.learn(X, y, block.weights)
            else:
                predicted = chain.predict(X)
                votes = chain.scores(X) if self._scores else None
        self.seconds += time.thread_time() - started
        if block.op == PREDICT:
            rows = stream.file_row_of(block.rows)
            columns = chain.columns if self._scores else None
            self._buffer.add(predictions_per_row(predicted, rows, chain.model_name), votes, columns)

    def predictions(self, seconds: float) -> Any:
        """See `SteppedRun.predictions`."""
        self._chain.warn_of_invalid()
        return self._buffer.predictions(seconds, memory_of_model(self._chain.steps))


class _Chain:
    """Transformers and a classifier, which learn and predict in sequence."""

    def __init__(self, steps: list[Any], n_classes: int, classes: Any = None) -> None:
        classes = np.arange(n_classes) if classes is None else classes
        self.steps = steps
        #: Argument of ``partial_fit`` for all classes; regressors take none.
        self.classes_argument = {"classes": classes} if n_classes else {}
        *self.transformers, self.last = steps
        self.model_name = f"scikit-learn's {type(self.last).__name__}"
        self.n_classes = n_classes
        self.is_trained = False
        #: Inputs, labels and weights that are learnt once all transformers can learn.
        self.pending: list[tuple[Any, NDArray[Any], NDArray[Any]]] = []
        self.one_time_transformers = [step for step in self.transformers if _learns_once(step)]
        #: Transformers whose first call needs several instances.
        self.batch_starters = [step for step in self.transformers if _smallest_batch(step)]
        self.first_batch = max([MIN_FIRST_BATCH, *map(_smallest_batch, self.batch_starters)])
        #: Whether the first batch is complete, or not needed.
        self.has_started = not (self.one_time_transformers or self.batch_starters)
        self.running = self.last
        self.n_predicted = self.n_invalid = 0
        self.takes_weights = all(
            "sample_weight" in inspect.signature(step.partial_fit).parameters
            for step in steps
            if hasattr(step, "partial_fit")
        )

    @property
    def step_name(self) -> str:
        """Name of the step that is running, for messages."""
        if self.running is self.last:
            return self.model_name
        return f"{self.model_name}: the step {type(self.running).__name__}"

    def check_scores(self) -> None:
        """Refuse to give class scores if the last step has none."""
        if not hasattr(self.last, "predict_proba"):
            raise ConfigError(
                f"{self.model_name} has no class scores, and they are requested: with its "
                "parameters, there is no predict_proba. Change them, or run it without scores."
            )

    def learn(self, X: Any, y: NDArray[Any], w: NDArray[np.float32]) -> None:
        if self.takes_weights:
            counts = (w > 0).astype(np.intp)
            weight_argument = {"sample_weight": w[w > 0].astype(np.float64)}
        else:
            # As elsewhere, only positive weights are learnt.
            counts = np.array(
                [repetitions(max(weight, 0), self.model_name) for weight in w.tolist()]
            )
            weight_argument = {}
        X, y = take_rows(X, np.repeat(np.arange(len(y)), counts)), np.repeat(y, counts)
        if not self.has_started:
            self.pending.append((X, y, w[w > 0]))  # weights are used only if rows are not repeated
            if sum(len(labels) for _, labels, _ in self.pending) < self.first_batch:
                return
            X, y, w = map(join_batches, zip(*self.pending, strict=True))
            if self.takes_weights:
                weight_argument = {"sample_weight": w.astype(np.float64)}
            self.pending = []
        if len(y) == 0:
            return
        for step in self.transformers:
            self.running = step
            if hasattr(step, "partial_fit"):
                step.partial_fit(X, y, **weight_argument)
            elif not self.has_started:
                step.fit(X, y)
            X = step.transform(X)
        self.running = self.last
        self.last.partial_fit(X, y, **self.classes_argument, **weight_argument)
        self.is_trained = self.has_started = True

    def warn_of_delayed_start(self) -> None:
        """Warn of transformers that learn only once, or not from the first instance."""
        consequence = "until then there is no prediction"
        if self.n_classes:
            consequence += ", which counts as wrong"
        if self.one_time_transformers:
            names = listing(type(step).__name__ for step in self.one_time_transformers)
            warn_caller(
                f"{self.model_name}: {names} cannot learn step by step (no partial_fit) and so "
                f"learns once, from the first {self.first_batch} labelled instances; "
                f"{consequence}.",
                StreamWarning,
            )
        if self.batch_starters:
            names = listing(type(step).__name__ for step in self.batch_starters)
            warn_caller(
                f"{self.model_name}: {names} cannot begin with single instances and so learns the "
                f"first {self.first_batch} labelled instances together; {consequence}.",
                StreamWarning,
            )

    def warn_of_invalid(self) -> None:
        """Warn of predictions computed from NaN, which are always the first class."""
        if self.n_invalid:
            warn_caller(
                f"{self.model_name}: {self.n_invalid:,} of {self.n_predicted:,} predictions rest "
                "on invalid numbers (NaN) and are arbitrary, for example because the model has "
                "learnt fewer than two different instances of a class. Choose a learner that needs "
                "fewer, such as naive_bayes, or retrain this one: retrained(...).",
                StreamWarning,
            )

    def predict(self, X: Any) -> Any:
        if not self.is_trained:
            return [None] * len(X)
        X, n_rows = self._transform(X), len(X)
        predicted, is_invalid = self._predict_and_check(X)
        self.n_predicted += n_rows
        if is_invalid and n_rows > 1:  # predict row by row to count the invalid predictions
            rows = (take_rows(X, np.arange(i, i + 1)) for i in range(n_rows))
            self.n_invalid += sum(self._predict_and_check(row)[1] for row in rows)
        else:
            self.n_invalid += is_invalid
        return predicted

    def _predict_and_check(self, X: Any) -> tuple[Any, bool]:
        """Predictions, and whether an operation gave NaN, such as 0/0 or inf - inf."""
        operations: list[object] = []

        def record(*arguments: object) -> None:
            operations.append(arguments)

        # Division by zero alone gives an infinity, which can still be compared.
        with np.errstate(divide="ignore", invalid="call", call=record):
            return self.last.predict(X), bool(operations)

    def scores(self, X: Any) -> Any:
        if not self.is_trained:
            return np.zeros((len(X), self.n_classes))
        X = self._transform(X)
        with np.errstate(divide="ignore", invalid="ignore"):  # `predict` counts invalid rows
            return self.last.predict_proba(X)

    @property
    def columns(self) -> Any:
        """Class of each score column; None if columns have the order of the stream's classes."""
        return getattr(self.last, "classes_", None) if self.is_trained else None

    def _transform(self, X: Any) -> Any:
        for step in self.transformers:
            self.running = step
            X = step.transform(X)
        self.running = self.last
        return X


def _check_steps(steps: list[Any], tasks: Tasks = BOTH) -> None:
    """Refuse steps, or parts of a description, that cannot learn these tasks from a stream."""
    *transformers, last = steps
    for step in transformers:
        _check_transformer(step)
    check_estimator(last, tasks)
    if not has_method(last, "partial_fit"):
        examples = " and ".join(
            _INCREMENTAL_EXAMPLES[task] for task in tasks if task in estimator_tasks(last)
        )
        raise ConfigError(
            f"{class_of(last).__name__} cannot learn from a stream: it has no partial_fit. "
            f"{examples} have one, for example. Or retrain it from time to time: retrained(...), "
            "on the command line --learner retrained:CLASS."
        )


def _check_transformer(step: Any) -> None:
    check_values(step)
    name = class_of(step).__name__
    if not has_method(step, "transform"):
        raise ConfigError(f"{name} is no transformer: in a list only the last step predicts.")
    if _learns_once(step) and not has_method(step, "fit"):
        raise ConfigError(
            f"{name} cannot learn from a stream: it has neither partial_fit nor fit. Use a "
            "transformer that has one, such as StandardScaler, MinMaxScaler or MaxAbsScaler."
        )


def _learns_once(step: Any) -> bool:
    """True for a transformer that learns, but not step by step."""
    if has_method(step, "partial_fit"):
        return False
    if not has_method(step, "__sklearn_tags__"):  # does not say that it needs no fit
        return True
    if isinstance(step, ObjectSpec):  # only an object has tags
        return False
    return bool(SKLEARN.module(".utils").get_tags(step).requires_fit)


def _smallest_batch(step: Any) -> int:
    """Smallest number of instances in a transformer's first call; 0 if it takes any number."""
    if not (hasattr(step, "partial_fit") and hasattr(step, "get_params")):
        return 0
    parameters = step.get_params(deep=False)
    sizes = [parameters[name] for name in ("n_components", "n_clusters") if name in parameters]
    # With None or "auto", scikit-learn adapts the number to the first batch.
    return max([2, *(size for size in sizes if isinstance(size, int))]) if sizes else 0
