"""Further predictions of pending instances, made after every k-th label of others.

Instances and labels have numbers in the order of their arrival. Of each instance, `known` is how
many labels have arrived before it, and `own` the number of its own label.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Codes, Integers
from streameval.compiled.kernels import kernel

Numbers = Codes
Counts = Integers


def count_again(known: Numbers, own: Numbers, every: int, labels: int) -> Counts:
    """Return how many instances are predicted again at each label, without visiting each of them.

    Parameters
    ----------
    known, own : ndarray of int32, shape (n,)
        See the head of this module.
    every : int
        Number of labels between two predictions of an instance.
    labels : int
        Number of labels, s.

    Returns
    -------
    ndarray of int64, shape (s,)
    """
    first = known.astype(np.int64) + every  # the first label at which it is its turn
    after = first + np.maximum(own - known - 1, 0) // every * every  # ... and no more
    rounds = -(-labels // every)
    begun, ended = (np.bincount(at[at < labels], minlength=rounds * every) for at in (first, after))
    counts: Counts = (begun - ended).reshape(rounds, every).cumsum(axis=0).ravel()[:labels]
    return counts


@kernel
def predict_again(
    waiting: Numbers,
    known: Numbers,
    own: Numbers,
    every: int,
    rows: Numbers,
    due: Counts,
    start: int,
    place: Counts,
    row: Numbers,
    time: Counts,
) -> None:
    """Write row and time of the further predictions in a segment of a tape.

    Parameters
    ----------
    waiting : ndarray of int32
        The instances that wait in the segment, in the order of their arrival.
    known, own, every
        See `count_again`.
    rows : ndarray of int32, shape (n,)
        Rows of the instances.
    due : ndarray of int64, shape (l,)
        When the labels of the segment arrive.
    start : int
        Number of the first of them.
    place : ndarray of int64, shape (l,)
        Where the predictions at each label begin; it moves on to where they end.
    row, time : ndarray, shape (p,)
        What is written.
    """
    for i in waiting:
        first = known[i] + every - start
        if first < 0:
            first += (every - 1 - first) // every * every
        for label in range(first, min(own[i] - start, len(due)), every):
            at = place[label]
            row[at], time[at] = rows[i], due[label]
            place[label] += 1
