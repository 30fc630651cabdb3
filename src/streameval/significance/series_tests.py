"""Tests of the mean of a series: by the means of blocks, and of Diebold and Mariano."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.significance.intervals import block_means
from streameval.significance.series import (
    Series,
    checked,
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

#: Number of blocks of a series. Each must be much longer than the range of dependence, and there
#: must be enough of them for much power: the 95 % quantile of Student's t is 2.05.
BLOCKS = 30


def series_t(differences: ArrayLike) -> SignificanceResult:
    """Test whether the mean of a series of differences is 0; two-sided.

    Means of long blocks are nearly independent, and Student's t-test is taken over them. It is
    one of the tests whose error rates are studied; verdicts rest on `stream_mean`.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time, or the means of equally long bins, at least 4.

    Returns
    -------
    SignificanceResult
        Statistics and p-values of shape (...), with ``mean``, ``low`` and ``high`` of the 95 %
        interval in its details. Series without any difference have p-value 1; series of
        equal differences other than 0 have p-value 0.

    Raises
    ------
    ConfigError
        If there are fewer than 4 differences.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference,
    Journal of Business & Economic Statistics 28(4), 453-468.
    """
    series = checked(differences, 4, "t-test of a series")
    means = block_means(series, BLOCKS)
    count = means.shape[-1]
    error = means.std(axis=-1, ddof=1) / np.sqrt(count)
    return t_of_mean(series.mean(axis=-1), error, count - 1.0, largest_magnitude(series))


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

    The long-run variance is that of `daniell` with its default m. With m frequencies held fixed
    while the series gets longer, the statistic has Student's t distribution with 2 m degrees of
    freedom.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time, or the means of equally long bins, at least 3.

    Returns
    -------
    SignificanceResult
        As of `series_t`.

    Raises
    ------
    ConfigError
        See `daniell`.

    References
    ----------
    Coroneo, Iacone (2020), Comparing predictive accuracy in small samples using fixed-smoothing
    asymptotics, Journal of Applied Econometrics 35(4), 391-409.
    """
    series = checked(differences, 3, "Diebold-Mariano test")
    n = series.shape[-1]
    error = np.sqrt(daniell(series) / n)
    return t_of_mean(
        series.mean(axis=-1), error, 2.0 * daniell_frequencies(n), largest_magnitude(series)
    )


DIEBOLD_MARIANO = SignificanceTest(
    name="diebold_mariano",
    title="Diebold-Mariano test",
    null=_NULL,
    estimand=_ESTIMAND,
    assumptions=(
        "the differences are stationary and depend on each other over a range much shorter than "
        "n / m instances; where their mean moves, the test rejects too rarely"
    ),
    reference="Diebold, Mariano (1995); Coroneo, Iacone (2020), weighted periodogram estimate",
    evidence=Series,
    function=lambda series: diebold_mariano(series.differences),
)
