"""Number of labels that are known at each event of a tape, for the wrappers.

A label *arrives* with a learn event of positive weight. The latest label is the last label to
arrive, of any row, as for No-Change and in MOA.

A row is *shown* when it is predicted, or learnt with positive weight, for the first time. It is
learnt with the lagged labels that were known when it was shown, as its prediction can use only
these. With delayed labels, many more labels are known at the time of learning. If rows were learnt
with those, lagged labels would seem far more useful than they are for predictions. If a row is
predicted again for the evaluation, it is still learnt in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Codes, Integers
from streameval.protocols.tape import LEARN, PREDICT, Tape
from streameval.streams.stream import NO_LABEL as NO_LABEL

#: Largest number of lagged labels. The bound protects the memory.
MAX_LABELS = 1000


class Arrivals(NamedTuple):
    """The labels of a tape, and the number of labels that are known at each event.

    Parameters
    ----------
    labels : ndarray of int32, shape (a,)
        Class codes in the order of their arrival.
    n_known : ndarray of int64, shape (e,)
        Number of labels that have arrived before each event.
    n_known_at_first_event : ndarray of int64, shape (e,)
        Number of labels that had arrived before the first event of the event's row.
    first_event : ndarray of int64, shape (n,)
        The event at which each row is shown; e if there is none.
    """

    labels: Codes
    n_known: Integers
    n_known_at_first_event: Integers
    first_event: Integers


def label_arrivals(y: Codes, tape: Tape) -> Arrivals:
    """Labels in the order of their arrival, and the number of known labels at each event.

    Parameters
    ----------
    y : ndarray of int32, shape (n,)
        Class codes of the stream; only labels that arrive are read.
    tape : Tape
        Events over the stream's rows.
    """
    arrives = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    labels = y[tape.row[arrives]]
    n_known = np.append(0, np.cumsum(arrives))
    events = np.flatnonzero(((tape.op & PREDICT) != 0) | arrives)
    first_event = np.full(len(y), len(tape))
    np.minimum.at(first_event, tape.row[events], events)
    return Arrivals(labels, n_known[:-1], n_known[first_event[tape.row]], first_event)


def label_contexts(labels: Codes, length: int, initial: int = NO_LABEL) -> Integers:
    """Number the sequences of the last `length` labels; equal sequences get equal numbers.

    Parameters
    ----------
    labels : ndarray of int32, shape (a,)
        Class codes in the order of their arrival.
    length : int
        Length of the sequences.
    initial : int
        The label that stands for the labels before the first arrival.

    Returns
    -------
    ndarray of int64, shape (a + 1,)
        Number of the sequence after 0, 1, ... a arrivals. New sequences get the numbers 0, 1, ...
    """
    import pandas as pd  # takes 0.4 s, and most commands do not need it

    # Codes from 0; NO_LABEL is -1.
    padded = np.concatenate((np.full(length, initial), labels)) - NO_LABEL
    n_codes = int(padded.max(initial=0)) + 1
    number = np.zeros(len(labels) + 1, dtype=np.int64)
    for lag in range(length):
        # Renumbered for each label, so that numbers stay small.
        number = pd.factorize(number * n_codes + padded[lag : lag + len(number)])[0]
    return number
