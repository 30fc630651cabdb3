"""Repeated predictions of pending instances, after every k-th label of other instances.

Instances and labels are numbered in the order of their arrival. For each instance, `n_known` is the
number of labels that arrived before it, and `label` the number of its own label.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Codes, Integers
from streameval.compiled.kernels import kernel


def count_repeats(n_known: Codes, label: Codes, every: int, labels: int) -> Integers:
    """Count the instances that are predicted again at each label, in O(n + s).

    Parameters
    ----------
    n_known, label : ndarray of int32, shape (n,)
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
    first = n_known.astype(np.int64) + every
    stop = first + np.maximum(label - n_known - 1, 0) // every * every
    rounds = -(-labels // every)
    n_begun, n_stopped = (
        np.bincount(numbers[numbers < labels], minlength=rounds * every)
        for numbers in (first, stop)
    )
    # An instance is predicted at label j if it began at j, j - every, ... and has not stopped.
    counts: Integers = (n_begun - n_stopped).reshape(rounds, every).cumsum(axis=0).ravel()[:labels]
    return counts


@kernel
def write_repeats(
    n_known: Codes,
    label: Codes,
    every: int,
    rows: Codes,
    label_time: Integers,
    place: Integers,
    row: Codes,
    time: Integers,
) -> None:
    """Write row and time of the repeated predictions of a tape.

    Parameters
    ----------
    n_known, label, every
        See `count_repeats`.
    rows : ndarray of int32, shape (n,)
        Rows of the instances.
    label_time : ndarray of int64, shape (s,)
        Arrival times of the labels.
    place : ndarray of int64, shape (s,)
        Place in the tape of the first repeated prediction at each label; it is overwritten.
    row, time : ndarray, shape (p,)
        Rows and times of the predictions of the tape; the repeated predictions are written.
    """
    for i in range(len(rows)):
        for j in range(n_known[i] + every, label[i], every):
            row[place[j]], time[place[j]] = rows[i], label_time[j]
            place[j] += 1
