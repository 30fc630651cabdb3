"""Naive Bayes that resets at alarms of DDM (drift detection method), or at random times."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count, Positive, Proportion
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import CHANGE, WARNING
from streameval.detectors.chance import (
    ChanceOptions,
    ChanceState,
    chance_options,
    chance_start,
    chance_update,
)
from streameval.detectors.ddm import DDMOptions, DDMState, ddm_options, ddm_start, ddm_update
from streameval.learners.bayes import class_statistics, engine, exact
from streameval.learners.bayes.class_statistics import Statistics
from streameval.learners.kernel_arguments import (
    EventRange,
    Outputs,
    event_at,
    event_numbers,
    write_scores,
)
from streameval.learners.learner import CompiledLearner
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

# Entries of `_State.counts`: number of the model that predicts, 0 or 1; whether the detector warned
# at the last instance; number of series of warnings; number of changes.
MAIN, HAS_WARNED, WARNINGS, CHANGES = range(4)


class _State(NamedTuple):
    stats: Statistics  # slots of two models: the model that predicts, and the next model
    prior: Floats  # (2, k) class weights
    counts: Integers  # (4,) see `MAIN`
    ddm: DDMState  # one detector in `DDMNaiveBayes`, none in `DDMRandom`
    chance: ChanceState  # one detector in `DDMRandom`, none in `DDMNaiveBayes`


class _Options(NamedTuple):
    ddm: DDMOptions
    chance: ChanceOptions


#: Options of an absent DDM, to give kernels one type.
_NO_DDM = ddm_options()
#: Options of an absent random detector.
_NO_CHANCE = chance_options(0.0)


class _ResettingBayes(CompiledLearner):
    """Base class of both learners: a model that predicts, and a model that learns in warnings."""

    @abstractmethod
    def _options(self) -> _Options:
        """Parameters of the detectors, checked."""

    def _check_combination(self) -> None:
        self._options()

    def _empty_state(self, schema: Schema, ddm: DDMState, chance: ChanceState) -> _State:
        return _State(
            stats=class_statistics.make(schema, slots=2),
            prior=np.zeros((2, schema.n_classes)),
            counts=np.zeros(4, dtype=np.int64),
            ddm=ddm,
            chance=chance,
        )

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state, self._options(), events, outputs)

    def _model_bytes(self, state: Any) -> int:
        arrays = (state.prior, state.counts, *state.ddm, *state.chance)
        return class_statistics.used_bytes(state.stats, np.arange(2)) + sum(
            array.nbytes for array in arrays
        )

    def _model_counts(self, state: Any) -> dict[str, int]:
        return {"warnings": int(state.counts[WARNINGS]), "changes": int(state.counts[CHANGES])}


@dataclass(frozen=True)
class DDMNaiveBayes(_ResettingBayes):
    """Naive Bayes with the drift detection method (DDM), with the predictions of MOA.

    The detector monitors whether the model predicts each instance correctly before it learns
    the instance. During a series of warnings a second model learns, too. At a change the second
    model replaces the first. It has learnt the latest series of warnings since the last change, or
    nothing if there was none. Ties, missing values and the first instance are predicted as by
    `NaiveBayes`. The detector gets no instances of weight 0.

    Parameters
    ----------
    min_instances : int
        Smallest number of instances between two changes.
    warning_level, drift_level : float
        Standard deviations by which the error rate has to exceed its lowest level.

    References
    ----------
    Gama, Medas, Castillo, Rodrigues (2004), Learning with drift detection.
    """

    min_instances: Count = 30
    warning_level: Positive = 2.0
    drift_level: Positive = 3.0

    name: ClassVar[str] = "ddm_nb"
    reference: ClassVar[str] = "Gama et al. (2004)"

    def _options(self) -> _Options:
        ddm = ddm_options(self.min_instances, self.warning_level, self.drift_level)
        return _Options(ddm, _NO_CHANCE)

    def _start(self, schema: Schema, seed: int) -> _State:
        return self._empty_state(schema, ddm_start(1), chance_start(0, seed))  # only DDM


@dataclass(frozen=True)
class DDMRandom(_ResettingBayes):
    """Naive Bayes that resets at random and ignores its errors: a control for `DDMNaiveBayes`.

    After `min_instances` since the last change, each instance that is to be learnt causes a change
    with probability `alarm_probability`. The new, empty model learns that instance first.

    Parameters
    ----------
    alarm_probability : float
        Probability of a change, p; with 0 this is `NaiveBayes`, with 1 every
        `min_instances`-th instance is a change.
    min_instances : int
        Smallest number of instances between two changes.

    References
    ----------
    Žliobaitė et al. (2015), Section 6.9.
    """

    alarm_probability: Proportion = 0.01
    min_instances: Count = 30

    name: ClassVar[str] = "ddm_random"
    reference: ClassVar[str] = "Žliobaitė et al. (2015), Section 6.9"

    def _options(self) -> _Options:
        return _Options(_NO_DDM, chance_options(self.alarm_probability, self.min_instances))

    def _start(self, schema: Schema, seed: int) -> _State:
        return self._empty_state(schema, ddm_start(0), chance_start(1, seed))  # only chance


@inlined
def _detect(state: _State, options: _Options, error: bool) -> int:
    """Feed the detector with an error or a correct prediction; return its signal."""
    if state.ddm.n_seen.shape[0] > 0:
        return ddm_update(state.ddm, 0, 1.0 if error else 0.0, options.ddm)
    return chance_update(state.chance, 0, options.chance)


@inlined
def _learn(state: _State, model: int, row: Floats, c: int, w: float, is_complete: bool) -> None:
    state.prior[model, c] += w
    engine.learn_instance(state.stats, model, c, w, row, is_complete, state.prior[model, c])


@inlined
def _reset(state: _State, model: int) -> None:
    class_statistics.clear(state.stats, model)
    state.prior[model] = 0.0


@inlined
def _replace_model(state: _State) -> None:
    """Replace the model by the next model, and empty the slot of the old model."""
    old = state.counts[MAIN]
    state.counts[MAIN] = 1 - old
    state.counts[CHANGES] += 1
    _reset(state, old)


@inlined
def _train_next_model(state: _State, row: Floats, c: int, w: float, is_complete: bool) -> None:
    """Train the next model at a warning; reset it before if this starts a series of warnings."""
    new = 1 - state.counts[MAIN]
    if not state.counts[HAS_WARNED]:
        state.counts[WARNINGS] += 1
        _reset(state, new)
    _learn(state, new, row, c, w, is_complete)


@kernel
def _run_events(
    state: _State, options: _Options, events: EventRange, outputs: Outputs
) -> tuple[int, int]:
    stats, counts = state.stats, state.counts
    entry = events.entry
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        row, main = events.X[t], counts[MAIN]
        is_complete = engine.load_instance(stats, row)  # no missing or extreme value
        predicted = engine.predict_label(stats, main, state.prior[main], row, is_complete)
        if op & PREDICT:
            outputs.label[entry] = predicted
            if outputs.scores.shape[0] > 0:
                # The engine finds the label without computing votes.
                exact.votes(stats, main, state.prior[main], row, stats.score)
                write_scores(stats.score, predicted, outputs.scores[entry])
            entry += 1
        if op & LEARN and w > 0.0:
            c = events.y[t]
            signal = _detect(state, options, predicted != c)
            if signal == WARNING:
                _train_next_model(state, row, c, w, is_complete)
            elif signal == CHANGE:
                _replace_model(state)
            counts[HAS_WARNED] = signal == WARNING
            _learn(state, counts[MAIN], row, c, w, is_complete)
    return events.stop, entry
