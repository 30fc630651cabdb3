"""Latest predictions at an age, the time since the arrival of an instance, up to its label.

The length of a bin depends on when the label arrives, which is not known before. An age is known at
once: it is counted in units of time, labels or instances from the first prediction on.
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


class Aged(NamedTuple):
    """The predictions of a re-evaluation by instance, with their ages.

    Attributes
    ----------
    place : ndarray of int64, shape (p,)
        Numbers of the predictions: first those of the s scored instances, in the order of their
        labels, then those of instances that are pending, each in the order of the tape.
    begin : ndarray of int64, shape (n,)
        Where those of each instance begin.
    age : ndarray of int64, shape (p,)
        Their ages, in the order of `place`.
    latency : ndarray of int64, shape (s,)
        Ages of the scored instances when their labels arrive.
    waited : ndarray of int64, shape (n - s,)
        Ages of the pending ones at the end of the tape.
    """

    place: Ages
    begin: Ages
    age: Ages
    latency: Ages
    waited: Ages

    def in_force(self, at: ArrayLike) -> Ages:
        """Return the numbers of the latest predictions at some ages.

        From the age at which its label arrives, the last prediction of an instance is in force.

        Parameters
        ----------
        at : array-like of int, shape (g,)
            Ages, at least 0. What is predicted at an age is in force at that age.

        Returns
        -------
        ndarray of int64, shape (s, g)
            Numbers of predictions, for each scored instance.
        """
        ages = np.asarray(at, dtype=np.int64)
        s = len(self.latency)
        whole = np.append(self.begin, len(self.place))
        found = np.empty((s, len(ages)), dtype=np.int64)
        if not s:
            return found
        age, begin = self.age[: whole[s]], whole[:s]
        for column, limit in enumerate(ages):
            so_far = np.add.reduceat(age <= limit, begin, dtype=np.int64)
            found[:, column] = self.place[begin + so_far - 1]
        return found

    def at_risk(self, at: ArrayLike) -> tuple[Ages, Ages]:
        """Return how many instances wait longer than some ages: scored ones, and pending ones.

        A pending instance waits at least as long as it has been seen to wait.
        """
        ages = np.asarray(at, dtype=np.int64)
        scored = len(self.latency) - np.searchsorted(np.sort(self.latency), ages, "right")
        pending = len(self.waited) - np.searchsorted(np.sort(self.waited), ages, "left")
        return scored, pending


def aged(polls: PredictionEvents, clock: str = "time") -> Aged:
    """Return the predictions of a re-evaluation by instance, with their ages.

    Parameters
    ----------
    polls : PredictionEvents
        What the predictions are for.
    clock : {"time", "labels", "instances"}
        What ages count: units of time, labels that are learnt, or instances that arrive after the
        instance. The last two count what the tape has; with instances whose labels never arrive,
        make it with `pending`.

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
    whose = _ranks(polls)
    place = np.argsort(whose, kind="stable")
    begin = np.searchsorted(whose[place], np.arange(int(whose.max()) + 1))
    begun = now[place[begin]]
    age = now[place] - begun[whose[place]]
    s = len(polls.scored)
    ends = np.append(begin, len(place))[1 : s + 1] - 1
    return Aged(place, begin, age, age[ends], end - begun[s:])


def _ranks(polls: PredictionEvents) -> Ages:
    """Return the instance of each prediction: 0, 1, ... by their labels, then pending ones."""
    s = len(polls.scored)
    rank = np.full(int(polls.row.max()) + 1, -1, dtype=np.int64)
    rank[polls.scored] = np.arange(s)
    pending = polls.row[(polls.which == FIRST) & (rank[polls.row] < 0)]
    rank[pending] = s + np.arange(len(pending))
    return rank[polls.row]
