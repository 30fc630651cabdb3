"""Class scores from votes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from streameval.compiled.kernels import inlined


@inlined
def write_scores(votes: NDArray[np.float64], predicted: int, out: NDArray[np.float32]) -> None:
    """Write votes (k,), not normalised, as scores (k,) that sum to one.

    Where the votes are all zero, or not finite, the predicted class gets the full score.
    """
    total = 0.0
    for vote in votes:
        total += vote
    if total > 0.0 and np.isfinite(total):
        for c in range(votes.shape[0]):
            out[c] = votes[c] / total
    else:
        out[:] = 0.0
        out[predicted] = 1.0
