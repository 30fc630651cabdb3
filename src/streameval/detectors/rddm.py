"""RDDM as in MOA: DDM that restarts from its latest inputs when a concept lasts long.

After many inputs DDM reacts slowly. RDDM stores the latest inputs. After a change it restarts from
the inputs since the first warning before the change. A warning that lasts too long is a change,
after which it restarts from the newest input only. When a concept has lasted too long, it
recomputes the error rate from all stored inputs, without a signal.

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
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.detectors.alarms import CHANGE, ERRORS, QUIET, WARNING, InputRange
from streameval.detectors.detector import Detector, InputReader

# Entries of `RDDMState.counts`.
SEEN = 0  # inputs in the error rate
STORED = 1  # stored inputs
NEXT = 2  # write position in the ring of stored inputs
WARNING_LENGTH = 3  # inputs since the current warning began
# Entries of `RDDMState.statistics`.
RATE = 0  # error rate
LOW_RATE = 1  # error rate when the sum of rate and deviation was lowest
LOW_DEVIATION = 2  # its standard deviation at the same time


class RDDMState(NamedTuple):
    """The error rate of RDDM, and a ring of the latest `w` inputs."""

    counts: Integers  # (4,)
    statistics: Floats  # (3,)
    stored: NDArray[np.int8]  # (w,)


class RDDMOptions(NamedTuple):
    """The parameters of `RDDM`, except the number of stored inputs."""

    min_instances: int
    warning_level: float
    drift_level: float
    longest_concept: int
    longest_warning: int


def rddm_start(capacity: int) -> RDDMState:
    """RDDM without inputs, with room for `capacity` stored inputs."""
    counts, statistics = np.zeros(4, dtype=np.int64), np.empty(3)
    statistics[:] = 1.0, np.inf, np.inf  # the first input overwrites the rate
    return RDDMState(counts, statistics, np.zeros(capacity, np.int8))


@inlined
def rddm_update(state: RDDMState, error: float, options: RDDMOptions) -> int:
    """Update RDDM with an error, 0 or 1; the result is QUIET, WARNING or CHANGE."""
    counts, statistics, size = state.counts, state.statistics, len(state.stored)
    state.stored[counts[NEXT]] = error != 0.0
    counts[NEXT] = counts[NEXT] + 1 if counts[NEXT] + 1 < size else 0
    counts[STORED] = min(counts[STORED] + 1, size)
    deviation = _add(state, error)
    if counts[SEEN] < options.min_instances:
        return QUIET
    _update_lowest(statistics, deviation)
    current = statistics[RATE] + deviation
    low_rate, low_sd = statistics[LOW_RATE], statistics[LOW_DEVIATION]
    if current > low_rate + options.drift_level * low_sd:
        _restart(state, counts[WARNING_LENGTH] + 1, options)  # + 1: the newest input
        return CHANGE
    if current > low_rate + options.warning_level * low_sd:
        if counts[WARNING_LENGTH] >= options.longest_warning:
            _restart(state, 1, options)  # from the newest input only
            return CHANGE
        counts[WARNING_LENGTH] += 1
        return WARNING
    counts[WARNING_LENGTH] = 0
    if counts[SEEN] >= options.longest_concept:
        _recompute_rate(state)
    return QUIET


@inlined
def _add(state: RDDMState, error: float) -> float:
    """Add an input to the error rate; the result is the standard deviation of the rate."""
    state.counts[SEEN] += 1
    n_seen, rate = state.counts[SEEN], state.statistics[RATE]
    rate += (error - rate) / n_seen
    state.statistics[RATE] = rate
    return math.sqrt(rate * (1.0 - rate) / n_seen)


@inlined
def _update_lowest(statistics: Floats, deviation: float) -> None:
    # "<" as in MOA, whose DDM has "<=".
    if statistics[RATE] + deviation < statistics[LOW_RATE] + statistics[LOW_DEVIATION]:
        statistics[LOW_RATE], statistics[LOW_DEVIATION] = statistics[RATE], deviation


@subkernel
def _restart(state: RDDMState, n_latest: int, options: RDDMOptions) -> None:
    """Restart after a change from the `n_latest` newest stored inputs, and drop the others."""
    counts, statistics = state.counts, state.statistics
    counts[STORED] = min(counts[STORED], n_latest)
    counts[SEEN] = counts[WARNING_LENGTH] = 0
    statistics[RATE], statistics[LOW_RATE], statistics[LOW_DEVIATION] = 1.0, np.inf, np.inf
    for i in range(counts[STORED]):
        deviation = _add(state, _stored_input(state, i))
        if counts[SEEN] > options.min_instances:  # as in MOA; `rddm_update` has >=
            _update_lowest(statistics, deviation)


@subkernel
def _recompute_rate(state: RDDMState) -> None:
    """Recompute the error rate from the stored inputs; the lowest level does not change."""
    state.counts[SEEN], state.statistics[RATE] = 0, 1.0
    for i in range(state.counts[STORED]):
        _add(state, _stored_input(state, i))


@inlined
def _stored_input(state: RDDMState, i: int) -> float:
    """Stored input number i; the oldest has number 0."""
    position = state.counts[NEXT] - state.counts[STORED] + i
    return float(state.stored[position if position >= 0 else position + len(state.stored)])


@kernel
def _run(state: RDDMState, errors: Floats, options: RDDMOptions, signals: Integers) -> int:
    for t in range(len(errors)):
        signals[t] = rddm_update(state, errors[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(errors)


@dataclass(frozen=True)
class RDDM(Detector):
    """Reactive drift detection method: DDM that does not slow down on long concepts."""

    min_instances: Count = parameter("minimum number of inputs between changes", 129)
    warning_level: Positive = parameter(
        "threshold of a warning, in standard deviations above the lowest level", 1.773
    )
    drift_level: Positive = parameter(
        "threshold of a change, in standard deviations above the lowest level", 2.258
    )
    longest_concept: Annotated[int, Meta(ge=2)] = parameter(
        "number of inputs after which the error rate is recomputed from the stored inputs", 40_000
    )
    stored: Annotated[Count, Meta(le=1_000_000)] = parameter(
        "number of latest inputs that are stored", 7_000
    )
    longest_warning: Count = parameter("number of inputs after which a warning is a change", 1_400)

    name: ClassVar[str] = "rddm"
    title: ClassVar[str] = "RDDM"
    reference: ClassVar[str] = "Barros et al. (2017)"
    valid_inputs: ClassVar[InputRange] = ERRORS

    def _check_combination(self) -> None:
        self._check_at_most("warning_level", "drift_level")
        if self.stored >= self.longest_concept:
            raise self._parameter_error(
                f"expected stored < longest_concept, found stored {self.stored:,} and "
                f"longest_concept {self.longest_concept:,}. Otherwise no inputs would be dropped.",
                "stored",
            )

    def _begin(self, seed: int) -> InputReader:
        options = RDDMOptions(
            self.min_instances,
            self.warning_level,
            self.drift_level,
            self.longest_concept,
            self.longest_warning,
        )
        state = rddm_start(self.stored)
        return lambda x, signals: int(_run(state, x, options, signals))
