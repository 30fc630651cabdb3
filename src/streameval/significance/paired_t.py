"""Student's t-test of paired differences over folds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.significance.fold_differences import FoldDifferences, as_differences
from streameval.significance.significance_test import SignificanceResult, SignificanceTest
from streameval.significance.student import two_sided


class Student(NamedTuple):
    """A mean, its standard error, and t, each of shape (...)."""

    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    t: NDArray[np.float64]

    def result(self, freedom: int) -> SignificanceResult:
        """Return the two-sided test of a mean of 0, see `two_sided`."""
        return two_sided(self.t, self.mean, self.error, freedom)


def t_of_differences(differences: NDArray[np.float64], factor: ArrayLike) -> Student:
    """Return the mean over the last axis, its error √(factor · variance), and their ratio t.

    Where all differences are equal the error is 0, and t is 0 if they are 0 and infinite otherwise.

    Parameters
    ----------
    differences : ndarray of shape (..., k)
        At least two.
    factor : array_like of shape (...)
        Variance of the mean in units of the variance of a difference: 1/k if independent.
    """
    first = differences[..., 0]
    # Otherwise rounding of the mean would look like variance.
    equal = (differences == first[..., None]).all(axis=-1)
    mean = np.where(equal, first, differences.mean(axis=-1))
    error = np.where(equal, 0.0, np.sqrt(factor * differences.var(axis=-1, ddof=1)))
    t = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
    np.divide(mean, error, out=t, where=error != 0)
    return Student(mean, error, t)


def _test(evidence: FoldDifferences) -> SignificanceResult:
    """Compare the mean with Student's t of k - 1 degrees of freedom; two-sided.

    Without variance the p-value is 1 if all differences are 0, and 0 otherwise. `details` has the
    ``mean``, its ``standard_error``, and the 95 % interval from ``low`` to ``high``.
    """
    differences = as_differences(evidence.differences, 2)
    folds = differences.shape[-1]
    return t_of_differences(differences, 1.0 / folds).result(folds - 1)


TEST = SignificanceTest(
    name="paired_t",
    title="Paired t-test over folds",
    null="the mean difference is 0",
    estimand=(
        "the mean difference of the two algorithms on this stream, over their seeds and folds"
    ),
    assumptions=(
        "the differences in the folds are independent of each other and normally distributed"
    ),
    reference="Dietterich (1998), Section 3.3",
    evidence=FoldDifferences,
    function=_test,
)
