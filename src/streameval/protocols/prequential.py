"""Prequential evaluation: each instance is predicted, then learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from streameval.protocols.protocol import Instances, Protocol, parameter
from streameval.protocols.tape import LEARN, PREDICT_THEN_LEARN, Tape


def prequential(n: int, pretrain: int = 0) -> Tape:
    """Return the test-then-train tape over `n` instances.

    Parameters
    ----------
    n : int
        Length of the stream.
    pretrain : int
        Number of instances at the start that are learnt without prediction.

    Returns
    -------
    Tape
        `n` events, one for each row in order, all with weight 1.

    References
    ----------
    Gama, Sebastião, Rodrigues (2013), On evaluating stream learning algorithms.
    """
    op = np.full(n, PREDICT_THEN_LEARN, dtype=np.uint8)
    op[:pretrain] = LEARN
    return Tape(np.arange(n, dtype=np.int32), op, np.ones(n, dtype=np.float32))


@dataclass(frozen=True)
class Prequential(Protocol):
    """Prequential evaluation: predict each instance, then learn it; see `prequential`."""

    pretrain: int = parameter("number of first instances that are learnt without a prediction", 0)

    name: ClassVar[str] = "prequential"
    reference: ClassVar[str] = "Gama, Sebastião, Rodrigues (2013)"

    @property
    def title(self) -> str:
        """What captions call it."""
        after = f" after {self.pretrain:,} instances of training" if self.pretrain else ""
        return f"test-then-train (prequential){after}"

    @property
    def explanation(self) -> str:
        """A sentence for captions: what each learner does."""
        if not self.pretrain:
            return "Each learner predicts an instance, then learns from it."
        return (
            f"Each learner learns from the first {self.pretrain:,} instances, then predicts each "
            "of the others before learning from it."
        )

    def _tapes(self, stream: Instances) -> list[Tape]:
        return [prequential(len(stream), self.pretrain)]
