"""The predictions of the baselines of κ_t and κ_m, computed from the true labels alone.

These are the sound versions: predictions do not depend on how classes are coded, and none uses
the label that it predicts. `streameval.measures.moa` has MOA's versions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.kernels import kernel


def no_change_predictions(true: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the predictions of No-Change if each label is known before the next prediction.

    Parameters
    ----------
    true : ndarray of int32, shape (n,)
        Class codes in order.

    Returns
    -------
    ndarray of int32, shape (n,)
        The previous label; -1, no prediction, for the first.

    References
    ----------
    Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of
    streaming data with temporal dependence, §4.1 (Persistent classifier).
    """
    predictions = np.empty_like(true)
    predictions[:1] = -1
    predictions[1:] = true[:-1]
    return predictions


@kernel
def _majority_predictions(
    true: NDArray[np.int32], counts: NDArray[np.int64], predictions: NDArray[np.int32]
) -> None:
    leader = -1
    for t in range(len(true)):
        predictions[t] = leader
        label = true[t]
        counts[label] += 1
        if leader < 0 or counts[label] > counts[leader]:
            leader = label


def majority_predictions(true: NDArray[np.int32], n_classes: int) -> NDArray[np.int32]:
    """Return the predictions of Majority if each label is known before the next prediction.

    Parameters
    ----------
    true : ndarray of int32, shape (n,)
        Class codes in order.
    n_classes : int
        Declared number of classes.

    Returns
    -------
    ndarray of int32, shape (n,)
        The most frequent class so far; among equally frequent classes, the one that reached the
        count first, so a leader stays until it is overtaken. -1, no prediction, for the first.

    References
    ----------
    Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, §5.3.
    """
    predictions = np.empty_like(true)
    _majority_predictions(true, np.zeros(n_classes, dtype=np.int64), predictions)
    return predictions
