"""Accuracy of the predictions in force at an age, over what is at risk and over all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from streameval.evaluation.running import run_learners
from streameval.items.given import Given
from streameval.items.reevaluated import of_given
from streameval.protocols.ages import Aged, aged
from streameval.significance.stream_mean import stream_mean
from streameval.streams.stream import Stream
from streameval.studies.units import unit_of

COLUMNS = (
    *("learner", "age", "at_risk", "pending", "accuracy", "low", "high"),
    *("gain", "gain_low", "gain_high", "overall", "overall_low", "overall_high"),
)


def study(given: Given) -> dict[str, pd.DataFrame]:
    """Return the frame of a figure: ``ages``; see `by_age`.

    A column ``unit`` says what ages count.
    """
    settings, parts = given.settings, [pd.DataFrame(columns=[*COLUMNS])]
    made = of_given(given, settings.every, pending=True)
    found = aged(made.polls, settings.clock)
    at = ages(found, settings.ages, settings.least)
    learners = given.learners()
    table, costs = run_learners(made.stream, made.tape, learners)
    for cost in costs:
        given.announce(f"{cost.learner}: {cost.seconds:.2f} s")
    true = made.stream.y[made.polls.scored]
    for name in learners:
        right = table.predicted[name][found.in_force(at)] == true[:, None]
        parts.append(by_age(found, at, right).assign(learner=name))
    frame = pd.concat(parts[1:] or parts, ignore_index=True)[[*COLUMNS]]
    if settings.clock != "time":
        return {"ages": frame.assign(unit=settings.clock)}
    return {"ages": in_units(frame, made.stream, settings.unit)}


def in_units(frame: pd.DataFrame, stream: Stream, named: str) -> pd.DataFrame:
    """Return a frame with its ages in the unit that is shown, and the column ``unit``."""
    unit = unit_of(stream, named, frame["age"].max() if len(frame) else 0)
    if unit.length == 1:
        return frame.assign(unit=unit.name)
    return frame.assign(age=frame["age"] / unit.length, unit=unit.name)


def ages(found: Aged, number: int, least: int) -> NDArray[np.int64]:
    """Return at most so many ages at equal distances, as far as `least` scored ones are at risk.

    Without as many instances there is the age 0 alone.
    """
    longest = np.sort(found.latency)[::-1][least - 1 : least]
    last = max(int(longest[0]) - 1, 0) if len(longest) else 0
    return np.unique(np.linspace(0, last, number).astype(np.int64))


def by_age(found: Aged, at: NDArray[np.int64], right: NDArray[np.bool_]) -> pd.DataFrame:
    """Return accuracies at some ages.

    Parameters
    ----------
    found : Aged
        Ages of predictions.
    at : ndarray of int64, shape (g,)
        The ages, from 0.
    right : ndarray of bool, shape (s, g)
        Whether the prediction in force at an age is correct, in the order of the labels.

    Returns
    -------
    DataFrame
        `COLUMNS` without the learner. At risk are instances whose labels arrive later than at this
        age; `pending` more are at risk whose labels have not arrived at all, and which no accuracy
        counts. The accuracy is over those at risk, and so is the gain, by how much it differs from
        that of their first predictions. `overall` is over all instances, with the last prediction
        from the label on. Intervals respect dependence; they are NaN for too few effective
        instances, see `stream_mean`.
    """
    at_risk, pending = found.at_risk(at)
    rows = []
    for column, age in enumerate(at):
        waits = found.latency > age
        own, first = right[waits, column], right[waits, 0]
        gain = own.astype(np.int8) - first
        intervals = [end for values in (own, gain, right[:, column]) for end in _interval(values)]
        rows.append((age, at_risk[column], pending[column], *intervals))
    return pd.DataFrame(rows, columns=[*COLUMNS[1:]])


def gains(
    found: Aged, at: NDArray[np.int64], right: NDArray[np.bool_], other: NDArray[np.bool_]
) -> list[tuple[float, float, float]]:
    """Return by how much more of the predictions at risk are correct than others, by age.

    A mean and the ends of its 95 % interval for each age; `right` and `other` are those of
    `by_age`.
    """
    found_gains = []
    for column, age in enumerate(at):
        waits = found.latency > age
        gap = right[waits, column].astype(np.int8) - other[waits, column]
        found_gains.append(_interval(gap))
    return found_gains


def _interval(values: NDArray[Any]) -> tuple[float, float, float]:
    """Return a mean of truth values or of their differences, and the ends of its interval."""
    if not len(values):
        return np.nan, np.nan, np.nan
    found = stream_mean(values)
    low, high = np.clip((found.low, found.high), 0.0 if values.dtype == np.bool_ else -1.0, 1.0)
    return found.mean, float(low), float(high)
