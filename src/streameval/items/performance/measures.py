"""Measures of learners over a sliding window, for figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from streameval.evaluation.measurements import windowed_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.items.inputs import StreamInput
from streameval.items.performance import SIGNS, MeasuresSettings


def study(stream_input: StreamInput[MeasuresSettings]) -> dict[str, pd.DataFrame]:
    """The frames of the figure: ``curves``, see `windowed_measures`, and ``windows``, see `signs`.

    Without the setting `all_windows` the frame ``windows`` has no rows.
    """
    settings = stream_input.settings
    learners, measures = settings.learners, settings.measures
    predictions = replace(stream_input.predictions(), majority=settings.majority)
    curves = windowed_measures(predictions, learners, measures, settings.window, settings.points)
    sign_learners = learners if settings.all_windows else ()
    windows = signs(predictions, sign_learners, measures, settings.window)
    return {"curves": curves, "windows": windows}


def signs(
    predictions: PredictionTable, learners: Sequence[str], measures: Sequence[str], window: int
) -> pd.DataFrame:
    """Numbers of full windows in which measures are below and above 0.

    `first_below` and `last_below` are the ends of the first and last window below 0. `least_beside`
    is the smallest value over the windows in which another of the measures is below 0.
    """
    rows = []
    for learner in predictions.without_failed(learners):
        frame = windowed_measures(predictions, [learner], measures, window, len(predictions.true))
        table = frame.pivot_table("value", "instance", "measure", dropna=False)[[*measures]]
        for name in measures:
            value = table[name]
            beside_negative = value[(table.drop(columns=name) < 0).any(axis=1)]
            below = value.index[value < 0]
            ends = (below.min(), below.max()) if len(below) else (np.nan, np.nan)
            counts = (len(value), value.notna().sum(), len(below), (value > 0).sum())
            rows.append(
                (learner, name, *counts, *ends, value.min(), value.max(), beside_negative.min())
            )
    return pd.DataFrame(rows, columns=list(SIGNS))
