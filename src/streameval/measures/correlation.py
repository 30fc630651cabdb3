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
    """Matthews correlation of truth and answer; for more than two classes Gorodkin's R_K.

    No answer is one more answer, never the true one. Undefined where there is only one true
    class or only one answer. For two classes and no abstentions it is
    (TP TN - FN FP) / sqrt((TP + FN)(TP + FP)(FP + TN)(FN + TN)).
    """
    spread = np.sqrt(variation(tally.true_counts)) * np.sqrt(variation(tally.answer_counts))
    return ratio(tally.n * tally.correct - chance_agreement(tally), spread)


def variation(counts: Floats) -> Floats:
    """Return (Σ counts)² - Σ counts² over the last axis: 0 if all lie in one category."""
    return np.maximum(total(counts) ** 2 - total(counts**2), 0.0)


def determinant(tally: Tally) -> Floats:
    """CMD = TP TN - FN FP of a binary tally, in squared counts. Undefined for other k.

    Twice this is the numerator of κ, n²(p0 - p_c), when nothing is left unanswered.
    """
    if tally.n_classes != 2:
        return np.full(tally.shape, np.nan)
    right = tally.class_correct
    mistaken = tally.answer_counts[..., :-1] - right  # for each class, the other's instances
    value = np.prod(right, axis=-1) - np.prod(mistaken, axis=-1)
    return np.where(tally.n > 0, value, np.nan)


def f1_prime(tally: Tally) -> Floats:
    """F1' = 1 / (1 + (FN/TP + FP/TN) / 2) of a binary tally: F1 made symmetric.

    FN and FP are the errors on each class, no answer included. 0 if a class is always missed;
    undefined if one does not occur, and for other k.
    """
    if tally.n_classes != 2:
        return np.full(tally.shape, np.nan)
    right = tally.class_correct
    missed = tally.true_counts - right
    with np.errstate(divide="ignore", invalid="ignore"):  # x / 0 = inf is meant, 0 / 0 is NaN
        odds = missed / right
    return 1 / (1 + total(odds) / 2)
