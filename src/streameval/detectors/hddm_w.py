"""HDDM-W as in MOA: McDiarmid's bound on an exponentially weighted mean.

HDDM-W compares two weighted means: the mean of the inputs up to a cut, and the mean of the inputs
since the cut. The cut is where an upper bound of the mean was lowest. A second cut, where a lower
bound was highest, detects falls of the mean. With `two_sided`, a fall resets the detector without a
signal. The same input can still cause a warning, if the mean has risen since the first cut.

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

# Rows of `HDDMWState.sample`.
ALL = 0  # all inputs
TO_LOW = 1  # inputs up to the cut with a low mean
SINCE_LOW = 2  # inputs since this cut
TO_HIGH = 3  # inputs up to the cut with a high mean
SINCE_HIGH = 4  # inputs since this cut
# Columns of `HDDMWState.sample`.
MEAN = 0  # weighted mean; `EMPTY` without inputs
SQUARES = 1  # sum of squared weights; not used without inputs
#: The mean of a sample without inputs. Inputs are at least 0.
EMPTY = -1.0
# Entries of `HDDMWState.bound`.
LOWEST_UPPER = 0  # lowest upper bound of the mean
HIGHEST_LOWER = 1  # highest lower bound of the mean


class HDDMWState(NamedTuple):
    """Weighted means of HDDM-W since its last change, up to and since each cut."""

    sample: Floats  # (5, 2)
    bound: Floats  # (2,), bounds of the mean at both cuts


class HDDMWOptions(NamedTuple):
    """The parameters of `HDDMW`, with the logarithms in McDiarmid's bounds."""

    smoothing: float  # weight λ of the newest input
    drift_log: float  # log(1 / error probability) of the bound for changes
    warning_log: float  # log(1 / error probability) of the bound for warnings
    two_sided: bool  # whether falls of the mean reset the detector


def hddm_w_start() -> HDDMWState:
    """HDDM-W without inputs."""
    state = HDDMWState(np.empty((5, 2)), np.empty(2))
    state.sample[:] = EMPTY, 1.0
    state.bound[:] = np.inf, -np.inf
    return state


@inlined
def hddm_w_reset(state: HDDMWState) -> None:
    """Reset HDDM-W."""
    for row in range(SINCE_HIGH + 1):
        _empty(state.sample[row])
    state.bound[LOWEST_UPPER], state.bound[HIGHEST_LOWER] = np.inf, -np.inf


@inlined
def _empty(sample: Floats) -> None:
    sample[MEAN], sample[SQUARES] = EMPTY, 1.0


@inlined
def _add(sample: Floats, value: float, weight: float) -> None:
    """Add an input to a sample; the first input has weight 1."""
    if sample[MEAN] == EMPTY:
        sample[MEAN], sample[SQUARES] = value, 1.0
        return
    fading = 1.0 - weight
    sample[MEAN] = weight * value + fading * sample[MEAN]
    sample[SQUARES] = weight * weight + fading * fading * sample[SQUARES]


@inlined
def _copy(sample: Floats, target: Floats) -> None:
    target[MEAN], target[SQUARES] = sample[MEAN], sample[SQUARES]


@inlined
def _exceeds(higher: Floats, lower: Floats, log_inverse: float) -> bool:
    """Whether the mean of `higher` exceeds that of `lower` by more than McDiarmid's bound."""
    if higher[MEAN] == EMPTY or lower[MEAN] == EMPTY:
        return False
    bound = math.sqrt((lower[SQUARES] + higher[SQUARES]) * log_inverse / 2.0)
    return higher[MEAN] - lower[MEAN] > bound


@inlined
def hddm_w_update(state: HDDMWState, value: float, options: HDDMWOptions) -> int:
    """Update HDDM-W with a number from 0 to 1; the result is QUIET, WARNING or CHANGE.

    A change resets it, and so does a fall of the mean if `two_sided`.
    """
    sample, bound = state.sample, state.bound
    _add(sample[ALL], value, options.smoothing)
    margin = math.sqrt(sample[ALL, SQUARES] * options.drift_log / 2.0)
    if sample[ALL, MEAN] + margin < bound[LOWEST_UPPER]:
        bound[LOWEST_UPPER] = sample[ALL, MEAN] + margin
        _copy(sample[ALL], sample[TO_LOW])
        _empty(sample[SINCE_LOW])
    else:
        _add(sample[SINCE_LOW], value, options.smoothing)
    if _exceeds(sample[SINCE_LOW], sample[TO_LOW], options.drift_log):
        hddm_w_reset(state)
        return CHANGE
    is_warning = _exceeds(sample[SINCE_LOW], sample[TO_LOW], options.warning_log)
    if options.two_sided:
        if sample[ALL, MEAN] - margin > bound[HIGHEST_LOWER]:
            bound[HIGHEST_LOWER] = sample[ALL, MEAN] - margin
            _copy(sample[ALL], sample[TO_HIGH])
            _empty(sample[SINCE_HIGH])
        else:
            _add(sample[SINCE_HIGH], value, options.smoothing)
        if _exceeds(sample[TO_HIGH], sample[SINCE_HIGH], options.drift_log):
            hddm_w_reset(state)
    return WARNING if is_warning else QUIET


@kernel
def _run(state: HDDMWState, values: Floats, options: HDDMWOptions, signals: Integers) -> int:
    for t in range(len(values)):
        signals[t] = hddm_w_update(state, values[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


@dataclass(frozen=True)
class HDDMW(Detector):
    """McDiarmid's bound on weighted moving averages: signal rises of the mean of recent inputs.

    A fall of the mean is no signal. As in MOA, it does not reset the detector by default.
    """

    # Error probabilities, which MOA calls confidence.
    drift_confidence: StrictProportion = parameter(
        "error probability of the bound for changes", 0.001
    )
    warning_confidence: StrictProportion = parameter(
        "error probability of the bound for warnings", 0.005
    )
    smoothing: StrictProportion = parameter("weight λ of the newest input", 0.05)
    two_sided: bool = parameter("whether falls of the mean reset the detector", False)

    name: ClassVar[str] = "hddm_w"
    title: ClassVar[str] = "HDDM-W"
    reference: ClassVar[str] = "Frías-Blanco et al. (2015)"
    valid_inputs: ClassVar[InputRange] = LOSSES

    def _check_combination(self) -> None:
        self._check_at_most("drift_confidence", "warning_confidence")

    def _begin(self, seed: int) -> InputReader:
        options = HDDMWOptions(
            self.smoothing,
            drift_log=math.log(1.0 / self.drift_confidence),
            warning_log=math.log(1.0 / self.warning_confidence),
            two_sided=self.two_sided,
        )
        state = hddm_w_start()
        return lambda x, signals: int(_run(state, x, options, signals))
