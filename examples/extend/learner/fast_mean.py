"""A compiled learner outside the package: the nearest mean of `examples/nearest_mean.py`, faster.

Parameters are the fields of the class. All that a run learns is in arrays of `State`. They are made
once, in `_start`: a kernel makes no arrays. The kernel runs over many events in one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from streameval.base.arrays import Floats
from streameval.compiled.kernels import inlined, kernel
from streameval.learners.kernel_arguments import (
    EventRange,
    Outputs,
    event_at,
    event_numbers,
    write_scores,
)
from streameval.learners.learner import CompiledLearner
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class State(NamedTuple):
    """What a run has learnt, of k classes and d inputs."""

    total: Floats  # (k, d) sums of the inputs of each class
    weight: Floats  # (k, d) weights of the instances in these sums
    squares: Floats  # (d,) sums of the squares of all inputs
    votes: Floats  # (k,) room for the scores of one prediction


@dataclass(frozen=True)
class FastMean(CompiledLearner):
    """Predict the class whose mean is nearest, in standard deviations; ignore missing values.

    It predicts the first of several classes with equal distances, and class 0 before the first
    label, as all learners of the package do.

    Parameters
    ----------
    fading : float
        Factor by which older instances count less at each label.
    """

    fading: Annotated[float, Meta(gt=0, le=1)] = 0.999

    name: ClassVar[str] = "fast_mean"
    reference: ClassVar[str] = "none: an example"

    def _start(self, schema: Schema, seed: int) -> State:
        k, d = schema.n_classes, schema.n_attributes
        return State(np.zeros((k, d)), np.zeros((k, d)), np.zeros(d), np.zeros(k))

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state, events, outputs, self.fading)

    def _model_bytes(self, state: Any) -> int:
        return sum(array.nbytes for array in state)


@kernel
def _run_events(
    state: State, events: EventRange, outputs: Outputs, fading: float
) -> tuple[int, int]:
    entry = events.entry
    for event in event_numbers(events):
        row, operation, weight = event_at(events, event)
        x = events.X[row]
        if operation & PREDICT:
            predicted = _predict(state, x)
            outputs.label[np.uint64(entry)] = predicted
            if outputs.scores.shape[0] > 0:
                write_scores(state.votes, predicted, outputs.scores[entry])
            entry += 1
        if operation & LEARN and weight > 0.0:
            _learn(state, x, events.y[row], weight, fading)
    return events.stop, entry


@inlined
def _learn(state: State, x: Floats, label: int, weight: float, fading: float) -> None:
    """Count an instance for its class."""
    for i in range(x.shape[0]):
        for c in range(state.total.shape[0]):
            state.total[c, i] *= fading
            state.weight[c, i] *= fading
        state.squares[i] *= fading
        if not np.isnan(x[i]):
            state.total[label, i] += weight * x[i]
            state.weight[label, i] += weight
            state.squares[i] += weight * x[i] ** 2


@inlined
def _predict(state: State, x: Floats) -> int:
    """Code of the class with the smallest distance; 0 before the first label."""
    best, least = 0, np.inf
    for c in range(state.total.shape[0]):
        distance, learnt = 0.0, 0.0
        for i in range(x.shape[0]):
            learnt += state.weight[c, i]
            if not np.isnan(x[i]):
                total, everything = 0.0, 0.0
                for other in range(state.total.shape[0]):
                    total += state.total[other, i]
                    everything += max(state.weight[other, i], 1e-9)
                mean = state.total[c, i] / max(state.weight[c, i], 1e-9)
                variance = state.squares[i] / everything - (total / everything) ** 2
                distance += (x[i] - mean) ** 2 / max(variance, 1e-9)
        state.votes[c] = 1.0 / (1.0 + distance) if learnt > 0.0 else 0.0
        if learnt > 0.0 and distance < least:
            best, least = c, distance
    return best
