"""HDDM-A as in MOA: Hoeffding's bound on the mean of all inputs since the last change.

HDDM-A compares the mean of all inputs with the mean of the first inputs, up to a cut. The cut is
where an upper bound of the mean was lowest. A second cut, where a lower bound was highest, detects
falls of the mean. A fall resets the detector without a signal, as in MOA. The same input can still
cause a warning, if the mean has risen since the first cut.

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
from streameval.detectors.detector import Detector, InputReader

# Entries of both arrays of `HDDMAState`.
ALL = 0  # all inputs
LOW = 1  # inputs up to the cut with a low mean
HIGH = 2  # inputs up to the cut with a high mean


class HDDMAState(NamedTuple):
    """Inputs of HDDM-A since its last change, up to each cut."""

    n_seen: Integers  # (3,), numbers of inputs
    total: Floats  # (3,), sums of inputs


class HDDMAOptions(NamedTuple):
    """The parameters of `HDDMA`, with the logarithms in Hoeffding's bounds."""

    cut_log: float  # log(1 / error probability) of the bound that sets the cuts
    drift_log: float  # log(2 / error probability) of the test for changes
    warning_log: float  # log(2 / error probability) of the test for warnings
    two_sided: bool  # whether falls of the mean reset the detector


def hddm_a_start() -> HDDMAState:
    """HDDM-A without inputs."""
    return HDDMAState(np.zeros(3, dtype=np.int64), np.zeros(3))


@inlined
def hddm_a_reset(state: HDDMAState) -> None:
    """Reset HDDM-A."""
    state.n_seen[:] = 0
    state.total[:] = 0.0


@inlined
def _bound(n: int, n_first: int, log_inverse: float) -> float:
    """Bound on the difference between the means of all `n` inputs and of the first `n_first`.

    `log_inverse` is the logarithm of an inverse error probability, see `HDDMAOptions`.
    """
    # (1 / n_first - 1 / n) / 2 * log_inverse, in MOA's order of operations
    return math.sqrt((n - n_first) / n_first * (1.0 / n) / 2.0 * log_inverse)


@inlined
def _margin(n: int, log_inverse: float) -> float:
    """Half width of Hoeffding's interval for a mean of n inputs."""
    return math.sqrt(1.0 / (2.0 * n) * log_inverse)


@inlined
def hddm_a_update(state: HDDMAState, value: float, options: HDDMAOptions) -> int:
    """Update HDDM-A with a number from 0 to 1; the result is QUIET, WARNING or CHANGE.

    A change resets it, and so does a fall of the mean if `two_sided`.
    """
    n_seen, total, cut_log = state.n_seen, state.total, options.cut_log
    n_seen[ALL] += 1
    total[ALL] += value
    n, mean, margin = n_seen[ALL], total[ALL] / n_seen[ALL], _margin(n_seen[ALL], cut_log)
    if n == 1 or total[LOW] / n_seen[LOW] + _margin(n_seen[LOW], cut_log) >= mean + margin:
        n_seen[LOW], total[LOW] = n, total[ALL]
    if n == 1 or total[HIGH] / n_seen[HIGH] - _margin(n_seen[HIGH], cut_log) <= mean - margin:
        n_seen[HIGH], total[HIGH] = n, total[ALL]
    signal = QUIET
    if n_seen[LOW] < n:
        rise = mean - total[LOW] / n_seen[LOW]
        if rise >= _bound(n, n_seen[LOW], options.drift_log):
            hddm_a_reset(state)
            return CHANGE
        if rise >= _bound(n, n_seen[LOW], options.warning_log):
            signal = WARNING
    if options.two_sided and n_seen[HIGH] < n:
        fall = total[HIGH] / n_seen[HIGH] - mean
        if fall >= _bound(n, n_seen[HIGH], options.drift_log):
            hddm_a_reset(state)
    return signal


@kernel
def _run(state: HDDMAState, values: Floats, options: HDDMAOptions, signals: Integers) -> int:
    for t in range(len(values)):
        signals[t] = hddm_a_update(state, values[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


@dataclass(frozen=True)
class HDDMA(Detector):
    """HDDM-A: signals rises of the mean of all inputs since the last change.

    As in MOA, a fall of the mean is no signal, but by default it resets the detector.
    """

    # Error probabilities, which MOA calls confidence.
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

    def _check_combination(self) -> None:
        self._check_at_most("drift_confidence", "warning_confidence")

    def _begin(self, seed: int) -> InputReader:
        options = HDDMAOptions(
            cut_log=math.log(1.0 / self.drift_confidence),
            # As in MOA, the tests halve the error probability, unlike the bounds of the cuts.
            drift_log=math.log(2.0 / self.drift_confidence),
            warning_log=math.log(2.0 / self.warning_confidence),
            two_sided=self.two_sided,
        )
        state = hddm_a_start()
        return lambda x, signals: int(_run(state, x, options, signals))
