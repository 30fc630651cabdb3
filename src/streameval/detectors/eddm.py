"""EDDM as in MOA: errors that come closer to each other.

EDDM tracks the mean p and the standard deviation s of the distances between errors since its last
change, and the highest level p + 2s so far. It signals a warning or a change if the level falls
below certain fractions of the highest level.

References
----------
Baena-García et al. (2006), Early drift detection method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count, StrictProportion, Whole, parameter
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import CHANGE, ERRORS, QUIET, WARNING, InputRange
from streameval.detectors.detector import Detector, InputReader

# Entries of `EDDMState.counts`.
SEEN = 0  # inputs since the last change
WRONG = 1  # errors since the last change
LAST = 2  # number of the input with the last error
IN_WARNING = 3  # whether the last error was a warning
# Entries of `EDDMState.statistics`.
MEAN = 0  # mean distance
SQUARED_DEVIATIONS = 1  # sum of squared deviations of distances
HIGHEST = 2  # highest level


class EDDMState(NamedTuple):
    """Counts and distances of errors since the last change."""

    counts: Integers  # (4,)
    statistics: Floats  # (3,)


class EDDMOptions(NamedTuple):
    """The parameters of `EDDM`."""

    min_instances: int
    min_errors: int
    warning_level: float
    drift_level: float


def eddm_start() -> EDDMState:
    """EDDM without inputs."""
    return EDDMState(np.zeros(4, dtype=np.int64), np.zeros(3))


@inlined
def eddm_reset(state: EDDMState) -> None:
    """Reset EDDM."""
    state.counts[:] = 0
    state.statistics[:] = 0.0


@inlined
def eddm_update(state: EDDMState, error: float, options: EDDMOptions) -> int:
    """Update EDDM with an error, 0 or 1; the result is QUIET, WARNING or CHANGE.

    A change resets it.
    """
    counts, statistics = state.counts, state.statistics
    counts[SEEN] += 1
    if error == 0.0:
        return WARNING if counts[IN_WARNING] else QUIET
    counts[WRONG] += 1
    distance, mean = counts[SEEN] - counts[LAST], statistics[MEAN]
    counts[LAST], counts[IN_WARNING] = counts[SEEN], 0
    statistics[MEAN] += (distance - mean) / counts[WRONG]
    statistics[SQUARED_DEVIATIONS] += (distance - statistics[MEAN]) * (distance - mean)
    new_level = statistics[MEAN] + 2.0 * math.sqrt(statistics[SQUARED_DEVIATIONS] / counts[WRONG])
    if counts[SEEN] < options.min_instances:
        return QUIET
    if new_level > statistics[HIGHEST]:
        statistics[HIGHEST] = new_level
        return QUIET
    if counts[WRONG] <= options.min_errors:
        return QUIET
    ratio = new_level / statistics[HIGHEST]
    if ratio < options.drift_level:
        eddm_reset(state)
        return CHANGE
    if ratio < options.warning_level:
        counts[IN_WARNING] = 1
        return WARNING
    return QUIET


@kernel
def _run(state: EDDMState, errors: Floats, options: EDDMOptions, signals: Integers) -> int:
    for t in range(len(errors)):
        signals[t] = eddm_update(state, errors[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(errors)


@dataclass(frozen=True)
class EDDM(Detector):
    """Early drift detection method: signal errors that come closer to each other.

    A warning lasts until the next error. In MOA, all parameters are fixed at the defaults of this
    class.
    """

    min_instances: Count = parameter(
        "minimum number of inputs before the highest level is tracked", 30
    )
    min_errors: Whole = parameter("number of errors without a signal after each change", 30)
    warning_level: StrictProportion = parameter(
        "fraction of the highest level below which there is a warning", 0.95
    )
    drift_level: StrictProportion = parameter(
        "fraction of the highest level below which there is a change", 0.9
    )

    name: ClassVar[str] = "eddm"
    title: ClassVar[str] = "EDDM"
    reference: ClassVar[str] = "Baena-García et al. (2006)"
    valid_inputs: ClassVar[InputRange] = ERRORS

    def _check_combination(self) -> None:
        self._check_at_most("drift_level", "warning_level")

    def _begin(self, seed: int) -> InputReader:
        options = EDDMOptions(
            self.min_instances, self.min_errors, self.warning_level, self.drift_level
        )
        state = eddm_start()
        return lambda x, signals: int(_run(state, x, options, signals))
