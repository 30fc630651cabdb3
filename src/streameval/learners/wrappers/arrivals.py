"""Which labels are known when: what the wrappers need to know of a tape.

A label *arrives* with a learn event of positive weight. The latest label is the one that
arrived last, whichever row it belongs to; so it is for No-Change, and for MOA.

A row is *shown* when it is predicted, or learnt with positive weight, for the first time.
What a learner may find out about the labels before a row is what was known when the row was
shown: that is what its answer could be based on. Taken at the time of learning instead, when
under delay many more labels are known, the labels before a row would look far more useful
than they are when an answer is due. And predicting a row again, for evaluation's sake, must
not change what is learnt from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.protocols.tape import LEARN, PREDICT, Tape

#: Stands in for a label before the first one.
NO_LABEL = -1
#: More labels before than this are refused: they would rather fill the memory than be of use.
MAX_LABELS = 1000


class Arrivals(NamedTuple):
    """The labels of a tape, and how many of them are known when.

    Parameters
    ----------
    labels : ndarray of int32, shape (a,)
        Class codes in the order of their arrival.
    known : ndarray of int64, shape (e,)
        How many labels have arrived before each event.
    known_when_shown : ndarray of int64, shape (e,)
        How many had arrived before the event's row was shown.
    shown : ndarray of int64, shape (n,)
        The event at which each row is shown; e if it never is.
    """

    labels: NDArray[np.int32]
    known: NDArray[np.int64]
    known_when_shown: NDArray[np.int64]
    shown: NDArray[np.int64]


def arrivals(y: NDArray[np.int32], tape: Tape) -> Arrivals:
    """Find out what is known when.

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
    shown = np.full(len(y), len(tape))
    np.minimum.at(shown, tape.row[shows], shows)
    return Arrivals(labels, known[:-1], known[shown[tape.row]], shown)


def contexts(labels: NDArray[np.int32], length: int, before: int = NO_LABEL) -> NDArray[np.int64]:
    """Give the last `length` labels a number, equal labels in equal order the same.

    Parameters
    ----------
    labels : ndarray of int32, shape (a,)
        Class codes in the order of their arrival.
    length : int
        How many labels count.
    before : int
        The label that stands before the first one.

    Returns
    -------
    ndarray of int64, shape (a + 1,)
        The number after 0, 1, ... a arrivals, counted from 0 in the order of appearance.
    """
    import pandas as pd  # 0.4 s that most commands need not wait for

    preceded = np.concatenate((np.full(length, before), labels)) - NO_LABEL
    codes = int(preceded.max(initial=0)) + 1
    number = np.zeros(len(labels) + 1, dtype=np.int64)
    for place in range(length):
        longer = number * codes + preceded[place : place + len(number)]
        number = pd.factorize(longer)[0]
    return number
