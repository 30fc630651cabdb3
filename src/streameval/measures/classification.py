"""Measures of classification, computed from a tally: accuracies, kappas and correlations.

A missing prediction counts as wrong: it lowers accuracy, recall and F1. It has no class, so it does
not change precision.

Means of class accuracies give the same weight to each of the c classes that occur among the true
labels; a class that does not occur has no accuracy. The harmonic mean is at most the geometric
mean, which is at most the arithmetic mean. If a class is always missed, the harmonic and the
geometric mean are 0.

Kappas compare the accuracy p0 of a classifier with the accuracy p of a comparator: chance,
No-Change or the majority class. All are (p0 - p) / (1 - p): 1 for a perfect classifier, 0 for one
as good as the comparator. They are undefined where p = 1. They are computed from counts, not
proportions, so that a baseline compared with itself gives exactly 0.

Chance stands for the same predictions in random order.

References
----------
Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, §5: means, F1'
(symmetric F1), determinant of the confusion matrix, κ, κ_m.
Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of streaming
data with temporal dependence, §4.3-4.5, Eq. 9-14: κ and its error, κ_t, κ⁺.
Gorodkin (2004), Comparing two K-category assignments by a K-category correlation coefficient.
"""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.measures.tally import Tally, ratio, total
from streameval.significance.kappa_z import TEST as KAPPA_Z_TEST
from streameval.significance.kappa_z import Agreement, kappa_z_statistic


def accuracy(tally: Tally) -> Floats:
    """Proportion of correct predictions, p0. Undefined without predictions."""
    return ratio(tally.correct, tally.n)


def class_recall(tally: Tally) -> Floats:
    """Accuracy on each true class, shape (..., k); NaN for a class that does not occur."""
    return ratio(tally.class_correct, tally.true_counts)


def class_precision(tally: Tally) -> Floats:
    """Precision of each class, shape (..., k); NaN for a class that is never predicted."""
    predicted_counts = tally.predicted_counts[..., :-1]  # without missing predictions
    return ratio(tally.class_correct, predicted_counts)


def class_f1(tally: Tally) -> Floats:
    """F1 of each class, 2 TP / (2 TP + FN + FP), shape (..., k).

    NaN for a class that neither occurs nor is predicted. In a binary task, Eq. 2 of Bifet et al.
    (2015) is the F1 of the positive class.
    """
    return ratio(2 * tally.class_correct, tally.true_counts + tally.predicted_counts[..., :-1])


def macro_precision(tally: Tally) -> Floats:
    """Mean precision of the predicted classes. Undefined if every prediction is missing.

    Macro recall averages over other classes: those that occur.
    """
    return _mean_where_defined(class_precision(tally))


def macro_recall(tally: Tally) -> Floats:
    """Mean accuracy of the classes that occur: the arithmetic mean of the class accuracies."""
    return _mean_where_defined(class_recall(tally))


def macro_f1(tally: Tally) -> Floats:
    """Mean of the F1 of all classes that occur or are predicted."""
    return _mean_where_defined(class_f1(tally))


def _mean_where_defined(values: Floats) -> Floats:
    return ratio(total(np.nan_to_num(values)), total(~np.isnan(values)))


#: A = (A_1 + ... + A_c) / c. Undefined without predictions.
arithmetic_mean = macro_recall


def geometric_mean(tally: Tally) -> Floats:
    """G = (A_1 × ... × A_c)^(1/c). Undefined without predictions."""
    accuracies = class_recall(tally)
    with np.errstate(divide="ignore"):  # log 0 = -inf is intended: a missed class gives G = 0
        logarithms = np.where(np.isnan(accuracies), 0.0, np.log(accuracies))
    return np.exp(ratio(total(logarithms), _classes_present(tally)))


def harmonic_mean(tally: Tally) -> Floats:
    """H = c / (1/A_1 + ... + 1/A_c), Eq. 1. Undefined without predictions."""
    accuracies = class_recall(tally)
    with np.errstate(divide="ignore"):  # 1 / 0 = inf is intended: a missed class gives H = 0
        inverses = np.where(np.isnan(accuracies), 0.0, 1.0 / accuracies)
    return ratio(_classes_present(tally), total(inverses))


def _classes_present(tally: Tally) -> Floats:
    return total(tally.true_counts > 0)


def chance_agreement(tally: Tally) -> Floats:
    """Σ (true count × predicted count): n² times the accuracy of chance."""
    return total(tally.true_counts * tally.predicted_counts[..., :-1])


def chance_accuracy(tally: Tally) -> Floats:
    """Expected accuracy p_c of the predictions in random order. Undefined without predictions.

    Missing predictions remain missing, and so wrong.
    """
    return ratio(chance_agreement(tally), tally.n**2)


