"""The bias of an accuracy that counts only labels which have arrived."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfItems


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of stopping_bias."""


KIND = Kind(
    name="stopping_bias",
    settings=Settings,
    reads="item",
    of="label_waiting",
    columns=(
        *("stream", "simulated", "learner", "labels", "begun", "pending", "arrived_accuracy"),
        *("pending_accuracy", "accuracy", "bias", "window", "stops", "mean_pending", "window_bias"),
        *("low", "high"),
    ),
)
