"""Measures and reliability of the class scores of learners on a stream."""

from __future__ import annotations

import numpy as np
import pandas as pd

from class_scores import BINS, MEASURES, ScoreMeasuresSettings
from streameval.evaluation.class_scores import ScoreTable, measure_scores, run_with_class_scores
from streameval.items.inputs import StreamInput
from streameval.measures.calibration import top_bins
from streameval.measures.sliding_windows import single_window
from streameval.protocols.prequential import prequential


def study(stream_input: StreamInput[ScoreMeasuresSettings]) -> dict[str, pd.DataFrame]:
    """Score measures and reliability of each learner, and of the forecasts by past labels.

    Skills have no interval: in `skill_calibration`, such intervals are false too often.
    """
    stream = stream_input.labelled_stream
    tape = prequential(len(stream))
    *_, table = run_with_class_scores(
        stream, tape, stream_input.learners(), stream_input.settings.seed
    )
    size = (len(stream), stream.n_classes, stream_input.simulated)
    return {
        "measures": pd.DataFrame(measure_scores(table), columns=list(MEASURES)),
        "bins": pd.concat([_bins(table, name) for name in table.scores], ignore_index=True),
        "size": pd.DataFrame([size], columns=["instances", "classes", "simulated"]),
    }


def _bins(table: ScoreTable, learner: str) -> pd.DataFrame:
    """The non-empty bins of a learner's predictions."""
    bins = top_bins(table.forecasts(learner), single_window(len(table)))
    # The first row of each array is for the single window.
    n, forecast, outcome = bins.n[0], bins.forecast[0], bins.outcome[0]
    is_filled, edges = n > 0, np.arange(len(n) + 1) / len(n)
    means = (sums[is_filled] / n[is_filled] for sums in (forecast, outcome))
    low, high = edges[:-1][is_filled], edges[1:][is_filled]
    columns = (learner, low, high, n[is_filled].astype(int), *means)
    return pd.DataFrame(dict(zip(BINS, columns, strict=True)))
