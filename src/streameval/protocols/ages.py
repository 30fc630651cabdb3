"""Latest predictions of instances by age, which is the time since the instance arrived.

Ages count units of time, labels or instances from the first prediction on. The age of a prediction
is known at once. Its bin (`streameval.protocols.bins`) is known only when the label arrives.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Integers
from streameval.base.errors import ConfigError, DataError
from streameval.protocols.reevaluation import FIRST, LAST, PredictionEvents

Clock = Literal["time", "labels", "instances"]
CLOCKS: tuple[Clock, ...] = ("time", "labels", "instances")


class PredictionAges(NamedTuple):
    """The predictions of a re-evaluation, grouped by instance, with their ages.

    Attributes
    ----------
    order : ndarray of int64, shape (p,)
        Indices of the predictions in the tape, grouped by instance. The s scored instances come
        first, in the order of their labels, then the pending instances.
    begin : ndarray of int64, shape (n,)
        Position in `order` of the first prediction of each instance.
    age : ndarray of int64, shape (p,)
        Age of the instance at each prediction, in the sequence of `order`.
    latency : ndarray of int64, shape (s,)
        Ages of the scored instances when their labels arrive.
    age_at_end : ndarray of int64, shape (n - s,)
        Ages of the pending instances at the end of the tape.
    """

    order: Integers
    begin: Integers
    age: Integers
    latency: Integers
    age_at_end: Integers

    def latest_predictions(self, ages: ArrayLike) -> Integers:
        """Index of the prediction in force, the latest one, at each of the given ages.

        The last prediction of an instance stays in force after its label has arrived.

        Parameters
        ----------
        ages : array-like of int, shape (g,)
            Ages, at least 0. A prediction is in force from the age at which it is made.

        Returns
        -------
        ndarray of int64, shape (s, g)
            Indices of predictions in the tape, for each scored instance.
        """
        limits = np.asarray(ages, dtype=np.int64)
        s = len(self.latency)
        bounds = np.append(self.begin, len(self.order))
        latest = np.empty((s, len(limits)), dtype=np.int64)
        if not s:
            return latest
        age, begin = self.age[: bounds[s]], bounds[:s]
        for column, limit in enumerate(limits):
            n_made = np.add.reduceat(age <= limit, begin, dtype=np.int64)
            latest[:, column] = self.order[begin + n_made - 1]
        return latest

    def at_risk(self, ages: ArrayLike) -> tuple[Integers, Integers]:
        """Numbers of scored and of pending instances that wait longer than each of the given ages.

        A pending instance is counted up to and including its age at the end of the tape.
        """
        limits = np.asarray(ages, dtype=np.int64)
        scored = len(self.latency) - np.searchsorted(np.sort(self.latency), limits, "right")
        pending = len(self.age_at_end) - np.searchsorted(np.sort(self.age_at_end), limits, "left")
        return scored, pending


def prediction_ages(prediction_events: PredictionEvents, clock: str = "time") -> PredictionAges:
    """Group the predictions of a re-evaluation by instance, and compute their ages.

    Parameters
    ----------
    prediction_events : PredictionEvents
        Instance, time and kind of each prediction.
    clock : {"time", "labels", "instances"}
        Unit of ages: units of time, labels that are learnt, or instances that arrive after the
        instance. Only labels and instances of the tape are counted. To count instances whose labels
        never arrive, make the tape with `pending`.

    Raises
    ------
    ConfigError
        If the clock is unknown.
    DataError
        If there are no predictions.
    """
    if clock not in CLOCKS:
        raise ConfigError(f"Ages: expected one of {', '.join(CLOCKS)}, found {clock!r}.")
    if not len(prediction_events):
        raise DataError("Ages: expected predictions, found none. Check the times of the labels.")
    is_last = prediction_events.kind == LAST
    if clock == "time":
        clock_time, end = prediction_events.time.astype(np.int64), int(prediction_events.time.max())
    elif clock == "labels":  # learnt before the prediction
        clock_time, end = np.cumsum(is_last) - is_last, int(is_last.sum())
    else:
        clock_time = np.cumsum(prediction_events.kind == FIRST)
        end = int(clock_time[-1])
    rank = _ranks(prediction_events)
    order = np.argsort(rank, kind="stable")
    begin = np.searchsorted(rank[order], np.arange(int(rank.max()) + 1))
    arrival = clock_time[order[begin]]
    age = clock_time[order] - arrival[rank[order]]
    s = len(prediction_events.labelled_rows)
    last = np.append(begin, len(order))[1 : s + 1] - 1  # last prediction of each scored instance
    return PredictionAges(order, begin, age, latency=age[last], age_at_end=end - arrival[s:])


def _ranks(prediction_events: PredictionEvents) -> Integers:
    """Rank of the instance of each prediction: by label arrival, then the pending instances."""
    s = len(prediction_events.labelled_rows)
    rank = np.full(int(prediction_events.row.max()) + 1, -1, dtype=np.int64)
    rank[prediction_events.labelled_rows] = np.arange(s)
    pending = prediction_events.row[
        (prediction_events.kind == FIRST) & (rank[prediction_events.row] < 0)
    ]
    rank[pending] = s + np.arange(len(pending))
    return rank[prediction_events.row]
