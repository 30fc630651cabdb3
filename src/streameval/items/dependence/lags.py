"""Lagged labels as inputs (Bifet et al. 2013, Figs. 9 to 11; Žliobaitė et al. 2015, Fig. 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.run import run_learners
from streameval.evaluation.tallies import tally_of
from streameval.items.dependence import COSTS, LAGS, LagsSettings
from streameval.items.inputs import StreamInput
from streameval.learners.learner import Classifier
from streameval.learners.predictions import Predictions
from streameval.learners.wrappers.temporal_correction import TemporalCorrection
from streameval.learners.wrappers.temporally_augmented import TemporallyAugmented
from streameval.measures.registry import MEASURES
from streameval.protocols.prequential import prequential
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream

#: How a learner is given what came before.
KINDS = ("labels", "labels_and_inputs", "correction")


def study(stream_input: StreamInput[LagsSettings]) -> dict[str, pd.DataFrame]:
    """Measures and costs of learners by the number of lagged labels, ℓ, and No-Change.

    Labels before are inputs (``labels``, the temporally augmented classifier), with those of as
    many instances (``labels_and_inputs``), or correct the scores by P(y_t | y_{t-1}, ..., y_{t-ℓ}).
    """
    stream, settings = stream_input.labelled_stream, stream_input.settings
    kinds = {kind: lags for kind in KINDS if (lags := getattr(settings.lags, kind))}
    tape = prequential(len(stream))
    base, _ = run_learners(stream, tape, {})  # the comparators
    rows = _rows(base, "no_change", ("no_change", "", 0), settings.measures)
    costs: list[tuple[str, str, int, int, float, int]] = []
    for name, learner in stream_input.learners().items():
        for kind, lag, predicted in _runs(stream, tape, learner, kinds, stream_input.smoothing):
            predictions = PredictionTable(
                base.true, {**base.predicted, name: predicted.label}, base.n_classes
            )
            rows += _rows(predictions, name, (name, kind, lag), settings.measures)
            costs.append((name, kind, lag, len(stream), predicted.seconds, predicted.model_bytes))
            stream_input.announce(f"{name}, {kind}, {lag} lags: {predicted.seconds:.2f} s")
    return {
        "lags": pd.DataFrame(rows, columns=list(LAGS)),
        "costs": pd.DataFrame(costs, columns=list(COSTS)),
    }


def _runs(
    stream: Stream,
    tape: Tape,
    learner: Classifier,
    kinds: Mapping[str, Sequence[int]],
    smoothing: float,
) -> Iterator[tuple[str, int, Predictions]]:
    """Yield kind, lags and predictions; runs that several of them share are done once."""
    alone = learner.run(stream, tape) if any(0 in lags for lags in kinds.values()) else None
    for kind, lags in kinds.items():
        corrects = kind == "correction" and any(lags)
        scored = learner.run(stream, tape, scores=True) if corrects else None
        for lag in lags:
            if lag == 0 and alone is not None:
                yield kind, lag, alone
            elif scored is not None:
                correction = TemporalCorrection(learner, smoothing, lag)
                yield kind, lag, correction.correct(scored, stream, tape)
            else:
                inputs = lag if kind == "labels_and_inputs" else 0
                augmented = TemporallyAugmented(learner, lag, features=inputs)
                yield kind, lag, augmented.run(stream, tape)


def _rows(
    predictions: PredictionTable, learner: str, key: tuple[str, str, int], measures: Sequence[str]
) -> list[tuple[str, str, int, str, float, str]]:
    counts = tally_of(predictions, learner)
    return [
        (*key, name, float(MEASURES[name].value(counts)), MEASURES[name].reason(counts).item())
        for name in measures
    ]
