"""The baselines that use past labels only: No-Change, Majority and Moving majority."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Floats, Integers
from streameval.base.params import Count
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.kernel_arguments import (
    EventRange,
    Outputs,
    event_at,
    event_numbers,
    write_scores,
)
from streameval.learners.learner import AnyLearner, Classifier, CompiledLearner
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema

L = TypeVar("L", bound=AnyLearner[Any])


class _State(NamedTuple):
    weight: Floats  # (k,) class weights that decide the prediction
    label: Integers  # (1,) the class that is predicted now
    window: Integers  # (w,) ring buffer of labels; empty if old labels are not dropped
    window_weight: Floats  # (w,) weights of these labels
    n_learnt: Integers  # (1,) number of labels learnt


class _Baseline(CompiledLearner):
    """Base class of the three baselines: class weights, and a window of labels."""

    ignores_inputs: ClassVar[bool] = True
    one_model_per_entity: ClassVar[bool] = True

    def _window(self) -> int:
        """Number of labels in the window; 0 if old labels are not dropped."""
        return 0

    def _start(self, schema: Schema, seed: int) -> _State:
        return _State(
            weight=np.zeros(schema.n_classes),
            label=np.zeros(1, dtype=np.int64),
            window=np.zeros(self._window(), dtype=np.int64),
            window_weight=np.zeros(self._window()),
            n_learnt=np.zeros(1, dtype=np.int64),
        )

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state, events, outputs)

    def _model_bytes(self, state: Any) -> int:
        return sum(array.nbytes for array in state)


@dataclass(frozen=True)
class NoChange(_Baseline):
    """Predict the last label that was learnt: "the same as before" (Persistent).

    The prediction before the first label is class 0, as in MOA.

    References
    ----------
    Žliobaitė et al. (2015), Definition 3; Bifet et al. (2013), Section 2.
    """

    name: ClassVar[str] = "no_change"
    reference: ClassVar[str] = "Žliobaitė et al. (2015), Definition 3"

    def _window(self) -> int:
        return 1


@dataclass(frozen=True)
class Majority(_Baseline):
    """Predict the class learnt most often so far; among equals the lowest code, as in MOA.

    References
    ----------
    Žliobaitė et al. (2015), Definition 2.
    """

    name: ClassVar[str] = "majority"
    reference: ClassVar[str] = "Žliobaitė et al. (2015), Definition 2"


@dataclass(frozen=True)
class MovingMajority(_Baseline):
    """Predict the most frequent class among the last labels.

    Parameters
    ----------
    window : int
        Number of labels in the window.

    References
    ----------
    Bifet et al. (2013), Section 1 (window of 1000).
    """

    window: Annotated[Count, Meta(le=10**8)] = 1000  # 1e8 labels take 1.6 GB

    name: ClassVar[str] = "moving_majority"
    reference: ClassVar[str] = "Bifet et al. (2013), Section 1"

    def _window(self) -> int:
        return self.window


@inlined
def _drop_oldest(state: _State) -> None:
    """Subtract the oldest label of a full window; the next label overwrites it."""
    index = state.n_learnt[0] % state.window.shape[0]
    if state.n_learnt[0] >= state.window.shape[0]:
        state.weight[state.window[index]] -= state.window_weight[index]


@kernel
def _run_events(state: _State, events: EventRange, outputs: Outputs) -> tuple[int, int]:
    windowed = state.window.shape[0] > 0
    entry = events.entry
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        if op & PREDICT:
            outputs.label[entry] = state.label[0]
            if outputs.scores.shape[0] > 0:
                write_scores(state.weight, outputs.label[entry], outputs.scores[entry])
            entry += 1
        if op & LEARN and w > 0.0:
            c = events.y[t]
            if windowed:
                _drop_oldest(state)
                index = state.n_learnt[0] % state.window.shape[0]
                state.window[index], state.window_weight[index] = c, w
            state.weight[c] += w
            state.n_learnt[0] += 1
            best = 0
            for other in range(1, state.weight.shape[0]):
                if state.weight[other] > state.weight[best]:
                    best = other
            state.label[0] = best
    return events.stop, entry


#: The learners with which κ_t and κ_m compare.
_CLASSIFICATION_BASELINES: dict[str, Classifier] = {
    NoChange.name: NoChange(),
    Majority.name: Majority(),
}


def with_classification_baselines(learners: Mapping[str, L]) -> dict[str, L | Classifier]:
    """Learners by id; No-Change and Majority are appended if they are missing."""
    missing = {
        name: baseline
        for name, baseline in _CLASSIFICATION_BASELINES.items()
        if name not in learners
    }
    return {**learners, **missing}
