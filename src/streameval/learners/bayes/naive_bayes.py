"""Naive Bayes: the learner; `exact` defines how it learns and predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.compiled.kernels import kernel
from streameval.learners.bayes import class_statistics, engine, exact
from streameval.learners.bayes.class_statistics import Statistics
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


class _State(NamedTuple):
    stats: Statistics
    prior: Floats  # (k,) class weights


@dataclass(frozen=True)
class NaiveBayes(CompiledLearner):
    """Incremental Naive Bayes, with the predictions of MOA's NaiveBayes.

    Numeric attributes are Gaussian given the class, with the unbiased running variance and no lower
    bound on it. Values of nominal attributes are counted, with a Laplace correction over the values
    observed so far in the class. Missing values are left out. Before the first training instance,
    and if the products of densities are zero for all classes, the prediction is class 0.

    References
    ----------
    John and Langley (1995), Estimating continuous distributions in Bayesian classifiers;
    Bifet, Holmes, Kirkby, Pfahringer (2010), MOA: Massive Online Analysis.
    """

    name: ClassVar[str] = "naive_bayes"
    reference: ClassVar[str] = (
        "John and Langley (1995); Bifet, Holmes, Kirkby and Pfahringer (2010)"
    )

    def _start(self, schema: Schema, seed: int) -> _State:
        return _State(class_statistics.make(schema, slots=1), np.zeros(schema.n_classes))

    def _advance(self, state: Any, events: EventRange, outputs: Outputs) -> tuple[int, int]:
        return _run_events(state, events, outputs)

    def _model_bytes(self, state: Any) -> int:
        return class_statistics.used_bytes(state.stats, np.arange(1)) + int(state.prior.nbytes)


@kernel
def _run_events(state: _State, events: EventRange, outputs: Outputs) -> tuple[int, int]:
    stats, prior = state.stats, state.prior
    entry = events.entry
    for event in event_numbers(events):
        t, op, w = event_at(events, event)
        row = events.X[t]
        complete = engine.load_instance(stats, row)
        if op & PREDICT:
            predicted = engine.predict_label(stats, 0, prior, row, complete)
            outputs.label[np.uint64(entry)] = predicted
            if outputs.scores.shape[0] > 0:
                exact.votes(stats, 0, prior, row, stats.score)
                write_scores(stats.score, predicted, outputs.scores[entry])
            entry += 1
        if op & LEARN and w > 0.0:
            c = events.y[t]
            weight = prior[np.uint64(c)] + w
            prior[np.uint64(c)] = weight
            engine.learn_instance(stats, 0, c, w, row, complete, weight)
    return events.stop, entry
