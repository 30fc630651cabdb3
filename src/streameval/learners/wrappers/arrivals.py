"""Labels that are known at each event of a tape, for the wrappers.

A label *arrives* with a learn event of positive weight. The latest label is the one that arrived
last, whichever row it belongs to, as for No-Change and for MOA.

A row is *shown* when it is predicted, or learnt with positive weight, for the first time. It is
learnt with the lagged labels that were known when it was shown, because its prediction can use only
these. Under label delay many more labels are known at the time of learning: learnt with them,
lagged labels would seem far more useful than they are for predictions. If a row is predicted
again for the evaluation, it is still learnt in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Codes, Integers
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import NO_LABEL as NO_LABEL

#: Largest number of lagged labels; more would only fill the memory.
MAX_LABELS = 1000


class Arrivals(NamedTuple):
    """The labels of a tape, and the number of known ones at each event.

    Parameters
    ----------
    labels : ndarray of int32, shape (a,)
        Class codes in the order of their arrival.
    known : ndarray of int64, shape (e,)
        Number of labels that have arrived before each event.
    known_when_shown : ndarray of int64, shape (e,)
        Number of labels that had arrived before the event's row was shown.
    shown_at : ndarray of int64, shape (n,)
        The event at which each row is shown; e if it never is.
    """

    labels: Codes
    known: Integers
    known_when_shown: Integers
    shown_at: Integers


def label_arrivals(y: Codes, tape: Tape) -> Arrivals:
    """Labels in the order of their arrival, and the number of known labels at each event.

    Parameters
    ----------
    y : ndarray of int32, shape (n,)
        Class codes of the stream; only those that arrive are read.
    tape : Tape
        Events over the stream's rows.
    """
    arrives = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    labels = y[tape.row[arrives]]
    known = np.append(0, np.cumsum(arrives))
    shows = np.flatnonzero(((tape.op & PREDICT) != 0) | arrives)
    shown_at = np.full(len(y), len(tape))
    np.minimum.at(shown_at, tape.row[shows], shows)
    return Arrivals(labels, known[:-1], known[shown_at[tape.row]], shown_at)


def contexts(labels: Codes, length: int, before: int = NO_LABEL) -> Integers:
    """Number the sequences of the last `length` labels; equal sequences get equal numbers.

    Parameters
    ----------
    labels : ndarray of int32, shape (a,)
        Class codes in the order of their arrival.
    length : int
        Length of the sequences.
    before : int
        The label that precedes the first one.

    Returns
    -------
    ndarray of int64, shape (a + 1,)
        The number after 0, 1, ... a arrivals, counted from 0 in the order of appearance.
    """
    import pandas as pd  # takes 0.4 s, and most commands do not need it

    preceded = np.concatenate((np.full(length, before), labels)) - NO_LABEL
    codes = int(preceded.max(initial=0)) + 1
    number = np.zeros(len(labels) + 1, dtype=np.int64)
    for place in range(length):
        longer = number * codes + preceded[place : place + len(number)]
        number = pd.factorize(longer)[0]
    return number
