"""A learner that is reset at the alarms of a drift detector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError
from streameval.base.seeds import generator
from streameval.detectors.alarms import CHANGE, WARNING, Alarms
from streameval.detectors.detector import Detector
from streameval.detectors.registry import parse
from streameval.learners.learner import AnyLearner, Classifier, Learner, Progress
from streameval.learners.predictions import NO_PREDICTION, Predictions
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import Stream

#: Length in events of the first segment after a reset, and of the longest segment.
_SHORTEST, _LONGEST = 64, 8192


@dataclass(frozen=True, kw_only=True)
class PredictionsWithAlarms(Predictions):
    """Predictions with the detector's signals.

    Parameters
    ----------
    alarms : Alarms
        The events of the tape, counted from 0, at which it signalled a warning or a change.
    """

    alarms: Alarms


@dataclass(frozen=True)
class Resetting(Learner):
    """Any learner, reset when a drift detector signals that its error rate has risen.

    The input of the detector is the error, 1 or 0, of a prediction made directly before an instance
    is learnt, even if the tape does not contain that prediction. At a change the model is replaced
    by an empty one, which learns this instance first.

    The model runs ahead of the detector in segments that double in length. Events after a change
    are run again with the next model. This takes at most twice the time of a run without detector;
    ``Predictions.seconds`` includes it.

    Parameters
    ----------
    learner : Classifier
        The inner learner. It must run over a tape in segments: a compiled learner, or one that
        learns instance by instance.
    detector : str or Detector
        Input of `streameval.detectors.registry.parse`, such as ``adwin``.
    warnings : bool
        Whether a second model learns the instances of the latest series of warnings, and replaces
        the first model at a change, as in DDM.

    Raises
    ------
    ConfigError
        If there is no such detector, or the learner cannot run in segments.

    References
    ----------
    Gama, Medas, Castillo, Rodrigues (2004), Learning with drift detection.
    """

    learner: Classifier
    detector: str | Detector = "adwin"
    warnings: bool = False

    name: ClassVar[str] = "resetting"
    reference: ClassVar[str] = "Gama et al. (2004)"

    def _check_together(self) -> None:
        parse(self.detector)
        if type(self.learner).run_segments is AnyLearner.run_segments:
            raise ConfigError(
                f"{self.name}: expected a learner that can run over a tape in segments, found "
                f"{self.learner.name}, which needs the whole tape first. Choose one of the "
                "package's own learners without a wrapper, or a class with learn and predict."
            )

    def check_scores(self, stream: Stream) -> None:
        """See `Learner.check_scores`: there are none."""
        raise ConfigError(f"{self.name} has no class scores, and they are requested.")

    def run(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> PredictionsWithAlarms:
        """See `Learner.run`; each model after the first gets another seed."""
        if scores:
            self.check_scores(stream)
        self._check(stream, tape)
        run = _Run(self, stream, tape, seed)
        while run.at < len(tape):
            before = run.at
            run.run_model()
            if progress is not None:
                progress(run.at - before)
        return run.predictions()


class _Run:
    """A run over a tape, model by model."""

    def __init__(self, wrapper: Resetting, stream: Stream, tape: Tape, seed: int) -> None:
        self._learner, self._has_next = wrapper.learner, wrapper.warnings
        self._stream, self._tape, self._seed = stream, tape, seed
        self._learnt = ((tape.op & LEARN) > 0) & (tape.weight > 0)
        op = np.where(self._learnt, tape.op | np.uint8(PREDICT), tape.op)
        self._inner = Tape(tape.row, op, tape.weight)
        self._predicts = (op & PREDICT) > 0
        self._label = np.full(len(tape), NO_PREDICTION, dtype=np.int16)  # of each event
        self._watch = parse(wrapper.detector).begin(seed)
        self._warned, self._changes = list[int](), list[int]()
        self._seconds, self._model_bytes = 0.0, 0
        self.at = 0  # the first event that is not completed

    def run_model(self) -> None:
        """Run a model up to the next change, or to the end."""
        first = self._first_events()
        segments = self._learner.run_segments(
            self._stream, self._segments(first), self._model_seed()
        )
        if len(first):
            self._seconds += next(segments).seconds
        for begin, end in _spans(self.at, len(self._tape)):
            predicted = next(segments)
            self._seconds += predicted.seconds
            self._model_bytes = predicted.model_bytes
            events = np.arange(begin, end)
            self._label[events[self._predicts[begin:end]]] = predicted.label
            learns = events[self._learnt[begin:end]]
            errors = self._label[learns] != self._stream.y[self._tape.row[learns]]
            signals = self._watch(errors)
            self._warned += learns[: len(signals)][signals == WARNING].tolist()
            self.at = end
            if len(signals) and signals[-1] == CHANGE:
                self._changes.append(int(learns[len(signals) - 1]))
                self.at = self._changes[-1] + 1
                return

    def _first_events(self) -> Integers:
        """Events that a new model learns first: warnings, if they are used, and the last change."""
        if not self._changes:
            return np.empty(0, np.int64)
        change = self._changes[-1]
        if not self._has_next:
            return np.array([change])
        since = self._changes[-2] if len(self._changes) > 1 else -1
        warned = np.array([event for event in self._warned if event > since], np.int64)
        # The latest series of warnings: consecutive learnt events.
        place = np.cumsum(self._learnt)[warned]
        series = np.cumsum(np.diff(place, prepend=0) > 1)
        return np.append(warned[series == series[-1]] if len(series) else warned, change)

    def _segments(self, first: Integers) -> Iterator[Tape]:
        """Yield the tape of a model: the first events, then segments as they are needed."""
        if len(first):
            learn = np.full(len(first), LEARN, np.uint8)
            yield Tape(self._tape.row[first], learn, self._tape.weight[first])
        for begin, end in _spans(self.at, len(self._tape)):
            yield Tape(*self._inner.events(begin, end))

    def _model_seed(self) -> int:
        """Seed of the current model; the first model has the seed of the run."""
        resets = len(self._changes)
        draws = generator("resetting", self._seed, resets)
        return int(draws.integers(2**31)) if resets else self._seed

    def predictions(self) -> PredictionsWithAlarms:
        """Predictions of the tape's predict events, with the detector's signals."""
        return PredictionsWithAlarms(
            self._tape.predict_rows,
            self._label[(self._tape.op & PREDICT) > 0],
            self._stream.n_classes,
            seconds=self._seconds,
            model_bytes=self._model_bytes,
            size={"warnings": len(self._warned), "changes": len(self._changes)},
            alarms=Alarms(np.array(self._warned, np.int64), np.array(self._changes, np.int64)),
        )


def _spans(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (first event, end) of segments that double in length."""
    size = _SHORTEST
    while begin < end:
        yield begin, min(begin + size, end)
        begin, size = begin + size, min(2 * size, _LONGEST)
