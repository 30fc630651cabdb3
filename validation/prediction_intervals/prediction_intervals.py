"""Coverage, width and score of adaptive conformal intervals around regressors."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from prediction_intervals import MEASURED, STEPS, PredictionIntervalsSettings
from streameval.evaluation.measurements import measure_predictions, windowed_measures
from streameval.evaluation.predictions import PredictionTable, run_intervals
from streameval.items.inputs import StreamInput
from streameval.learners.regression.baselines import with_regression_baselines
from streameval.learners.wrappers.conformal import Conformal
from streameval.protocols.prequential import Delayed
from streameval.streams.making import synthesise
from streameval.streams.stream import Stream

_COVERAGE = "interval_coverage"
#: Measures over a sliding window.
CURVES = (_COVERAGE, "mean_interval_width")
#: Column of the lowest coverage of a sliding window.
_LOWEST = "least_coverage"


def study(stream_input: StreamInput[PredictionIntervalsSettings]) -> dict[str, pd.DataFrame]:
    """Measures of intervals for each delay, step and regressor, and curves over a window."""
    settings = stream_input.settings
    stream = (
        stream_input.labelled_stream if stream_input.spec is None else synthesise(stream_input.spec)
    )
    rows, curves = list[dict[str, Any]](), []
    for delay in settings.delays:
        for step, table in _tables(stream_input, stream, delay):
            key: dict[str, Any] = {"delay": delay, "step": step}
            names = [*table.predicted]
            over_time = windowed_measures(table, names, CURVES, settings.window, settings.points)
            measures = [name for name in MEASURED if name != _LOWEST]
            values = {
                (result.learner, result.measure): result.value
                for result in measure_predictions(table, names, measures)
            }
            # Columns of dates, the same for all delays; none if the stream has no dates.
            dates = stream_input.dates(table.instances[over_time["instance"] - 1])
            curves.append(over_time.assign(**key, **dates))
            for name in names:
                coverage = over_time[
                    (over_time["learner"] == name) & (over_time["measure"] == _COVERAGE)
                ]
                full_windows = coverage[coverage["instance"] >= settings.window]
                lowest = float(full_windows["value"].min()) if len(full_windows) else np.nan
                count = int(np.count_nonzero(~np.isnan(table.intervals[name].low)))
                row = {**key, "learner": name, "intervals": count, _LOWEST: lowest}
                rows.append(row | {measure: values[name, measure] for measure in measures})
        stream_input.announce(f"delay {delay:,}")
    columns = ["delay", "step", "learner", "instance", "measure", "value"]
    size = {"instances": [len(stream)], "simulated": [stream_input.simulated]}
    return {
        "measures": pd.DataFrame(rows)[["delay", "step", "learner", "intervals", *MEASURED]],
        "curves": pd.concat(curves, ignore_index=True)[[*columns, *dates]],
        "size": pd.DataFrame(size),
    }


def _tables(
    stream_input: StreamInput[PredictionIntervalsSettings], stream: Stream, delay: int
) -> Iterator[tuple[float, PredictionTable]]:
    """Yield each step, with the predictions of all regressors and their intervals."""
    settings = stream_input.settings
    protocol = Delayed(delay)
    (tape,) = protocol.tapes(stream)
    scored = protocol.scored_rows(stream, tape)[tape.predict_rows]
    learners = with_regression_baselines(stream_input.learners())
    predictions = {name: learner.run(stream, tape) for name, learner in learners.items()}
    table = PredictionTable(
        stream.y[tape.predict_rows],
        {name: values.value for name, values in predictions.items()},
        stream.n_classes,
        instance=tape.predict_rows,
        coverage=settings.coverage,
    )
    for step in STEPS:
        intervals = {}
        for name, learner in learners.items():
            conformal = Conformal(learner, settings.coverage, step, settings.residuals)
            ends = run_intervals(conformal.add_intervals(predictions[name], stream, tape))
            if ends is not None:
                intervals[name] = ends
        yield step, dataclasses.replace(table, intervals=intervals).select(scored).complete_cases()
