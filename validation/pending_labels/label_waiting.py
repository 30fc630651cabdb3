"""Pending labels: their classes and delays, and the bias that they cause when evaluation stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pending_labels import CLASSES, LATENCY, STOPPING, LabelWaitingSettings
from pending_labels.first_predictions import first_predictions
from streameval.base.arrays import Flags, Integers
from streameval.evaluation.age_bins import DEFAULT_UNIT, TimeUnit, time_unit
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import label_dates, reevaluate_input
from streameval.streams.stream import NEVER

#: Fractions of the labels, for quantiles of latencies.
FRACTIONS = np.linspace(0, 1, 41)

Times = Integers
#: Whether each prediction is correct, by learner.
Correct = Mapping[str, Flags]


def study(stream_input: StreamInput[LabelWaitingSettings]) -> dict[str, pd.DataFrame]:
    """The labels of each class at each stop of evaluation, latencies, and the bias of the accuracy.

    At the last stop the number of labels in the setting ``labels`` has arrived. Labels that arrive
    later are learnt, too.
    """
    settings = stream_input.settings
    run = reevaluate_input(stream_input, all_labels=True)
    stream, labelled = run.stream, np.sort(run.prediction_events.labelled_rows)
    predicted = first_predictions(stream_input, run)
    arrival, label_times = (
        np.asarray(stream.time)[labelled],
        np.asarray(stream.label_time)[labelled],
    )
    stop_times = choose_stops(label_times, settings.labels.get(stream_input.name), settings.stops)
    names, y = stream.schema.classes or (), stream.y[labelled]
    median_latency = float(np.median(label_times - arrival)) if len(label_times) else 0.0
    by_label_time = labelled[np.argsort(label_times, kind="stable")]

    def with_dates(frame: pd.DataFrame) -> pd.DataFrame:
        rows = by_label_time[frame["labels"].astype(np.int64) - 1]  # the latest label at each stop
        return frame.assign(**label_dates(stream, rows))

    unit = time_unit(stream, settings.unit, median_latency)
    correct = {name: labels[labelled] == y for name, labels in predicted.items()}
    return {
        "classes": with_dates(class_counts(arrival, label_times, y, names, stop_times)),
        "latency": latency_quantiles(label_times - arrival, y, names, unit),
        "stopping": with_dates(
            stopping_biases(arrival, label_times, correct, stop_times, settings.window)
        ),
        "size": pd.DataFrame({"labels": [len(labelled)], "simulated": stream_input.simulated}),
    }


def choose_stops(label_time: ArrayLike, labels: int | None, number: int) -> Times:
    """At most `number` increasing times between which equal numbers of labels arrive.

    At the last time, `labels` labels have arrived; the default is all. Labels of time `NEVER` do
    not arrive.
    """
    label_times: Times = np.sort(np.asarray(label_time, dtype=np.int64))
    label_times = label_times[label_times != NEVER][:labels]
    if not len(label_times):
        return label_times
    counts = np.linspace(1, len(label_times), min(number, len(label_times))).astype(np.int64)
    stop_times: Times = np.unique(label_times[counts - 1])
    return stop_times


def class_counts(
    time: ArrayLike, label_time: ArrayLike, y: ArrayLike, names: Sequence[str], stop_times: Times
) -> pd.DataFrame:
    """Numbers of labels of each class that have arrived and are pending at each stop.

    Each label must have a time. A label that arrives at the time of a stop has arrived.
    """
    arrival, label_times, labels = np.asarray(time), np.asarray(label_time), np.asarray(y)
    parts = []
    for code, name in enumerate(names):
        is_class = labels == code
        arrived = _count_until(label_times[is_class], stop_times)
        begun = _count_until(arrival[is_class], stop_times)
        parts.append(pd.DataFrame({"class": name, "arrived": arrived, "pending": begun - arrived}))
        parts[-1].insert(0, "labels", _count_until(label_times, stop_times))
        parts[-1].insert(1, "time", stop_times)
    return pd.concat(parts or [pd.DataFrame(columns=[*CLASSES])], ignore_index=True)


def latency_quantiles(
    latency: ArrayLike, y: ArrayLike, names: Sequence[str], unit: TimeUnit = DEFAULT_UNIT
) -> pd.DataFrame:
    """Quantiles of the time from instances to their labels, by class."""
    latency, labels, parts = np.asarray(latency), np.asarray(y), []
    for code, name in enumerate(names):
        class_latency = latency[labels == code]
        if len(class_latency):
            quantiles = np.quantile(class_latency, FRACTIONS) / unit.length
            columns = {"fraction": FRACTIONS, "latency": quantiles, "unit": unit.name}
            parts.append(pd.DataFrame({"class": name, "labels": len(class_latency), **columns}))
    return pd.concat(parts or [pd.DataFrame(columns=[*LATENCY])], ignore_index=True)


def stopping_biases(
    time: ArrayLike, label_time: ArrayLike, correct: Correct, stop_times: Times, window: int
) -> pd.DataFrame:
    """The bias of accuracy at each stop, from the labels that are still pending.

    It is the accuracy over instances whose labels have arrived, minus the accuracy over all
    instances that have arrived ("begun"). For each learner there are rows over the latest `window`
    instances, and rows over all instances, whose window is 0. A label that arrives at the time of a
    stop has arrived. There is no row for a stop with fewer instances than the window.
    """
    arrival, label_times = np.asarray(time), np.asarray(label_time)
    by_arrival = np.argsort(arrival, kind="stable")
    labels, begun = _count_until(label_times, stop_times), _count_until(arrival, stop_times)
    full = np.flatnonzero(begun >= window)  # stops with a full window
    windows = [by_arrival[begun[stop] - window : begun[stop]] for stop in full]
    is_pending = [
        label_times[rows] > stop_times[stop] for stop, rows in zip(full, windows, strict=True)
    ]
    n_pending = np.array([pending.sum() for pending in is_pending], dtype=np.int64)
    parts = []
    for name, is_correct in correct.items():
        counts = _Counts(
            begun,
            begun - labels,
            _count_until(arrival[is_correct], stop_times),
            _count_until(label_times[is_correct], stop_times),
        )
        parts.append(_biases(stop_times, labels, name, 0, counts))
        n_correct = np.array([is_correct[rows].sum() for rows in windows], dtype=np.int64)
        pending_correct = [
            is_correct[rows][pending].sum()
            for rows, pending in zip(windows, is_pending, strict=True)
        ]
        arrived_correct = n_correct - np.array(pending_correct, dtype=np.int64)
        counts = _Counts(np.full(len(full), window), n_pending, n_correct, arrived_correct)
        parts.append(_biases(stop_times[full], labels[full], name, window, counts))
    return pd.concat(parts or [pd.DataFrame(columns=[*STOPPING])], ignore_index=True)


def _count_until(times: Times, stop_times: Times) -> Times:
    """Number of times up to and including each stop."""
    return np.searchsorted(np.sort(times), stop_times, "right")


class _Counts(NamedTuple):
    """Numbers of instances at each stop."""

    begun: Times  # instances that have arrived
    pending: Times  # of these, instances without a label
    correct: Times  # instances that have arrived and are predicted correctly
    arrived_correct: Times  # of these, instances with a label


def _biases(
    stop_times: Times, labels: Times, learner: str, window: int, counts: _Counts
) -> pd.DataFrame:
    """The rows of a learner and a window: accuracies and their bias at each stop."""
    begun, pending, correct, arrived_correct = counts
    with np.errstate(invalid="ignore", divide="ignore"):
        arrived_accuracy = arrived_correct / (begun - pending)
        pending_accuracy, accuracy = (correct - arrived_correct) / pending, correct / begun
    columns = {"labels": labels, "time": stop_times, "learner": learner, "window": window}
    columns |= {"begun": begun, "pending": pending, "arrived_accuracy": arrived_accuracy}
    columns |= {"pending_accuracy": pending_accuracy, "accuracy": accuracy}
    return pd.DataFrame({**columns, "bias": arrived_accuracy - accuracy})
