"""Hold-out evaluation: learn from the first instances, then predict all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streameval.base.params import Count, parameter
from streameval.protocols.protocol import Instances, Protocol
from streameval.protocols.tape import LEARN, PREDICT, Tape


@dataclass(frozen=True)
class HoldOut(Protocol):
    """Hold-out evaluation: learn from the first instances, then predict all others."""

    train: Count = parameter("number of instances to learn from")

    name: ClassVar[str] = "hold_out"
    reference: ClassVar[str] = "none: an example"

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        return f"hold-out after {self.train:,} instances"

    def _tapes(self, stream: Instances) -> list[Tape]:
        rows = np.arange(len(stream), dtype=np.int32)
        operations = np.where(rows < self.train, LEARN, PREDICT).astype(np.uint8)
        return [Tape(rows, operations, np.ones(len(rows), np.float32))]
