"""Slow, literal twins of studies of pending labels."""

from __future__ import annotations


def classes(time, label_time, y, k, at):
    """(labels, arrived, pending) of each class at each stop, class by class."""
    rows = []
    for code in range(k):
        for stop in at:
            arrived = [i for i in range(len(y)) if label_time[i] <= stop]
            pending = [i for i in range(len(y)) if time[i] <= stop < label_time[i]]
            counts = [sum(y[i] == code for i in part) for part in (arrived, pending)]
            rows.append((len(arrived), *counts))
    return rows


def stopping(time, label_time, right, at, window):
    """(stop, begun, pending, correct with labels, correct in all), over all or the latest."""
    order = sorted(range(len(time)), key=lambda i: (time[i], i))
    rows = []
    for stop in at:
        begun = [i for i in order if time[i] <= stop]
        if window:
            if len(begun) < window:
                continue
            begun = begun[-window:]
        seen = [i for i in begun if label_time[i] <= stop]
        correct = [sum(bool(right[i]) for i in part) for part in (seen, begun)]
        rows.append((stop, len(begun), len(begun) - len(seen), *correct))
    return rows


def ages(prediction_events, clock):
    """(age, number) of the predictions of each row in turn; events are (row, time, kind)."""
    begun, ages_by_row, labels, instances = {}, {}, 0, 0
    for number, (row, moment, which) in enumerate(prediction_events):
        instances += which == 0
        now = {"time": moment, "labels": labels, "instances": instances}[clock]
        begun.setdefault(row, now)
        ages_by_row.setdefault(row, []).append((now - begun[row], number))
        labels += which == 2
    end = {"time": prediction_events[-1][1], "labels": labels, "instances": instances}[clock]
    return ages_by_row, {row: end - first for row, first in begun.items()}


def in_force(versions, age):
    """The number of the last of some predictions that is not after an age."""
    return [number for moment, number in versions if moment <= age][-1]


def survives(latency, age, moment):
    """The Kaplan-Meier estimate that a label takes longer than some time, by its definition."""
    left = 1.0
    for time in sorted({wait for wait, until in zip(latency, age, strict=True) if wait <= until}):
        if time <= moment:
            pairs = [*zip(latency, age, strict=True)]
            events = sum(wait == time for wait, until in pairs if wait <= until)
            at_risk = sum(min(wait, until) >= time for wait, until in pairs)
            left *= 1 - events / at_risk
    return left


def weights(latency, age):
    """Both kinds of weights of each instance whose label has arrived; 0 for others."""
    rows = []
    for wait, until in zip(latency, age, strict=True):
        old_enough = sum(other >= wait for other in age) / len(age)
        within = 1 - survives(latency, age, until)
        rows.append((1 / within, 1 / old_enough) if wait <= until else (0, 0))
    return rows


def evolving_rows(prediction_events, inputs, later, known, waiting):
    """The inputs of each prediction; events are (row, time, kind), None is a missing value."""
    begun, rows = {}, []
    for row, moment, _ in prediction_events:
        begun.setdefault(row, moment)
        values = [*inputs[row], later[row] if moment >= known[row] else None]
        rows.append(values + [moment - begun[row]] * waiting)
    return rows


def evolving_events(prediction_events, each):
    """(prediction whose inputs are used, learns, weight) of the events in turn."""
    predictions, events = {}, []
    for number, (row, _, which) in enumerate(prediction_events):
        predictions.setdefault(row, []).append(number)
        if which != 2:
            events.append((number, False, 1))
        elif each:
            events.append((number, False, 1))
            events += [(event, True, 1 / len(predictions[row])) for event in predictions[row]]
        else:
            events.append((number, True, 1))
    return events
