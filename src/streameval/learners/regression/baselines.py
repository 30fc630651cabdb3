"""Baselines of regression: the mean target, the latest target, and the target one season ago."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count
from streameval.compiled.kernels import kernel
from streameval.learners.learner import AnyLearner
from streameval.learners.predictions import PredictedValues
from streameval.learners.regression.regressor import CompiledRegressor
from streameval.learners.stretch import Stretch, Values, event_at, events_of
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _Mean(NamedTuple):
    sums: Floats  # (2,) of weights, and of weights times targets


@dataclass(frozen=True)
class TargetMean(CompiledRegressor):
    """Predict the weighted mean of all targets learnt, 0 before the first; see MOA's TargetMean.

    Inputs are ignored, so missing values change nothing.

    References
    ----------
    Almeida, Ferreira, Gama (2013), Adaptive model rules from data streams.
    """

    keeps_to_entity: ClassVar[bool] = True
    name: ClassVar[str] = "target_mean"
    reference: ClassVar[str] = "Almeida et al. (2013)"

    def _start(self, schema: Schema, seed: int) -> _Mean:
        return _Mean(np.zeros(2))

    def _advance(self, state: Any, stretch: Stretch, outputs: Values) -> tuple[int, int]:
        return _run_mean(state, stretch, outputs)

    def _model_bytes(self, state: Any) -> int:
        size: int = state.sums.nbytes
        return size


@kernel
def _run_mean(state: _Mean, stretch: Stretch, outputs: Values) -> tuple[int, int]:
    sums, entry = state.sums, stretch.entry
    for event in events_of(stretch):
        t, op, w = event_at(stretch, event)
        if op & PREDICT:
            outputs.value[entry] = sums[1] / sums[0] if sums[0] > 0.0 else 0.0
            entry += 1
        if op & LEARN and w > 0.0:
            sums[0] += w
            sums[1] += stretch.y[t] * w
    return stretch.stop, entry


#: Rows that a season's flags have room for at first.
_ROOM = 1024


class _Latest(NamedTuple):
    target: Floats  # (1,) the last one that was learnt, NaN before


class _Known(NamedTuple):
    learnt: NDArray[np.uint8]  # (r,) whether the target of a row has been learnt
    newest: Integers  # (P,) by phase, the last row that has been learnt, -1 before


@dataclass(frozen=True)
class PreviousTarget(CompiledRegressor):
    """Predict the last target that was learnt: "the same as before" (persistence).

    It is to numbers what No-Change is to classes. There is no prediction (NaN) before the first
    target. Inputs and weights are ignored, but that a target of weight 0 is not learnt.

    References
    ----------
    Hyndman, Athanasopoulos (2021), Forecasting: principles and practice, Section 5.2 (naïve
    method).
    """

    keeps_to_entity: ClassVar[bool] = True
    name: ClassVar[str] = "previous_target"
    reference: ClassVar[str] = "Hyndman, Athanasopoulos (2021), Section 5.2"

    def _start(self, schema: Schema, seed: int) -> _Latest:
        return _Latest(np.full(1, np.nan))

    def _advance(self, state: Any, stretch: Stretch, outputs: Values) -> tuple[int, int]:
        return _repeat_latest(state, stretch, outputs)

    def _model_bytes(self, state: Any) -> int:
        size: int = state.target.nbytes
        return size


@dataclass(frozen=True)
class Seasonal(CompiledRegressor):
    """Predict the target of one season before: with a period of 24, of the same hour yesterday.

    Of a row it is the target of the row `period` rows before; where that has not been learnt, as
    with delayed targets, that of two periods before, and so on. There is no prediction (NaN) while
    none of them has been learnt. Inputs and weights are ignored, but that a target of weight 0 is
    not learnt.

    Parameters
    ----------
    period : int
        Number of instances in a season.

    References
    ----------
    Hyndman, Athanasopoulos (2021), Forecasting: principles and practice, Section 5.2 (seasonal
    naïve method).
    """

    period: Annotated[Count, Meta(le=10**7)] = 24

    keeps_to_entity: ClassVar[bool] = True
    waits_for_entity: ClassVar[bool] = True
    name: ClassVar[str] = "seasonal"
    reference: ClassVar[str] = "Hyndman, Athanasopoulos (2021), Section 5.2"

    def _start(self, schema: Schema, seed: int) -> _Known:
        return _Known(np.zeros(_ROOM, np.uint8), np.full(self.period, -1, np.int64))

    def _advance(self, state: Any, stretch: Stretch, outputs: Values) -> tuple[int, int]:
        return _repeat_season(state, stretch, outputs)

    def _grow(self, state: Any) -> _Known:
        return _Known(np.append(state.learnt, np.zeros_like(state.learnt)), state.newest)

    def _model_bytes(self, state: Any) -> int:
        size: int = state.newest.nbytes + int(state.newest.max()) + 1
        return size


@kernel
def _repeat_latest(state: _Latest, stretch: Stretch, outputs: Values) -> tuple[int, int]:
    entry = stretch.entry
    for event in events_of(stretch):
        t, op, w = event_at(stretch, event)
        if op & PREDICT:
            outputs.value[entry] = state.target[0]
            entry += 1
        if op & LEARN and w > 0.0:
            state.target[0] = stretch.y[t]
    return stretch.stop, entry


@kernel
def _repeat_season(state: _Known, stretch: Stretch, outputs: Values) -> tuple[int, int]:
    learnt, newest, entry = state.learnt, state.newest, stretch.entry
    period = newest.shape[0]
    for event in range(stretch.start, stretch.stop):
        t, op = np.int64(stretch.row[event]), stretch.op[event]
        learns = (op & LEARN) != 0 and stretch.weight[event] > 0.0
        if learns and t >= learnt.shape[0]:
            return event, entry
        phase = t % period
        if op & PREDICT:
            row = min(t - period, newest[phase])
            while row >= 0 and learnt[row] == 0:
                row -= period
            outputs.value[entry] = stretch.y[row] if row >= 0 else np.nan
            entry += 1
        if learns:
            learnt[t] = 1
            newest[phase] = max(newest[phase], t)
    return stretch.stop, entry


def with_baselines(
    regressors: Mapping[str, AnyLearner[PredictedValues]],
) -> dict[str, AnyLearner[PredictedValues]]:
    """Regressors by id; baselines are appended if they are missing."""
    missing = {baseline.name: baseline for baseline in (PreviousTarget(), TargetMean())}
    return {
        **regressors,
        **{name: baseline for name, baseline in missing.items() if name not in regressors},
    }
