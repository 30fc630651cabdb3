"""Student's t-test of a mean, in which the tests over folds, runs and series end."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy  # loads its parts when they are first used: most jobs need none
from numpy.typing import NDArray

from streameval.significance.intervals import CONFIDENCE
from streameval.significance.significance_test import SignificanceResult

Values = NDArray[np.float64]


def two_sided(t: Values, mean: Values, error: Values, freedom: float) -> SignificanceResult:
    """Return the two-sided test of a mean of 0, with the interval of confidence `CONFIDENCE`.

    Parameters
    ----------
    t : ndarray of shape (...)
        The mean divided by its standard error, or what stands for it where the error is 0.
    mean, error : ndarray of shape (...)
        The mean and its standard error.
    freedom : float
        Degrees of freedom; infinity for the normal distribution.

    Returns
    -------
    SignificanceResult
        With ``mean``, ``standard_error``, ``low`` and ``high`` in its details.
    """
    p_value = 2.0 * scipy.special.stdtr(freedom, -np.abs(t))
    half = scipy.special.stdtrit(freedom, (1.0 + CONFIDENCE) / 2.0) * error
    details: dict[str, Any] = {"mean": mean, "standard_error": error}
    return SignificanceResult(
        t, p_value, details={**details, "low": mean - half, "high": mean + half}
    )
