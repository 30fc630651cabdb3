"""Latest predictions of instances by age, which is the time since the instance arrived.

Ages count units of time, labels or instances from the first prediction on. Unlike a bin of
`streameval.protocols.bins`, an age is known at once, before the label arrives.
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

Ages = Integers


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
    waited : ndarray of int64, shape (n - s,)
        Ages of the pending instances at the end of the tape.
    """

    order: Ages
    begin: Ages
    age: Ages
    latency: Ages
    waited: Ages

    def in_force(self, at: ArrayLike) -> Ages:
        """Indices of the predictions that are in force at some ages: the latest at each age.

        After its label has arrived, the last prediction of an instance stays in force.

        Parameters
        ----------
        at : array-like of int, shape (g,)
            Ages, at least 0. A prediction is in force from the age at which it is made.

        Returns
        -------
        ndarray of int64, shape (s, g)
            Indices of predictions in the tape, for each scored instance.
        """
        ages = np.asarray(at, dtype=np.int64)
        s = len(self.latency)
        bounds = np.append(self.begin, len(self.order))
        latest = np.empty((s, len(ages)), dtype=np.int64)
        if not s:
            return latest
        age, begin = self.age[: bounds[s]], bounds[:s]
        for column, limit in enumerate(ages):
            so_far = np.add.reduceat(age <= limit, begin, dtype=np.int64)
            latest[:, column] = self.order[begin + so_far - 1]
        return latest

    def at_risk(self, at: ArrayLike) -> tuple[Ages, Ages]:
        """Number of scored and of pending instances that wait longer than some ages.

        A pending instance is counted up to its age at the end of the tape.
        """
        ages = np.asarray(at, dtype=np.int64)
        scored = len(self.latency) - np.searchsorted(np.sort(self.latency), ages, "right")
        pending = len(self.waited) - np.searchsorted(np.sort(self.waited), ages, "left")
        return scored, pending


def prediction_ages(polls: PredictionEvents, clock: str = "time") -> PredictionAges:
    """Group the predictions of a re-evaluation by instance, and compute their ages.

    Parameters
    ----------
    polls : PredictionEvents
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
    if not len(polls):
        raise DataError("Ages: expected predictions, found none. Check the times of the labels.")
    is_last = polls.which == LAST
    if clock == "time":
        now, end = polls.time.astype(np.int64), int(polls.time.max())
    elif clock == "labels":
        now, end = np.cumsum(is_last) - is_last, int(is_last.sum())
    else:
        now = np.cumsum(polls.which == FIRST)
        end = int(now[-1])
    rank = _ranks(polls)
    order = np.argsort(rank, kind="stable")
    begin = np.searchsorted(rank[order], np.arange(int(rank.max()) + 1))
    arrival = now[order[begin]]
    age = now[order] - arrival[rank[order]]
    s = len(polls.scored)
    ends = np.append(begin, len(order))[1 : s + 1] - 1
    return PredictionAges(order, begin, age, age[ends], end - arrival[s:])


def _ranks(polls: PredictionEvents) -> Ages:
    """Rank of the instance of each prediction: by label arrival, then the pending instances."""
    s = len(polls.scored)
    rank = np.full(int(polls.row.max()) + 1, -1, dtype=np.int64)
    rank[polls.scored] = np.arange(s)
    pending = polls.row[(polls.which == FIRST) & (rank[polls.row] < 0)]
    rank[pending] = s + np.arange(len(pending))
    return rank[polls.row]
