"""HDDM-A as in MOA: Hoeffding's bound on the mean of all inputs since the last change.

HDDM-A compares the mean of all inputs with the mean of the first inputs, up to a cut. The cut is
where an upper bound of the mean was lowest. A second cut, where a lower bound was highest, detects
falls of the mean. A fall resets the detector without a signal.

References
----------
Frías-Blanco et al. (2015), Online and non-parametric drift detection methods based on Hoeffding's
bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.params import StrictProportion, parameter
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import CHANGE, LOSSES, QUIET, WARNING, InputRange
from streameval.detectors.detector import Detector, Feed

# Columns of both arrays of `HDDMAState`.
ALL = 0  # all inputs
LOW = 1  # inputs up to the cut with a low mean
HIGH = 2  # inputs up to the cut with a high mean


class HDDMAState(NamedTuple):
    """Inputs of HDDM-A since its last change, up to each cut."""

    seen: Integers  # (3,), numbers of inputs
    total: Floats  # (3,), sums of inputs


class HDDMAOptions(NamedTuple):
    """Logarithms of inverse error probabilities in three bounds, and whether falls reset."""

    cut: float
    drift: float
    warning: float
    two_sided: bool


def hddm_a_start() -> HDDMAState:
    """HDDM-A without inputs."""
    return HDDMAState(np.zeros(3, dtype=np.int64), np.zeros(3))


@inlined
def hddm_a_reset(state: HDDMAState) -> None:
    """Reset HDDM-A."""
    state.seen[:] = 0
    state.total[:] = 0.0


@inlined
def _bound(n: int, first: int, logarithm: float) -> float:
    """Bound on the difference between the mean of `n` inputs and of the `first` of them."""
    return math.sqrt((n - first) / first * (1.0 / n) / 2.0 * logarithm)


@inlined
def _margin(n: int, logarithm: float) -> float:
    """Half width of Hoeffding's interval for a mean of n inputs."""
    return math.sqrt(1.0 / (2.0 * n) * logarithm)


@inlined
def hddm_a_insert(state: HDDMAState, value: float, options: HDDMAOptions) -> int:
    """Update HDDM-A with a number from 0 to 1; the result is QUIET, WARNING or CHANGE.

    A change resets it, and so does a fall of the mean if `two_sided`.
    """
    seen, total = state.seen, state.total
    seen[ALL] += 1
    total[ALL] += value
    n, mean, margin = seen[ALL], total[ALL] / seen[ALL], _margin(seen[ALL], options.cut)
    if n == 1 or total[LOW] / seen[LOW] + _margin(seen[LOW], options.cut) >= mean + margin:
        seen[LOW], total[LOW] = n, total[ALL]
    if n == 1 or total[HIGH] / seen[HIGH] - _margin(seen[HIGH], options.cut) <= mean - margin:
        seen[HIGH], total[HIGH] = n, total[ALL]
    signal = QUIET
    if seen[LOW] < n:
        rise = mean - total[LOW] / seen[LOW]
        if rise >= _bound(n, seen[LOW], options.drift):
            hddm_a_reset(state)
            return CHANGE
        if rise >= _bound(n, seen[LOW], options.warning):
            signal = WARNING
    if options.two_sided and seen[HIGH] < n:
        fall = total[HIGH] / seen[HIGH] - mean
        if fall >= _bound(n, seen[HIGH], options.drift):
            hddm_a_reset(state)
    return signal


@kernel
def _run(state: HDDMAState, values: Floats, options: HDDMAOptions, signals: Integers) -> int:
    for t in range(len(values)):
        signals[t] = hddm_a_insert(state, values[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


@dataclass(frozen=True)
class HDDMA(Detector):
    """Hoeffding's bound on moving averages: signal rises of the mean of all inputs.

    As in MOA, a fall of the mean is no signal, but by default it resets the detector.
    """

    drift_confidence: StrictProportion = parameter(
        "error probability of the bound for changes", 0.001
    )
    warning_confidence: StrictProportion = parameter(
        "error probability of the bound for warnings", 0.005
    )
    two_sided: bool = parameter("whether falls of the mean reset the detector", True)

    name: ClassVar[str] = "hddm_a"
    title: ClassVar[str] = "HDDM-A"
    reference: ClassVar[str] = "Frías-Blanco et al. (2015)"
    valid_inputs: ClassVar[InputRange] = LOSSES

    def _check_together(self) -> None:
        self._check_at_most("drift_confidence", "warning_confidence")

    def _begin(self, seed: int) -> Feed:
        options = HDDMAOptions(
            cut=math.log(1.0 / self.drift_confidence),
            # 2 as in MOA
            drift=math.log(2.0 / self.drift_confidence),
            warning=math.log(2.0 / self.warning_confidence),
            two_sided=self.two_sided,
        )
        state = hddm_a_start()
        return lambda x, signals: int(_run(state, x, options, signals))
