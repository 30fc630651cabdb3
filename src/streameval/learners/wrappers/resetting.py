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

#: Length in events of the first segment after a reset.
_SHORTEST_SEGMENT = 64
#: Largest length of a segment in events.
_LONGEST_SEGMENT = 8192


@dataclass(frozen=True, kw_only=True)
class PredictionsWithAlarms(Predictions):
    """Predictions with the detector's signals.

    Parameters
    ----------
    alarms : Alarms
        Numbers of the events, from 0, at which the detector signalled a warning or a change.
    """

    alarms: Alarms


@dataclass(frozen=True)
class Resetting(Learner):
    """Any learner that is reset when a drift detector signals that its error rate has risen.

    The input of the detector is the error, 1 or 0, of a prediction made directly before an instance
    is learnt, even if the tape does not contain that prediction. At a change the model is replaced
    by an empty model, which learns this instance first.

    The model runs ahead of the detector in segments that double in length. Events after a change
    are run again with the next model. So a run takes at most twice the time of a run without a
    detector. ``Predictions.seconds`` includes this time.

    Parameters
    ----------
    learner : Classifier
        The inner learner. It must run over a tape in segments: a compiled learner, or one that
        learns instance by instance.
    detector : str or Detector
        Input of `streameval.detectors.registry.parse`, such as ``adwin``.
    warnings : bool
        Whether the new model also learns the instances of the latest series of consecutive
        warnings, as in DDM.

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

    def _check_combination(self) -> None:
        parse(self.detector)
        if type(self.learner).run_segments is AnyLearner.run_segments:
            raise ConfigError(
                f"{self.name}: expected a learner that can run over a tape in segments, found "
                f"{self.learner.name}, which needs the whole tape first. Choose one of the "
                "package's learners without a wrapper, or a class with learn and predict."
            )

    def check_scores(self, stream: Stream) -> None:
        """Raise ConfigError, since a learner that is reset has no class scores."""
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
        self._check_can_run(stream, tape)
        run = _Run(self, stream, tape, seed)
        while run.next_event < len(tape):
            begin = run.next_event
            run.run_model()
            if progress is not None:
                progress(run.next_event - begin)
        return run.predictions()


class _Run:
    """A run over a tape, model by model."""

    def __init__(self, wrapper: Resetting, stream: Stream, tape: Tape, seed: int) -> None:
        self._learner, self._learns_warnings = wrapper.learner, wrapper.warnings
        self._stream, self._tape, self._seed = stream, tape, seed
        # By event: whether a label is learnt. On the inner tape, such an event also predicts.
        self._learns = ((tape.op & LEARN) > 0) & (tape.weight > 0)
        op = np.where(self._learns, tape.op | np.uint8(PREDICT), tape.op)
        self._inner_tape = Tape(tape.row, op, tape.weight)
        self._predicts = (op & PREDICT) > 0
        self._label = np.full(len(tape), NO_PREDICTION, dtype=np.int16)  # by event
        self._detect = parse(wrapper.detector).begin(seed)
        self._warnings, self._changes = list[int](), list[int]()  # numbers of events
        self._seconds, self._model_bytes = 0.0, 0
        self.next_event = 0

    def run_model(self) -> None:
        """Run a model up to the next change, or to the end."""
        first = self._first_events()
        segments = self._learner.run_segments(
            self._stream, self._segments(first), self._model_seed()
        )
        if len(first):
            self._seconds += next(segments).seconds
        for begin, end in _segment_ranges(self.next_event, len(self._tape)):
            predictions = next(segments)
            self._seconds += predictions.seconds
            self._model_bytes = predictions.model_bytes
            events = np.arange(begin, end)
            self._label[events[self._predicts[begin:end]]] = predictions.label
            learnt = events[self._learns[begin:end]]
            errors = self._label[learnt] != self._stream.y[self._tape.row[learnt]]
            signals = self._detect(errors)  # up to the first change
            self._warnings += learnt[: len(signals)][signals == WARNING].tolist()
            self.next_event = end
            if len(signals) and signals[-1] == CHANGE:
                self._changes.append(int(learnt[len(signals) - 1]))
                self.next_event = self._changes[-1] + 1
                return

    def _first_events(self) -> Integers:
        """Events that a new model learns first: warnings, if they are used, and the last change."""
        if not self._changes:
            return np.empty(0, np.int64)
        change = self._changes[-1]
        if not self._learns_warnings:
            return np.array([change])
        previous_change = self._changes[-2] if len(self._changes) > 1 else -1
        # Only the warnings while the last model ran.
        warnings = [event for event in self._warnings if event > previous_change]
        events = np.array(warnings, np.int64)
        # Warnings of a series are consecutive among the events that learn.
        place = np.cumsum(self._learns)[events]
        series = np.cumsum(np.diff(place, prepend=0) > 1)
        return np.append(events[series == series[-1]] if len(series) else events, change)

    def _segments(self, first: Integers) -> Iterator[Tape]:
        """Yield the tape of a model: the first events, then segments as they are needed."""
        if len(first):
            learn = np.full(len(first), LEARN, np.uint8)
            yield Tape(self._tape.row[first], learn, self._tape.weight[first])
        for begin, end in _segment_ranges(self.next_event, len(self._tape)):
            yield Tape(*self._inner_tape.events(begin, end))

    def _model_seed(self) -> int:
        """Seed of the current model; the first model has the seed of the run."""
        n_resets = len(self._changes)
        rng = generator("resetting", self._seed, n_resets)
        return int(rng.integers(2**31)) if n_resets else self._seed

    def predictions(self) -> PredictionsWithAlarms:
        """Predictions of the tape's predict events, with the detector's signals."""
        return PredictionsWithAlarms(
            self._tape.predict_rows,
            self._label[(self._tape.op & PREDICT) > 0],
            self._stream.n_classes,
            seconds=self._seconds,
            model_bytes=self._model_bytes,
            size={"warnings": len(self._warnings), "changes": len(self._changes)},
            alarms=Alarms(np.array(self._warnings, np.int64), np.array(self._changes, np.int64)),
        )


def _segment_ranges(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (first event, end) of segments that double in length."""
    length = _SHORTEST_SEGMENT
    while begin < end:
        yield begin, min(begin + length, end)
        begin, length = begin + length, min(2 * length, _LONGEST_SEGMENT)
