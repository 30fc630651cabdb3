"""Means of the class accuracies: every class has the same weight, however rare it is.

All are taken over the classes among the true labels of the tally. A class that does not occur has
no accuracy and is left out (it is neither 0 nor 1). Harmonic <= geometric <= arithmetic; the first
two are 0 if a class is always missed.

References
----------
Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, §5.2.
"""

from __future__ import annotations

import numpy as np

from streameval.measures.accuracy import class_recall, recall
from streameval.measures.tally import Floats, Tally, ratio, total

#: A = (A_1 + ... + A_c) / c. Undefined without predictions.
arithmetic_mean = recall


def geometric_mean(tally: Tally) -> Floats:
    """G = (A_1 × ... × A_c)^(1/c). Undefined without predictions."""
    accuracies = class_recall(tally)
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant: one missed class gives G = 0
        logarithms = np.where(np.isnan(accuracies), 0.0, np.log(accuracies))
    return np.exp(ratio(total(logarithms), _classes_present(tally)))


def harmonic_mean(tally: Tally) -> Floats:
    """H = c / (1/A_1 + ... + 1/A_c), Eq. 1. Undefined without predictions."""
    accuracies = class_recall(tally)
    with np.errstate(divide="ignore"):  # 1 / 0 = inf is meant: one missed class gives H = 0
        inverses = np.where(np.isnan(accuracies), 0.0, 1.0 / accuracies)
    return ratio(_classes_present(tally), total(inverses))


def _classes_present(tally: Tally) -> Floats:
    return total(tally.true_counts > 0)
