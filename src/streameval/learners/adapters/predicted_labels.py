"""Checks of the labels and scores that learners of other tools predict."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import DataError
from streameval.learners.predictions import NO_PREDICTION


def checked_labels(
    predicted: Sequence[Any], n_classes: int, rows: NDArray[np.int32], who: str
) -> NDArray[np.int16]:
    """Return predictions as class codes.

    Parameters
    ----------
    predicted : sequence, length p
        Class codes; None or -1 is no prediction.
    n_classes : int
        Number of declared classes, k.
    rows : ndarray of int32, shape (p,)
        Row of the stream that each prediction is for.
    who : str
        The name of the model, for messages.

    Returns
    -------
    ndarray of int16, shape (p,)
        Class codes; -1 is no prediction.

    Raises
    ------
    DataError
        If a prediction is no class code.
    """
    labels = np.full(len(predicted), NO_PREDICTION, dtype=np.int16)
    for i, label in enumerate(predicted):
        try:
            code = _code(label)
        except TypeError:
            code = n_classes
        if not NO_PREDICTION <= code < n_classes:
            raise DataError(
                f"{who} predicted {label!r} for row {rows[i]}: expected a class code, 0 to "
                f"{n_classes - 1}, or None for no prediction."
            )
        labels[i] = code
    return labels


def _code(label: Any) -> int:
    if label is None:
        return NO_PREDICTION
    # numpy's booleans are no integers, Python's are.
    return int(label) if isinstance(label, np.bool_) else operator.index(label)


def normalised_scores(
    votes: ArrayLike, labels: NDArray[np.int16], n_classes: int, who: str
) -> NDArray[np.float32]:
    """Return votes as scores that sum to one.

    Where the votes are all zero, or not finite, the predicted class gets the full score, as in the
    package's learners; without a prediction, all classes get the same score.

    Parameters
    ----------
    votes : array_like, shape (p, k)
        The score of each class, not negative.
    labels : ndarray of int16, shape (p,)
        Its predictions.
    n_classes : int
        Number of declared classes, k.
    who : str
        The name of the model, for messages.

    Returns
    -------
    ndarray of float32, shape (p, k)
        The scores.

    Raises
    ------
    DataError
        If there is not one number per class, or one is negative.
    """
    expected = f"{who}: expected {n_classes} scores, one per class and none negative"
    try:
        found = np.asarray(votes, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{expected}, found {error}.") from error
    found = found.reshape(0, n_classes) if len(labels) == 0 else found
    if found.shape != (len(labels), n_classes):
        raise DataError(f"{expected}, found shape {found.shape[1:]}.")
    if (found < 0).any():
        raise DataError(f"{expected}, found {found.min()}.")
    with np.errstate(over="ignore"):
        total = found.sum(axis=1)
    silent = ~((total > 0) & np.isfinite(total))
    found[silent] = np.where(
        labels[silent, None] == NO_PREDICTION, 1, np.arange(n_classes) == labels[silent, None]
    )
    scores: NDArray[np.float64] = found / found.sum(axis=1, keepdims=True)
    return scores.astype(np.float32)


def repetitions(weight: float, who: str) -> int:
    """Return how often a learner without weights learns an instance.

    It learns an instance of weight 2 twice.

    Raises
    ------
    DataError
        If the weight is not a whole number.
    """
    if weight != int(weight):
        raise DataError(
            f"{who} takes no weights: it learns an instance of weight 2 twice. Expected a whole "
            f"number, found the weight {weight:g}. Use a learner that takes weights, or whole ones."
        )
    return int(weight)
