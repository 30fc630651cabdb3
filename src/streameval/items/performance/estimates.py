"""Measures of several learners by several estimators (Žliobaitė et al. 2015, Figures 2 and 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.tallies import fading_tally_of, tally_of, windows_of
from streameval.items.inputs import StreamInput
from streameval.items.performance import VARIANT_ESTIMATES, EstimatesSettings
from streameval.measures.fading import smoothed_kappas
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally

#: Fields of the result of Algorithm 1, by the measures that they estimate.
_FIELDS_OF_ALGORITHM_1 = {
    "accuracy": "p",
    "kappa": "kappa",
    "kappa_temporal": "kappa_temporal",
    "kappa_combined": "kappa_combined",
}


def study(stream_input: StreamInput[EstimatesSettings]) -> dict[str, pd.DataFrame]:
    """The frame of the figure: ``estimates`` for all variants; see `estimate_measures`."""
    settings, parts = stream_input.settings, []
    for variant in stream_input.prediction_files:
        frame = estimate_measures(
            stream_input.predictions(variant),
            settings.evaluated_learners(),
            settings.measures,
            window=settings.window,
            smoothing=stream_input.smoothing,
        )
        frame.insert(0, "variant", variant)
        parts.append(frame)
    return {"estimates": pd.concat(parts, ignore_index=True)}


def estimate_measures(
    predictions: PredictionTable,
    learners: Sequence[str],
    measures: Sequence[str],
    *,
    window: int,
    smoothing: float,
) -> pd.DataFrame:
    """Measures at the end of a stream, each by four estimators.

    ``cumulative`` gives all predictions the same weight. ``windowed`` uses only the last `window`
    predictions. ``faded`` gives each prediction 1 - `smoothing` times the weight of the next.
    ``algorithm_1`` of the paper updates the persistence of a class only when the class occurs; it
    estimates four of the measures. All but ``cumulative`` describe only the end of the stream.
    """
    n = len(predictions.true)
    end = np.array([n], dtype=np.int64)
    tally_functions: dict[str, Callable[[str], Tally]] = {
        "cumulative": lambda name: tally_of(predictions, name),
        "windowed": lambda name: windows_of(predictions, name, min(window, n), end),
        "faded": lambda name: fading_tally_of(predictions, name, smoothing, end),
    }
    rows = []
    for learner in predictions.without_failed(learners):
        for estimator, tally_function in tally_functions.items():
            counts = tally_function(learner)
            for name in measures:
                value = np.ravel(MEASURES[name].value(counts))[0]
                reason = np.ravel(MEASURES[name].reason(counts))[0]
                rows.append((learner, estimator, name, float(value), reason))
        rows += _by_algorithm_1(predictions, learner, measures, smoothing)
    return pd.DataFrame(rows, columns=list(VARIANT_ESTIMATES))


def _by_algorithm_1(
    predictions: PredictionTable, learner: str, measures: Sequence[str], smoothing: float
) -> list[tuple[str, str, str, float, str]]:
    series = smoothed_kappas(
        predictions.true,
        predictions.predicted[learner],
        predictions.n_classes,
        smoothing=smoothing,
        positions=[len(predictions.true)],
    )
    rows = []
    for name in measures:
        if name in _FIELDS_OF_ALGORITHM_1:
            value = float(getattr(series, _FIELDS_OF_ALGORITHM_1[name])[0])
            reason = "its estimate of the comparator is always right" if np.isnan(value) else ""
            rows.append((learner, "algorithm_1", name, value, reason))
    return rows
