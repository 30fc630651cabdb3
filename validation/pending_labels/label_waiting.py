"""Pending labels: their classes and delays, and the bias that they cause at a stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pending_labels import CLASSES, LATENCY, STOPPING, LabelWaitingSettings
from pending_labels.first_predictions import first_predictions
from streameval.base.arrays import Flags, Integers
from streameval.evaluation.age_bins import WHOLE, TimeUnit, time_unit
from streameval.items.inputs import StreamInput
from streameval.items.reevaluated import label_dates, reevaluate_input
from streameval.streams.stream import NEVER

#: The fractions of labels whose latency is given.
FRACTIONS = np.linspace(0, 1, 41)

Times = Integers
Correct = Mapping[str, Flags]


def study(stream_input: StreamInput[LabelWaitingSettings]) -> dict[str, pd.DataFrame]:
    """The labels of each class at each stop, their latencies, and the bias of the accuracy.

    Labels that arrive after the last stop, that of the setting ``labels``, are learnt and known.
    """
    settings = stream_input.settings
    run = reevaluate_input(stream_input, whole=True)
    stream, known = run.stream, np.sort(run.polls.scored)
    predicted = first_predictions(stream_input, run)
    arrival, due = np.asarray(stream.time)[known], np.asarray(stream.label_time)[known]
    at = stops(due, settings.labels.get(stream_input.name), settings.stops)
    names = stream.schema.classes or ()
    longest = float(np.median(due - arrival)) if len(due) else 0.0
    in_turn = known[np.argsort(due, kind="stable")]

    def dated(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(**label_dates(stream, in_turn[frame["labels"].astype(np.int64) - 1]))

    return {
        "classes": dated(classes(arrival, due, stream.y[known], names, at)),
        "latency": latencies(
            due - arrival, stream.y[known], names, time_unit(stream, settings.unit, longest)
        ),
        "stopping": dated(
            stopping(
                arrival,
                due,
                {name: labels[known] == stream.y[known] for name, labels in predicted.items()},
                at,
                settings.window,
            )
        ),
        "size": pd.DataFrame({"labels": [len(known)], "simulated": stream_input.simulated}),
    }


def stops(label_time: ArrayLike, labels: int | None, number: int) -> Times:
    """Up to `number` increasing times between which equal numbers of labels arrive.

    Labels of time `NEVER` do not arrive; the last stop has `labels` of them, by default all.
    """
    due: Times = np.sort(np.asarray(label_time, dtype=np.int64))
    due = due[due != NEVER][:labels]
    if not len(due):
        return due
    places = np.linspace(1, len(due), min(number, len(due))).astype(np.int64)
    at: Times = np.unique(due[places - 1])
    return at


def classes(
    time: ArrayLike, label_time: ArrayLike, y: ArrayLike, names: Sequence[str], at: Times
) -> pd.DataFrame:
    """Numbers of labels of each class that have arrived and are pending at each stop.

    All labels arrive at some time; what arrives at a stop has arrived.
    """
    arrival, due, labels = np.asarray(time), np.asarray(label_time), np.asarray(y)
    parts = []
    for code, name in enumerate(names):
        arrived, begun = _so_far(due, at, labels == code), _so_far(arrival, at, labels == code)
        parts.append(pd.DataFrame({"class": name, "arrived": arrived, "pending": begun - arrived}))
        parts[-1].insert(0, "labels", _so_far(due, at))
        parts[-1].insert(1, "time", at)
    return pd.concat(parts or [pd.DataFrame(columns=[*CLASSES])], ignore_index=True)


def latencies(
    latency: ArrayLike, y: ArrayLike, names: Sequence[str], unit: TimeUnit = WHOLE
) -> pd.DataFrame:
    """Quantiles of the time from instances to their labels, by class."""
    waits, labels, parts = np.asarray(latency), np.asarray(y), []
    for code, name in enumerate(names):
        class_waits = waits[labels == code]
        if len(class_waits):
            quantiles = np.quantile(class_waits, FRACTIONS) / unit.length
            columns = {"fraction": FRACTIONS, "latency": quantiles, "unit": unit.name}
            parts.append(pd.DataFrame({"class": name, "labels": len(class_waits), **columns}))
    return pd.concat(parts or [pd.DataFrame(columns=[*LATENCY])], ignore_index=True)


def stopping(
    time: ArrayLike, label_time: ArrayLike, correct: Correct, at: Times, window: int
) -> pd.DataFrame:
    """The bias of accuracy at a stop from the labels that are still pending.

    It is the accuracy over instances with labels minus that over all that have begun, for each
    learner, over the latest `window` instances, and over all, of window 0. What arrives at a stop
    has arrived; a stop with fewer instances than the window has no row.
    """
    arrival, due = np.asarray(time), np.asarray(label_time)
    order = np.argsort(arrival, kind="stable")
    labels, begun = _so_far(due, at), _so_far(arrival, at)
    whole = np.flatnonzero(begun >= window)
    latest = [order[begun[stop] - window : begun[stop]] for stop in whole]
    waiting = [due[rows] > at[stop] for stop, rows in zip(whole, latest, strict=True)]
    lacking = np.array([seen.sum() for seen in waiting], dtype=np.int64)
    parts = []
    for name, right in correct.items():
        of_labels, of_begun = _so_far(due, at, right), _so_far(arrival, at, right)
        parts.append(_biases(at, labels, name, 0, begun, begun - labels, of_begun, of_labels))
        all_right = np.array([right[rows].sum() for rows in latest], dtype=np.int64)
        unseen = [right[rows][seen].sum() for rows, seen in zip(latest, waiting, strict=True)]
        seen_right = all_right - np.array(unseen, dtype=np.int64)
        size = np.full(len(whole), window)
        stop, known = at[whole], labels[whole]
        parts.append(_biases(stop, known, name, window, size, lacking, all_right, seen_right))
    return pd.concat(parts or [pd.DataFrame(columns=[*STOPPING])], ignore_index=True)


def _so_far(times: Times, at: Times, which: Flags | None = None) -> Times:
    """The number of times up to each stop."""
    return np.searchsorted(np.sort(times if which is None else times[which]), at, "right")


def _biases(
    at: Times,
    labels: Times,
    learner: str,
    window: int,
    begun: Times,
    pending: Times,
    correct: Times,
    seen_correct: Times,
) -> pd.DataFrame:
    """The rows of a learner, from numbers of instances and of correct predictions."""
    with np.errstate(invalid="ignore", divide="ignore"):
        arrived = seen_correct / (begun - pending)
        unseen, all_begun = (correct - seen_correct) / pending, correct / begun
    columns = {"labels": labels, "time": at, "learner": learner, "window": window, "begun": begun}
    columns |= {"pending": pending, "arrived_accuracy": arrived, "pending_accuracy": unseen}
    return pd.DataFrame({**columns, "accuracy": all_begun, "bias": arrived - all_begun})
