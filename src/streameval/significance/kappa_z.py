"""The z-test of Cohen's kappa."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # loads its submodules on first use: most jobs need none

from streameval.base.arrays import Floats
from streameval.significance.significance_test import SignificanceResult, SignificanceTest


class Agreement(NamedTuple):
    """Agreement of predictions with the true labels; arrays of equal shape."""

    n: Floats  # number of predictions
    accuracy: Floats  # proportion of correct predictions, p_0
    chance_accuracy: Floats  # expected accuracy of the same predictions in random order, p_c


def kappa_z_statistic(agreement: Agreement) -> Floats:
    """Test statistic κ / δ_0 with δ_0 = sqrt(p_c / (n (1 - p_c))).

    p_0 and p_c are the accuracies in `Agreement`, and κ = (p_0 - p_c) / (1 - p_c), so the statistic
    is (p_0 - p_c) √n / sqrt(p_c (1 - p_c)). It is NaN if p_c is 1, where κ is undefined, or 0,
    where δ_0 is 0.
    """
    n, accuracy, chance_accuracy = map(np.asarray, agreement)
    chance_sd = np.sqrt(chance_accuracy * (1 - chance_accuracy))
    z = np.full(chance_sd.shape, np.nan)
    np.divide((accuracy - chance_accuracy) * np.sqrt(n), chance_sd, out=z, where=chance_sd != 0)
    return z


def _test(agreement: Agreement) -> SignificanceResult:
    """Test whether κ is greater than 0: one-sided, from the normal distribution."""
    z = kappa_z_statistic(agreement)
    return SignificanceResult(z, scipy.special.ndtr(-z))


TEST = SignificanceTest(
    name="kappa_z",
    title="z-test of Cohen's kappa",
    null="predictions are correct as often as the same predictions in random order: κ = 0",
    estimand="κ of one run on one stream",
    assumptions=(
        "predictions are independent of each other, and so many that κ is normally distributed; "
        "if equal labels follow each other, the true standard error of κ is larger"
    ),
    reference="Cohen (1960); Žliobaitė et al. (2015), Equation 12",
    evidence=Agreement,
    function=_test,
)
