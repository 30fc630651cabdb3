"""RDDM as in MOA: DDM that restarts from its latest inputs when a concept has lasted long.

DDM becomes slow after many inputs. RDDM stores the latest ones. After a change it restarts from
those since the first warning before it; a warning that lasts too long is a change. When a concept
has become too long it restarts from all that it has stored, without a signal.

References
----------
Barros, Cabral, Gonçalves, Santos (2017), RDDM: Reactive drift detection method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count, Positive, parameter
from streameval.compiled.kernels import inlined, kernel, part
from streameval.detectors.alarms import CHANGE, ERRORS, QUIET, WARNING, InputRange
from streameval.detectors.detector import Detector, Feed

# Columns of `RDDMState.counts`: inputs of the error rate, inputs stored, the place of the next of
# them, inputs of a warning that lasts. Columns of `RDDMState.level`: the error rate; rate and
# deviation where their sum was lowest.
SEEN, STORED, AT, WARNED = range(4)
RATE, LOW_RATE, LOW_DEVIATION = range(3)


class RDDMState(NamedTuple):
    """The error rate of RDDM, and the latest `w` inputs."""

    counts: Integers  # (4,)
    level: Floats  # (3,)
    stored: NDArray[np.int8]  # (w,)


class RDDMOptions(NamedTuple):
    """The parameters of `RDDM`, without the number of stored inputs."""

    min_instances: int
    warning_level: float
    drift_level: float
    longest_concept: int
    longest_warning: int


def rddm_start(stored: int) -> RDDMState:
    """Return RDDM without inputs."""
    counts, level = np.zeros(4, dtype=np.int64), np.empty(3)
    level[:] = 1.0, np.inf, np.inf
    return RDDMState(counts, level, np.zeros(stored, np.int8))


@inlined
def rddm_insert(state: RDDMState, error: float, options: RDDMOptions) -> int:
    """Feed RDDM with an error, 0 or 1; return QUIET, WARNING or CHANGE."""
    counts, level, size = state.counts, state.level, len(state.stored)
    state.stored[counts[AT]] = error != 0.0
    counts[AT] = counts[AT] + 1 if counts[AT] + 1 < size else 0
    counts[STORED] = min(counts[STORED] + 1, size)
    deviation = _add(state, error)
    if counts[SEEN] < options.min_instances:
        return QUIET
    _note_lowest(level, deviation)
    above, low, spread = level[RATE] + deviation, level[LOW_RATE], level[LOW_DEVIATION]
    if above > low + options.drift_level * spread:
        _restart(state, counts[WARNED] + 1, options)
        return CHANGE
    if above > low + options.warning_level * spread:
        if counts[WARNED] >= options.longest_warning:
            _restart(state, 1, options)
            return CHANGE
        counts[WARNED] += 1
        return WARNING
    counts[WARNED] = 0
    if counts[SEEN] >= options.longest_concept:
        _read_stored(state)
    return QUIET


@inlined
def _add(state: RDDMState, error: float) -> float:
    """Add an input to the error rate; return its standard deviation."""
    state.counts[SEEN] += 1
    seen, rate = state.counts[SEEN], state.level[RATE]
    rate += (error - rate) / seen
    state.level[RATE] = rate
    return math.sqrt(rate * (1.0 - rate) / seen)


@inlined
def _note_lowest(level: Floats, deviation: float) -> None:
    if level[RATE] + deviation < level[LOW_RATE] + level[LOW_DEVIATION]:
        level[LOW_RATE], level[LOW_DEVIATION] = level[RATE], deviation


@part
def _restart(state: RDDMState, latest: int, options: RDDMOptions) -> None:
    """Restart after a change from the latest inputs, and keep no other."""
    counts, level = state.counts, state.level
    counts[STORED] = min(counts[STORED], latest)
    counts[SEEN] = counts[WARNED] = 0
    level[RATE], level[LOW_RATE], level[LOW_DEVIATION] = 1.0, np.inf, np.inf
    for at in range(counts[STORED]):
        deviation = _add(state, _stored(state, at))
        if counts[SEEN] > options.min_instances:  # one more than elsewhere, as in MOA
            _note_lowest(level, deviation)


@part
def _read_stored(state: RDDMState) -> None:
    """Let the error rate be that of the stored inputs; its lowest level stays."""
    state.counts[SEEN], state.level[RATE] = 0, 1.0
    for at in range(state.counts[STORED]):
        _add(state, _stored(state, at))


@inlined
def _stored(state: RDDMState, at: int) -> float:
    """Return a stored input, the oldest of which has number 0."""
    place = state.counts[AT] - state.counts[STORED] + at
    return float(state.stored[place if place >= 0 else place + len(state.stored)])


@kernel
def _run(state: RDDMState, errors: Floats, options: RDDMOptions, signals: Integers) -> int:
    for t in range(len(errors)):
        signals[t] = rddm_insert(state, errors[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(errors)


@dataclass(frozen=True)
class RDDM(Detector):
    """Reactive drift detection method: DDM that does not slow down on long concepts."""

    min_instances: Count = parameter("least number of inputs between changes", 129)
    warning_level: Positive = parameter(
        "deviations above the lowest level from which on it warns", 1.773
    )
    drift_level: Positive = parameter(
        "deviations above the lowest level from which on there is a change", 2.258
    )
    longest_concept: Annotated[int, Meta(ge=2)] = parameter(
        "number of inputs after which it restarts from the stored ones", 40_000
    )
    stored: Annotated[Count, Meta(le=1_000_000)] = parameter(
        "number of inputs that it stores", 7_000
    )
    longest_warning: Count = parameter("number of inputs after which a warning is a change", 1_400)

    name: ClassVar[str] = "rddm"
    title: ClassVar[str] = "RDDM"
    reference: ClassVar[str] = "Barros et al. (2017)"
    takes: ClassVar[InputRange] = ERRORS

    def _check_together(self) -> None:
        self._check_most("warning_level", "drift_level")
        if self.stored >= self.longest_concept:
            raise self._refused(
                f"expected stored < longest_concept, found stored {self.stored:,} and "
                f"longest_concept {self.longest_concept:,}. A restart must leave out inputs.",
                "stored",
            )

    def _begin(self, seed: int) -> Feed:
        options = RDDMOptions(
            self.min_instances,
            self.warning_level,
            self.drift_level,
            self.longest_concept,
            self.longest_warning,
        )
        state = rddm_start(self.stored)
        return lambda x, signals: int(_run(state, x, options, signals))
