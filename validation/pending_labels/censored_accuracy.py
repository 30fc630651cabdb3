"""Estimates of accuracy with missing labels, weighted or not, against the true accuracy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pending_labels import CENSORED, CensoredAccuracySettings
from pending_labels.censoring import (
    bounds,
    weighted_mean,
    weights_by_age,
    weights_by_latency,
)
from pending_labels.first_predictions import first_predictions
from streameval.base.arrays import Floats
from streameval.evaluation.reevaluation import ReevaluatedStream, reevaluate
from streameval.items.error_rates.type_errors_runs import drawn_stream
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import FIRST_AND_LAST
from streameval.streams.delay_laws import DelayLaw
from streameval.streams.stream import NEVER, Stream

#: What the accuracy is estimated by: the labels that have arrived, as they are or with weights;
#: with those by age within the instances of one predicted label; with the probabilities of the law,
#: which nobody has; and the ends of what it can be.
ESTIMATORS = ("arrived", "by_age", "by_latency", "by_prediction", "by_law", "lower", "upper")


def study(stream_input: StreamInput[CensoredAccuracySettings]) -> dict[str, pd.DataFrame]:
    """Estimates of the accuracy of all first predictions from labels that have arrived."""
    settings, rows = stream_input.settings, list[tuple[Any, ...]]()
    learners = stream_input.learners()
    for run in range(settings.runs):
        stream = drawn_stream(stream_input.generator, settings.instances, run)
        for name, law in settings.laws.items():
            delayed, waits = _delayed(stream, law, run)
            predictions = first_predictions(
                stream_input, delayed, ("censored", stream_input.name, run)
            )
            for learner in learners:
                about = accuracy_estimates(predictions[learner], delayed.stream, waits, law)
                arrived = float(np.mean(np.asarray(delayed.stream.label_time) != NEVER))
                truth = float((predictions[learner] == stream.y).mean())
                rows += [
                    (name, learner, estimator, run, arrived, truth, value)
                    for estimator, value in about.items()
                ]
    size = {"instances": [settings.instances], "simulated": stream_input.simulated}
    return {"censored": pd.DataFrame(rows, columns=[*CENSORED]), "size": pd.DataFrame(size)}


def _delayed(stream: Stream, law: DelayLaw, run: int) -> tuple[ReevaluatedStream, Floats]:
    """The re-evaluation until the last instance arrives, and how long labels take."""
    time = np.arange(len(stream))
    due = law.label_times(time, stream.y, stream.n_classes, stream.name, run)
    waits = np.where(due == NEVER, np.inf, due - time)
    due[due > time[-1]] = NEVER
    stopped = replace(stream, time=time, label_time=due, _digest=[])
    return reevaluate(stopped, FIRST_AND_LAST), waits


def accuracy_estimates(
    predicted: NDArray[Any], stream: Stream, waits: Floats, law: DelayLaw
) -> dict[str, float]:
    """The estimates of the accuracy over all instances, by each of `ESTIMATORS`.

    The last time of `stream` is the end; `waits` for labels are infinite for those that never
    arrive.
    """
    time = np.asarray(stream.time)
    ages = (time.max() - time).astype(np.float64)
    arrived, right = waits <= ages, predicted == stream.y
    within = np.zeros(len(ages))
    for label in np.unique(predicted):
        with_label = predicted == label
        within[with_label] = weights_by_age(waits[with_label], ages[with_label])
    chance = law.arrives_within(ages, stream.y, stream.n_classes)
    known = np.divide(1.0, chance, out=np.zeros(len(ages)), where=arrived)
    weights = {
        "arrived": arrived,
        "by_age": weights_by_age(waits, ages),
        "by_latency": weights_by_latency(waits, ages),
        "by_prediction": within,
        "by_law": known,
    }
    lower, upper = bounds(right, arrived)
    means = {name: weighted_mean(right, by) for name, by in weights.items()}
    return {**means, "lower": lower, "upper": upper}
