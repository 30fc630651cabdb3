"""Accuracy or error by the age of a prediction, in round steps, with skills at the same age."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError, near
from streameval.base.values import UNITS, even_step
from streameval.evaluation.task import Gains, Task, gain_differences
from streameval.protocols.ages import PredictionAges, prediction_ages
from streameval.protocols.reevaluation import PredictionEvents
from streameval.significance.stream_mean import stream_mean
from streameval.streams.stream import Stream

#: Number of instances that must be at risk at the greatest age.
LEAST = 100
#: Default name of the unit of times that are not dates.
PLAIN = "time units"
#: A length of time has the longest unit of which it contains at least this many.
_ENOUGH = 2


class AtAges(NamedTuple):
    """Predictions in force at some ages, and the number of instances that are still pending.

    `force` are numbers of predictions, shape (s, g), for instances in the order of their labels;
    `pending` has the number of instances at each age whose labels never arrived.
    """

    history: PredictionAges
    at: Integers
    force: Integers
    pending: list[int]


def at_ages(
    prediction_events: PredictionEvents, number: int, ticks: int = 0, pending: ArrayLike = ()
) -> AtAges:
    """Predictions in force at most `number` ages in round steps; see `even_ages`.

    `ticks` are units of time per second, 0 without dates. `pending` has the arrival times of
    instances whose labels have not arrived.
    """
    history = prediction_ages(prediction_events)
    at = even_ages(history, number, ticks)
    waited = int(prediction_events.time.max()) - np.asarray(pending, dtype=np.int64)
    return AtAges(history, at, history.in_force(at), [int((waited >= age).sum()) for age in at])


def age_bins(
    task: Task,
    ages: AtAges,
    true: NDArray[Any],
    predicted: Mapping[str, NDArray[Any]],
    learners: Sequence[str],
    baselines: Sequence[str],
) -> pd.DataFrame:
    """Measures of the predictions in force at some ages; see `by_age`.

    `true` has labels in the order of their arrival, shape (s,); `predicted` has shape (p,). In
    classification a missing prediction is wrong, in regression it is left out.
    """
    history, at = ages.history, ages.at
    gains = {
        name: task.gain(true[:, None], predicted[name][ages.force])
        for name in dict.fromkeys([*learners, *baselines])
    }
    losses = {name: task.losses(gain) for name, gain in gains.items()}
    at_risk = [history.latency > age for age in at]
    parts = []
    for name in learners:
        part = by_age(task, history, at, gains[name]).assign(learner=name, pending=ages.pending)
        none = ~task.known(predicted[name][ages.force])
        part["missing"] = [int(none[waits, i].sum()) for i, waits in enumerate(at_risk)]
        for baseline in baselines:
            loss, baseline_loss = losses[name], losses[baseline]
            part[task.skill_over(baseline)] = [
                task.skill(loss[waits, i], baseline_loss[waits, i])
                for i, waits in enumerate(at_risk)
            ]
        parts.append(part)
    columns = ["learner", "age", task.measure, "low", "high", *map(task.skill_over, baselines)]
    columns += ["at_risk", "pending", "missing", "gain", "gain_low", "gain_high", "overall"]
    return pd.concat(parts, ignore_index=True)[columns]


def even_ages(history: PredictionAges, number: int, ticks: int = 0) -> Integers:
    """Ages in round steps from 0 to the last age with `LEAST` scored instances at risk."""
    last = int(ages(history, 2, LEAST)[-1])
    if ticks:
        step = even_step(last / ticks, max(number, 1)) * ticks
    else:
        step = max(-(-last // max(number, 1)), 1)
    return np.arange(0, last + 1, step, dtype=np.int64)


def ages(history: PredictionAges, number: int, least: int) -> Integers:
    """At most `number` equidistant ages with at least `least` scored instances at risk.

    With fewer instances in all, the age 0 is the only one.
    """
    longest = np.sort(history.latency)[::-1][least - 1 : least]
    last = max(int(longest[0]) - 1, 0) if len(longest) else 0
    return np.unique(np.linspace(0, last, number).astype(np.int64))


def by_age(
    task: Task, history: PredictionAges, at: Integers, gains: Gains, reference: Gains | None = None
) -> pd.DataFrame:
    """Measure of a task at some ages.

    `gains` are those of the predictions in force, shape (s, g); `reference` gains are compared with
    them, by default those of the first predictions. An instance is at risk at an age if its label
    arrives later: the measure and the gain are over these instances. `overall` is over all
    instances, with the last prediction where the label has arrived. `pending` further instances
    have no label at all.
    """
    at_risk, pending = history.at_risk(at)
    others = np.broadcast_to(gains[:, :1], gains.shape) if reference is None else reference
    series, rows = task.series(gains), []
    for column, age in enumerate(at):
        waits = history.latency > age
        ends = (
            *_interval(series[waits, column], 0.0, task.most),
            *_interval(
                gain_differences(gains[waits, column], others[waits, column]), -task.most, task.most
            ),
            *_interval(series[:, column], 0.0, task.most),
        )
        rows.append((age, at_risk[column], pending[column], *ends))
    columns = [task.measure, "low", "high", "gain", "gain_low", "gain_high"]
    columns += ["overall", "overall_low", "overall_high"]
    return pd.DataFrame(rows, columns=["age", "at_risk", "pending", *columns])


def _interval(values: NDArray[Any], least: float, most: float) -> tuple[float, float, float]:
    """Mean of the known values with its interval, clipped to two bounds."""
    known = values[~np.isnan(values)]
    if not len(known):
        return np.nan, np.nan, np.nan
    interval = stream_mean(known)
    low, high = np.clip((interval.low, interval.high), least, most)
    return interval.mean, float(low), float(high)


class TimeUnit(NamedTuple):
    """A unit of time: its name in the plural, and its length in the stream's own units."""

    name: str
    length: float


#: The unit of times that are not dates.
WHOLE = TimeUnit(PLAIN, 1.0)


def time_unit(stream: Stream, named: str, longest: float) -> TimeUnit:
    """Unit for the lengths of time of a stream.

    For dates it is the unit `named`, from weeks to seconds; by default a unit that fits the
    `longest` length. For other times `named` is only a name.
    """
    if not stream.ticks:
        return WHOLE._replace(name=named or PLAIN)
    name = named.removesuffix("s")
    if named and name not in UNITS:
        known = [f"{unit}s" for unit in UNITS]
        raise ConfigError(
            f"unit: expected {', '.join(known)}, since times are dates; found {named!r}. "
            f"{near(named, known)}".rstrip()
        )
    seconds = longest / stream.ticks
    fitting = [unit for unit in UNITS if unit != "week" and seconds >= _ENOUGH * UNITS[unit]]
    name = name or next(iter(fitting), "second")
    return TimeUnit(f"{name}s", float(UNITS[name] * stream.ticks))


def ages_in_units(frame: pd.DataFrame, stream: Stream, named: str) -> pd.DataFrame:
    """Copy of a frame with ages in the displayed unit, and a column ``unit``."""
    unit = time_unit(stream, named, frame["age"].max() if len(frame) else 0)
    if unit.length == 1:
        return frame.assign(unit=unit.name)
    return frame.assign(age=frame["age"] / unit.length, unit=unit.name)
