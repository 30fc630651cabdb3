"""Repeated predictions of pending instances, after every k-th label of other instances.

Instances and labels are numbered in the order of their arrival. For each instance, `known` is the
number of labels that arrived before it, and `label` the number of its label.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Codes, Integers
from streameval.compiled.kernels import kernel

Numbers = Codes
Counts = Integers


def count_repeats(known: Numbers, label: Numbers, every: int, labels: int) -> Counts:
    """Count the instances that are predicted again at each label, in O(n + s).

    Parameters
    ----------
    known, label : ndarray of int32, shape (n,)
        See the head of this module.
    every : int
        Number of labels between two predictions of an instance.
    labels : int
        Number of labels, s.

    Returns
    -------
    ndarray of int64, shape (s,)
    """
    # An instance is predicted at the labels first, first + every, ... before `stop`.
    first = known.astype(np.int64) + every
    stop = first + np.maximum(label - known - 1, 0) // every * every
    rounds = -(-labels // every)
    begun, ended = (np.bincount(at[at < labels], minlength=rounds * every) for at in (first, stop))
    counts: Counts = (begun - ended).reshape(rounds, every).cumsum(axis=0).ravel()[:labels]
    return counts


@kernel
def write_repeats(
    known: Numbers,
    label: Numbers,
    every: int,
    rows: Numbers,
    due: Counts,
    position: Counts,
    row: Numbers,
    time: Counts,
) -> None:
    """Write row and time of the repeated predictions of a tape.

    Parameters
    ----------
    known, label, every
        See `count_repeats`.
    rows : ndarray of int32, shape (n,)
        Rows of the instances.
    due : ndarray of int64, shape (s,)
        Arrival times of the labels.
    position : ndarray of int64, shape (s,)
        Position in the tape of the first prediction at each label; it is moved to their end.
    row, time : ndarray, shape (p,)
        Output arrays over the tape.
    """
    for i in range(len(rows)):
        for j in range(known[i] + every, label[i], every):
            row[position[j]], time[position[j]] = rows[i], due[j]
            position[j] += 1
