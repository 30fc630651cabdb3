"""The two baselines that κ_t and κ_m compare with, answering from the true labels alone.

These are the sound versions: what they answer does not depend on how classes are coded, and
no answer uses the label that it is for. `streameval.measures.moa` has MOA's versions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.kernels import kernel


def no_change_answers(true: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return what No-Change answers when each label is known before the next prediction.

    Parameters
    ----------
    true : ndarray of int32, shape (n,)
        Class codes in order.

    Returns
    -------
    ndarray of int32, shape (n,)
        The previous label; -1, no answer, for the first.

    References
    ----------
    Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of
    streaming data with temporal dependence, §4.1 (Persistent classifier).
    """
    answers = np.empty_like(true)
    answers[:1] = -1
    answers[1:] = true[:-1]
    return answers


@kernel
def _majority_answers(
    true: NDArray[np.int32], counts: NDArray[np.int64], answers: NDArray[np.int32]
) -> None:
    leader = -1
    for t in range(len(true)):
        answers[t] = leader
        label = true[t]
        counts[label] += 1
        if leader < 0 or counts[label] > counts[leader]:
            leader = label


def majority_answers(true: NDArray[np.int32], n_classes: int) -> NDArray[np.int32]:
    """Return what Majority Class answers when each label is known before the next prediction.

    Parameters
    ----------
    true : ndarray of int32, shape (n,)
        Class codes in order.
    n_classes : int
        Declared number of classes.

    Returns
    -------
    ndarray of int32, shape (n,)
        The most frequent class of the labels before; among equally frequent ones the one
        that got there first, so the leader stays until it is overtaken. -1, no answer, for
        the first.

    References
    ----------
    Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, §5.3.
    """
    answers = np.empty_like(true)
    _majority_answers(true, np.zeros(n_classes, dtype=np.int64), answers)
    return answers
