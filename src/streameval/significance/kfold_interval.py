"""Interval and test of Bayle et al. for the difference of two learners in k-fold test error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError
from streameval.significance.series import t_of_mean
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

# A variance below this fraction of the mean square is a rounding error and counts as 0. It is a
# difference of sums of squares, so its rounding error is larger than that of `series.ROUNDING`.
_ROUNDING_OF_VARIANCE = 1e-12


class FoldSums(NamedTuple):
    """Sums of the differences of two learners over the test instances of each fold."""

    counts: Floats  # (..., k), numbers of test instances
    sums: Floats  # (..., k), sums of the differences
    squares: Floats  # (..., k), sums of the squared differences


def kfold_interval(folds: FoldSums) -> SignificanceResult:
    """Test whether the k-fold test errors of two learners are equal; two-sided.

    Parameters
    ----------
    folds : FoldSums
        Sums over the instances of each fold, arrays of shape (..., k). Folds may differ in size.

    Returns
    -------
    SignificanceResult
        z and p-values from the normal distribution, of shape (...), with the ``mean`` and the ends
        ``low`` and ``high`` of its 95 % interval in the details. The p-value is 1 if all
        differences are 0, and 0 if they are equal but not 0.

    Raises
    ------
    ConfigError
        If there are fewer than 2 folds, or a fold has fewer than 2 instances.

    References
    ----------
    Bayle, Bayle, Janson, Mackey (2020), Cross-validation confidence intervals for test error,
    Advances in Neural Information Processing Systems 33, Theorem 1, with the variance σ_out around
    the mean of all folds.
    """
    counts, sums, squares = (np.asarray(values, np.float64) for values in folds)
    k = counts.shape[-1] if counts.ndim else 0
    smallest = int(counts.min()) if k else 0
    if k < 2 or smallest < 2:
        raise ConfigError(
            "Interval of k-fold test error: expected at least 2 folds of at least 2 instances, "
            f"found {k} folds, of which the smallest has {smallest} instances."
        )
    n = counts.sum(axis=-1)
    mean = sums.sum(axis=-1) / n
    mean_square = squares.sum(axis=-1) / n
    variance = mean_square - mean**2
    variance = np.where(variance <= _ROUNDING_OF_VARIANCE * mean_square, 0.0, variance)
    # The largest difference is unknown here, so the root mean square is the scale of rounding.
    return t_of_mean(mean, np.sqrt(variance / n), df=np.inf, scale=np.sqrt(mean_square))


TEST = SignificanceTest(
    name="kfold_interval",
    title="Test of the difference in k-fold test error",
    null="the models that two learners trained on the k training sets have the same expected error",
    estimand=(
        "the difference of the two learners in k-fold test error: the expected error of the k "
        "models trained in this run, not of the learners over other seeds"
    ),
    assumptions=(
        "instances are independent and identically distributed, each is tested in exactly one "
        "fold, and replacing one training instance hardly changes a model (loss stability)"
    ),
    reference="Bayle, Bayle, Janson, Mackey (2020)",
    evidence=FoldSums,
    function=kfold_interval,
)
