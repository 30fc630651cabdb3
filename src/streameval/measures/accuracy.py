"""Accuracy, and precision, recall and F1 by class and averaged over classes.

A missing prediction counts as wrong: it lowers accuracy, recall and F1. It names no class, so it
does not change precision.
"""

from __future__ import annotations

import numpy as np

from streameval.measures.tally import Floats, Tally, ratio, total


def accuracy(tally: Tally) -> Floats:
    """Proportion of correct predictions, p0. Undefined without predictions."""
    return ratio(tally.correct, tally.n)


def class_recall(tally: Tally) -> Floats:
    """Accuracy on each true class, shape (..., k); NaN for a class that does not occur."""
    return ratio(tally.class_correct, tally.true_counts)


def class_precision(tally: Tally) -> Floats:
    """Proportion of correct predictions of each class, (..., k); NaN for one never predicted."""
    return ratio(tally.class_correct, tally.predicted_counts[..., :-1])


def class_f1(tally: Tally) -> Floats:
    """F1 of each class, 2 TP / (2 TP + FN + FP), shape (..., k).

    NaN for a class that neither occurs nor is predicted. In a binary task, Eq. 2 of Bifet et al.
    (2015) is the F1 of the positive class.
    """
    return ratio(2 * tally.class_correct, tally.true_counts + tally.predicted_counts[..., :-1])


def precision(tally: Tally) -> Floats:
    """Mean precision of the predicted classes. Undefined if every prediction is missing.

    Recall, in contrast, averages over the classes that occur.
    """
    return _mean_where_defined(class_precision(tally))


def recall(tally: Tally) -> Floats:
    """Mean accuracy of the classes that occur: the arithmetic mean of the class accuracies."""
    return _mean_where_defined(class_recall(tally))


def f1(tally: Tally) -> Floats:
    """Mean F1 of the classes that occur or were predicted (the mean of F1, not F1 of means)."""
    return _mean_where_defined(class_f1(tally))


def _mean_where_defined(values: Floats) -> Floats:
    return ratio(total(np.nan_to_num(values)), total(~np.isnan(values)))
