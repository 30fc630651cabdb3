"""Accuracy by ADWIN and over sliding windows of several lengths."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import Delta, OfPredictions, Points, Windows

#: Columns of the frames, of the kind holdout too.
FOLLOWING = ("learner", "estimator", "instance", "accuracy")
DISTANCES = ("learner", "estimator", "instances", "distance", "low", "high")
CLOSER = ("learner", "estimator", "other", "instances", "difference", "low", "high")


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of windows."""

    windows: Windows = (100, 1000, 10_000)
    delta: Delta = 0.002
    points: Points = 1000


KIND = Kind(
    name="windows",
    settings=Settings,
    reads="predictions",
    frames={"following": FOLLOWING, "distances": DISTANCES, "closer": CLOSER},
)
