"""Holm's correction of the p-values of several tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats


def holm(p_values: ArrayLike) -> Floats:
    """p-values of several tests, adjusted so that they hold for all of them together.

    Whoever rejects the hypotheses with an adjusted p-value of at most α rejects any true one with
    a probability of at most α, however the tests depend on each other.

    Parameters
    ----------
    p_values : array_like of float, shape (m,)
        NaN where a test has no p-value; such tests do not count.

    Returns
    -------
    ndarray, shape (m,)
        The i-th smallest p-value times m - i + 1, at least the one before and at most 1.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6(2), 65-70.
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    order = np.argsort(p, kind="stable")[: int(np.count_nonzero(~np.isnan(p)))]  # NaN stand last
    scaled = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(scaled))
    return adjusted
