"""The baseline of regression: the mean of the targets so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.kernels import kernel
from streameval.learners.regression.regressor import CompiledRegressor
from streameval.learners.stretch import Stretch, Values, event_at, events_of
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _State(NamedTuple):
    sums: NDArray[np.float64]  # (2,) of weights, and of weights times targets


@dataclass(frozen=True)
class TargetMean(CompiledRegressor):
    """Predict the weighted mean of all targets learnt, 0 before the first; see MOA's TargetMean.

    Inputs are ignored, so missing values change nothing.

    References
    ----------
    Almeida, Ferreira, Gama (2013), Adaptive model rules from data streams.
    """

    name: ClassVar[str] = "target_mean"
    reference: ClassVar[str] = "Almeida et al. (2013)"

    def _start(self, schema: Schema, seed: int) -> _State:
        return _State(np.zeros(2))

    def _advance(self, state: Any, stretch: Stretch, outputs: Values) -> tuple[int, int]:
        reached: tuple[int, int] = _play(state, stretch, outputs)
        return reached

    def _model_bytes(self, state: Any) -> int:
        size: int = state.sums.nbytes
        return size


@kernel
def _play(state: _State, stretch: Stretch, outputs: Values) -> tuple[int, int]:
    sums, at = state.sums, stretch.at
    for event in events_of(stretch):
        t, op, w = event_at(stretch, event)
        if op & PREDICT:
            outputs.value[at] = sums[1] / sums[0] if sums[0] > 0.0 else 0.0
            at += 1
        if op & LEARN and w > 0.0:
            sums[0] += w
            sums[1] += stretch.y[t] * w
    return stretch.stop, at
