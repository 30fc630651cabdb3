"""DDM as in MOA.

DDM signals a drift if the error rate rises well above its lowest level. It tracks the error rate p
since its last change, and the standard deviation s = √(p(1 - p)/n) of p. It records both when p + s
is lowest.

References
----------
Gama, Medas, Castillo, Rodrigues (2004), Learning with drift detection.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.params import Count, Positive, parameter
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import (
    CHANGE,
    LOSSES,
    QUIET,
    WARNING,
    InputRange,
    check_min_instances,
)
from streameval.detectors.detector import Detector, InputReader

# Columns of `DDMState.statistics`.
RATE = 0  # current error rate
LOW_RATE = 1  # error rate when the sum of rate and deviation was lowest
LOW_DEVIATION = 2  # its standard deviation at the same time


class DDMState(NamedTuple):
    """A pool of `d` independent DDMs."""

    n_seen: Integers  # (d,), inputs since the last change
    statistics: Floats  # (d, 3)


class DDMOptions(NamedTuple):
    """Smallest number of inputs before a signal, and thresholds of warnings and changes.

    Thresholds are standard deviations above the lowest level.
    """

    min_instances: int
    warning_level: float
    drift_level: float


def ddm_options(
    min_instances: int = 30, warning_level: float = 2.0, drift_level: float = 3.0
) -> DDMOptions:
    """Check the options of `DDM`."""
    if not 0.0 < warning_level <= drift_level < math.inf:
        raise ConfigError(
            "DDM: expected 0 < warning_level <= drift_level, found "
            f"warning_level {warning_level} and drift_level {drift_level}."
        )
    min_instances = check_min_instances("DDM", min_instances)
    return DDMOptions(min_instances, float(warning_level), float(drift_level))


def ddm_start(count: int) -> DDMState:
    """Make a pool of `count` DDMs without inputs."""
    state = DDMState(np.zeros(count, dtype=np.int64), np.empty((count, 3)))
    state.statistics[:] = 1.0, np.inf, np.inf  # the first input overwrites the rate
    return state


@inlined
def ddm_reset(state: DDMState, d: int) -> None:
    """Reset DDM `d`."""
    state.n_seen[d] = 0
    state.statistics[d, RATE] = 1.0
    state.statistics[d, LOW_RATE] = np.inf
    state.statistics[d, LOW_DEVIATION] = np.inf


@inlined
def ddm_update(state: DDMState, d: int, error: float, options: DDMOptions) -> int:
    """Update DDM `d` with an error, 0 or 1; the result is QUIET, WARNING or CHANGE.

    A change resets it.
    """
    n_seen, rate = state.n_seen[d] + 1, state.statistics[d, RATE]
    rate += (error - rate) / n_seen
    deviation = math.sqrt(rate * (1.0 - rate) / n_seen)
    state.n_seen[d], state.statistics[d, RATE] = n_seen, rate
    # MOA's counter is one ahead: it tracks the lowest level one input before it tests for changes.
    if n_seen + 1 < options.min_instances:
        return QUIET
    if rate + deviation <= state.statistics[d, LOW_RATE] + state.statistics[d, LOW_DEVIATION]:
        state.statistics[d, LOW_RATE], state.statistics[d, LOW_DEVIATION] = rate, deviation
    low_rate, low_deviation = state.statistics[d, LOW_RATE], state.statistics[d, LOW_DEVIATION]
    level = rate + deviation
    if n_seen >= options.min_instances and level > low_rate + options.drift_level * low_deviation:
        ddm_reset(state, d)
        return CHANGE
    return WARNING if level > low_rate + options.warning_level * low_deviation else QUIET


@kernel
def _run(state: DDMState, errors: Floats, options: DDMOptions, signals: Integers) -> int:
    for t in range(len(errors)):
        signals[t] = ddm_update(state, 0, errors[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(errors)


@dataclass(frozen=True)
class DDM(Detector):
    """Drift detection method: signal an error rate well above its lowest level.

    As in MOA, the lowest level is exactly zero while there are no errors. Then the first error
    is a change, from `min_instances` inputs on.
    """

    min_instances: Count = parameter("minimum number of inputs between changes", 30)
    warning_level: Positive = parameter(
        "threshold of a warning, in standard deviations above the lowest level", 2.0
    )
    drift_level: Positive = parameter(
        "threshold of a change, in standard deviations above the lowest level", 3.0
    )

    name: ClassVar[str] = "ddm"
    title: ClassVar[str] = "DDM"
    reference: ClassVar[str] = "Gama, Medas, Castillo, Rodrigues (2004)"
    valid_inputs: ClassVar[InputRange] = LOSSES

    def _check_combination(self) -> None:
        self._check_at_most("warning_level", "drift_level")

    def _begin(self, seed: int) -> InputReader:
        options = ddm_options(self.min_instances, self.warning_level, self.drift_level)
        state = ddm_start(1)
        return lambda x, signals: int(_run(state, x, options, signals))
