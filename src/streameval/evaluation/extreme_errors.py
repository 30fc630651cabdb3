"""Warnings of predicted numbers so far outside all targets that they decide a mean error."""

from __future__ import annotations

import warnings

import numpy as np

from streameval.base.arrays import Floats
from streameval.streams.readers.table import StreamWarning

#: An error is extreme if it is more than so many times the range of the targets.
EXTREME = 100.0


def warn_of_extreme_errors(learner: str, errors: Floats, targets: Floats) -> None:
    """Warn if absolute errors of a learner are out of all proportion to the range of the targets.

    Parameters
    ----------
    learner : str
        Its name.
    errors : ndarray of float64
        Absolute errors, of any shape; NaN where there is no prediction.
    targets : ndarray of float64
        Those that are predicted; NaN where one is missing.
    """
    known, targets = errors[~np.isnan(errors)], targets[~np.isnan(targets)]
    span = np.ptp(targets) if len(targets) else 0.0
    extreme = known > EXTREME * span
    if not span or not extreme.any():
        return
    rest = known[~extreme]
    without = f", {rest.mean():,.4g} without them" if len(rest) else ""
    warnings.warn(
        f"{learner}: {int(extreme.sum()):,} of {len(known):,} predictions are wrong by more than "
        f"{EXTREME:.0f} times the range of the targets ({targets.min():,.6g} to "
        f"{targets.max():,.6g}), the worst by {known.max():,.6g}. They decide its mean absolute "
        f"error: {known.mean():,.4g}{without}. Linear models do so where an input has hardly "
        "varied before. Use other inputs, another learner or another seed.",
        StreamWarning,
        stacklevel=3,
    )
