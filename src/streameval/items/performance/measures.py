"""Measures of learners over a sliding window, for figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from streameval.evaluation.measurements import windowed_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.items.inputs import StreamInput
from streameval.items.performance import SIGN_COUNTS, MeasuresSettings


def study(stream_input: StreamInput[MeasuresSettings]) -> dict[str, pd.DataFrame]:
    """The frames ``curves``, see `windowed_measures`, and ``windows``, see `count_signs`.

    Without the setting `all_windows` the frame ``windows`` has no rows.
    """
    settings = stream_input.settings
    learners, measures = settings.learners, settings.measures
    predictions = replace(stream_input.predictions(), majority=settings.majority)
    curves = windowed_measures(predictions, learners, measures, settings.window, settings.points)
    sign_learners = learners if settings.all_windows else ()
    windows = count_signs(predictions, sign_learners, measures, settings.window)
    return {"curves": curves, "windows": windows}


def count_signs(
    predictions: PredictionTable, learners: Sequence[str], measures: Sequence[str], window: int
) -> pd.DataFrame:
    """Count the full windows in which measures are below and above 0.

    The result has the columns `SIGN_COUNTS`. `first_below` and `last_below` are the instances at
    which the first and the last window end in which the measure is below 0. `least` and `greatest`
    are over all windows, `least_beside` only over those in which another measure is below 0.
    """
    rows = []
    for learner in predictions.without_failed(learners):
        frame = windowed_measures(predictions, [learner], measures, window, len(predictions.true))
        table = frame.pivot_table("value", "instance", "measure", dropna=False)[[*measures]]
        for name in measures:
            value = table[name]
            while_other_below = value[(table.drop(columns=name) < 0).any(axis=1)]
            below = value.index[value < 0]
            ends = (below.min(), below.max()) if len(below) else (np.nan, np.nan)
            counts = (len(value), value.notna().sum(), len(below), (value > 0).sum())
            rows.append(
                (learner, name, *counts, *ends, value.min(), value.max(), while_other_below.min())
            )
    return pd.DataFrame(rows, columns=list(SIGN_COUNTS))
