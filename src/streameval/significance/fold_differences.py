"""The evidence of tests over folds: differences of two learners in each fold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.errors import DataError


class FoldDifferences(NamedTuple):
    """Differences A - B of a measure, such as accuracy, in each fold.

    Ties and zeros are exact: pass differences of counts, or rounded ones, where 0.3 - 0.2 and
    0.2 - 0.1 should be equal. NaN in a fold makes the result NaN.
    """

    differences: ArrayLike  # (..., folds)


def as_differences(values: ArrayLike, least: int, what: str = "folds") -> NDArray[np.float64]:
    """Return differences as an array of shape (..., folds).

    Raises
    ------
    DataError
        If there are fewer than `least` values along the last axis.
    """
    differences = np.asarray(values, dtype=np.float64)
    if differences.ndim == 0 or differences.shape[-1] < least:
        found = differences.shape[-1] if differences.ndim else "a single number"
        raise DataError(
            f"Significance test: expected differences in at least {least} {what} along the last "
            f"axis, found {found}. Evaluate with more {what}."
        )
    return differences
