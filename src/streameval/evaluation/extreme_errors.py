"""Warnings about predictions far outside all targets, which dominate a mean error."""

from __future__ import annotations

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import warn_caller
from streameval.base.rounding import format_number
from streameval.streams.readers.table import StreamWarning

#: An error is extreme if it exceeds the range of the targets by this factor.
EXTREME_FACTOR = 100.0


def warn_of_extreme_errors(learner: str, errors: Floats, targets: Floats) -> None:
    """Warn if absolute errors of a learner are much larger than the range of the targets.

    Parameters
    ----------
    learner : str
        The name of the learner.
    errors : ndarray of float64
        Absolute errors, of any shape; NaN where there is no prediction.
    targets : ndarray of float64
        The predicted targets; NaN where a target is missing.
    """
    errors, targets = errors[~np.isnan(errors)], targets[~np.isnan(targets)]
    span = np.ptp(targets) if len(targets) else 0.0
    is_extreme = errors > EXTREME_FACTOR * span
    if not span or not is_extreme.any():
        return
    rest = errors[~is_extreme]
    low, high, worst = (
        format_number(value, ",.6g") for value in (targets.min(), targets.max(), errors.max())
    )
    mean = format_number(errors.mean(), ",.4g")
    mean_of_rest = f", {format_number(rest.mean(), ',.4g')} without them" if len(rest) else ""
    warn_caller(
        f"{learner}: {int(is_extreme.sum()):,} of {len(errors):,} predictions are wrong by more "
        f"than {EXTREME_FACTOR:g} times the range of the targets ({low} to {high}), the worst by "
        f"{worst}. They dominate its mean absolute error: {mean}{mean_of_rest}. Linear models make "
        "such errors if an input has hardly varied before. Use other inputs, another learner or "
        "another seed.",
        StreamWarning,
    )
