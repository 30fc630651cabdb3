"""A drift detector that counts consecutive errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from streameval.base.params import Count, parameter
from streameval.detectors.alarms import CHANGE, ERRORS, QUIET, InputRange
from streameval.detectors.detector import Detector, InputReader


@dataclass(frozen=True)
class InARow(Detector):
    """Signal a change after a number of consecutive errors."""

    errors: Count = parameter("number of consecutive errors", 5)

    name: ClassVar[str] = "in_a_row"
    title: ClassVar[str] = "Errors in a row"
    reference: ClassVar[str] = "none: an example"
    takes: ClassVar[InputRange] = ERRORS

    def _begin(self, seed: int) -> InputReader:
        length = 0

        def feed(x: NDArray[np.float64], signals: NDArray[np.int64]) -> int:
            nonlocal length
            for t, error in enumerate(x):
                length = length + 1 if error else 0
                signals[t] = CHANGE if length == self.errors else QUIET
                if signals[t] == CHANGE:
                    length = 0
                    return t + 1
            return len(x)

        return feed
