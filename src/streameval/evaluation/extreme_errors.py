"""Warnings of predictions far outside all targets, which dominate a mean error."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import warn_caller
from streameval.base.rounding import format_number
from streameval.streams.readers.table import StreamWarning

#: An error is extreme if it exceeds the range of the targets by this factor.
EXTREME = 100.0


def warn_of_extreme_errors(learner: str, errors: Floats, targets: Floats) -> None:
    """Warn if absolute errors of a learner are out of all proportion to the range of the targets.

    Parameters
    ----------
    learner : str
        The name of the learner.
    errors : ndarray of float64
        Absolute errors, of any shape; NaN where there is no prediction.
    targets : ndarray of float64
        The predicted targets; NaN where one is missing.
    """
    known, targets = errors[~np.isnan(errors)], targets[~np.isnan(targets)]
    span = np.ptp(targets) if len(targets) else 0.0
    extreme = known > EXTREME * span
    if not span or not extreme.any():
        return
    rest = known[~extreme]
    low, high, worst = (
        format_number(value, ",.6g") for value in (targets.min(), targets.max(), known.max())
    )
    mean = format_number(known.mean(), ",.4g")
    without = f", {format_number(rest.mean(), ',.4g')} without them" if len(rest) else ""
    warn_caller(
        f"{learner}: {int(extreme.sum()):,} of {len(known):,} predictions are wrong by more than "
        f"{EXTREME:g} times the range of the targets ({low} to {high}), the worst by {worst}. They "
        f"decide its mean absolute error: {mean}{without}. Linear models do so where an input has "
        "hardly varied before. Use other inputs, another learner or another seed.",
        StreamWarning,
    )
