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
from streameval.learners.kernel_arguments import (
    EventRange,
    RegressionOutputs,
    event_at,
    event_numbers,
)
from streameval.learners.learner import AnyLearner
from streameval.learners.predictions import PredictedValues
from streameval.learners.regression.regressor import CompiledRegressor
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _Mean(NamedTuple):
    sums: Floats  # (2,), sum of weights, and sum of weighted targets


@dataclass(frozen=True)
class TargetMean(CompiledRegressor):
    """Predict the weighted mean of all targets learnt, and 0 before the first, as in MOA.

    Inputs are ignored, so missing values have no effect.

    References
    ----------
    Almeida, Ferreira, Gama (2013), Adaptive model rules from data streams.
    """

    one_model_per_entity: ClassVar[bool] = True
    name: ClassVar[str] = "target_mean"
    reference: ClassVar[str] = "Almeida et al. (2013)"

    def _start(self, schema: Schema, seed: int) -> _Mean:
        return _Mean(np.zeros(2))

    def _advance(
        self, state: Any, events: EventRange, outputs: RegressionOutputs
    ) -> tuple[int, int]:
        return _run_mean(state, events, outputs)

    def _model_bytes(self, state: Any) -> int:
        size: int = state.sums.nbytes
        return size


@kernel
def _run_mean(state: _Mean, events: EventRange, outputs: RegressionOutputs) -> tuple[int, int]:
    sums, entry = state.sums, events.entry
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        if op & PREDICT:
            outputs.value[entry] = sums[1] / sums[0] if sums[0] > 0.0 else 0.0
            entry += 1
        if op & LEARN and w > 0.0:
            sums[0] += w
            sums[1] += events.y[t] * w
    return events.stop, entry


#: Initial number r of rows in `_Season`.
_INITIAL_ROWS = 1024


class _Latest(NamedTuple):
    target: Floats  # (1,), the last target that was learnt; NaN before the first


class _Season(NamedTuple):
    is_learnt: NDArray[np.uint8]  # (r,), whether the target of a row has been learnt
    # (period,), by position in the season: last row whose target has been learnt; -1 before
    newest: Integers


@dataclass(frozen=True)
class PreviousTarget(CompiledRegressor):
    """Predict the last target that was learnt (persistence).

    It is the counterpart of No-Change for regression. There is no prediction (NaN) before the first
    target. Inputs and weights are ignored, except that a target of weight 0 is not learnt.

    References
    ----------
    Hyndman, Athanasopoulos (2021), Forecasting: principles and practice, Section 5.2 (naïve
    method).
    """

    one_model_per_entity: ClassVar[bool] = True
    name: ClassVar[str] = "previous_target"
    reference: ClassVar[str] = "Hyndman, Athanasopoulos (2021), Section 5.2"

    def _start(self, schema: Schema, seed: int) -> _Latest:
        return _Latest(np.full(1, np.nan))

    def _advance(
        self, state: Any, events: EventRange, outputs: RegressionOutputs
    ) -> tuple[int, int]:
        return _repeat_latest(state, events, outputs)

    def _model_bytes(self, state: Any) -> int:
        size: int = state.target.nbytes
        return size


@dataclass(frozen=True)
class Seasonal(CompiledRegressor):
    """Predict the target of one season ago: of the same hour yesterday, if the period is 24 hours.

    The prediction for a row is the target of the row `period` rows before. If that has not been
    learnt, for example because targets are delayed, it is the target of two periods before, and so
    on. There is no prediction (NaN) if none of these targets has been learnt. Inputs and weights
    are ignored, except that a target of weight 0 is not learnt.

    Parameters
    ----------
    period : int
        Number of instances in a season.

    References
    ----------
    Hyndman, Athanasopoulos (2021), Forecasting: principles and practice, Section 5.2 (seasonal
    naïve method).
    """

    period: Annotated[Count, Meta(le=10**7)] = 24  # bounded, as memory grows with it

    one_model_per_entity: ClassVar[bool] = True
    waits_for_label_of_entity: ClassVar[bool] = True
    name: ClassVar[str] = "seasonal"
    reference: ClassVar[str] = "Hyndman, Athanasopoulos (2021), Section 5.2"

    def _start(self, schema: Schema, seed: int) -> _Season:
        return _Season(np.zeros(_INITIAL_ROWS, np.uint8), np.full(self.period, -1, np.int64))

    def _advance(
        self, state: Any, events: EventRange, outputs: RegressionOutputs
    ) -> tuple[int, int]:
        return _repeat_season(state, events, outputs)

    def _grow(self, state: Any) -> _Season:
        return _Season(np.append(state.is_learnt, np.zeros_like(state.is_learnt)), state.newest)

    def _model_bytes(self, state: Any) -> int:
        size: int = state.newest.nbytes + int(state.newest.max()) + 1  # a byte per row up to now
        return size


@kernel
def _repeat_latest(
    state: _Latest, events: EventRange, outputs: RegressionOutputs
) -> tuple[int, int]:
    entry = events.entry
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        if op & PREDICT:
            outputs.value[entry] = state.target[0]
            entry += 1
        if op & LEARN and w > 0.0:
            state.target[0] = events.y[t]
    return events.stop, entry


@kernel
def _repeat_season(
    state: _Season, events: EventRange, outputs: RegressionOutputs
) -> tuple[int, int]:
    is_learnt, newest, entry = state.is_learnt, state.newest, events.entry
    period = newest.shape[0]
    for event in range(events.start, events.stop):  # not `event_at`: no instance is read
        t, op = np.int64(events.row[event]), events.op[event]
        learns = (op & LEARN) != 0 and events.weight[event] > 0.0
        if learns and t >= is_learnt.shape[0]:
            return event, entry  # the caller grows the state, and continues with this event
        position = t % period  # in the season
        if op & PREDICT:
            # The newest learnt row at this position that is at least one period old.
            row = min(t - period, newest[position])
            while row >= 0 and is_learnt[row] == 0:
                row -= period
            outputs.value[entry] = events.y[row] if row >= 0 else np.nan
            entry += 1
        if learns:
            is_learnt[t] = 1
            newest[position] = max(newest[position], t)
    return events.stop, entry


def with_regression_baselines(
    regressors: Mapping[str, AnyLearner[PredictedValues]],
) -> dict[str, AnyLearner[PredictedValues]]:
    """Regressors by id, with the previous target and the mean appended if they are missing."""
    missing = {baseline.name: baseline for baseline in (PreviousTarget(), TargetMean())}
    return {
        **regressors,
        **{name: baseline for name, baseline in missing.items() if name not in regressors},
    }
