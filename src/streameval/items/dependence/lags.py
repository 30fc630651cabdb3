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

#: The ways in which a learner uses lagged labels: the fields of `Lags`.
LAG_KIND_NAMES = ("labels", "labels_and_inputs", "correction")


def study(stream_input: StreamInput[LagsSettings]) -> dict[str, pd.DataFrame]:
    """Measures and costs of learners by the number of lagged labels, ℓ, and No-Change.

    Lagged labels are inputs (``labels``, the temporally augmented classifier), inputs together with
    as many lagged inputs (``labels_and_inputs``), or correct the scores by P(y_t | y_{t-1}, ...,
    y_{t-ℓ}) (``correction``).
    """
    stream, settings = stream_input.labelled_stream, stream_input.settings
    kinds = {kind: lags for kind in LAG_KIND_NAMES if (lags := getattr(settings.lags, kind))}
    tape = prequential(len(stream))
    baselines, _ = run_learners(stream, tape, {})  # baselines always run, here without learners
    rows = _rows(baselines, "no_change", ("no_change", "", 0), settings.measures)
    costs: list[tuple[str, str, int, int, float, int]] = []
    for name, learner in stream_input.learners().items():
        for kind, lag, predictions in _runs(stream, tape, learner, kinds, stream_input.smoothing):
            table = PredictionTable(
                baselines.true,
                {**baselines.predicted, name: predictions.label},
                baselines.n_classes,
            )
            rows += _rows(table, name, (name, kind, lag), settings.measures)
            cost = (predictions.seconds, predictions.model_bytes)
            costs.append((name, kind, lag, len(stream), *cost))
            stream_input.announce(f"{name}, {kind}, {lag} lags: {predictions.seconds:.2f} s")
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
    """Yield kind, number of lags and predictions.

    A learner runs once without lags for all kinds, and once with scores for all corrections.
    """
    has_run_without_lags = any(0 in lags for lags in kinds.values())
    without_lags = learner.run(stream, tape) if has_run_without_lags else None
    for kind, lags in kinds.items():
        corrects = kind == "correction" and any(lags)
        with_scores = learner.run(stream, tape, scores=True) if corrects else None
        for lag in lags:
            if lag == 0 and without_lags is not None:
                yield kind, lag, without_lags
            elif with_scores is not None:
                correction = TemporalCorrection(learner, smoothing, lag)
                yield kind, lag, correction.correct(with_scores, stream, tape)
            else:
                input_lags = lag if kind == "labels_and_inputs" else 0
                augmented = TemporallyAugmented(learner, lag, features=input_lags)
                yield kind, lag, augmented.run(stream, tape)


def _rows(
    predictions: PredictionTable, learner: str, key: tuple[str, str, int], measures: Sequence[str]
) -> list[tuple[str, str, int, str, float, str]]:
    counts = tally_of(predictions, learner)
    return [
        (*key, name, float(MEASURES[name].value(counts)), MEASURES[name].reason(counts).item())
        for name in measures
    ]
