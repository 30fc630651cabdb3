"""Batch models that are retrained at intervals on the latest labelled instances."""

from __future__ import annotations

import inspect
import pickle
import time
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats
from streameval.base.errors import ConfigError
from streameval.base.other_tools import SKLEARN, memory_of_model, repeated_warnings_once
from streameval.base.seeds import generator
from streameval.base.values import check_integer, flag_of
from streameval.learners.adapters.estimators import (
    InputFormat,
    begins_untrained,
    build_model,
    check_estimator,
    class_of,
    explain_errors,
    has_method,
    is_pipeline,
    model_tasks,
    read_model,
    steps_of,
)
from streameval.learners.adapters.event_blocks import BLOCK
from streameval.learners.adapters.number_meaning import number_meaning
from streameval.learners.adapters.prediction_buffer import (
    BufferedLearner,
    PredictionBuffer,
    predictions_per_row,
    repetitions,
)
from streameval.learners.estimate import watch_fit
from streameval.learners.learner import Progress
from streameval.learners.tasks import Tasks, task_name
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Number of labels before the first fit, unless `every` is smaller: few, since there is no
#: prediction before.
LABELS_BEFORE_FIRST_FIT = 100
#: Seeds of fits are below this, so that every estimator accepts them.
_SEED_LIMIT = 2**31


