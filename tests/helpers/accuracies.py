"""Accuracies of learners over a stream, run directly or read from the frame of a study."""

from __future__ import annotations

import numpy as np

from streameval.protocols.prequential import prequential


def accuracy(learner, stream, seed=1) -> float:
    """Prequential accuracy of a learner."""
    return float(np.mean(learner.run(stream, prequential(len(stream)), seed).label == stream.y))


def values(frame, **where) -> np.ndarray:
    """The accuracies of the rows that hold what `where` says."""
    for key, wanted in where.items():
        frame = frame[frame[key] == wanted]
    return frame["accuracy"].to_numpy()
