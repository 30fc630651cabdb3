"""Accuracy by age of the predictions in force, over instances at risk and over all instances."""

from __future__ import annotations

import pandas as pd

from pending_labels import MIN_AT_RISK, AccuracyByAgeSettings
from streameval.evaluation.age_bins import ages_in_units, equidistant_ages, measures_by_age
from streameval.evaluation.run import run_learners
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import reevaluate_input
from streameval.protocols.ages import prediction_ages


def study(stream_input: StreamInput[AccuracyByAgeSettings]) -> dict[str, pd.DataFrame]:
    """The frame of a figure: ``ages``, from `measures_by_age`, with a column ``unit``."""
    settings, parts = stream_input.settings, []
    run = reevaluate_input(stream_input, settings.every)
    predictions = prediction_ages(run.prediction_events, settings.clock)
    age_values = equidistant_ages(predictions, settings.ages, MIN_AT_RISK)
    learners = stream_input.learners()
    table, costs = run_learners(run.stream, run.tape, learners)
    for cost in costs:
        stream_input.announce(f"{cost.learner}: {cost.seconds:.2f} s")
    true_labels = run.stream.y[run.prediction_events.labelled_rows]
    for name in learners:
        is_correct = CLASSIFICATION_TASK.gain(
            true_labels[:, None], table.predicted[name][predictions.latest_predictions(age_values)]
        )
        part = measures_by_age(CLASSIFICATION_TASK, predictions, age_values, is_correct)
        part.insert(0, "learner", name)
        parts.append(part)
    frame = pd.concat(parts, ignore_index=True)
    if settings.clock != "time":
        return {"ages": frame.assign(unit=settings.clock)}
    return {"ages": ages_in_units(frame, run.stream, settings.unit)}
