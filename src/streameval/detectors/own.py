"""Detectors of one's own: objects with ``update`` and ``drift_detected``, as River's have them."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

from streameval.base.arrays import Floats, Integers
from streameval.base.errors import DataError, excerpt
from streameval.detectors.alarms import CHANGE, QUIET, WARNING
from streameval.detectors.detector import Detector, Feed


@dataclass(frozen=True)
class OwnDetector(Detector):
    """A drift detector of one's own.

    Each input is given to ``update``; then ``drift_detected`` is a change and ``warning_detected``,
    if there is one, a warning. Each run begins with a copy of the object, which is left alone.
    """

    model: Any = field(hash=False)

    name: ClassVar[str] = "own"
    title: ClassVar[str] = "A detector of one's own"
    reference: ClassVar[str] = "none"

    def __str__(self) -> str:
        return type(self.model).__name__

    def _begin(self, seed: int) -> Feed:
        model, fed = deepcopy(self.model), 0

        def feed(x: Floats, signals: Integers) -> int:
            nonlocal fed
            for t, value in enumerate(x.tolist()):
                try:
                    model.update(value)
                except Exception as error:
                    raise DataError(
                        f"{self} could not be updated with {value} at position {fed}: "
                        f"{type(error).__name__}: {excerpt(error)}."
                    ) from error
                fed += 1
                signals[t] = WARNING if getattr(model, "warning_detected", False) else QUIET
                if model.drift_detected:
                    signals[t] = CHANGE
                    return t + 1
            return len(x)

        return feed
