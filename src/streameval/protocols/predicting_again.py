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
    known: Numbers,
    own: Numbers,
    every: int,
    rows: Numbers,
    due: Counts,
    place: Counts,
    row: Numbers,
    time: Counts,
) -> None:
    """Write row and time of the further predictions of a tape.

    Parameters
    ----------
    known, own, every
        See `count_again`.
    rows : ndarray of int32, shape (n,)
        Rows of the instances.
    due : ndarray of int64, shape (s,)
        When the labels arrive.
    place : ndarray of int64, shape (s,)
        Where the predictions at each label begin; it moves on to where they end.
    row, time : ndarray, shape (p,)
        What is written.
    """
    for i in range(len(rows)):
        for label in range(known[i] + every, own[i], every):
            at = place[label]
            row[at], time[at] = rows[i], due[label]
            place[label] += 1