@dataclass(frozen=True)
class Retrained(BufferedLearner):
    """An estimator that is retrained from scratch on a sliding window of labelled instances.

    After every `every` labels an untrained copy is fitted on the last `window` labelled instances,
    in the order in which their labels arrived. Between two fits the model does not change. The
    first fit comes after `LABELS_BEFORE_FIRST_FIT` labels, or after `every` labels if that is less.
    Before the first fit there is no prediction, which measures of classifiers count as wrong.
    Labels of weight 0 do not count. If all labels of a window belong to one class, that class is
    predicted without a fit, since many classifiers refuse such a window. A fit that is followed by
    no prediction is skipped.

    Each fit has its own seed, derived from the seed of the run and the number of the fit. Each
    ``random_state`` that is not set gets this seed. Weights other than 1 go to estimators whose
    ``fit`` takes ``sample_weight``, in a pipeline to its last step; other estimators get an
    instance of weight 2 twice. Missing numbers are passed on, and many estimators refuse them. A
    missing nominal value has 0 in all of its columns.

    ``Predictions.seconds`` is the time inside ``fit``, ``predict`` and ``predict_proba``, and
    ``Predictions.size`` has the number of ``fits``. ``Predictions.model_bytes`` is the size of the
    last model and of the instances of the window. The size of the model is its length as `pickle`
    writes it, or else its `memory_of_model`.

    Parameters
    ----------
    model : str, mapping, list or object
        A description, see `streameval.base.other_tools`; a list becomes a pipeline. Or an object
        with ``fit(X, y)`` and ``predict(X)``, such as a classifier or a pipeline of scikit-learn.
        The object stays unchanged: each fit begins with an untrained copy.
    every : int
        Number of labels between two fits.
    window : int
        Maximum number of labelled instances that a model is fitted on.
    one_hot : bool
        Whether each value of a nominal attribute gets a column of zeros and ones. Otherwise
        codes are passed on as numbers.
    as_frame : bool
        Whether instances are passed on as a pandas frame with the names of the attributes. Nominal
        values are categories then. `InputFormat` says which models always get a frame.

    Raises
    ------
    ConfigError
        If scikit-learn is not installed, the description is wrong, the estimator predicts neither
        classes nor numbers, or a parameter is out of range.

    References
    ----------
    Read, Žliobaitė (2022), Learning from data streams: an overview and update, arXiv 2212.14720.
    """

    #: Models may refer to class codes in their parameters; see `AnyLearner.uses_class_codes`.
    uses_class_codes: ClassVar[bool] = True

    model: Any
    every: int = 1000
    window: int = 5000
    one_hot: bool = True
    as_frame: bool = False

    name: ClassVar[str] = "retrained"
    reference: ClassVar[str] = "Read, Žliobaitė (2022), arXiv 2212.14720"

    def __post_init__(self) -> None:
        for name in ("every", "window"):
            object.__setattr__(
                self, name, check_integer(getattr(self, name), f"{self.name}, {name}")
            )
        for name in ("one_hot", "as_frame"):
            object.__setattr__(self, name, flag_of(getattr(self, name), f"{self.name}, {name}"))
        # `read_model` refuses an empty list.
        steps = self.model if isinstance(self.model, list) and self.model else [self.model]
        last = [inner for step in steps for inner in steps_of(read_model(step))][-1]
        if not has_method(last, "fit"):
            raise ConfigError(
                f"{class_of(last).__name__} cannot be retrained: it has no fit. Expected an "
                "estimator with fit(X, y) and predict(X), such as those of scikit-learn."
            )
        check_estimator(last)

    @property
    def possible_tasks(self) -> Tasks:
        """Tasks of the last step by its declared kind; nothing is constructed."""
        return model_tasks(self.model)

    def build(self, seed: int) -> Any:
        """Build the untrained estimator with a seed."""
        if isinstance(self.model, list) and self.model:
            steps = [build_model(step, seed) for step in self.model]
            return SKLEARN.module(".pipeline").make_pipeline(*steps)
        return build_model(self.model, seed)

    def check_scores(self, stream: Stream) -> None:
        """See `AnyLearner.check_scores`."""
        check_has_scores(self.build(seed=1))

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
        run = _Run(self, stream, seed, scores)
        return self._run_over(run, stream, tape, scores, progress)

    def run_segments(self, stream: Stream, tapes: Iterable[Tape], seed: int = 1) -> Iterator[Any]:
        """See `AnyLearner.run_segments`."""
        run = None
        for tape in tapes:
            self._check_can_run(stream, tape)
            run = _Run(self, stream, seed) if run is None else run
            yield self._run_over(run, stream, tape)

    def _run_over(
        self,
        run: _Run,
        stream: Stream,
        tape: Tape,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> Any:
        """Run over a tape, or a segment of one."""
        buffer = self._buffer(stream, tape.predict_rows, scores, run.model_name, run.numbers)
        run.seconds = 0.0
        with repeated_warnings_once():
            run.over(stream, tape, buffer, progress)
        predictions = buffer.predictions(run.seconds, run.size())
        return replace(predictions, size={"fits": run.fits})

    def fits_due(self, labels: Any) -> Any:
        """Number of fits that are due after `labels` labels, elementwise."""
        is_early = self.every > LABELS_BEFORE_FIRST_FIT
        n_early = (labels >= LABELS_BEFORE_FIRST_FIT) if is_early else 0
        return labels // self.every + n_early

    def labels_at_fit(self, fit: int) -> int:
        """Number of labels after which a fit is due; the first fit is number 1."""
        if self.every <= LABELS_BEFORE_FIRST_FIT:
            return fit * self.every
        return LABELS_BEFORE_FIRST_FIT if fit == 1 else (fit - 1) * self.every


def check_has_scores(model: Any) -> None:
    """Raise ConfigError if an estimator has no class scores."""
    if not hasattr(model, "predict_proba"):
        raise ConfigError(
            f"{type(steps_of(model)[-1]).__name__} has no class scores, and they are requested: "
            "with its parameters, there is no predict_proba. Change the parameters, or run it "
            "without scores."
        )


class _Run:
    """The state of a run: the model, and the latest labelled instances."""

    def __init__(self, learner: Retrained, stream: Stream, seed: int, scores: bool = False) -> None:
        self._learner, self._seed, self._scores = learner, seed, scores
        self._k, self._classes = stream.n_classes, stream.schema.classes or ()
        template = learner.build(seed=1)
        self._inputs = InputFormat(
            [template], stream.schema, one_hot=learner.one_hot, as_frame=learner.as_frame
        )
        if scores:
            check_has_scores(template)
        last = steps_of(template)[-1]
        # Checked again, since an object can declare more than its class.
        check_estimator(last, (task_name(stream),))
        self.model_name = f"The retrained {type(last).__name__}"
        self.numbers = number_meaning(last.fit, begins_untrained=begins_untrained(last))
        self._weights_argument = _weights_argument(template, last)
        self._model: Any = None
        #: Number of fits that were due when the model was fitted. Some of them were skipped.
        self._version = 0
        #: Number of labels of earlier segments.
        self._n_labels = 0
        self.fits = 0
        self.seconds = 0.0
        #: Size of the model; -1 if it has not been measured.
        self._bytes = -1
        #: The latest labelled instances of earlier segments.
        self._X: Floats = np.empty((0, stream.X.shape[1]))
        self._y, self._w = stream.y[:0], np.empty(0, np.float32)

    def over(
        self, stream: Stream, tape: Tape, buffer: PredictionBuffer[Any], progress: Progress | None
    ) -> None:
        """Run over a tape, or over its next segment, and retrain the model before predictions."""
        learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
        n_labels_before = self._n_labels + np.cumsum(learns) - learns
        predicts = np.flatnonzero(tape.op & PREDICT)
        version = self._learner.fits_due(n_labels_before[predicts])
        bounds = [*np.flatnonzero(np.diff(version, prepend=-1)).tolist(), len(predicts)]
        rows, weights, n_finished = tape.row[learns], tape.weight[learns], 0
        for start, stop in pairwise(bounds):
            if version[start] != self._version:
                self._fit(stream, rows, weights, int(version[start]), progress is not None)
            for first in range(start, stop, BLOCK):  # limits the memory of a call
                events = predicts[first : min(first + BLOCK, stop)]
                self._predict(stream, tape.row[events], buffer)
                if progress is not None:
                    progress(int(events[-1]) + 1 - n_finished)
                    n_finished = int(events[-1]) + 1
        if progress is not None and n_finished < len(tape):
            progress(len(tape) - n_finished)
        self._store(stream, rows, weights)

    def _fit(
        self,
        stream: Stream,
        rows: Codes,
        weights: NDArray[np.float32],
        version: int,
        is_watched: bool,
    ) -> None:
        """Fit a model on its window; `rows` are all rows that this segment learns."""
        self._version = version
        n_labels = self._learner.labels_at_fit(version)
        old = self._window_slice(len(self._y), -len(self._y), n_labels)
        new = self._window_slice(len(rows), 0, n_labels)
        rows = rows[new]
        X = np.concatenate([self._X[old], stream.X[rows]])
        y = np.concatenate([self._y[old], stream.y[rows]])
        weights = np.concatenate([self._w[old], weights[new]])
        self._bytes = -1
        if self._k and (y == y[0]).all():
            self._model = _OneClass(self._classes[int(y[0])])
            return
        model = self._learner.build(self._seed_of(version))
        weight_argument = {}
        if (weights != 1.0).any():
            if self._weights_argument:
                weight_argument = {self._weights_argument: weights.astype(np.float64)}
            else:
                counts = [repetitions(weight, self.model_name) for weight in weights.tolist()]
                X, y = np.repeat(X, counts, axis=0), np.repeat(y, counts)
        inputs, labels = self._inputs.rows(X), self._inputs.labels(y)
        description = f"{self.model_name}: fit {self.fits + 1}, of {len(labels):,} instances,"
        started = time.thread_time()
        with (
            explain_errors(lambda: self.model_name, stream, rows, stream.X[rows]),
            watch_fit(description) if is_watched else nullcontext(),
        ):
            model.fit(inputs, labels, **weight_argument)
        self.seconds += time.thread_time() - started
        self._model, self.fits = model, self.fits + 1

    def _window_slice(self, length: int, begin: int, n_labels: int) -> slice:
        """Slice of a list of labels: its labels in the window that ends after `n_labels` labels.

        The list has `length` consecutive labels. Its first label has number `begin`, counted from
        the start of this segment.
        """
        first = self._n_labels + begin
        low, high = n_labels - self._learner.window - first, n_labels - first
        return slice(min(max(low, 0), length), min(max(high, 0), length))

    def _seed_of(self, version: int) -> int:
        return int(generator("retrained", self._seed, "fit", version).integers(_SEED_LIMIT))

    def _predict(self, stream: Stream, rows: Codes, buffer: PredictionBuffer[Any]) -> None:
        if self._model is None:
            votes = np.zeros((len(rows), self._k)) if self._scores else None
            buffer.add([None] * len(rows), votes)
            return
        X = self._inputs.rows(stream.X[rows])
        started = time.thread_time()
        with explain_errors(lambda: self.model_name, stream, rows, X):
            predicted = self._model.predict(X)
            scores = self._model.predict_proba(X) if self._scores else None
        self.seconds += time.thread_time() - started
        columns = getattr(self._model, "classes_", None) if self._scores else None
        predicted = predictions_per_row(predicted, stream.file_row_of(rows), self.model_name)
        buffer.add(predicted, scores, columns)

    def _store(self, stream: Stream, rows: Codes, weights: NDArray[np.float32]) -> None:
        """Store the labelled instances that later segments may need."""
        # A fit waits for the next prediction, up to `every` labels after the end of its window.
        limit = self._learner.window + self._learner.every
        self._n_labels += len(rows)
        rows, weights = rows[-limit:], weights[-limit:]
        old = slice(max(len(self._y) + len(rows) - limit, 0), None)
        self._X = np.concatenate([self._X[old], stream.X[rows]])
        self._y = np.concatenate([self._y[old], stream.y[rows]])
        self._w = np.concatenate([self._w[old], weights])

    def size(self) -> int:
        """Bytes of the model and of the instances that the next fit may need."""
        if self._bytes < 0 and self._model is not None:
            self._bytes = _bytes_of(self._model)
        n_instances = min(self._learner.window, len(self._y))
        per_instance = self._X.shape[1] * self._X.itemsize + self._y.itemsize + self._w.itemsize
        return max(self._bytes, 0) + n_instances * per_instance


class _OneClass:
    """Model of a window with a single class, which it predicts."""

    def __init__(self, label: str) -> None:
        self.classes_ = np.array([label])

    def predict(self, X: Floats) -> Any:
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X: Floats) -> Any:
        return np.ones((len(X), 1))


def _weights_argument(model: Any, last: Any) -> str:
    """Name of the argument of `fit` for instance weights; "" if `fit` takes no weights."""
    if "sample_weight" not in inspect.signature(last.fit).parameters:
        return ""
    if not is_pipeline(model):
        return "sample_weight"
    inner, names = model, []
    while is_pipeline(inner):
        name, inner = inner.steps[-1]
        names.append(name)
    return "__".join([*names, "sample_weight"])


def _bytes_of(model: Any) -> int:
    """Length of the pickled model, which includes arrays outside Python such as trees."""
    try:
        return len(pickle.dumps(model))
    except Exception:  # a custom model may raise anything
        return memory_of_model(model)
