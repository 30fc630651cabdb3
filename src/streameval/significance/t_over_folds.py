"""t-tests over folds: paired, with corrected variance, and Bayesian."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # loads its submodules on first use: most jobs need none
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.significance.series import two_sided_t
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

_ESTIMAND = "the mean difference of the two algorithms on this stream, over their seeds and folds"


class FoldDifferences(NamedTuple):
    """Differences A - B of a measure, such as accuracy, in each fold.

    Ties are exact: 0.3 - 0.2 and 0.2 - 0.1 differ by rounding, so they are not tied. If they should
    be, pass differences of counts, or round them. A NaN makes the result NaN.
    """

    differences: ArrayLike  # (..., folds)


def as_differences(values: ArrayLike, min_length: int, unit: str = "folds") -> Floats:
    """Differences as an array of shape (..., folds); `unit` names a fold in messages.

    Raises
    ------
    DataError
        If there are fewer than `min_length` values along the last axis.
    """
    differences = np.asarray(values, dtype=np.float64)
    if differences.ndim == 0 or differences.shape[-1] < min_length:
        length = differences.shape[-1] if differences.ndim else "a single number"
        raise DataError(
            f"Significance test: expected differences in at least {min_length} {unit} along the "
            f"last axis, found {length}. Evaluate with more {unit}."
        )
    return differences


class TStatistic(NamedTuple):
    """A mean, its standard error, and their ratio t, each of shape (...)."""

    mean: Floats
    standard_error: Floats
    t: Floats

    def result(self, df: int) -> SignificanceResult:
        """Two-sided test of whether the mean is 0; see `two_sided_t`."""
        return two_sided_t(self.t, self.mean, self.standard_error, df)


def t_of_differences(differences: Floats, factor: ArrayLike) -> TStatistic:
    """Mean over the last axis, its standard error √(factor · variance), and their ratio t.

    If all differences are equal, the standard error is 0. Then t is 0 if they are 0, and infinite
    otherwise.

    Parameters
    ----------
    differences : ndarray of shape (..., k)
        At least two differences.
    factor : array_like of shape (...)
        Variance of the mean divided by the variance of a difference: 1/k if independent.
    """
    first = differences[..., 0]
    # Equal differences are a special case, as rounding of the mean would look like variance.
    all_equal = (differences == first[..., None]).all(axis=-1)
    mean = np.where(all_equal, first, differences.mean(axis=-1))
    standard_error = np.where(all_equal, 0.0, np.sqrt(factor * differences.var(axis=-1, ddof=1)))
    t = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
    np.divide(mean, standard_error, out=t, where=standard_error != 0)
    return TStatistic(mean, standard_error, t)


def student_t(values: ArrayLike, unit: str = "folds") -> SignificanceResult:
    """Two-sided t-test of whether the mean is 0, with k - 1 degrees of freedom.

    Without variance the p-value is 1 if all differences are 0, and 0 otherwise. `details` has the
    ``mean``, its ``standard_error``, and the 95 % interval from ``low`` to ``high``. `unit` is
    the name of a fold in messages.
    """
    differences = as_differences(values, 2, unit)
    k = differences.shape[-1]
    return t_of_differences(differences, 1.0 / k).result(k - 1)


PAIRED_T = SignificanceTest(
    name="paired_t",
    title="Paired t-test over folds",
    null="the mean difference is 0",
    estimand=_ESTIMAND,
    assumptions=(
        "the differences in the folds are independent of each other and normally distributed"
    ),
    reference="Dietterich (1998), Section 3.3",
    evidence=FoldDifferences,
    function=lambda evidence: student_t(evidence.differences),
)


class OverlappingFolds(NamedTuple):
    """Differences in each fold, and the ratio of tested to trained instances."""

    differences: ArrayLike  # A - B, (..., folds)
    ratio: ArrayLike  # n2/n1, tested over trained instances; 1/9 in 10-fold cross-validation


def _corrected_t(evidence: OverlappingFolds) -> SignificanceResult:
    """Two-sided t-test of whether the mean is 0, with k - 1 degrees of freedom.

    It differs from `student_t` in the variance of the mean, which is (1/k + n2/n1) times the
    variance of the differences.

    Raises
    ------
    DataError
        If there are fewer than two folds, or a ratio is negative.
    """
    differences = as_differences(evidence.differences, 2)
    ratio = np.asarray(evidence.ratio, dtype=np.float64)
    if not (ratio >= 0).all():
        raise DataError(
            "Corrected t-test: expected ratios of tested to trained instances of at least 0, "
            f"found {ratio[~(ratio >= 0)][0]:g}. Give n2/n1, such as 1/9 for 10 folds."
        )
    folds = differences.shape[-1]
    return t_of_differences(differences, 1.0 / folds + ratio).result(folds - 1)


CORRECTED_T = SignificanceTest(
    name="corrected_t",
    title="Corrected resampled t-test over folds",
    null="the mean difference is 0",
    estimand=_ESTIMAND,
    assumptions=(
        "the differences are normally distributed with correlation n2/(n1 + n2); this is meant for "
        "random splits of a batch into n1 training and n2 test instances, and conservative for "
        "folds of a stream, whose differences are less correlated"
    ),
    reference="Nadeau, Bengio (2003), Section 4",
    evidence=OverlappingFolds,
    function=_corrected_t,
)


#: Default region of practical equivalence (ROPE): differences of accuracy of at most one percentage
#: point are practically zero.
ROPE = 0.01


class CorrelatedFolds(NamedTuple):
    """Differences in each fold, their correlation, and the region of practical equivalence."""

    differences: ArrayLike  # A - B, (..., folds)
    correlation: ArrayLike  # n2/(n1 + n2), tested over all instances; 1/k in cross-validation
    rope: float = ROPE  # half width of the region, in the unit of the differences


def _bayesian_correlated_t(evidence: CorrelatedFolds) -> SignificanceResult:
    """Compute t of the mean and posterior probabilities; the p-value is NaN.

    In `details`, ``left`` is the probability that A - B is below -rope (B is better), ``rope`` that
    it is within the rope, and ``right`` that it is above rope (A is better). With the usual flat
    prior, the posterior is Student's t with k - 1 degrees of freedom around the mean, and its
    squared scale is (1/k + ρ/(1 - ρ)) times the variance. Without variance it is a point.

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
    statistic = t_of_differences(differences, 1.0 / folds + rho / (1.0 - rho))
    below = _tail_probability(-statistic.mean - rope, statistic.standard_error, folds - 1)
    above = _tail_probability(statistic.mean - rope, statistic.standard_error, folds - 1)
    details = {
        "left": below,
        "rope": np.maximum(0.0, 1.0 - below - above),
        "right": above,
    }
    return SignificanceResult(statistic.t, np.full(statistic.t.shape, np.nan), details=details)


def _tail_probability(distance: Floats, standard_error: Floats, df: int) -> Floats:
    """Posterior probability beyond an end of the rope; the mean is beyond it by `distance`."""
    scaled = np.where(distance > 0, np.inf, -np.inf)  # the end belongs to the rope
    scaled[np.isnan(distance)] = np.nan
    np.divide(distance, standard_error, out=scaled, where=standard_error != 0)
    probability: Floats = scipy.special.stdtr(df, scaled)
    return probability


BAYESIAN_CORRELATED_T = SignificanceTest(
    name="bayesian_correlated_t",
    title="Bayesian correlated t-test over folds",
    null="none: it returns the probability of each of three verdicts instead of a p-value",
    estimand=_ESTIMAND,
    assumptions=(
        "the differences are normally distributed, with the given correlation, which one run "
        "cannot show; n2/(n1 + n2) is meant for random splits of a batch, and conservative for "
        "folds of a stream; the prior is flat"
    ),
    reference="Corani, Benavoli (2015); Benavoli et al. (2017), Section 4.1",
    evidence=CorrelatedFolds,
    function=_bayesian_correlated_t,
)
