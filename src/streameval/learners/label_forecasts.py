"""Baselines of probability forecasts from past labels only: proportions and transitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats, Integers
from streameval.base.memory import MODEL_SIZE_ADVICE, check_room
from streameval.base.params import Positive
from streameval.compiled.kernels import kernel
from streameval.learners.kernel_arguments import EventRange, Outputs, event_at, event_numbers
from streameval.learners.learner import CompiledLearner
from streameval.protocols.tape import LEARN, PREDICT
from streameval.streams.stream import Schema


class _State(NamedTuple):
    counts: Floats  # (contexts, k) weight of the labels learnt, by the previous label
    total: Floats  # (contexts,) sums of `counts`
    last: Integers  # (1,) the last label learnt; k before the first label


@dataclass(frozen=True)
class _LabelForecast(CompiledLearner):
    """Base class of both forecasts: P(c) = (N(c) + prior) / (N + k prior), for counts N."""

    prior: Positive = 0.5

    ignores_inputs: ClassVar[bool] = True
    #: The previous label has to be one of the same entity, such as a machine.
    one_model_per_entity: ClassVar[bool] = True

    def _contexts(self, n_classes: int) -> int:
        """Number of contexts: values of the previous label that have their own counts."""
        return 1

    def _start(self, schema: Schema, seed: int) -> _State:
        k = schema.n_classes
        contexts = self._contexts(k)
        table = f"{self.name}: the counts of {k:,} classes after each of {contexts:,} labels"
        check_room(8 * contexts * k, table, MODEL_SIZE_ADVICE)
        return _State(np.zeros((contexts, k)), np.zeros(contexts), np.full(1, k))

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state, events, outputs, float(self.prior))

    def _model_bytes(self, state: Any) -> int:
        return sum(array.nbytes for array in state)


class LabelProportions(_LabelForecast):
    """Forecast the proportions of the labels learnt so far; predict as Majority does.

    The score of class c is (N(c) + a) / (N + k a), where N(c) is the weight of the labels of class
    c among all N, and a the prior: uniform before the first label.

    Parameters
    ----------
    prior : float
        Weight that each class has before its first label, a. 1/2 is the estimator of Krichevsky and
        Trofimov, which minimises, up to a constant, the worst-case excess of the log loss over
        that of the best constant forecast. 1 is Laplace's rule.

    References
    ----------
    Krichevsky, Trofimov (1981), The performance of universal encoding, IEEE Transactions on
    Information Theory 27(2), 199-207.
    """

    name: ClassVar[str] = "label_proportions"
    reference: ClassVar[str] = "Krichevsky, Trofimov (1981)"


class LabelTransitions(_LabelForecast):
    """Forecast by the labels that have followed the last label learnt.

    The score of class c is (N(j, c) + a) / (N(j) + k a), where j is the last label learnt, N(j, c)
    the weight of the labels of class c that were learnt directly after one of class j, and a the
    prior. Scores are uniform before the first label, and if no label has followed class j yet. The
    prediction is the class with the highest score; among equals the lowest code.

    With delayed labels, this forecasts the label directly after the last known label, although the
    predicted instance is further ahead. The wrapper `temporal_correction` around
    `label_proportions` counts transitions over the delay: from the last label known at a prediction
    to the true label.

    Parameters
    ----------
    prior : float
        Weight that each class has before its first label, a: see `LabelProportions`.

    References
    ----------
    Krichevsky, Trofimov (1981); Žliobaitė et al. (2015), Section 3.1: P(y_t | y_{t-1}).
    """

    name: ClassVar[str] = "label_transitions"
    reference: ClassVar[str] = "Krichevsky, Trofimov (1981); Žliobaitė et al. (2015), Section 3.1"

    def _contexts(self, n_classes: int) -> int:
        return n_classes + 1  # the last context holds before the first label


@kernel
def _run_events(
    state: _State, events: EventRange, outputs: Outputs, prior: float
) -> tuple[int, int]:
    contexts, k = state.counts.shape
    entry = events.entry  # the next row of the outputs
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        context = state.last[0] if contexts > 1 else 0
        if op & PREDICT:
            likeliest = 0
            for c in range(1, k):
                if state.counts[context, c] > state.counts[context, likeliest]:
                    likeliest = c
            outputs.label[entry] = likeliest
            if outputs.scores.shape[0] > 0:
                total = state.total[context] + k * prior
                for c in range(k):
                    outputs.scores[entry, c] = (state.counts[context, c] + prior) / total
            entry += 1
        if op & LEARN and w > 0.0:
            c = events.y[t]
            state.counts[context, c] += w
            state.total[context] += w
            state.last[0] = c
    return events.stop, entry
