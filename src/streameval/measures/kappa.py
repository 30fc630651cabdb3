"""The kappa family: by how much a classifier beats chance, No-Change or the majority class.

All are (p0 - p) / (1 - p), where p is the accuracy of the comparator. They are undefined where the
comparator is always correct (p = 1). They are computed from counts, not from proportions, so that
a baseline measured against itself gives exactly 0.

References
----------
Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, §5.
Žliobaitė et al. (2015), Evaluation methods and decision theory for classification of streaming
data with temporal dependence, §4.3-4.5, Eq. 9-14.
"""

from __future__ import annotations

import numpy as np

from streameval.measures.tally import Floats, Tally, ratio, total
from streameval.significance import kappa_z as significance
from streameval.significance.kappa_z import TEST, Agreement


def chance_agreement(tally: Tally) -> Floats:
    """Return n times the correct predictions of chance: Σ (true count × predicted count)."""
    return total(tally.true_counts * tally.predicted_counts[..., :-1])


def chance_accuracy(tally: Tally) -> Floats:
    """Accuracy p_c of chance: the predictions, shuffled. Undefined without predictions.

    Missing predictions are as frequent for chance as for the classifier, and always wrong.
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
    """κ⁺ = sqrt(max(0, κ) max(0, κ_t)), Eq. 14. Undefined where either is."""
    product: Floats = np.maximum(kappa(tally), 0) * np.maximum(kappa_temporal(tally), 0)
    return np.sqrt(product)


def kappa_standard_error(tally: Tally) -> Floats:
    """κ's standard error sqrt(p0 (1 - p0) / (n (1 - p_c)²)), Eq. 11. Undefined where κ is.

    n is the total weight; it is the number of predictions unless weights are faded.
    """
    p, chance = _accuracy_and_chance(tally)
    return ratio(np.sqrt(ratio(p * (1 - p), tally.n)), 1 - chance)


def kappa_z(tally: Tally) -> Floats:
    """κ / δ_0, Eq. 12: the statistic of the z-test of κ > 0, `significance.kappa_z`.

    Undefined where κ is, and where chance is never correct (p_c = 0, so δ_0 = 0).
    """
    return significance.kappa_z(Agreement(tally.n, *_accuracy_and_chance(tally)))


def kappa_p_value(tally: Tally) -> Floats:
    """One-sided p-value of `kappa_z`."""
    p_value: Floats = TEST(tally.n, *_accuracy_and_chance(tally)).p_value
    return p_value


def _accuracy_and_chance(tally: Tally) -> tuple[Floats, Floats]:
    return ratio(tally.correct, tally.n), chance_accuracy(tally)
