"""The Matthews correlation, the determinant of the confusion matrix, and F1'.

References
----------
Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, §5.1-5.2.
Gorodkin (2004), Comparing two K-category assignments by a K-category correlation coefficient.
"""

from __future__ import annotations

import numpy as np

from streameval.measures.kappa import chance_agreement
from streameval.measures.tally import Floats, Tally, ratio, total


def mcc(tally: Tally) -> Floats:
    """Matthews correlation of true and predicted labels; Gorodkin's R_K for more than two classes.

    A missing prediction is a further predicted class, never the true one. Undefined where there is
    only one true or one predicted class. For two classes without missing predictions it is
    (TP TN - FN FP) / sqrt((TP + FN)(TP + FP)(FP + TN)(FN + TN)).
    """
    spread = np.sqrt(variation(tally.true_counts)) * np.sqrt(variation(tally.predicted_counts))
    found = ratio(tally.n * tally.correct - chance_agreement(tally), spread)
    return np.clip(found, -1.0, 1.0)  # rounding of the roots may lead beyond


def variation(counts: Floats) -> Floats:
    """Return (Σ counts)² - Σ counts² over the last axis: 0 if all lie in one category."""
    return np.maximum(total(counts) ** 2 - total(counts**2), 0.0)


def determinant(tally: Tally) -> Floats:
    """CMD = TP TN - FN FP of a binary tally, in squared counts. Undefined for other k.

    Without missing predictions, twice this is the numerator of κ, n²(p0 - p_c).
    """
    if tally.n_classes != 2:
        return np.full(tally.shape, np.nan)
    correct = tally.class_correct
    mistaken = tally.predicted_counts[..., :-1] - correct  # for each class, the other's instances
    value = np.prod(correct, axis=-1) - np.prod(mistaken, axis=-1)
    return np.where(tally.n > 0, value, np.nan)


def f1_prime(tally: Tally) -> Floats:
    """F1' = 1 / (1 + (FN/TP + FP/TN) / 2) of a binary tally: F1 made symmetric.

    FN and FP are the errors on each class, missing predictions included. 0 if a class is always
    missed; undefined if one does not occur, and for other k.
    """
    if tally.n_classes != 2:
        return np.full(tally.shape, np.nan)
    correct = tally.class_correct
    missed = tally.true_counts - correct
    with np.errstate(divide="ignore", invalid="ignore"):  # x / 0 = inf is meant, 0 / 0 is NaN
        odds = missed / correct
    return 1 / (1 + total(odds) / 2)
