"""Hodges-Lehmann centre of paired differences, with the interval of Wilcoxon's signed-rank test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.t_over_folds import as_differences
from streameval.significance.wilcoxon import critical_value


class Center(NamedTuple):
    """The centre of differences and the ends of its interval, each of shape (...)."""

    center: Floats
    low: Floats  # NaN where there are too few differences for an interval
    high: Floats  # NaN where `low` is


def hodges_lehmann(differences: ArrayLike, confidence: float = CONFIDENCE) -> Center:
    """Median of the means of all pairs of differences, and its confidence interval.

    The interval contains all centres that Wilcoxon's signed-rank test does not reject. Its ends are
    means of pairs, so only some confidence levels are possible, and the next higher one is used.
    The level is that of the centre of a symmetric continuous distribution. For up to 50 differences
    the critical values are exact.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences of independent pairs. A NaN makes the result NaN.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Center
        Without an interval if n is so small that the test cannot reject even differences of equal
        sign; 95 % confidence takes at least six differences.

    References
    ----------
    Hodges, Lehmann (1963), Estimates of location based on rank tests, Annals of Mathematical
    Statistics 34(2), 598-611. Hollander, Wolfe (1999), Nonparametric statistical methods, Sections
    3.2 and 3.3.
    """
    values = as_differences(differences, min_length=1, unit="streams")
    i, j = np.triu_indices(values.shape[-1])  # includes the pair of a difference with itself
    means = np.sort((values[..., i] + values[..., j]) / 2.0, axis=-1)
    center = np.median(means, axis=-1)
    largest_rejected = critical_value(values.shape[-1], 1.0 - confidence)
    if largest_rejected < 0:
        undefined = np.full(center.shape, np.nan)
        return Center(center, undefined, undefined)
    has_nan = np.isnan(center)
    low, high = means[..., largest_rejected], means[..., means.shape[-1] - 1 - largest_rejected]
    return Center(center, np.where(has_nan, np.nan, low), np.where(has_nan, np.nan, high))
