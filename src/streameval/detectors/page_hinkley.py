"""The Page-Hinkley test as in MOA, and as published.

The test sums the differences between the inputs and their mean so far, less a tolerance. Page and
Hinkley signal a change if this sum has risen far above its smallest value. MOA signals a change if
the sum itself is large. A sum that has fallen for long must first rise as much again, so MOA
detects changes with a long delay or never.

References
----------
Page (1954), Continuous inspection schemes.
Hinkley (1971), Inference about the change-point from cumulative sum tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.params import NotNegative, Positive, Proportion, Whole, parameter
from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import CHANGE, QUIET
from streameval.detectors.detector import Detector, InputReader

# Entries of `PageHinkleyState.statistics`.
MEAN = 0  # mean of the inputs
TOTAL = 1  # the sum that is tested
LOWEST = 2  # smallest value of the sum


class PageHinkleyState(NamedTuple):
    """Mean and sum since the last change."""

    n_seen: Integers  # (1,), inputs since the last change
    statistics: Floats  # (3,)


class PageHinkleyOptions(NamedTuple):
    """The parameters of `PageHinkley`."""

    min_instances: int
    delta: float
    threshold: float
    fading: float
    subtract_lowest: bool  # test the rise of the sum above its smallest value


def page_hinkley_start() -> PageHinkleyState:
    """The test without inputs."""
    state = PageHinkleyState(np.zeros(1, dtype=np.int64), np.zeros(3))
    state.statistics[LOWEST] = np.inf
    return state


@inlined
def page_hinkley_reset(state: PageHinkleyState) -> None:
    """Reset the test."""
    state.n_seen[0] = 0
    state.statistics[MEAN] = state.statistics[TOTAL] = 0.0
    state.statistics[LOWEST] = np.inf


@inlined
def page_hinkley_update(state: PageHinkleyState, value: float, options: PageHinkleyOptions) -> int:
    """Update the test with a number; the result is QUIET or CHANGE. A change resets it."""
    statistics = state.statistics
    state.n_seen[0] += 1
    statistics[MEAN] += (value - statistics[MEAN]) / state.n_seen[0]
    excess = value - statistics[MEAN] - options.delta
    statistics[TOTAL] = options.fading * statistics[TOTAL] + excess
    statistics[LOWEST] = min(statistics[LOWEST], statistics[TOTAL])
    if state.n_seen[0] + 1 < options.min_instances:  # MOA's counter is one ahead
        return QUIET
    base = statistics[LOWEST] if options.subtract_lowest else 0.0
    if statistics[TOTAL] - base <= options.threshold:
        return QUIET
    page_hinkley_reset(state)
    return CHANGE


@kernel
def _run(
    state: PageHinkleyState, values: Floats, options: PageHinkleyOptions, signals: Integers
) -> int:
    for t in range(len(values)):
        signals[t] = page_hinkley_update(state, values[t], options)
        if signals[t] == CHANGE:
            return t + 1
    return len(values)


@dataclass(frozen=True)
class PageHinkley(Detector):
    """Page-Hinkley test: signal rises of the mean of any numbers.

    The published test has `statistic` "rise" and `fading` 1; the defaults are those of MOA.
    """

    min_instances: Whole = parameter(
        "minimum number of inputs between changes, plus one as in MOA", 30
    )
    delta: NotNegative = parameter("tolerance: smaller rises of the mean are no change", 0.005)
    threshold: Positive = parameter("threshold of the statistic, in the unit of the inputs", 50.0)
    fading: Proportion = parameter("fading factor α of the sum", 0.9999)
    statistic: Literal["sum", "rise"] = parameter(
        "the sum as in MOA, or its rise above its least value, as published", "sum"
    )

    name: ClassVar[str] = "page_hinkley"
    title: ClassVar[str] = "Page-Hinkley"
    reference: ClassVar[str] = "Page (1954); Hinkley (1971)"

    def _begin(self, seed: int) -> InputReader:
        options = PageHinkleyOptions(
            self.min_instances,
            self.delta,
            self.threshold,
            self.fading,
            subtract_lowest=self.statistic == "rise",
        )
        state = page_hinkley_start()
        return lambda x, signals: int(_run(state, x, options, signals))
