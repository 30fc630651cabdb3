"""What foreign learners answer, checked and brought into the form of `Predictions`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import DataError
from streameval.learners.predictions import NO_ANSWER


def checked_labels(
    answers: Sequence[Any], n_classes: int, rows: NDArray[np.int32], who: str
) -> NDArray[np.int16]:
    """Return answers as labels.

    Parameters
    ----------
    answers : sequence, length p
        Class codes; None or -1 is no answer.
    n_classes : int
        Number of declared classes, k.
    rows : ndarray of int32, shape (p,)
        Row of the stream that each answer is for.
    who : str
        Who answered, for messages.

    Returns
    -------
    ndarray of int16, shape (p,)
        Class codes; -1 is no answer.

    Raises
    ------
    DataError
        If an answer is no class code.
    """
    labels = np.full(len(answers), NO_ANSWER, dtype=np.int16)
    for i, answer in enumerate(answers):
        try:
            code = _code(answer)
        except TypeError:
            code = n_classes
        if not NO_ANSWER <= code < n_classes:
            raise DataError(
                f"{who} answered {answer!r} for row {rows[i]}: expected a class code, 0 to "
                f"{n_classes - 1}, or None for no answer."
            )
        labels[i] = code
    return labels


def _code(answer: Any) -> int:
    if answer is None:
        return NO_ANSWER
    # numpy's truth values are no integers, Python's are.
    return int(answer) if isinstance(answer, np.bool_) else operator.index(answer)


def normalised_scores(
    votes: ArrayLike, labels: NDArray[np.int16], n_classes: int, who: str
) -> NDArray[np.float32]:
    """Return votes as scores that sum to one.

    Where the votes say nothing (all zero, or not finite) the answer gets the whole score, as
    for our own learners; where there is no answer either, all classes get the same.

    Parameters
    ----------
    votes : array_like, shape (p, k)
        What a learner gives to each class, not negative.
    labels : ndarray of int16, shape (p,)
        Its answers.
    n_classes : int
        Number of declared classes, k.
    who : str
        Whose they are, for messages.

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
        labels[silent, None] == NO_ANSWER, 1, np.arange(n_classes) == labels[silent, None]
    )
    scores: NDArray[np.float64] = found / found.sum(axis=1, keepdims=True)
    return scores.astype(np.float32)


def repetitions(weight: float, who: str) -> int:
    """Return how often a learner that knows no weights learns an instance.

    A weight of 2 then means what it means to such a learner: the same instance twice.

    Raises
    ------
    DataError
        If the weight is not a whole number.
    """
    if weight != int(weight):
        raise DataError(
            f"{who} takes no weights: it learns an instance of weight 2 twice, but what is it to "
            f"do with {weight:g}? Use a learner that takes weights, or whole ones."
        )
    return int(weight)
