"""Tests of the mean of a series: t-test of block means, and Diebold-Mariano test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.significance.intervals import block_means
from streameval.significance.series import (
    Series,
    as_series,
    daniell,
    daniell_frequencies,
    largest_magnitude,
    t_of_mean,
)
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

_NULL = "the expected difference of the two learners is 0"
_ESTIMAND = (
    "the expected difference of two runs on one stream, not of the learners over other seeds"
)

#: Number of blocks of a series. Each block must be much longer than the range of dependence. More
#: blocks have more power, but little more: the critical value of Student's t at 5 % is 2.05 with 30
#: blocks, and 1.96 with infinitely many.
BLOCKS = 30


def series_t(differences: ArrayLike) -> SignificanceResult:
    """Test whether the mean of a series of differences is 0; two-sided.

    Means of long blocks are nearly independent, so Student's t-test is applied to them. Verdicts
    use `stream_mean` instead; this test exists so that its error rates can be studied.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time, or the means of equally long bins, at least 4.

    Returns
    -------
    SignificanceResult
        Statistics and p-values of shape (...), with the ``mean`` and the ends ``low`` and ``high``
        of its 95 % interval in the details. The p-value is 1 if all differences are 0, and 0 if
        they are equal but not 0.

    Raises
    ------
    ConfigError
        If there are fewer than 4 differences.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference,
    Journal of Business & Economic Statistics 28(4), 453-468.
    """
    series = as_series(differences, 4, "t-test of a series")
    means = block_means(series, BLOCKS)
    n_blocks = means.shape[-1]
    standard_error = means.std(axis=-1, ddof=1) / np.sqrt(n_blocks)
    mean, scale = series.mean(axis=-1), largest_magnitude(series)
    return t_of_mean(mean, standard_error, df=n_blocks - 1.0, scale=scale)


SERIES_T = SignificanceTest(
    name="series_t",
    title="t-test of the means of blocks",
    null=_NULL,
    estimand=_ESTIMAND,
    assumptions=(
        "the differences depend on each other over a range much shorter than a block, and their "
        "mean is the same in all blocks; the variances of blocks may differ"
    ),
    reference="Ibragimov, Müller (2010)",
    evidence=Series,
    function=lambda series: series_t(series.differences),
)


def diebold_mariano(differences: ArrayLike) -> SignificanceResult:
    """Test whether the mean of a series of differences is 0; two-sided.

    `daniell` estimates the long-run variance from the m lowest frequencies. If m stays fixed while
    the series gets longer, the statistic has Student's t distribution with 2 m degrees of freedom.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time, or the means of equally long bins, at least 3.

    Returns
    -------
    SignificanceResult
        As for `series_t`.

    Raises
    ------
    ConfigError
        If there are fewer than 3 differences.

    References
    ----------
    Coroneo, Iacone (2020), Comparing predictive accuracy in small samples using fixed-smoothing
    asymptotics, Journal of Applied Econometrics 35(4), 391-409.
    """
    series = as_series(differences, 3, "Diebold-Mariano test")
    n = series.shape[-1]
    standard_error = np.sqrt(daniell(series) / n)
    mean, scale = series.mean(axis=-1), largest_magnitude(series)
    return t_of_mean(mean, standard_error, df=2.0 * daniell_frequencies(n), scale=scale)


DIEBOLD_MARIANO = SignificanceTest(
    name="diebold_mariano",
    title="Diebold-Mariano test",
    null=_NULL,
    estimand=_ESTIMAND,
    assumptions=(
        "the n differences are stationary and depend on each other over a range much shorter than "
        "n^(2/3) instances; where their mean moves, the test rejects too rarely"
    ),
    reference="Diebold, Mariano (1995); Coroneo, Iacone (2020), weighted periodogram estimate",
    evidence=Series,
    function=lambda series: diebold_mariano(series.differences),
)
