"""Detectors that ignore their inputs: baselines for other detectors. See also module `chance`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count, parameter
from streameval.detectors.alarms import CHANGE, QUIET
from streameval.detectors.detector import Detector, InputReader


@dataclass(frozen=True)
class Never(Detector):
    """Never signal anything."""

    name: ClassVar[str] = "never"
    title: ClassVar[str] = "Never"
    reference: ClassVar[str] = "none: a baseline"

    def _begin(self, seed: int) -> InputReader:
        return _never


@dataclass(frozen=True)
class Always(Detector):
    """Signal a change after each input."""

    name: ClassVar[str] = "always"
    title: ClassVar[str] = "Always"
    reference: ClassVar[str] = "none: a baseline"

    def _begin(self, seed: int) -> InputReader:
        return lambda x, signals: _signal_after(1, x, signals)


@dataclass(frozen=True)
class Every(Detector):
    """Signal a change at regular intervals: after n inputs, after 2n, and so on."""

    n: Count = parameter("number of inputs from one change to the next")

    name: ClassVar[str] = "every"
    title: ClassVar[str] = "Every n inputs"
    reference: ClassVar[str] = "none: a baseline"

    def _begin(self, seed: int) -> InputReader:
        remaining = self.n

        def feed(x: Floats, signals: Integers) -> int:
            nonlocal remaining
            n_read = _signal_after(remaining, x, signals)
            remaining = remaining - n_read if n_read < remaining else self.n
            return n_read

        return feed


def _never(x: Floats, signals: Integers) -> int:
    signals[:] = QUIET
    return len(x)


def _signal_after(n: int, x: Floats, signals: Integers) -> int:
    """Signal a change after input number `n` if `x` is long enough; return the inputs read."""
    signals[:] = QUIET
    if len(x) < n:
        return len(x)
    signals[n - 1] = CHANGE
    return n
