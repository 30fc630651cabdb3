"""Measures of the class scores of learners on each stream, and how reliable these are."""

from __future__ import annotations

import numpy as np
import pandas as pd

from class_scores import BINS, MEASURES, ScoreMeasuresSettings
from streameval.evaluation.class_scores import ScoreTable, measure_scores, run_scored
from streameval.items.inputs import StreamInput
from streameval.measures.calibration import top_bins
from streameval.measures.spans import single_window
from streameval.protocols.prequential import prequential


def study(stream_input: StreamInput[ScoreMeasuresSettings]) -> dict[str, pd.DataFrame]:
    """Score measures of each learner, with the forecasts by past labels, and reliability.

    Skills have no interval: as recorded by `skill_calibration`, it is false too often.
    """
    stream = stream_input.labelled_stream
    tape = prequential(len(stream))
    table = run_scored(stream, tape, stream_input.learners(), stream_input.settings.seed)[2]
    size = (len(stream), stream.n_classes, stream_input.simulated)
    return {
        "measures": pd.DataFrame(measure_scores(table), columns=list(MEASURES)),
        "bins": pd.concat([_bins(table, name) for name in table.scores], ignore_index=True),
        "size": pd.DataFrame([size], columns=["instances", "classes", "simulated"]),
    }


def _bins(table: ScoreTable, learner: str) -> pd.DataFrame:
    """The bins of a learner that have predictions."""
    bins = top_bins(table.forecasts(learner), single_window(len(table)))
    n, forecast, outcome = (sums[0] for sums in bins[:3])
    some, ends = n > 0, np.arange(len(n) + 1) / len(n)
    means = (sums[some] / n[some] for sums in (forecast, outcome))
    columns = (learner, ends[:-1][some], ends[1:][some], n[some].astype(int), *means)
    return pd.DataFrame(dict(zip(BINS, columns, strict=True)))
