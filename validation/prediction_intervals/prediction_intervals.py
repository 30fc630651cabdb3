"""Coverage, width and score of adaptive conformal intervals around regressors."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from prediction_intervals import MEASURED, STEPS, PredictionIntervalsSettings
from streameval.evaluation.measurements import measure_predictions, windowed
from streameval.evaluation.predictions import PredictionTable, run_intervals
from streameval.items.inputs import StreamInput
from streameval.learners.regression.baselines import with_baselines
from streameval.learners.wrappers.conformal import Conformal
from streameval.protocols.prequential import Delayed
from streameval.streams.making import synthesise
from streameval.streams.stream import Stream

#: What is drawn over time.
DRAWN = ("interval_coverage", "mean_interval_width")
_LEAST = "least_coverage"


def study(stream_input: StreamInput[PredictionIntervalsSettings]) -> dict[str, pd.DataFrame]:
    """Measures of intervals for each delay, step and regressor, and curves over a window."""
    chosen = stream_input.settings
    stream = (
        stream_input.labelled_stream if stream_input.spec is None else synthesise(stream_input.spec)
    )
    rows, curves = list[dict[str, Any]](), []
    for delay in chosen.delays:
        for step, table in _tables(stream_input, stream, delay):
            about: dict[str, Any] = {"delay": delay, "step": step}
            names = [*table.predicted]
            over_time = windowed(table, names, DRAWN, chosen.window, chosen.points)
            wanted = [name for name in MEASURED if name != _LEAST]
            values = {
                measure[:2]: measure.value for measure in measure_predictions(table, names, wanted)
            }
            dates = stream_input.dates(table.instances[over_time["instance"] - 1])
            curves.append(over_time.assign(**about, **dates))
            for name in names:
                of_learner = over_time[
                    (over_time["learner"] == name) & (over_time["measure"] == DRAWN[0])
                ]
                full = of_learner[of_learner["instance"] >= chosen.window]
                chosen_values = {measure: values[name, measure] for measure in wanted}
                count = int(np.count_nonzero(~np.isnan(table.intervals[name].low)))
                least = {_LEAST: float(full["value"].min()) if len(full) else np.nan}
                rows.append(
                    {**about, "learner": name, "intervals": count, **chosen_values, **least}
                )
        stream_input.announce(f"delay {delay:,}")
    order = ["delay", "step", "learner", "instance", "measure", "value"]
    measures = pd.DataFrame(rows)[["delay", "step", "learner", "intervals", *MEASURED]]
    size = {"instances": [len(stream)], "simulated": [stream_input.simulated]}
    return {
        "measures": measures,
        "curves": pd.concat(curves, ignore_index=True)[[*order, *dates]],
        "size": pd.DataFrame(size),
    }


def _tables(
    stream_input: StreamInput[PredictionIntervalsSettings], stream: Stream, delay: int
) -> Iterator[tuple[float, PredictionTable]]:
    """Yield each step, with the predictions of all regressors and their intervals."""
    chosen = stream_input.settings
    protocol = Delayed(delay)
    (tape,) = protocol.tapes(stream)
    scored = protocol.scored_rows(stream, tape)[tape.predict_rows]
    learners = with_baselines(stream_input.learners())
    inner = {name: learner.run(stream, tape) for name, learner in learners.items()}
    predicted = {name: predictions.value for name, predictions in inner.items()}
    true = stream.y[tape.predict_rows]
    table = PredictionTable(
        true, predicted, stream.n_classes, instance=tape.predict_rows, coverage=chosen.coverage
    )
    for step in STEPS:
        intervals = {}
        for name, learner in learners.items():
            around = Conformal(learner, chosen.coverage, step, chosen.residuals)
            ends = run_intervals(around.surround(inner[name], stream, tape))
            if ends is not None:
                intervals[name] = ends
        yield step, dataclasses.replace(table, intervals=intervals).part(scored).complete()
