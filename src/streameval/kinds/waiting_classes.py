"""The classes of labels that have arrived and that are pending, and how long they take."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfItems


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of waiting_classes."""


KIND = Kind(
    name="waiting_classes",
    settings=Settings,
    reads="item",
    of="label_waiting",
    columns=(
        *("stream", "simulated", "labels", "pending_labels", "class", "arrived", "pending"),
        *("arrived_fraction", "pending_fraction", "low", "median", "high", "unit"),
    ),
)
