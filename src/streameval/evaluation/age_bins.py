"""Accuracy by age in round steps, with the skill under the same delay, and the unit of ages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Codes, Flags, Integers
from streameval.errors import ConfigError, near
from streameval.evaluation.roles import COMPARATORS
from streameval.learners.predictions import NO_PREDICTION
from streameval.protocols.ages import Aged, aged
from streameval.protocols.reevaluation import PredictionEvents
from streameval.significance.stream_mean import stream_mean
from streameval.streams.stream import Stream
from streameval.values import UNITS, even_step

#: Ages go as far as so many instances are still at risk.
LEAST = 100
#: What the skill over each comparator is called.
SKILLS = ("kappa_temporal_delayed", "kappa_m_delayed")
#: The columns of `by_age`.
BY_AGE = (
    *("age", "at_risk", "pending", "accuracy", "low", "high"),
    *("gain", "gain_low", "gain_high", "overall", "overall_low", "overall_high"),
)
#: The columns of `age_bins`.
COLUMNS = (
    *("learner", "age", "accuracy", "low", "high", *SKILLS, "at_risk", "pending", "missing"),
    *("gain", "gain_low", "gain_high", "overall"),
)
#: What a stream's times are called if they are no dates and nothing else is said.
PLAIN = "time units"
#: A length of time is shown in the longest unit of which it has as many.
_ENOUGH = 2


class AtAges(NamedTuple):
    """Which predictions are in force at some ages, and how many instances are still pending.

    Attributes
    ----------
    found : Aged
        Ages of predictions.
    at : ndarray of int64, shape (g,)
        The ages, from 0, in units of time.
    force : ndarray of int64, shape (s, g)
        Numbers of the predictions in force, for instances in the order of their labels.
    pending : list of int
        At each age, how many instances wait whose labels have not arrived at all.
    """

    found: Aged
    at: Integers
    force: Integers
    pending: list[int]


def at_ages(
    polls: PredictionEvents, number: int, ticks: int = 0, pending: ArrayLike = ()
) -> AtAges:
    """Return the predictions in force at ages in round steps; see `even_ages`.

    There are at most `number` steps from age 0; `ticks` are units of time in a second, 0 if times
    are no dates; `pending` is when the instances have arrived whose labels have not.
    """
    found = aged(polls)
    at = even_ages(found, number, ticks)
    waited = int(polls.time.max()) - np.asarray(pending, dtype=np.int64)
    return AtAges(found, at, found.in_force(at), [int((waited >= age).sum()) for age in at])


def age_bins(
    ages: AtAges, true: Codes, predicted: Mapping[str, NDArray[np.int16]], learners: Sequence[str]
) -> pd.DataFrame:
    """Return the accuracy of the predictions in force at some ages.

    `true` are the labels in the order of their arrival, shape (s,); `predicted` are those of the
    learners and of the comparators, each of shape (p,). The `learners` are shown.

    Columns `COLUMNS`. At risk are instances whose labels arrive later than at this age; accuracy
    and skill, over No-Change and Majority at the same age, are over these. `pending` more are at
    risk whose labels have not arrived at all, and which no accuracy counts; of those at risk, so
    many are `missing` a prediction, which counts as wrong. The gain is over the
    first predictions of those at risk; `overall` is over all instances, with the last prediction
    from the label on.
    """
    found, at = ages.found, ages.at
    right = {
        name: predicted[name][ages.force] == true[:, None]
        for name in dict.fromkeys([*learners, *COMPARATORS])
    }
    parts = []
    for name in learners:
        part = by_age(found, at, right[name]).assign(learner=name, pending=ages.pending)
        none = predicted[name][ages.force] == NO_PREDICTION
        part["missing"] = [int(none[found.latency > age, i].sum()) for i, age in enumerate(at)]
        for column, other in zip(SKILLS, COMPARATORS, strict=True):
            waits = (found.latency > age for age in at)
            part[column] = [
                skill(right[name][kept, i], right[other][kept, i]) for i, kept in enumerate(waits)
            ]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)[[*COLUMNS]]


def skill(correct: Flags, reference: Flags) -> float:
    """Return (p - p_r) / (1 - p_r) for the accuracies of a learner and a reference.

    It is κ_t with No-Change and κ_m with Majority as the reference: 1 if the learner is always
    correct, 0 if it is as accurate as the reference; NaN if the reference is always correct.
    """
    errors = np.count_nonzero(~reference)
    return 1.0 - np.count_nonzero(~correct) / errors if errors else np.nan


def even_ages(found: Aged, number: int, ticks: int = 0) -> Integers:
    """Return ages in round steps from 0, as far as `LEAST` scored instances are at risk."""
    last = int(ages(found, 2, LEAST)[-1])
    if ticks:
        step = even_step(last / ticks, max(number, 1)) * ticks
    else:
        step = max(-(-last // max(number, 1)), 1)
    return np.arange(0, last + 1, step, dtype=np.int64)


def ages(found: Aged, number: int, least: int) -> Integers:
    """Return at most `number` ages at equal distances, while `least` scored instances are at risk.

    Without as many instances there is the age 0 alone.
    """
    longest = np.sort(found.latency)[::-1][least - 1 : least]
    last = max(int(longest[0]) - 1, 0) if len(longest) else 0
    return np.unique(np.linspace(0, last, number).astype(np.int64))


def by_age(found: Aged, at: Integers, right: Flags) -> pd.DataFrame:
    """Return accuracies at some ages.

    `at` are ages from 0, shape (g,); `right` says whether the prediction in force at an age is
    correct, in the order of the labels, shape (s, g).

    Columns `BY_AGE`. At risk are instances whose labels arrive later than at this age; `pending`
    more are at risk whose labels have not arrived at all, and which no accuracy counts. The
    accuracy is over those at risk, and so is the gain, by how much it differs from that of their
    first predictions. `overall` is over all instances, with the last prediction from the label on.
    Intervals respect dependence; they are NaN for too few effective instances, see `stream_mean`.
    """
    at_risk, pending = found.at_risk(at)
    rows = []
    for column, age in enumerate(at):
        waits = found.latency > age
        own, first = right[waits, column], right[waits, 0]
        gain = own.astype(np.int8) - first
        intervals = [end for values in (own, gain, right[:, column]) for end in _interval(values)]
        rows.append((age, at_risk[column], pending[column], *intervals))
    return pd.DataFrame(rows, columns=[*BY_AGE])


def gains(
    found: Aged, at: Integers, right: Flags, other: Flags
) -> list[tuple[float, float, float]]:
    """Return differences in the accuracy of two sets of predictions at risk, by age.

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


class Unit(NamedTuple):
    """A unit of time: its name in the plural, and its length in the stream's own units."""

    name: str
    length: float


#: That of times that are no dates.
WHOLE = Unit(PLAIN, 1.0)


def unit_of(stream: Stream, named: str, longest: float) -> Unit:
    """Return the unit in which lengths of time of a stream are shown.

    Where times are dates, lengths are shown in weeks, days, hours, minutes or seconds: in the unit
    that is `named`, or one that fits the `longest` length, in the stream's own units. Of other
    times `named` is the name alone.

    Raises ConfigError if times are dates, and the unit is none that a date has.
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
    return Unit(f"{name}s", float(UNITS[name] * stream.ticks))


def in_units(frame: pd.DataFrame, stream: Stream, named: str) -> pd.DataFrame:
    """Return a frame with its ages in the unit that is shown, and the column ``unit``."""
    unit = unit_of(stream, named, frame["age"].max() if len(frame) else 0)
    if unit.length == 1:
        return frame.assign(unit=unit.name)
    return frame.assign(age=frame["age"] / unit.length, unit=unit.name)
