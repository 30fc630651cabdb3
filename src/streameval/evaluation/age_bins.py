"""Accuracy or error, and skills, of the predictions in force at evenly spaced ages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError, did_you_mean
from streameval.base.values import UNITS, round_step
from streameval.evaluation.task import Gains, Task, gain_differences
from streameval.protocols.ages import PredictionAges, prediction_ages
from streameval.protocols.reevaluation import PredictionEvents
from streameval.significance.stream_mean import stream_mean
from streameval.streams.stream import Stream

#: Number of instances that must be at risk at the greatest age.
MIN_AT_RISK = 100
#: Default name of the unit of times that are not dates.
DEFAULT_UNIT_NAME = "time units"
#: A length of time is displayed in the longest unit of which it contains at least this number.
_MIN_UNITS = 2


class PredictionsAtAges(NamedTuple):
    """Predictions in force at g ages of s instances, in the order of their labels.

    A prediction is in force from when it is made to the next prediction of the instance.
    """

    history: PredictionAges
    ages: Integers  # (g,)
    in_force: Integers  # (s, g), index of the prediction
    pending: list[int]  # (g,), number of instances that have waited at least this long in vain


def predictions_at_ages(
    prediction_events: PredictionEvents, number: int, ticks: int = 0, pending: ArrayLike = ()
) -> PredictionsAtAges:
    """Predictions in force at up to `number` ages in round steps; see `round_ages`.

    `ticks` is the number of time units per second, 0 if times are not dates. `pending` has the
    arrival times of instances whose labels have not arrived.
    """
    history = prediction_ages(prediction_events)
    ages = round_ages(history, number, ticks)
    waited = int(prediction_events.time.max()) - np.asarray(pending, dtype=np.int64)
    n_pending = [int((waited >= age).sum()) for age in ages]
    return PredictionsAtAges(history, ages, history.latest_predictions(ages), n_pending)


def age_bins(
    task: Task,
    predictions: PredictionsAtAges,
    true: NDArray[Any],
    predicted: Mapping[str, NDArray[Any]],
    learners: Sequence[str],
    baselines: Sequence[str],
) -> pd.DataFrame:
    """Measures of the predictions in force at some ages; see `measures_by_age`.

    `true` has labels in the order of their arrival, shape (s,); `predicted` has the predictions of
    each learner, shape (p,). In classification a missing prediction is wrong, in regression it is
    left out.
    """
    history, ages, in_force, pending = predictions
    gains = {
        name: task.gain(true[:, None], predicted[name][in_force])
        for name in dict.fromkeys([*learners, *baselines])
    }
    losses = {name: task.losses_from_gains(gain) for name, gain in gains.items()}
    at_risk = [history.latency > age for age in ages]
    parts = []
    for name in learners:
        part = measures_by_age(task, history, ages, gains[name])
        part = part.assign(learner=name, pending=pending)
        is_missing = ~task.is_known(predicted[name][in_force])
        part["missing"] = [int(is_missing[mask, i].sum()) for i, mask in enumerate(at_risk)]
        for baseline in baselines:
            loss, baseline_loss = losses[name], losses[baseline]
            part[task.skill_column(baseline)] = [
                task.skill(loss[mask, i], baseline_loss[mask, i]) for i, mask in enumerate(at_risk)
            ]
        parts.append(part)
    columns = ["learner", "age", task.measure, "low", "high", *map(task.skill_column, baselines)]
    columns += ["at_risk", "pending", "missing", "gain", "gain_low", "gain_high", "overall"]
    return pd.concat(parts, ignore_index=True)[columns]


def round_ages(history: PredictionAges, number: int, ticks: int = 0) -> Integers:
    """Ages in round steps from 0 to the last age with `MIN_AT_RISK` scored instances at risk."""
    last = int(equidistant_ages(history, number=2, least=MIN_AT_RISK)[-1])
    if ticks:
        step = round_step(last / ticks, max(number, 1)) * ticks
    else:
        step = max(-(-last // max(number, 1)), 1)
    return np.arange(0, last + 1, step, dtype=np.int64)


def equidistant_ages(history: PredictionAges, number: int, least: int) -> Integers:
    """At most `number` equidistant ages with at least `least` scored instances at risk.

    If there are fewer instances in all, the only age is 0.
    """
    descending = np.sort(history.latency)[::-1]
    # An instance is at risk at ages below its latency, so the last age is the `least`-th largest
    # latency minus 1.
    last = max(int(descending[least - 1]) - 1, 0) if len(descending) >= least else 0
    return np.unique(np.linspace(0, last, number).astype(np.int64))


def measures_by_age(
    task: Task,
    history: PredictionAges,
    ages: Integers,
    gains: Gains,
    reference: Gains | None = None,
) -> pd.DataFrame:
    """Measure of a task at some ages.

    `gains` has the gains of the predictions in force, shape (s, g). The `reference` gains are
    subtracted from them, by default the gains of the first predictions. An instance is at risk at
    an age if its label arrives later: the measure and the gain are over these instances. `overall`
    is over all instances, with the last prediction where the label has arrived. `pending` is the
    number of further instances without a label.
    """
    n_at_risk, n_pending = history.at_risk(ages)
    subtracted = np.broadcast_to(gains[:, :1], gains.shape) if reference is None else reference
    largest = task.largest_difference
    series, rows = task.series(gains), []
    for i, age in enumerate(ages):
        at_risk = history.latency > age
        differences = gain_differences(gains[at_risk, i], subtracted[at_risk, i])
        ends = (
            *_interval(series[at_risk, i], 0.0, largest),
            *_interval(differences, -largest, largest),
            *_interval(series[:, i], 0.0, largest),
        )
        rows.append((age, n_at_risk[i], n_pending[i], *ends))
    columns = [task.measure, "low", "high", "gain", "gain_low", "gain_high"]
    columns += ["overall", "overall_low", "overall_high"]
    return pd.DataFrame(rows, columns=["age", "at_risk", "pending", *columns])


def _interval(values: NDArray[Any], lower: float, upper: float) -> tuple[float, float, float]:
    """Mean of the values without NaN, with its interval clipped to two bounds."""
    values = values[~np.isnan(values)]
    if not len(values):
        return np.nan, np.nan, np.nan
    interval = stream_mean(values)
    low, high = np.clip((interval.low, interval.high), lower, upper)
    return interval.mean, float(low), float(high)


class TimeUnit(NamedTuple):
    """A unit of time: its name in the plural, and its length in the time units of the stream."""

    name: str
    length: float


#: The unit of times that are not dates.
DEFAULT_UNIT = TimeUnit(DEFAULT_UNIT_NAME, 1.0)


def time_unit(stream: Stream, unit_name: str, longest: float) -> TimeUnit:
    """Unit for the lengths of time of a stream.

    For dates it is the unit with this name, from weeks to seconds; without a name, a unit that fits
    the `longest` length. For other times the unit only gets the name.
    """
    if not stream.ticks:
        return DEFAULT_UNIT._replace(name=unit_name or DEFAULT_UNIT_NAME)
    name = unit_name.removesuffix("s")
    if unit_name and name not in UNITS:
        names = [f"{unit}s" for unit in UNITS]
        raise ConfigError(
            f"unit: expected {', '.join(names)}, since times are dates; found {unit_name!r}. "
            f"{did_you_mean(unit_name, names)}".rstrip()
        )
    seconds = longest / stream.ticks
    # Weeks are used only on request: readers know 30 days better than 4.3 weeks.
    fitting = [unit for unit in UNITS if unit != "week" and seconds >= _MIN_UNITS * UNITS[unit]]
    name = name or next(iter(fitting), "second")
    return TimeUnit(f"{name}s", float(UNITS[name] * stream.ticks))


def ages_in_units(frame: pd.DataFrame, stream: Stream, unit_name: str) -> pd.DataFrame:
    """Copy of a frame with ages in the displayed unit, and a column ``unit``."""
    unit = time_unit(stream, unit_name, frame["age"].max() if len(frame) else 0)
    if unit.length == 1:
        return frame.assign(unit=unit.name)
    return frame.assign(age=frame["age"] / unit.length, unit=unit.name)