def kappa(tally: Tally) -> Floats:
    """Cohen's κ = (p0 - p_c) / (1 - p_c). Undefined where p_c = 1 (Eq. 10)."""
    agreement = chance_agreement(tally)
    return ratio(tally.n * tally.correct - agreement, tally.n**2 - agreement)


def kappa_temporal(tally: Tally) -> Floats:
    """κ_t = (p0 - p_nc) / (1 - p_nc) against No-Change. Undefined where p_nc = 1 (Eq. 13)."""
    return ratio(tally.no_change_wrong - tally.wrong, tally.no_change_wrong)


def kappa_m(tally: Tally) -> Floats:
    """κ_m = (p0 - p_m) / (1 - p_m) against the majority class. Undefined where p_m = 1."""
    return ratio(tally.majority_wrong - tally.wrong, tally.majority_wrong)


def kappa_combined(tally: Tally) -> Floats:
    """κ⁺ = sqrt(max(0, κ) max(0, κ_t)), Eq. 14. Undefined where κ or κ_t is."""
    product: Floats = np.maximum(kappa(tally), 0) * np.maximum(kappa_temporal(tally), 0)
    return np.sqrt(product)


def kappa_standard_error(tally: Tally) -> Floats:
    """Standard error of κ, sqrt(p0 (1 - p0) / (n (1 - p_c)²)), Eq. 11. Undefined where κ is.

    n is the total weight: the number of predictions, unless weights fade.
    """
    p, chance = _accuracy_and_chance(tally)
    return ratio(np.sqrt(ratio(p * (1 - p), tally.n)), 1 - chance)


def kappa_z(tally: Tally) -> Floats:
    """κ / δ_0, Eq. 12: the statistic of the z-test of κ > 0.

    Undefined where κ is, and where chance is never correct (p_c = 0, so δ_0 = 0).
    """
    return kappa_z_statistic(Agreement(tally.n, *_accuracy_and_chance(tally)))


def kappa_p_value(tally: Tally) -> Floats:
    """One-sided p-value of `kappa_z`."""
    p_value: Floats = KAPPA_Z_TEST(tally.n, *_accuracy_and_chance(tally)).p_value
    return p_value


def _accuracy_and_chance(tally: Tally) -> tuple[Floats, Floats]:
    return ratio(tally.correct, tally.n), chance_accuracy(tally)


def mcc(tally: Tally) -> Floats:
    """Matthews correlation of true and predicted labels; Gorodkin's R_K for more than two classes.

    A missing prediction is a further predicted class, never the true one. Undefined where there is
    only one true or one predicted class. For two classes without missing predictions it is
    (TP TN - FN FP) / sqrt((TP + FN)(TP + FP)(FP + TN)(FN + TN)).
    """
    scale = np.sqrt(variation(tally.true_counts)) * np.sqrt(variation(tally.predicted_counts))
    correlation = ratio(tally.n * tally.correct - chance_agreement(tally), scale)
    return np.clip(correlation, -1.0, 1.0)  # rounded roots can exceed the bounds slightly


def variation(counts: Floats) -> Floats:
    """(Σ counts)² - Σ counts² over the last axis: 0 if all counts are in one category."""
    return np.maximum(total(counts) ** 2 - total(counts**2), 0.0)


def determinant(tally: Tally) -> Floats:
    """CMD = TP TN - FN FP for two classes, in squared counts. Undefined for other k.

    Without missing predictions, the numerator of κ, n²(p0 - p_c), is twice this.
    """
    if tally.n_classes != 2:
        return np.full(tally.shape, np.nan)
    correct = tally.class_correct
    n_false = tally.predicted_counts[..., :-1] - correct  # (..., 2): FN and FP
    value = np.prod(correct, axis=-1) - np.prod(n_false, axis=-1)
    return np.where(tally.n > 0, value, np.nan)


def f1_prime(tally: Tally) -> Floats:
    """Symmetric F1 for two classes: F1' = 1 / (1 + (FN/TP + FP/TN) / 2).

    FN and FP are the errors on each class, including missing predictions. F1' is 0 if a class is
    always missed. It is undefined if a class does not occur, and for other k.
    """
    if tally.n_classes != 2:
        return np.full(tally.shape, np.nan)
    correct = tally.class_correct
    missed = tally.true_counts - correct
    with np.errstate(divide="ignore", invalid="ignore"):  # intended: x / 0 = inf, 0 / 0 = NaN
        missed_per_correct = missed / correct  # (..., 2): FP/TN and FN/TP
    return 1 / (1 + total(missed_per_correct) / 2)
