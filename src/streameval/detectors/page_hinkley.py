"""The Page-Hinkley test as in MOA, and as published.

The test sums by how much the inputs exceed their mean so far, less a tolerance. Page and Hinkley
signal a change where this sum has risen far above its least value. MOA signals one where the sum
itself is large: a sum that has fallen for long must rise by as much first, so changes are found
late, or not at all.

References
----------
Page (1954), Continuous inspection schemes.
Hinkley (1971), Inference about the change-point from cumulative sum tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.kernels import inlined, kernel
from streameval.detectors.alarms import CHANGE, QUIET
from streameval.detectors.detector import Detector
from streameval.notation import LARGEST, parameter

# Columns of `PageHinkleyState.level`: the mean of the inputs, the sum, its least value.
MEAN, TOTAL, LEAST = 0, 1, 2


class PageHinkleyState(NamedTuple):
    """A pool of `d` independent tests."""

    seen: NDArray[np.int64]  # (d,) inputs since the last change
    level: NDArray[np.float64]  # (d, 3)


class PageHinkleyOptions(NamedTuple):
    """The parameters of `PageHinkley`; whether the least value of the sum is subtracted."""

    min_instances: int
    delta: float
    threshold: float
    fading: float
    is_rise: bool


def page_hinkley_start(count: int) -> PageHinkleyState:
    """Return `count` tests without inputs."""
    state = PageHinkleyState(np.zeros(count, dtype=np.int64), np.zeros((count, 3)))
    state.level[:, LEAST] = np.inf
    return state


@inlined
def page_hinkley_reset(state: PageHinkleyState, d: int) -> None:
    """Reset test number `d`."""
    state.seen[d] = 0
    state.level[d, MEAN] = state.level[d, TOTAL] = 0.0
    state.level[d, LEAST] = np.inf


@inlined
def page_hinkley_insert(
    state: PageHinkleyState, d: int, value: float, options: PageHinkleyOptions
) -> int:
    """Feed test number `d` with a number; return QUIET or CHANGE. It resets after a change."""
    level = state.level[d]
    state.seen[d] += 1
    level[MEAN] += (value - level[MEAN]) / state.seen[d]
    level[TOTAL] = options.fading * level[TOTAL] + (value - level[MEAN] - options.delta)
    level[LEAST] = min(level[LEAST], level[TOTAL])
    if state.seen[d] + 1 < options.min_instances:  # MOA's counter is one ahead
        return QUIET
    if level[TOTAL] - (level[LEAST] if options.is_rise else 0.0) <= options.threshold:
        return QUIET
    page_hinkley_reset(state, d)
    return CHANGE


@kernel
def _run(
    state: PageHinkleyState,
    values: NDArray[np.float64],
    options: PageHinkleyOptions,
    signals: NDArray[np.int64],
) -> None:
    for t in range(len(values)):
        signals[t] = page_hinkley_insert(state, 0, values[t], options)


@dataclass(frozen=True)
class PageHinkley(Detector):
    """Page-Hinkley test: signal rises of the mean of any numbers."""

    min_instances: int = parameter(
        "least number of inputs between changes plus one, as MOA counts", 30
    )
    delta: float = parameter("tolerance: rises of the mean up to it are no change", 0.005)
    threshold: float = parameter(
        "what the statistic must exceed, in the unit of the inputs", 50.0, between=(0, LARGEST)
    )
    fading: float = parameter("fading factor α of the sum", 0.9999, at_most=1)
    statistic: Literal["sum", "rise"] = parameter(
        "the sum as in MOA, or its rise above its least value, as published", "sum"
    )

    name: ClassVar[str] = "page_hinkley"
    title: ClassVar[str] = "Page-Hinkley"
    reference: ClassVar[str] = "Page (1954); Hinkley (1971)"

    def _signals(self, x: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
        signals = np.empty(len(x), dtype=np.int64)
        options = PageHinkleyOptions(
            self.min_instances, self.delta, self.threshold, self.fading, self.statistic == "rise"
        )
        _run(page_hinkley_start(1), x, options, signals)
        return signals
