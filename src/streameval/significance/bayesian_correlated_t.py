"""The Bayesian correlated t-test over folds, with a region of practical equivalence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are first used: most jobs need none
from numpy.typing import ArrayLike, NDArray

from streameval.errors import DataError
from streameval.significance.fold_differences import as_differences
from streameval.significance.paired_t import t_of_differences
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

#: Differences of accuracy up to this size are practically none: one percentage point.
ROPE = 0.01


class CorrelatedFolds(NamedTuple):
    """Differences in each fold, their correlation, and which differences are practically none."""

    differences: ArrayLike  # A - B, (..., folds)
    correlation: ArrayLike  # n2/(n1 + n2), tested instances over all; 1/k in cross-validation
    rope: float = ROPE  # half width of the region, in the unit of the differences


def _test(evidence: CorrelatedFolds) -> SignificanceResult:
    """Return t of the mean, no p-value (NaN), and posterior probabilities in `details`.

    ``left`` is the probability that A - B is below -rope, so that B is better; ``rope`` that it is
    within, and ``right`` that it is above, so that A is better. With the usual flat prior the
    posterior is Student's t of k - 1 degrees of freedom about the mean, whose squared scale is
    (1/k + ρ/(1 - ρ)) times the variance. Without variance it is a point, the mean.

    Raises
    ------
    DataError
        If there are fewer than two folds, a correlation is not in [0, 1), or the rope is negative.
    """
    differences = as_differences(evidence.differences, 2)
    rho, rope = np.asarray(evidence.correlation, dtype=np.float64), float(evidence.rope)
    if not (((rho >= 0) & (rho < 1)).all() and rope >= 0):
        raise DataError(
            "Bayesian correlated t-test: expected correlations from 0 to below 1 and a rope of at "
            f"least 0, found {rho} and {rope:g}. Give n2/(n1 + n2), such as 1/10 for 10 folds."
        )
    folds = differences.shape[-1]
    found = t_of_differences(differences, 1.0 / folds + rho / (1.0 - rho))
    below = _beyond(-found.mean - rope, found.error, folds - 1)
    above = _beyond(found.mean - rope, found.error, folds - 1)
    details = {
        "left": below,
        "rope": np.maximum(0.0, 1.0 - below - above),
        "right": above,
        "mean": found.mean,
        "scale": found.error,
    }
    return SignificanceResult(found.t, np.full(found.t.shape, np.nan), details=details)


def _beyond(
    distance: NDArray[np.float64], error: NDArray[np.float64], freedom: int
) -> NDArray[np.float64]:
    """Return the posterior probability beyond an end of the rope, `distance` short of the mean."""
    scaled = np.where(distance > 0, np.inf, -np.inf)  # a point on the end is within
    scaled[np.isnan(distance)] = np.nan
    np.divide(distance, error, out=scaled, where=error != 0)
    chance: NDArray[np.float64] = scipy.special.stdtr(freedom, scaled)
    return chance


TEST = SignificanceTest(
    name="bayesian_correlated_t",
    title="Bayesian correlated t-test over folds",
    null="none: it returns the probability of each of three verdicts instead of a p-value",
    estimand=(
        "the mean difference of the two algorithms on this stream, over their seeds and folds"
    ),
    assumptions=(
        "the differences are normally distributed, with the given correlation, of which one run "
        "says nothing; n2/(n1 + n2) is made for random splits of a batch, and conservative for "
        "folds of a stream; the prior is flat"
    ),
    reference=(
        "Corani, Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on "
        "multiple data sets, Machine Learning 100, 285-304; Benavoli et al. (2017), Time for a "
        "change, JMLR 18(77), Section 4.1"
    ),
    evidence=CorrelatedFolds,
    function=_test,
)
