"""The t-test of the means of blocks of a series."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.significance.intervals import block_means
from streameval.significance.series import Series, checked, largest, t_of_mean
from streameval.significance.significance_test import SignificanceResult, SignificanceTest

#: Number of blocks of a series. Each must be much longer than the range of dependence, and there
#: must be enough of them for much power: the 95 % quantile of Student's t is 2.05.
BLOCKS = 30


def series_t(differences: ArrayLike, blocks: int = BLOCKS) -> SignificanceResult:
    """Test whether the mean of a series of differences is 0; two-sided.

    Means of long blocks are nearly independent, and Student's t-test is taken over them. It is
    one of the tests whose error rates are studied; verdicts rest on `stream_mean`.

    Parameters
    ----------
    differences : array_like of float, shape (..., n)
        Differences in order of time, or the means of equally long bins, at least 4.
    blocks : int
        Maximum number of blocks, see `block_means`.

    Returns
    -------
    SignificanceResult
        Statistics and p-values of shape (...), with ``mean``, ``low`` and ``high`` of the 95 %
        interval in its details. Series without any difference have p-value 1; series of
        equal differences other than 0 have p-value 0.

    Raises
    ------
    ConfigError
        If there are fewer than 4 differences or 2 blocks.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference,
    Journal of Business & Economic Statistics 28(4), 453-468.
    """
    series = checked(differences, 4, "t-test of a series")
    means = block_means(series, blocks)
    count = means.shape[-1]
    error = means.std(axis=-1, ddof=1) / np.sqrt(count)
    return t_of_mean(series.mean(axis=-1), error, count - 1.0, largest(series))


def _test(series: Series) -> SignificanceResult:
    return series_t(series.differences)


TEST = SignificanceTest(
    name="series_t",
    title="t-test of the means of blocks",
    null="the expected difference of the two learners is 0",
    estimand=(
        "the expected difference of two runs on one stream, not of the learners over other seeds"
    ),
    assumptions=(
        "the differences depend on each other over a range much shorter than a block, and their "
        "mean is the same in all blocks; the variances of blocks may differ"
    ),
    reference="Ibragimov, Müller (2010)",
    evidence=Series,
    function=_test,
)
