"""Detectors that ignore their inputs: what others must beat. `chance` is another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.detectors.alarms import CHANGE, QUIET
from streameval.detectors.detector import Detector
from streameval.notation import parameter


@dataclass(frozen=True)
class Never(Detector):
    """Never signal anything."""

    name: ClassVar[str] = "never"
    title: ClassVar[str] = "Never"
    reference: ClassVar[str] = "none: a baseline"

    def _signals(self, x: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
        return np.full(len(x), QUIET)


@dataclass(frozen=True)
class Always(Detector):
    """Signal a change after each input."""

    name: ClassVar[str] = "always"
    title: ClassVar[str] = "Always"
    reference: ClassVar[str] = "none: a baseline"

    def _signals(self, x: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
        return np.full(len(x), CHANGE)


@dataclass(frozen=True)
class Every(Detector):
    """Signal a change at regular intervals: after n inputs, after 2n, and so on."""

    n: int = parameter("number of inputs from one change to the next", at_least=1)

    name: ClassVar[str] = "every"
    title: ClassVar[str] = "Every n inputs"
    reference: ClassVar[str] = "none: a baseline"

    def _signals(self, x: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
        signals = np.full(len(x), QUIET)
        signals[self.n - 1 :: self.n] = CHANGE
        return signals
