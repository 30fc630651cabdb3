"""The t-test over folds whose variance is corrected for training data that folds share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.errors import DataError
from streameval.significance.fold_differences import as_differences
from streameval.significance.paired_t import t_of_differences
from streameval.significance.significance_test import SignificanceResult, SignificanceTest


class OverlappingFolds(NamedTuple):
    """Differences in each fold, and how many instances a fold tests for each that it learns."""

    differences: ArrayLike  # A - B, (..., folds)
    ratio: ArrayLike  # n2/n1, tested instances over trained ones; 1/9 in 10-fold cross-validation


def _test(evidence: OverlappingFolds) -> SignificanceResult:
    """Compare the mean with Student's t of k - 1 degrees of freedom; two-sided.

    The variance of the mean is (1/k + n2/n1) times that of the differences. Without variance the
    p-value is 1 if all differences are 0, and 0 otherwise. `details` are those of `paired_t`.

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


TEST = SignificanceTest(
    name="corrected_t",
    title="Corrected resampled t-test over folds",
    null="the mean difference is 0",
    estimand=(
        "the mean difference of the two algorithms on this stream, over their seeds and folds"
    ),
    assumptions=(
        "the differences are normally distributed with correlation n2/(n1 + n2); that is made for "
        "random splits of a batch into n1 instances to learn and n2 to test, and conservative for "
        "folds of a stream, whose differences are correlated less"
    ),
    reference=(
        "Nadeau, Bengio (2003), Inference for the generalization error, Machine Learning 52, "
        "239-281, Section 4"
    ),
    evidence=OverlappingFolds,
    function=_test,
)
