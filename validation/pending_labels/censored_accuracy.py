"""Estimates of accuracy with missing labels, weighted or not, against the true accuracy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pending_labels import CENSORED, CensoredAccuracySettings
from pending_labels.censoring import (
    accuracy_bounds,
    weighted_mean,
    weights_by_age,
    weights_by_latency,
)
from pending_labels.first_predictions import first_predictions
from streameval.base.arrays import Floats
from streameval.evaluation.reevaluation import ReevaluatedStream, reevaluate
from streameval.items.error_rates.type_errors_runs import redrawn_stream
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import FIRST_AND_LAST
from streameval.streams.delay_laws import DelayLaw
from streameval.streams.stream import NEVER, Stream

#: Estimators of the accuracy from the labels that have arrived: without weights; with weights by
#: age or by latency; with weights by age among instances of the same predicted label; with weights
#: by the law of delays, which is unknown in practice; and bounds of the accuracy.
ESTIMATORS = ("arrived", "by_age", "by_latency", "by_prediction", "by_law", "lower", "upper")


def study(stream_input: StreamInput[CensoredAccuracySettings]) -> dict[str, pd.DataFrame]:
    """Estimates of the accuracy of all first predictions from labels that have arrived."""
    settings, rows = stream_input.settings, list[tuple[Any, ...]]()
    learners = stream_input.learners()
    for run in range(settings.runs):
        stream = redrawn_stream(stream_input.generator, settings.instances, run)
        for name, law in settings.laws.items():
            delayed, latency = _delay_labels(stream, law, run)
            predictions = first_predictions(
                stream_input, delayed, ("censored", stream_input.name, run)
            )
            for learner in learners:
                estimates = accuracy_estimates(predictions[learner], delayed.stream, latency, law)
                arrived = float(np.mean(np.asarray(delayed.stream.label_time) != NEVER))
                truth = float((predictions[learner] == stream.y).mean())
                rows += [
                    (name, learner, estimator, run, arrived, truth, value)
                    for estimator, value in estimates.items()
                ]
    size = {"instances": [settings.instances], "simulated": stream_input.simulated}
    return {"censored": pd.DataFrame(rows, columns=[*CENSORED]), "size": pd.DataFrame(size)}


def _delay_labels(stream: Stream, law: DelayLaw, run: int) -> tuple[ReevaluatedStream, Floats]:
    """The re-evaluation until the last instance arrives, and the latencies of all labels.

    Labels that arrive later are missing in the re-evaluation.
    """
    time = np.arange(len(stream))
    label_time = law.label_times(time, stream.y, stream.n_classes, stream.name, run)
    latency = np.where(label_time == NEVER, np.inf, label_time - time)
    label_time[label_time > time[-1]] = NEVER
    # The digest is computed again, as the times differ.
    stopped = replace(stream, time=time, label_time=label_time)
    return reevaluate(stopped, FIRST_AND_LAST), latency


def accuracy_estimates(
    predicted: NDArray[Any], stream: Stream, latency: Floats, law: DelayLaw
) -> dict[str, float]:
    """The estimates of the accuracy over all instances, by each of `ESTIMATORS`.

    Evaluation stops at the last time of `stream`. The `latency` of a label that never arrives is
    infinite.
    """
    time = np.asarray(stream.time)
    ages = (time.max() - time).astype(np.float64)
    arrived, correct = latency <= ages, predicted == stream.y
    by_prediction = np.zeros(len(ages))
    for label in np.unique(predicted):
        with_label = predicted == label
        by_prediction[with_label] = weights_by_age(latency[with_label], ages[with_label])
    probability = law.arrives_within(ages, stream.y, stream.n_classes)
    # A label that has arrived had a probability above 0; the others get weight 0.
    by_law = np.divide(1.0, probability, out=np.zeros(len(ages)), where=arrived)
    weights = {
        "arrived": arrived,
        "by_age": weights_by_age(latency, ages),
        "by_latency": weights_by_latency(latency, ages),
        "by_prediction": by_prediction,
        "by_law": by_law,
    }
    lower, upper = accuracy_bounds(correct, arrived)
    means = {name: weighted_mean(correct, values) for name, values in weights.items()}
    return {**means, "lower": lower, "upper": upper}
