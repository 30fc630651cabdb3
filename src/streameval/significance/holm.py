"""Holm's correction of the p-values of several tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats


def holm(p_values: ArrayLike) -> Floats:
    """Adjusted p-values of several tests, valid for all tests together.

    If hypotheses with an adjusted p-value of at most α are rejected, the probability of rejecting
    any true hypothesis is at most α, whatever the dependence between the tests.

    Parameters
    ----------
    p_values : array_like of float, shape (m,)
        NaN where a test has no p-value. Such tests are not counted.

    Returns
    -------
    ndarray, shape (m,)
        The i-th smallest of m p-values times m - i + 1, at most 1, and at least the adjusted value
        of each smaller p-value.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6(2), 65-70.
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    n_tests = int(np.count_nonzero(~np.isnan(p)))
    order = np.argsort(p, kind="stable")[:n_tests]  # NaN are sorted to the end
    scaled = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(scaled))
    return adjusted
