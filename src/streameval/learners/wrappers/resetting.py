"""A learner that begins anew at the alarms of a drift detector."""

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

#: Events after a reset that are run before the detector is asked, and at most.
_SHORTEST, _LONGEST = 64, 8192


@dataclass(frozen=True, kw_only=True)
class WithAlarms(Predictions):
    """Predictions, and the signals of a detector that led to them.

    Parameters
    ----------
    alarms : Alarms
        The events of the tape, counted from 0, at which it warned and at which it found a change.
    """

    alarms: Alarms


@dataclass(frozen=True)
class Resetting(Learner):
    """Any learner, reset wherever a drift detector finds that it errs more often.

    The detector is fed with each error, 1 or 0, of the prediction made just before an instance is
    learnt, whether the tape asks for that prediction or not. At a change the model is replaced by
    an empty one, of which this instance is the first one to be learnt.

    The model runs ahead of the detector in segments that double in length; what comes after an
    alarm is done again by the next model. This costs at most twice the time without a detector,
    which ``Predictions.seconds`` includes.

    Parameters
    ----------
    learner : Classifier
        The inner learner. It must run over a tape in segments: a compiled one, or one that learns
        one by one.
    detector : str or Detector
        What `streameval.detectors.registry.parse` takes, such as ``adwin``.
    warnings : bool
        Whether a second model learns the instances at which the detector warns, from the first one
        of the latest series of warnings on, and replaces the first one at a change, as in DDM.

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
        if type(self.learner).play_segments is AnyLearner.play_segments:
            raise ConfigError(
                f"{self.name}: expected a learner that can run over a tape in segments, found "
                f"{self.learner.name}, which looks at all of it first. Take one of the package's "
                "own learners, not wrapped, or a class with learn and predict."
            )

    def check_scores(self, stream: Stream) -> None:
        """See `Learner.check_scores`: there are none."""
        raise ConfigError(f"{self.name} has no class scores, and they are requested.")

    def play(
        self,
        stream: Stream,
        tape: Tape,
        seed: int = 1,
        *,
        scores: bool = False,
        progress: Progress | None = None,
    ) -> WithAlarms:
        """See `Learner.play`; each model after the first has a seed of its own."""
        if scores:
            self.check_scores(stream)
        self._check(stream, tape)
        run = _Run(self, stream, tape, seed)
        while run.at < len(tape):
            before = run.at
            run.one_model()
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
        self._asked = (op & PREDICT) > 0
        self._label = np.full(len(tape), NO_PREDICTION, dtype=np.int16)  # of each event
        self._watch = parse(wrapper.detector).begin(seed)
        self._warned, self._changes = list[int](), list[int]()
        self._seconds, self._model_bytes = 0.0, 0
        self.at = 0  # the first event that is not done

    def one_model(self) -> None:
        """Run a model up to the next change, or to the end."""
        first = self._first()
        segments = self._learner.play_segments(
            self._stream, self._segments(first), self._own_seed()
        )
        if len(first):
            self._seconds += next(segments).seconds
        for begin, end in _spans(self.at, len(self._tape)):
            predicted = next(segments)
            self._seconds += predicted.seconds
            self._model_bytes = predicted.model_bytes
            events = np.arange(begin, end)
            self._label[events[self._asked[begin:end]]] = predicted.label
            fed = events[self._learnt[begin:end]]
            errors = self._label[fed] != self._stream.y[self._tape.row[fed]]
            signals = self._watch(errors)
            self._warned += fed[: len(signals)][signals == WARNING].tolist()
            self.at = end
            if len(signals) and signals[-1] == CHANGE:
                self._changes.append(int(fed[len(signals) - 1]))
                self.at = self._changes[-1] + 1
                return

    def _first(self) -> Integers:
        """Return the events that a new model learns before the next one: the last change."""
        if not self._changes:
            return np.empty(0, np.int64)
        change = self._changes[-1]
        if not self._has_next:
            return np.array([change])
        since = self._changes[-2] if len(self._changes) > 1 else -1
        warned = np.array([event for event in self._warned if event > since], np.int64)
        # Those of the latest series: with no learnt event between them that was not a warning.
        place = np.cumsum(self._learnt)[warned]
        series = np.cumsum(np.diff(place, prepend=0) > 1)
        return np.append(warned[series == series[-1]] if len(series) else warned, change)

    def _segments(self, first: Integers) -> Iterator[Tape]:
        """Yield the tape of a model: what it learns at first, then segments as they are needed."""
        if len(first):
            learn = np.full(len(first), LEARN, np.uint8)
            yield Tape(self._tape.row[first], learn, self._tape.weight[first])
        for begin, end in _spans(self.at, len(self._tape)):
            yield Tape(*self._inner.events(begin, end))

    def _own_seed(self) -> int:
        """Return the seed of a model: that of the run for the first one."""
        resets = len(self._changes)
        draws = generator("resetting", self._seed, resets)
        return int(draws.integers(2**31)) if resets else self._seed

    def predictions(self) -> WithAlarms:
        """Return the predictions that the tape asks for, and the detector's signals."""
        return WithAlarms(
            self._tape.predict_rows,
            self._label[(self._tape.op & PREDICT) > 0],
            self._stream.n_classes,
            seconds=self._seconds,
            model_bytes=self._model_bytes,
            size={"warnings": len(self._warned), "changes": len(self._changes)},
            alarms=Alarms(np.array(self._warned, np.int64), np.array(self._changes, np.int64)),
        )


def _spans(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ends of segments that double in length."""
    size = _SHORTEST
    while begin < end:
        yield begin, min(begin + size, end)
        begin, size = begin + size, min(2 * size, _LONGEST)
