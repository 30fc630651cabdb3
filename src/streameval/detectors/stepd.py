"""STEPD as in MOA: a test that the recent error rate equals the earlier one.

STEPD compares the proportions of correct predictions among the last w inputs and among the earlier
inputs since its last change, by a test of equal proportions with continuity correction.

References
----------
Nishida, Yamauchi (2007), Detecting concept drift using statistical testing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count, StrictProportion, parameter
from streameval.compiled.kernels import inlined, kernel, subkernel
from streameval.compiled.normal import normal_cdf
from streameval.detectors.alarms import CHANGE, ERRORS, QUIET, WARNING, InputRange
from streameval.detectors.detector import Detector, InputReader

# Entries of `STEPDState.counts`.
OLDER = 0  # inputs before the window
OLDER_CORRECT = 1  # correct predictions before the window
RECENT = 2  # inputs in the window
RECENT_CORRECT = 3  # correct predictions in the window
NEXT = 4  # write position in the window, which is a ring


class STEPDState(NamedTuple):
    """Counts of STEPD since its last change, and its window of `w` inputs."""

    counts: Integers  # (5,)
    correct: NDArray[np.int8]  # (w,), whether each prediction of the window is correct


class STEPDOptions(NamedTuple):
    """Significance levels, and whether only rises of the error rate are signalled."""

    drift_alpha: float
    warning_alpha: float
    rises_only: bool


def stepd_start(window: int) -> STEPDState:
    """STEPD without inputs."""
    return STEPDState(np.zeros(5, dtype=np.int64), np.zeros(window, np.int8))


@inlined
def stepd_reset(state: STEPDState) -> None:
    """Reset STEPD."""
    state.counts[:] = 0


@inlined
def stepd_update(state: STEPDState, error: float, options: STEPDOptions) -> int:
    """Update STEPD with an error, 0 or 1; the result is QUIET, WARNING or CHANGE.

    A change resets it.
    """
    counts, correct, window = state.counts, state.correct, len(state.correct)
    if counts[RECENT] == window:
        counts[OLDER] += 1
        counts[OLDER_CORRECT] += correct[counts[NEXT]]
        counts[RECENT_CORRECT] -= correct[counts[NEXT]]
    else:
        counts[RECENT] += 1
    correct[counts[NEXT]] = error == 0.0
    counts[RECENT_CORRECT] += correct[counts[NEXT]]
    counts[NEXT] = counts[NEXT] + 1 if counts[NEXT] + 1 < window else 0
    if counts[OLDER] < window:  # as in the paper, which tests from 2 w inputs on
        return QUIET
    p_value = _p_value(state, options.rises_only)
    if p_value < options.drift_alpha:
        stepd_reset(state)
        return CHANGE
    return WARNING if p_value < options.warning_alpha else QUIET


@subkernel
def _p_value(state: STEPDState, rises_only: bool) -> float:
    """Two-sided p-value; 1 if only rises count and the error rate has not risen."""
    older, recent = float(state.counts[OLDER]), float(state.counts[RECENT])
    older_correct, recent_correct = state.counts[OLDER_CORRECT], state.counts[RECENT_CORRECT]
    error_rise = older_correct / older - recent_correct / recent
    if rises_only and error_rise <= 0.0:
        return 1.0
    inverse_sizes = 1.0 / older + 1.0 / recent
    pooled = (older_correct + recent_correct) / (older + recent)
    # The continuity correction makes z negative for small differences, and -inf if all inputs are
    # equal. MOA takes |z| then, too, so equal inputs count as the largest difference.
    z = abs(error_rise) - inverse_sizes / 2.0
    z /= math.sqrt(pooled * (1.0 - pooled) * inverse_sizes)
    return 2.0 * (1.0 - normal_cdf(abs(z)))


@kernel
def _run(state: STEPDState, errors: Floats, options: STEPDOptions, signals: Integers) -> int:
    for t in range(len(errors)):
        signals[t] = stepd_update(state, errors[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(errors)


@dataclass(frozen=True)
class STEPD(Detector):
    """Test of equal proportions: signal if the recent error rate differs from the earlier one.

    As in MOA, falls of the error rate are signalled by default, too. A sequence of equal inputs is
    also signalled whenever it is twice as long as the window, as the test is undefined there. With
    `rises_only`, neither is signalled.
    """

    window: Annotated[Count, Meta(le=100_000)] = parameter("number of recent inputs w", 30)
    drift_alpha: StrictProportion = parameter("p-value below which there is a change", 0.003)
    warning_alpha: StrictProportion = parameter("p-value below which there is a warning", 0.05)
    rises_only: bool = parameter("whether only rises of the error rate are signalled", False)

    name: ClassVar[str] = "stepd"
    title: ClassVar[str] = "STEPD"
    reference: ClassVar[str] = "Nishida, Yamauchi (2007)"
    valid_inputs: ClassVar[InputRange] = ERRORS

    def _check_combination(self) -> None:
        self._check_at_most("drift_alpha", "warning_alpha")

    def _begin(self, seed: int) -> InputReader:
        options = STEPDOptions(self.drift_alpha, self.warning_alpha, self.rises_only)
        state = stepd_start(self.window)
        return lambda x, signals: int(_run(state, x, options, signals))
